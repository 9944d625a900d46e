/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The built-in workloads. All use O_DIRECT. Where size or run time is unknown, the run chooses it.
 *
 * Sources: "cdm" follows the default profile of CrystalDiskMark 8; "iscsi-pvc", "psync", "nas" and
 * "pve-zfs" are sets that people ran on such systems, so that their results can be compared.
 */
#include "hoploss/suite.h"
#include "hoploss/unit.h"
#include <math.h>
#include <string.h>
#include <strings.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

#define JOB(name_, rw_, bs_, depth_, jobs_, size_, seconds_, mix_, fsync_, engine_)                \
	{                                                                                          \
		.name = (name_), .rw = HL_RW_##rw_, .bs = (bs_), .bs_write = NAN,                  \
		.iodepth = (depth_), .numjobs = (jobs_), .size = (size_), .size_pct = NAN,         \
		.offset = NAN, .offset_pct = NAN, .runtime_s = (seconds_), .ramp_s = NAN,          \
		.rwmixread = (mix_), .engine = (engine_), .direct = 1, .fsync = (fsync_),          \
	}

#define K HL_KIB
#define M HL_MIB
#define G HL_GIB

#define BASIC(name, rw, bs, depth, fsync) JOB(name, rw, bs, depth, 1, NAN, NAN, NAN, fsync, NULL)
static const struct hl_workload basic[] = {
	BASIC("seq-read-128k", READ, 128 * K, 32, NAN),
	BASIC("rand-read-4k", RANDREAD, 4 * K, 32, NAN),
	BASIC("rand-read-4k-qd1", RANDREAD, 4 * K, 1, NAN),
	BASIC("seq-write-128k", WRITE, 128 * K, 32, NAN),
	BASIC("rand-write-4k", RANDWRITE, 4 * K, 32, NAN),
	BASIC("rand-write-4k-qd1", RANDWRITE, 4 * K, 1, NAN),
	BASIC("sync-write-4k-qd1", RANDWRITE, 4 * K, 1, 1),
};

/* all jobs and processes share one file */
#define PVC(name, rw, bs, depth, jobs, mix)                                                        \
	JOB(name, rw, bs, depth, jobs, 10 * G, 300, mix, NAN, "libaio")
static const struct hl_workload iscsi_pvc[] = {
	PVC("iops_4k_rand_read", RANDREAD, 4 * K, 32, 4, NAN),
	PVC("iops_4k_rand_write", RANDWRITE, 4 * K, 32, 4, NAN),
	PVC("bw_128k_seq_read", READ, 128 * K, 32, 4, NAN),
	PVC("bw_128k_seq_write", WRITE, 128 * K, 32, 4, NAN),
	PVC("db_4k_rand_read", RANDREAD, 4 * K, 64, 16, NAN),
	PVC("db_4k_rand_write", RANDWRITE, 4 * K, 64, 16, NAN),
	PVC("fs_8k_rand_rw_50_50", RANDRW, 8 * K, 16, 8, 50),
	PVC("fs_8k_rand_rw_70_30", RANDRW, 8 * K, 16, 8, 70),
	PVC("hp_128k_rand_rw_70_30", RANDRW, 128 * K, 128, 32, 70),
	PVC("backup_seq_read", READ, M, 128, 2, NAN),
	PVC("backup_seq_write", WRITE, M, 128, 2, NAN),
	PVC("latency_4k_rand_read", RANDREAD, 4 * K, 1, 1, NAN),
};

/* each process has its own file of 1 GiB */
#define PSYNC(name, rw) JOB(name, rw, 4 * K, 1, 10, 10 * G, 180, NAN, NAN, "psync")
static const struct hl_workload psync[] = {
	PSYNC("hdd-test", RANDREAD),
	PSYNC("hdd-write-test", RANDWRITE),
};

#define NAS(name, rw) JOB(name, rw, 4 * K, 64, 1, G, 10, NAN, NAN, "libaio")
static const struct hl_workload nas[] = {
	NAS("seq-read", READ),
	NAS("seq-write", WRITE),
	NAS("rand-read", RANDREAD),
	NAS("rand-write", RANDWRITE),
};

#define PVE(name, rw, bs, depth, size, mix)                                                        \
	JOB(name, rw, bs, depth, 1, size, 600, mix, NAN, "libaio")
static const struct hl_workload pve_zfs[] = {
	PVE("bw-r", READ, 4 * K, 128, 5 * G, NAN),     PVE("bw-w", WRITE, 4 * K, 128, 5 * G, NAN),
	PVE("iops-r", RANDREAD, 4 * K, 128, G, NAN),   PVE("iops-w", RANDWRITE, 4 * K, 128, G, NAN),
	PVE("iops-mixed", RANDRW, 4 * K, 128, G, 70),  PVE("throughput-r", READ, M, 32, 5 * G, NAN),
	PVE("throughput-w", WRITE, M, 32, 5 * G, NAN),
};

#define CDM(name, rw, bs, depth) JOB(name, rw, bs, depth, 1, G, 5, NAN, NAN, NULL)
static const struct hl_workload cdm[] = {
	CDM("SEQ1M-Q8T1-read", READ, M, 8),
	CDM("SEQ1M-Q1T1-read", READ, M, 1),
	CDM("RND4K-Q32T1-read", RANDREAD, 4 * K, 32),
	CDM("RND4K-Q1T1-read", RANDREAD, 4 * K, 1),
	CDM("SEQ1M-Q8T1-write", WRITE, M, 8),
	CDM("SEQ1M-Q1T1-write", WRITE, M, 1),
	CDM("RND4K-Q32T1-write", RANDWRITE, 4 * K, 32),
	CDM("RND4K-Q1T1-write", RANDWRITE, 4 * K, 1),
};

#define SUITE(name_, jobs_, summary_)                                                              \
	{                                                                                          \
		.name = (name_), .summary = (summary_), .jobs = (jobs_), .nr_jobs = NR(jobs_)      \
	}

static const struct hl_suite suites[] = {
	SUITE("basic", basic, "bandwidth, IOPS and latency, read and write"),
	SUITE("cdm", cdm, "as CrystalDiskMark: 1 MiB and 4 KiB at depth 8, 32 and 1"),
	SUITE("iscsi-pvc", iscsi_pvc,
	      "a Kubernetes volume: IOPS, bandwidth, database, file server, backup, latency"),
	SUITE("nas", nas, "4 KiB at depth 64, sequential and random, on a small file"),
	SUITE("psync", psync, "ten threads with one 4 KiB request each, read and write"),
	SUITE("pve-zfs", pve_zfs, "tuning a pool: 4 KiB at depth 128, 1 MiB at depth 32, a mix"),
};

const struct hl_suite *hl_suite_at(size_t index)
{
	return index < NR(suites) ? &suites[index] : NULL;
}

const struct hl_suite *hl_suite_find(const char *name)
{
	for (size_t i = 0; i < NR(suites); i++) {
		if (!strcmp(suites[i].name, name))
			return &suites[i];
	}
	return NULL;
}

const struct hl_workload *hl_suite_job(const char *name)
{
	for (size_t i = 0; i < NR(suites); i++) {
		for (size_t k = 0; k < suites[i].nr_jobs; k++) {
			if (!strcasecmp(suites[i].jobs[k].name, name))
				return &suites[i].jobs[k];
		}
	}
	return NULL;
}

const char *hl_suite_unit(const struct hl_workload *job)
{
	return hl_rw_is_random(job->rw) && job->bs <= 16 * K ? "IOPS" : "MB/s";
}
