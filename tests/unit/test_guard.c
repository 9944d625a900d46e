/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stops a slot: others' I/O that got slow, a drive at its critical temperature, a path that
 * was lost; and what does not. The kernel's counters are files of a made /sys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../src/agent/guard.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DEVICE "sys/dev/block/8:16"

struct made {
	char directory[32];
	struct guard guard;
	struct hl_tally ours;
	struct hl_job job;
	struct guarded device;
};

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0)
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
}

static void put(const struct made *made, const char *name, const char *text)
{
	HL_FREE char *path = hl_printf("%s/%s", made->directory, name);
	FILE *file;

	make_parents(path);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Reads and writes so far, and the ms that they took. */
static void put_stat(const struct made *made, int reads, int read_ms, int writes, int write_ms)
{
	HL_FREE char *text = hl_printf("%d 0 0 %d %d 0 0 %d 0 %d %d\n", reads, read_ms, writes,
				       write_ms, read_ms, read_ms + write_ms);

	put(made, DEVICE "/stat", text);
}

static int setup(void **state)
{
	struct made *made = hl_alloc(sizeof(*made));

	strcpy(made->directory, "/tmp/hoploss-guard-XXXXXX");
	assert_non_null(mkdtemp(made->directory));
	made->guard.directory = made->directory;
	made->device = (struct guarded){ "/dev/sdb", makedev(8, 16) };
	made->job.tally = &made->ours;
	made->job.workload.bs = 4096;
	made->job.workload.iodepth = 4;
	made->job.workload.numjobs = 1;
	put_stat(made, 0, 0, 0, 0);
	*state = made;
	return 0;
}

static int teardown(void **state)
{
	struct made *made = *state;
	HL_FREE char *command = hl_printf("rm -r %s", made->directory);

	assert_int_equal(system(command), 0);
	free(made);
	return 0;
}

/* Others' I/O of a direction took that long without us. */
static void learn(struct made *made, int io, double ios, double ms)
{
	struct hl_blockdev_counters before = { 0 }, after = { 0 };

	after.of[io] = ios;
	after.ms[io] = ios * ms;
	guard_learn(&made->guard, &before, &after);
}

static bool begin(struct made *made)
{
	made->ours = (struct hl_tally){ 0 };
	return guard_begin(&made->guard, &made->device, 1);
}

static bool tick(struct made *made)
{
	return guard_tick(&made->guard, &made->device, 1, &made->job);
}

static void others_writes_that_take_five_times_as_long_stop_it(void **state)
{
	struct made *made = *state;

	learn(made, HL_IO_WRITE, 100, 2);
	assert_true(begin(made));
	made->ours.ios[HL_IO_READ] = 5000;
	made->ours.ms[HL_IO_READ] = 5000;
	put_stat(made, 5000, 5000, 30, 30 * 12);
	assert_true(tick(made));
	assert_string_equal(made->guard.why,
			    "/dev/sdb: others' writes took 12.0 ms each while it was measured, "
			    "2.00 ms before: stopped to spare them; --max-bw holds us back");
	assert_false(begin(made)); /* and it stays so */
}

static void ours_are_not_taken_for_others(void **state)
{
	struct made *made = *state;

	learn(made, HL_IO_READ, 100, 0.2);
	made->job.workload.iodepth = 32;
	assert_true(begin(made));
	made->ours.ios[HL_IO_READ] = 300;
	made->ours.ms[HL_IO_READ] = 300 * 50;
	put_stat(made, 330, 330 * 50, 0, 0); /* 30 have ended there and are not seen here yet */
	assert_false(tick(made));
	/* 200 of others among them, as fast as they were */
	put_stat(made, 500, 300 * 50 + 200 / 5, 0, 0);
	assert_false(tick(made));
}

static void others_reads_are_what_is_left_of_the_device(void **state)
{
	struct made *made = *state;

	learn(made, HL_IO_READ, 100, 0.5);
	assert_true(begin(made));
	made->ours.ios[HL_IO_READ] = 1000;
	made->ours.ms[HL_IO_READ] = 1000 * 10;
	put_stat(made, 1200, 1000 * 10 + 200 * 9, 0, 0);
	assert_true(tick(made));
	assert_non_null(strstr(made->guard.why, "others' reads took 9.0 ms each"));
}

static void large_blocks_are_not_subtracted(void **state)
{
	struct made *made = *state;

	learn(made, HL_IO_READ, 100, 0.5);
	made->job.workload.bs = 1048576;
	assert_true(begin(made));
	made->ours.ios[HL_IO_READ] = 1000; /* of which each was two for the device */
	made->ours.ms[HL_IO_READ] = 1000 * 10;
	put_stat(made, 2000, 2000 * 10, 0, 0);
	assert_false(tick(made));
}

static void what_a_target_reads_for_us_is_not_others(void **state)
{
	struct made *made = *state;

	learn(made, HL_IO_READ, 100, 0.5);
	learn(made, HL_IO_WRITE, 100, 0.5);
	made->guard.has_base[HL_IO_READ] = true;
	made->guard.base_ms[HL_IO_READ] = 0.5;
	made->guard.is_beside = true;
	assert_true(begin(made));
	made->ours.ios[HL_IO_READ] = 1000;
	made->ours.ms[HL_IO_READ] = 1000;
	put_stat(made, 2000, 2000 * 10, 0, 0); /* it reads ahead */
	assert_false(tick(made));
	put_stat(made, 2000, 2000 * 10, 100, 1000); /* but it writes nothing */
	assert_true(tick(made));
}

static void few_of_one_slot_count_in_the_next(void **state)
{
	struct made *made = *state;

	learn(made, HL_IO_WRITE, 100, 2);
	for (int slot = 0; slot < 2; slot++) {
		int before = slot * 15;

		put_stat(made, 0, 0, before, before * 40);
		assert_true(begin(made));
		put_stat(made, 0, 0, before + 15, (before + 15) * 40);
		assert_int_equal(tick(made), slot == 1);
		guard_end(&made->guard, &made->device, 1, &made->job);
	}
}

static void look_alikes_do_not_stop_it(void **state)
{
	struct made *made = *state;
	static const struct {
		double ios, before_ms;
		int now, now_ms;
	} cases[] = {
		{ 100, 2, 100, 9 },    /* four and a half times */
		{ 100, 0.02, 500, 1 }, /* fifty times, and still nobody's loss */
		{ 3, 2, 100, 50 },     /* not known what it was before */
		{ 100, 2, 10, 90 },    /* too few */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		made->guard = (struct guard){ .directory = made->directory };
		learn(made, HL_IO_WRITE, cases[i].ios, cases[i].before_ms);
		put_stat(made, 0, 0, 0, 0);
		assert_true(begin(made));
		put_stat(made, 0, 0, cases[i].now, cases[i].now * cases[i].now_ms);
		assert_false(tick(made));
	}
}

static void a_critical_temperature_stops_it(void **state)
{
	struct made *made = *state;

	put(made, DEVICE "/device/hwmon3/temp1_input", "84850\n");
	put(made, DEVICE "/device/hwmon3/temp1_crit", "84850\n");
	put(made, DEVICE "/device/hwmon3/temp2_input", "99000\n"); /* a sensor without a limit */
	assert_false(begin(made));
	assert_string_equal(made->guard.why, "/dev/sdb is at 85 degrees C, and 85 is critical: "
					     "stopped; cool it before it is measured");
}

static void a_warm_drive_goes_on(void **state)
{
	struct made *made = *state;

	/* where drivetemp hangs it */
	put(made, DEVICE "/device/hwmon/hwmon0/temp1_input", "59000\n");
	put(made, DEVICE "/device/hwmon/hwmon0/temp1_crit", "60000\n");
	assert_true(begin(made));
	put(made, DEVICE "/device/hwmon/hwmon0/temp1_input", "61000\n");
	assert_false(tick(made)); /* looked at not a second ago: each look is a command */
	made->guard.felt_ns = 1;
	assert_true(tick(made));
}

static void a_path_that_is_lost_stops_it(void **state)
{
	struct made *made = *state;

	put(made, DEVICE "/slaves/sdc/device/state", "running\n");
	put(made, DEVICE "/slaves/sdd/device/state", "running\n");
	assert_true(begin(made));
	assert_false(tick(made));
	put(made, DEVICE "/slaves/sdd/device/state", "offline\n");
	assert_true(tick(made));
	assert_string_equal(made->guard.why, "/dev/sdb: 1 of 2 paths to it were lost while it was "
					     "measured: stopped");
}

static void a_path_that_was_gone_before_does_not(void **state)
{
	struct made *made = *state;

	put(made, DEVICE "/device/state", "transport-offline\n");
	assert_true(begin(made));
	assert_false(tick(made));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(others_writes_that_take_five_times_as_long_stop_it),
		TEST(ours_are_not_taken_for_others),
		TEST(others_reads_are_what_is_left_of_the_device),
		TEST(large_blocks_are_not_subtracted),
		TEST(what_a_target_reads_for_us_is_not_others),
		TEST(few_of_one_slot_count_in_the_next),
		TEST(look_alikes_do_not_stop_it),
		TEST(a_critical_temperature_stops_it),
		TEST(a_warm_drive_goes_on),
		TEST(a_path_that_is_lost_stops_it),
		TEST(a_path_that_was_gone_before_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
