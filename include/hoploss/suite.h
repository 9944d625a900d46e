/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads that are built in, in suites. To add one: its jobs and a row in src/suite.c.
 */
#ifndef HOPLOSS_SUITE_H
#define HOPLOSS_SUITE_H

#include "hoploss/workload.h"
#include <stddef.h>

struct hl_suite {
	const char *name; /* "pve-zfs" */
	const char *summary;
	const struct hl_workload *jobs; /* names are unique over all suites */
	size_t nr_jobs;
};

const struct hl_suite *hl_suite_at(size_t index); /* NULL behind the last */
const struct hl_suite *hl_suite_find(const char *name);
/* A job of any suite; case is ignored. NULL when there is none. */
const struct hl_workload *hl_suite_job(const char *name);
/* What people note down for such a job: "IOPS" for small random I/O, else "MB/s". */
const char *hl_suite_unit(const struct hl_workload *job);

#endif
