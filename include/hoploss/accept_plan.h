/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is measured of drives that are to be accepted. Pure.
 */
#ifndef HOPLOSS_ACCEPT_PLAN_H
#define HOPLOSS_ACCEPT_PLAN_H

#include "hoploss/alloc.h"
#include "hoploss/spec.h"
#include <stdbool.h>

struct hl_accept_drive {
	const char *path;           /* /dev/nvme0n1 */
	const char *name;           /* nvme0n1: of its hop */
	const struct hl_spec *spec; /* NULL = none */
};

#define HL_ACCEPT_TOGETHER "together" /* the hop of all drives at once */

/*
 * The text of a path: a hop a drive, each a root, and one of all of them; to be freed. Names that
 * cannot stand in a path file are an error of the caller.
 */
char *hl_accept_path_text(const struct hl_accept_drive *drives, size_t nr);

/*
 * One job for each kind of I/O that the sheets promise; the usual three reads where no drive has a
 * sheet. Jobs that write only with may_write. In the arena.
 */
struct hl_workload *hl_accept_workloads(struct hl_arena *arena,
					const struct hl_accept_drive *drives, size_t nr,
					bool may_write, size_t *ret_nr);

/*
 * Seconds to fill so many bytes of a drive twice and to read them back once, at the speeds of its
 * sheet; NAN where that tells none.
 */
double hl_accept_fill_seconds(const struct hl_spec *spec, double bytes);

/* "40 s", "12 min", "5 h 10 min": as exact as an estimate is. */
const char *hl_accept_span(struct hl_arena *arena, double seconds);

/* The built-in sheet whose models fit, to be freed; NULL. */
struct hl_spec *hl_accept_find_spec(const char *model);

#endif
