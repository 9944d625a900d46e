/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio's job options (fio(1), "Job parameters"), as far as they say what I/O is done.
 */
#ifndef HOPLOSS_FIO_OPTIONS_H
#define HOPLOSS_FIO_OPTIONS_H

#include "hoploss/alloc.h"
#include "hoploss/workload.h"

struct hl_fio_options {
	struct hl_workload workload; /* engine lives in the arena given */
	double bs_trim;
	double offset_increment;
	bool has_filename; /* all processes of the job use the same files */
};

void hl_fio_options_init(struct hl_fio_options *options); /* everything unknown */
/*
 * One option by its name or alias. -ENOENT: not one that describes the I/O. -EINVAL: the value
 * cannot be read, or is a range or a split; what it sets is then unknown.
 */
int hl_fio_options_set(struct hl_fio_options *options, struct hl_arena *arena, const char *name,
		       const char *value);
/* What fio takes where an option is not given; only for a complete list of options. */
void hl_fio_options_default(struct hl_fio_options *options);
/* The workload: the block size of the directions that it has, the size of all its processes. */
void hl_fio_options_finish(struct hl_fio_options *options);

/* fio's sizes: "4k", "1g", "4096"; "kib" is 1,000, as with fio's default kb_base. -EINVAL. */
int hl_fio_size_parse(const char *text, size_t len, double *ret_bytes);

#endif
