/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs written for fio, to be run by hoploss: job files and command lines. What hoploss does about
 * each option stands in hoploss/fio_table.h; nothing is ever changed without a word.
 *
 * Surprising: an engine of fio that is synchronous (its default, psync, is) keeps one I/O in
 * flight whatever iodepth says, so such a job has depth 1 here too.
 */
#ifndef HOPLOSS_FIO_JOBS_H
#define HOPLOSS_FIO_JOBS_H

#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include "hoploss/workload.h"

struct hl_fio_jobs {
	struct hl_arena *arena; /* all below lives in it */
	struct hl_workload *jobs;
	size_t nr_jobs;
	const char **filenames; /* that they name, each once */
	size_t nr_filenames;
	const char **idle; /* options without effect, each once, as they came */
	size_t nr_idle;
	const char **notes; /* sentences for the report */
	size_t nr_notes;
	bool has_runtime;
	bool is_parallel; /* fio would run some of them at the same time */
	bool is_spread;   /* processes that fio starts at one place have parts of their own here */
};

void hl_fio_jobs_init(struct hl_fio_jobs *jobs, struct hl_arena *arena);
/* A job file: fio(1), "Job file format". -EINVAL, -EBADMSG: err has name and line. */
int hl_fio_jobs_add_text(struct hl_fio_jobs *jobs, const char *name, const char *bytes, size_t len,
			 struct hl_error *err);
/* A job file by its path; errors of reading it too. */
int hl_fio_jobs_add_file(struct hl_fio_jobs *jobs, const char *path, struct hl_error *err);
/*
 * A command line, with or without the word fio: options with one dash or two, and job files.
 * -EINVAL: err has the word and its number.
 */
int hl_fio_jobs_add_words(struct hl_fio_jobs *jobs, const char *const *words, size_t nr,
			  struct hl_error *err);
/* Writes the notes, once all is added. */
void hl_fio_jobs_conclude(struct hl_fio_jobs *jobs);

#endif
