/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One job while its options are read, shared by the files of this room.
 */
#ifndef HOPLOSS_FIO_FIO_JOB_H
#define HOPLOSS_FIO_FIO_JOB_H

#include "hoploss/fio_jobs.h"
#include "hoploss/fio_options.h"

struct fio_draft { /* a copy of it inherits all options */
	struct hl_fio_options options;
	const char *name;
	const char *filename;    /* NULL = none */
	const char *for_writers; /* why a job that writes cannot be run; NULL = it can */
	bool is_stonewalled;
	unsigned line; /* of its section; 0 on a command line */
};

void fio_draft_init(struct fio_draft *draft); /* fio's defaults */
/* One option; value NULL = it stands alone. -EINVAL: err names option and reason, no place. */
int fio_draft_set(struct hl_fio_jobs *jobs, struct fio_draft *draft, const char *name,
		  const char *value, struct hl_error *err);
/* The job that the draft has become. -EINVAL as above. */
int fio_draft_finish(struct hl_fio_jobs *jobs, const struct fio_draft *draft, struct hl_error *err);

#endif
