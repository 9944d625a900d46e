/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A workload: one fio-like job. Used for what was measured and for what is to be measured.
 */
#ifndef HOPLOSS_WORKLOAD_H
#define HOPLOSS_WORKLOAD_H

#include <stdbool.h>

enum hl_rw {
	HL_RW_UNKNOWN,
	HL_RW_READ,
	HL_RW_WRITE,
	HL_RW_RANDREAD,
	HL_RW_RANDWRITE,
	HL_RW_RW,
	HL_RW_RANDRW,
	HL_RW_TRIM,
	HL_RW_RANDTRIM,
	HL_NR_RWS,
};

/* The directions in which a measurement can have figures; also the keys in JSON. */
enum hl_dir {
	HL_DIR_READ,
	HL_DIR_WRITE,
	HL_DIR_TRIM,
	HL_DIR_MIXED, /* only where the source gives no split */
	HL_DIR_TX,    /* network, as seen by the hop's host, sum over streams */
	HL_DIR_RX,
	HL_NR_DIRS,
};

struct hl_workload {
	const char *name; /* the job's name; NULL when unknown */
	enum hl_rw rw;
	int direct;         /* 1, 0, or -1 when the source does not say */
	double bs;          /* bytes; NAN when unknown or a range. Of reads when bs_write differs */
	double bs_write;    /* bytes, NAN when the same as bs or unknown */
	double iodepth;     /* as asked for; NAN when unknown */
	double numjobs;     /* NAN when unknown */
	double size;        /* bytes of file or device that the job touches, all jobs; NAN */
	double size_pct;    /* the same in percent of the target, where it is said so; NAN */
	double offset;      /* where it begins in the target, bytes; NAN = at its start */
	double offset_pct;  /* the same in percent of the target; NAN */
	double runtime_s;   /* NAN */
	double ramp_s;      /* of warming up before anything is counted; NAN */
	double rwmixread;   /* percent, NAN */
	const char *engine; /* "libaio"; NULL when unknown */
	double fsync;       /* fsync or fdatasync every n writes; NAN when unknown */
	bool is_data_only;  /* it is fdatasync */
};

const char *hl_rw_name(enum hl_rw rw);                 /* "randread"; NULL for UNKNOWN */
int hl_rw_parse(const char *name, enum hl_rw *ret_rw); /* fio's names; -EINVAL */
bool hl_rw_is_random(enum hl_rw rw);
bool hl_rw_reads(enum hl_rw rw);          /* has a read part */
bool hl_rw_writes(enum hl_rw rw);         /* has a write part */
const char *hl_dir_name(enum hl_dir dir); /* "read" */

void hl_workload_init(struct hl_workload *workload); /* everything unknown */
/* Same pattern, block size, depth, jobs (and mix where both say it): may be compared. */
bool hl_workload_is_same(const struct hl_workload *a, const struct hl_workload *b);
double hl_workload_depth(const struct hl_workload *workload); /* iodepth × numjobs, or NAN */

#endif
