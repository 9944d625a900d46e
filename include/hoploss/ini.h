/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * INI files (datasheets, path files, fio's job files), read strictly: inih behind src/ini.c, the
 * only file that includes it.
 *
 * "[section]", "key = value", comments from '#' or ';' at the start of a line. A value is the rest
 * of its line without blanks at both ends. No continuation lines, no comments behind values, but
 * for job files, where '#' and ';' begin a comment anywhere and a key may stand alone.
 */
#ifndef HOPLOSS_INI_H
#define HOPLOSS_INI_H

#include "hoploss/error.h"
#include <stddef.h>

struct hl_ini_item {
	const char *section; /* "" before the first one */
	const char *key;     /* NULL: the section begins here */
	const char *value;   /* NULL: the key stands alone */
	unsigned line;
};

enum hl_ini_kind {
	HL_INI_PLAIN,
	HL_INI_SECTIONS, /* take sees where each section begins, too */
	HL_INI_JOBS,     /* the same, in the syntax of fio's job files */
};

/*
 * Gives every "key = value" of bytes, in order, to take, which returns 0 or -errno with err filled
 * (its text is put behind "NAME:LINE: "). name is for messages only. Stops at the first error.
 * -EBADMSG: no INI, a line of more than 4000 bytes, a control character; err names file and line.
 * A section without keys is not seen by take.
 */
int hl_ini_read_as(enum hl_ini_kind kind, const char *name, const char *bytes, size_t len,
		   int (*take)(void *to, const struct hl_ini_item *item, struct hl_error *err),
		   void *to, struct hl_error *err);

/* The same for HL_INI_PLAIN. */
int hl_ini_read(const char *name, const char *bytes, size_t len,
		int (*take)(void *to, const struct hl_ini_item *item, struct hl_error *err),
		void *to, struct hl_error *err);

#endif
