/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A soak of drives: see hoploss/soak.h. One long slot; its timeline is cut in tenths.
 */
#include "hoploss/soak.h"
#include "hoploss/alloc.h"
#include "hoploss/blockdev.h"
#include "hoploss/gate.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TENTHS   10
#define TICKS    10 /* a second */
#define BLOCK    131072.0
#define IODEPTH  32
#define GRACE_S  30.0
#define WARMUP_S 0.2
#define MARGIN_C 2.0 /* below the critical temperature it is stopped */

struct opened {
	int *fds;
	dev_t *devices;
	const char **paths;
	unsigned nr;
	uint64_t size; /* of the smallest */
};

static void opened_clear(struct opened *opened)
{
	for (unsigned i = 0; i < opened->nr; i++)
		close(opened->fds[i]);
	free(opened->fds);
	free(opened->devices);
	free(opened->paths);
}
#define OPENED __attribute__((cleanup(opened_clear)))

static int open_all(const struct hl_soak_drive *drives, unsigned nr, struct opened *opened,
		    struct hl_error *err)
{
	opened->fds = hl_alloc(nr * sizeof(*opened->fds));
	opened->devices = hl_alloc(nr * sizeof(*opened->devices));
	opened->paths = hl_alloc(nr * sizeof(*opened->paths));
	opened->size = UINT64_MAX;
	for (unsigned i = 0; i < nr; i++) {
		const struct hl_gate_request request = { .target = drives[i].path };
		struct hl_gate_pass pass;
		struct stat status;
		int rc = hl_gate_open(&request, &pass, err);

		if (rc < 0)
			return rc;
		opened->fds[opened->nr] = pass.fd;
		opened->paths[opened->nr] = drives[i].path;
		if (fstat(pass.fd, &status) == 0)
			opened->devices[opened->nr] = status.st_rdev;
		opened->nr++;
		opened->size = pass.size < opened->size ? pass.size : opened->size;
	}
	return 0;
}

struct watching {
	struct hl_soak_drive *drives;
	const struct opened *opened;
	struct hl_machine *machine;
	hl_slot_watch *watch;
	void *context;
	unsigned nr_ticks;
	bool is_too_hot;
};

/* Once a second: each look is a command to the drive. */
static void look_at_heat(struct watching *watching)
{
	for (unsigned i = 0; i < watching->opened->nr; i++) {
		struct hl_soak_drive *drive = &watching->drives[i];
		struct hl_blockdev_heat heat;

		hl_blockdev_feel(watching->machine, watching->opened->devices[i], &heat);
		if (isnan(heat.celsius))
			continue;
		drive->max_c = fmax(drive->max_c, heat.celsius);
		drive->critical_c = heat.critical;
		watching->is_too_hot |= heat.celsius >= heat.critical - MARGIN_C;
	}
}

static bool watch_slot(void *context, double done, double bytes_per_s)
{
	struct watching *watching = context;

	if (watching->nr_ticks++ % TICKS == 0)
		look_at_heat(watching);
	return watching->is_too_hot ||
	       (watching->watch && watching->watch(watching->context, done, bytes_per_s));
}

static double mean_of(const double *values, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return nr ? sum / (double)nr : NAN;
}

static void judge(const struct hl_slot *slot, struct hl_soak *soak)
{
	size_t tenth = slot->nr_timeline / TENTHS;
	double slowest = NAN;

	for (size_t i = 0; tenth && i < TENTHS; i++) {
		double bw = mean_of(slot->timeline + i * tenth, tenth);

		slowest = fmin(slowest, bw);
		soak->last_bw = bw;
		if (i == 0)
			soak->first_bw = bw;
	}
	soak->seconds = (double)slot->nr_timeline / TICKS;
	soak->kept_pct = slowest / soak->first_bw * 100;
}

int hl_soak_run(struct hl_soak_drive *drives, unsigned nr, double seconds, hl_slot_watch *watch,
		void *context, struct hl_soak *ret_soak, struct hl_error *err)
{
	OPENED struct opened opened = { 0 };
	struct hl_soak soak = { .first_bw = NAN, .last_bw = NAN, .kept_pct = NAN };
	struct watching watching = {
		.drives = drives, .opened = &opened, .watch = watch, .context = context
	};
	struct hl_job job = { .seconds = seconds, .warmup = WARMUP_S, .log_fd = -1 };
	struct hl_slot slot;
	int rc = open_all(drives, nr, &opened, err);

	if (rc < 0)
		return rc;
	hl_workload_init(&job.workload);
	job.workload.rw = HL_RW_READ;
	job.workload.bs = BLOCK;
	job.workload.iodepth = IODEPTH;
	job.workload.numjobs = 1;
	job.target = drives[0].path;
	job.fd = opened.fds[0];
	job.more_fds = opened.fds + 1;
	job.more_targets = opened.paths + 1;
	job.nr_more_fds = nr - 1;
	job.length = opened.size;
	watching.machine = hl_machine_open("/", NULL);
	rc = hl_slot_run(hl_engine_for_files(NULL), &job, GRACE_S, watch_slot, &watching, &slot,
			 err);
	hl_machine_close(watching.machine);
	soak.is_too_hot = watching.is_too_hot;
	soak.seconds = (double)watching.nr_ticks / TICKS;
	if (rc == 0) {
		judge(&slot, &soak);
		hl_slot_free(&slot);
	}
	if (rc == 0 || rc == -EINTR)
		*ret_soak = soak;
	return rc == -EINTR && soak.is_too_hot ? 0 : rc;
}
