/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which workloads a run measures: words that name built-in jobs, suites and fio's job files, or a
 * command line of fio.
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
	const char **notes; /* for the report: options without effect and the like */
	size_t nr_notes;
	const char **filenames; /* that jobs of fio name, each once */
	size_t nr_filenames;
};

struct hl_workset_request {
	const char *words;       /* by blanks: jobs, suites, "@FILE"; NULL = HL_WORKSET_DEFAULT */
	const char *file;        /* that has the words: "@FILE" is beside it; NULL = no file */
	const char *const *line; /* a command line of fio, taken instead of words */
	size_t nr_line;
	bool may_write; /* jobs that write are taken too */
};

/*
 * A built-in job named twice is taken once. -EINVAL: an unknown word (err says what is near), a job
 * of fio that cannot be run (err says where it stands and why), or nothing but jobs that write.
 */
int hl_workset_choose(struct hl_arena *arena, const struct hl_workset_request *request,
		      struct hl_workset *ret_set, struct hl_error *err);
/* One more sentence for the report; it must outlive the set. */
void hl_workset_add_note(struct hl_arena *arena, struct hl_workset *set, const char *note);

#endif
