/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What waits to be scrubbed before it goes into a bundle: captures, and a path with its notes. They
 * are held in memory until all of them are there, for one host knows the names of another.
 */
#ifndef HOPLOSS_HOLD_H
#define HOPLOSS_HOLD_H

#include "hoploss/captures.h"
#include "hoploss/scrub.h"

struct hl_hold;

struct hl_hold *hl_hold_new(void);
void hl_hold_free(struct hl_hold *hold); /* NULL allowed */
struct hl_scrub *hl_hold_scrub(struct hl_hold *hold);

/* As hl_captures_begin, _say and _end; at most 256 MiB a host. */
struct hl_capture_sink *hl_hold_begin(struct hl_hold *hold, const char *host,
				      enum hl_capture_stage stage);
void hl_hold_say(struct hl_hold *hold, const struct hl_capture_status *status);
void hl_hold_end(struct hl_hold *hold);
/* Learns from all that is held, puts it scrubbed into captures below bundle_fd, and forgets it. */
int hl_hold_release(struct hl_hold *hold, struct hl_captures *captures, int bundle_fd,
		    struct hl_error *err);

/*
 * The text of a path file without names, to be freed: its hosts are learned, hops keep theirs; how
 * hosts are reached, and the files of passwords, are left out. Learn from hosts before.
 */
void hl_hold_learn_path(struct hl_hold *hold, const char *text);
char *hl_hold_path(struct hl_hold *hold, const char *text);

#endif
