/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which workloads a run measures: words that name built-in jobs and suites.
 */
#ifndef HOPLOSS_WORKSET_H
#define HOPLOSS_WORKSET_H

#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include "hoploss/workload.h"
#include <stdbool.h>
#include <stddef.h>

#define HL_WORKSET_DEFAULT "seq-read-128k rand-read-4k rand-read-4k-qd1"

struct hl_workset {
	struct hl_workload *jobs;
	size_t nr_jobs;
	bool may_write;       /* jobs that write are among them */
	const char **writing; /* else: names of those that write, which are left out */
	size_t nr_writing;
};

/*
 * words: names of jobs and suites, by blanks; NULL = HL_WORKSET_DEFAULT. A job named twice is taken
 * once. -EINVAL: an unknown word (err says what is near), or nothing but jobs that write.
 */
int hl_workset_choose(struct hl_arena *arena, const char *words, struct hl_workset *ret_set,
		      struct hl_error *err);
/* The same with jobs that write. */
int hl_workset_choose_writing(struct hl_arena *arena, const char *words, struct hl_workset *ret_set,
			      struct hl_error *err);

#endif
