/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the saved output of tools has in common: lines "name: value", lines known by how they look,
 * and the prompt with the command that stands above. For decoders in this directory.
 */
#ifndef HOPLOSS_PROBES_SAVED_H
#define HOPLOSS_PROBES_SAVED_H

#include "hoploss/text.h"
#include <stdbool.h>

struct saved_pair {
	char name[96];
	char value[256];
};

/*
 * "  Speed: 1000Mb/s" or "Vendor PN  : X": trimmed, cut where they are longer. is_last: the last
 * colon separates, for names that hold some. False: no colon followed by a blank or the end.
 */
bool saved_pair_read(struct hl_line line, bool is_last, struct saved_pair *ret_pair);

/*
 * The line, trimmed and with one blank for each run of blanks and tabs, is like one of these
 * glob(7) patterns; NULL-terminated.
 */
bool saved_is_like(struct hl_line line, const char *const *patterns);

/*
 * A mail broke the line before: at itself belongs to nothing, and the next line or the one behind
 * it does. knows tells what belongs.
 */
bool saved_is_broken_off(const struct hl_text *text, size_t at,
			 bool (*knows)(const void *context, struct hl_line line),
			 const void *context);

bool saved_is_blank(struct hl_line line);

/*
 * The line is a command of that tool, as typed: "# ethtool -i eth0", "root@host:~# /sbin/ip link".
 * ret_args (size bytes, may be NULL): its words after the tool, up to a pipe or a semicolon.
 */
bool saved_is_command(struct hl_line line, const char *tool, char *ret_args, size_t size);

/* The last line that is not blank; all zero in a text without one. */
struct hl_line saved_last_line(const struct hl_text *text);
/*
 * The text without the last word of that line, which was cut off, or without all that stands behind
 * its colon (is_value). *ret_lines is to be freed.
 */
struct hl_text saved_drop_end(const struct hl_text *text, bool is_value,
			      struct hl_line **ret_lines);

/* The number that value begins with: "8160", "12 usecs"; NAN for "n/a" and the like. */
double saved_number(const char *value);
/* on, yes, true, enabled: 1; off, no, false, disabled: 0; anything else: -1. First word only. */
int saved_boolean(const char *value);

#endif
