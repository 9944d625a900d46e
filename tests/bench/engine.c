/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine ENGINE FILE BS IODEPTH SECONDS: runs one slot of random reads and prints IOPS, CPU
 * nanoseconds per I/O and mean latency. For comparing with other generators by hand.
 */
#include "hoploss/engine.h"
#include "hoploss/alloc.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	struct hl_job job = { .log_fd = -1, .seed = 1, .warmup = 0.2 };
	struct hl_error err = { 0 };
	struct hl_slot slot;
	struct rusage usage;
	struct stat status;
	double ios;

	if (argc != 6)
		return HL_EXIT_USAGE;
	hl_workload_init(&job.workload);
	job.workload.rw = HL_RW_RANDREAD;
	job.workload.bs = strtod(argv[3], NULL);
	job.workload.iodepth = strtod(argv[4], NULL);
	job.workload.numjobs = 1;
	job.seconds = strtod(argv[5], NULL);
	job.target = argv[2];
	job.fd = open(argv[2], O_RDONLY);
	if (job.fd < 0 || fstat(job.fd, &status) < 0)
		return HL_EXIT_UNABLE;
	job.length = (uint64_t)status.st_size;
	if (hl_slot_run(hl_engine_find(argv[1]), &job, 5, NULL, NULL, &slot, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return HL_EXIT_UNABLE;
	}
	getrusage(RUSAGE_CHILDREN, &usage);
	ios = (double)slot.ios[HL_IO_READ];
	printf("iops %.0f cpu_ns_per_io %.0f lat_ns %.0f\n", ios / slot.seconds,
	       slot.cpu_seconds * 1e9 / ios * slot.seconds / (slot.seconds + job.warmup),
	       hl_hist_mean(slot.latency[HL_IO_READ]));
	hl_slot_free(&slot);
	return 0;
}
