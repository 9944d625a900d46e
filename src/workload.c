/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads: names of patterns and directions, and when two jobs may be compared.
 */
#include "hoploss/workload.h"
#include <errno.h>
#include <math.h>
#include <string.h>

static const struct {
	const char *name;
	bool is_random, reads, writes;
} rws[HL_NR_RWS] = {
	[HL_RW_READ] = { "read", false, true, false },
	[HL_RW_WRITE] = { "write", false, false, true },
	[HL_RW_RANDREAD] = { "randread", true, true, false },
	[HL_RW_RANDWRITE] = { "randwrite", true, false, true },
	[HL_RW_RW] = { "rw", false, true, true },
	[HL_RW_RANDRW] = { "randrw", true, true, true },
	[HL_RW_TRIM] = { "trim", false, false, false },
	[HL_RW_RANDTRIM] = { "randtrim", true, false, false },
};

static const char *const dir_names[HL_NR_DIRS] = {
	[HL_DIR_READ] = "read",   [HL_DIR_WRITE] = "write", [HL_DIR_TRIM] = "trim",
	[HL_DIR_MIXED] = "mixed", [HL_DIR_TX] = "tx",       [HL_DIR_RX] = "rx",
};

const char *hl_rw_name(enum hl_rw rw)
{
	return rws[rw].name;
}

int hl_rw_parse(const char *name, enum hl_rw *ret_rw)
{
	if (!strcmp(name, "readwrite")) /* fio's other name */
		name = "rw";
	for (int i = HL_RW_UNKNOWN + 1; i < HL_NR_RWS; i++) {
		if (!strcmp(rws[i].name, name)) {
			*ret_rw = i;
			return 0;
		}
	}
	return -EINVAL;
}

bool hl_rw_is_random(enum hl_rw rw)
{
	return rws[rw].is_random;
}

bool hl_rw_reads(enum hl_rw rw)
{
	return rws[rw].reads;
}

bool hl_rw_writes(enum hl_rw rw)
{
	return rws[rw].writes;
}

const char *hl_dir_name(enum hl_dir dir)
{
	return dir_names[dir];
}

void hl_workload_init(struct hl_workload *workload)
{
	*workload = (struct hl_workload){
		.bs = NAN,
		.bs_write = NAN,
		.iodepth = NAN,
		.numjobs = NAN,
		.size = NAN,
		.size_pct = NAN,
		.offset = NAN,
		.offset_pct = NAN,
		.runtime_s = NAN,
		.ramp_s = NAN,
		.rwmixread = NAN,
		.direct = -1,
		.fsync = NAN,
	};
}

static bool is_equal(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

bool hl_workload_is_same(const struct hl_workload *a, const struct hl_workload *b)
{
	bool has_mix = !isnan(a->rwmixread) && !isnan(b->rwmixread);

	return a->rw == b->rw && is_equal(a->bs, b->bs) && is_equal(a->bs_write, b->bs_write) &&
	       is_equal(a->iodepth, b->iodepth) && is_equal(a->numjobs, b->numjobs) &&
	       (!has_mix || a->rwmixread == b->rwmixread);
}

double hl_workload_depth(const struct hl_workload *workload)
{
	return workload->iodepth * workload->numjobs;
}
