/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for self-tests of drives that do as a script says: what each says at each look.
 */
#include "hoploss/self_tests.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct said {
	enum hl_self_test_kind running;
	double done_pct;
	const char *log;
	enum hl_self_test_kind newest;
	enum hl_self_test_end end;
	int rc; /* of the look */
};

struct script {
	const char *device;
	struct said looks[8]; /* the last stays */
	size_t nr_looks, at;
	int start_rc, stop_rc;
	unsigned nr_starts, nr_stops;
	enum hl_self_test_kind started;
};

static struct script *scripts;
static size_t nr_scripts;
static bool is_interrupted;
static unsigned nr_asked, nr_before; /* how often it was asked, and from when on it is so */

static struct script *script_of(const char *device)
{
	for (size_t i = 0; i < nr_scripts; i++) {
		if (!strcmp(scripts[i].device, device))
			return &scripts[i];
	}
	fail_msg("no script for %s", device);
	return NULL;
}

static int script_look(struct hl_machine *machine, const char *device,
		       struct hl_self_test_look *ret, struct hl_error *err)
{
	struct script *script = script_of(device);
	const struct said *said = &script->looks[script->at];

	(void)machine;
	if (script->at + 1 < script->nr_looks)
		script->at++;
	if (said->rc < 0)
		return hl_fail(err, -said->rc, "no answer");
	*ret = (struct hl_self_test_look){
		.running = said->running,
		.done_pct = said->done_pct,
		.short_s = 0.01,
		.long_s = NAN,
		.end = said->end,
		.newest = said->newest,
		.hours = NAN,
		.segment = NAN,
		.lba = NAN,
	};
	snprintf(ret->log, sizeof(ret->log), "%s", said->log);
	snprintf(ret->result, sizeof(ret->result), "result of %s", said->log);
	return 0;
}

static int script_start(struct hl_machine *machine, const char *device, enum hl_self_test_kind kind,
			struct hl_error *err)
{
	struct script *script = script_of(device);
	int rc = kind == HL_SELF_TEST_NONE ? script->stop_rc : script->start_rc;

	(void)machine;
	script->started = kind;
	script->nr_stops += kind == HL_SELF_TEST_NONE;
	script->nr_starts += kind != HL_SELF_TEST_NONE;
	return rc < 0 ? hl_fail(err, -rc, "refused") : 0;
}

static const struct hl_self_test_way scripted = { .look = script_look, .start = script_start };

static bool ask_interrupted(void)
{
	return is_interrupted && nr_asked++ >= nr_before;
}

/* Runs a test of that kind on all scripts; what came of each is in ret. */
static void run(struct script *of, size_t nr, enum hl_self_test_kind kind, struct hl_self_test *ret)
{
	struct hl_self_tests tests = {
		.items = ret,
		.nr = nr,
		.kind = kind,
		.poll_s = 0.001,
		.settle_s = 0.02,
		.patience_s = 0.02,
		.is_interrupted = ask_interrupted,
	};

	scripts = of;
	nr_scripts = nr;
	for (size_t i = 0; i < nr; i++)
		ret[i] = (struct hl_self_test){ .name = of[i].device,
						.way = &scripted,
						.device = of[i].device };
	hl_self_tests_begin(&tests);
	hl_self_tests_run(&tests);
}

#define IDLE(log)                                                                                  \
	{                                                                                          \
		HL_SELF_TEST_NONE, NAN, log, HL_SELF_TEST_NONE, HL_SELF_TEST_UNKNOWN, 0            \
	}
#define RUNS(kind, pct)                                                                            \
	{                                                                                          \
		kind, pct, "old", HL_SELF_TEST_NONE, HL_SELF_TEST_UNKNOWN, 0                       \
	}
#define ENDED(kind, end)                                                                           \
	{                                                                                          \
		HL_SELF_TEST_NONE, NAN, "new", kind, end, 0                                        \
	}
#define SILENT                                                                                     \
	{                                                                                          \
		.rc = -EIO                                                                         \
	}
#define SHORT HL_SELF_TEST_SHORT
#define LONG  HL_SELF_TEST_LONG

static void each_drive_ends_in_its_own_way(void **state)
{
	struct script all[] = {
		{ .device = "a",
		  .looks = { IDLE("old"), RUNS(SHORT, 10), ENDED(SHORT, HL_SELF_TEST_PASSED) },
		  .nr_looks = 3 },
		{ .device = "b",
		  .looks = { IDLE("old"), IDLE("old"), ENDED(SHORT, HL_SELF_TEST_FAILED) },
		  .nr_looks = 3 },
		{ .device = "c",
		  .looks = { IDLE("old"), RUNS(SHORT, 50), ENDED(SHORT, HL_SELF_TEST_ABORTED) },
		  .nr_looks = 3 },
		{ .device = "d", .looks = { SILENT }, .nr_looks = 1 },
		{ .device = "e",
		  .looks = { IDLE("old"), RUNS(SHORT, 1), SILENT, RUNS(SHORT, 2),
			     ENDED(SHORT, HL_SELF_TEST_PASSED) },
		  .nr_looks = 5 },
		{ .device = "f", .looks = { IDLE("old"), RUNS(SHORT, 1), SILENT }, .nr_looks = 3 },
		{ .device = "g", .looks = { IDLE("old") }, .nr_looks = 1 },
		{ .device = "h", .looks = { IDLE("old") }, .nr_looks = 1, .start_rc = -EACCES },
	};
	static const char *const states[] = { "passed", "failed",  "aborted", "not-run",
					      "passed", "running", "not-run", "not-run" };
	static const unsigned starts[] = { 1, 1, 1, 0, 1, 1, 1, 1 };
	struct hl_self_test got[NR(all)];

	(void)state;
	run(all, NR(all), SHORT, got);
	for (size_t i = 0; i < NR(all); i++) {
		if (strcmp(states[i], hl_self_test_state_name(&got[i])) != 0)
			fail_msg("%s: %s: %s", all[i].device, hl_self_test_state_name(&got[i]),
				 got[i].reason);
		assert_int_equal(starts[i], all[i].nr_starts);
		assert_int_equal(0, all[i].nr_stops);
		assert_false(got[i].is_found);
	}
	assert_string_equal("result of new", got[0].look.result);
	assert_string_equal("no answer", got[3].reason);
	assert_string_equal("no answer", got[5].reason);
	assert_non_null(strstr(got[6].reason, "has logged none"));
	assert_string_equal("refused", got[7].reason);
	assert_true(got[0].seconds >= 0 && isnan(got[3].seconds));
}

static void one_that_runs_already_counts_if_it_is_enough(void **state)
{
	static const struct {
		struct script script;
		enum hl_self_test_kind asked;
		unsigned nr_starts;
	} rows[] = {
		{ { .device = "a",
		    .looks = { RUNS(SHORT, 10), ENDED(SHORT, HL_SELF_TEST_PASSED) },
		    .nr_looks = 2 },
		  SHORT,
		  0 },
		{ { .device = "a",
		    .looks = { RUNS(LONG, 10), ENDED(LONG, HL_SELF_TEST_PASSED) },
		    .nr_looks = 2 },
		  SHORT,
		  0 },
		/* an ATA drive does not say which it is until it has ended */
		{ { .device = "a",
		    .looks = { RUNS(HL_SELF_TEST_OTHER, 10), ENDED(LONG, HL_SELF_TEST_PASSED) },
		    .nr_looks = 2 },
		  LONG,
		  0 },
		{ { .device = "a",
		    .looks = { RUNS(SHORT, 10),
			       ENDED(SHORT, HL_SELF_TEST_PASSED),
			       IDLE("new"),
			       { HL_SELF_TEST_NONE, NAN, "newer", LONG, HL_SELF_TEST_PASSED, 0 } },
		    .nr_looks = 4 },
		  LONG,
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct script script = rows[i].script;
		struct hl_self_test got;

		run(&script, 1, rows[i].asked, &got);
		assert_string_equal("passed", hl_self_test_state_name(&got));
		assert_int_equal(rows[i].nr_starts, script.nr_starts);
		assert_int_equal(!rows[i].nr_starts, got.is_found);
	}
}

static void one_that_began_between_look_and_start_is_joined(void **state)
{
	struct script script = { .device = "a",
				 .looks = { IDLE("old"), RUNS(SHORT, 3),
					    ENDED(SHORT, HL_SELF_TEST_PASSED) },
				 .nr_looks = 3,
				 .start_rc = -EBUSY };
	struct hl_self_test got;

	(void)state;
	run(&script, 1, SHORT, &got);
	assert_string_equal("passed", hl_self_test_state_name(&got));
	assert_true(got.is_found);
}

static void one_that_makes_no_progress_is_left(void **state)
{
	struct script script = { .device = "a",
				 .looks = { IDLE("old"), RUNS(SHORT, 40) },
				 .nr_looks = 2 };
	struct hl_self_test got;

	(void)state;
	run(&script, 1, SHORT, &got);
	assert_string_equal("running", hl_self_test_state_name(&got));
	assert_non_null(strstr(got.reason, "no progress"));
	assert_int_equal(0, script.nr_stops);
}

static void the_person_stops_only_what_was_started_here(void **state)
{
	struct script all[] = {
		{ .device = "a", .looks = { IDLE("old"), RUNS(SHORT, 1) }, .nr_looks = 2 },
		{ .device = "b", .looks = { RUNS(SHORT, 1) }, .nr_looks = 1 },
		{ .device = "c",
		  .looks = { IDLE("old"), RUNS(SHORT, 1) },
		  .nr_looks = 2,
		  .stop_rc = -EIO },
	};
	static const char *const states[] = { "stopped", "running", "running" };
	static const unsigned stops[] = { 1, 0, 1 };
	struct hl_self_test got[NR(all)];

	(void)state;
	is_interrupted = true;
	nr_asked = 0;
	nr_before = 1;
	run(all, NR(all), SHORT, got);
	is_interrupted = false;
	for (size_t i = 0; i < NR(all); i++) {
		assert_string_equal(states[i], hl_self_test_state_name(&got[i]));
		assert_int_equal(stops[i], all[i].nr_stops);
	}
	assert_string_equal("refused", got[2].reason);
}

static void what_was_interrupted_before_starts_nothing(void **state)
{
	struct script script = { .device = "a", .looks = { IDLE("old") }, .nr_looks = 1 };
	struct hl_self_test got;

	(void)state;
	is_interrupted = true;
	nr_asked = nr_before = 0;
	run(&script, 1, SHORT, &got);
	is_interrupted = false;
	assert_string_equal("not-run", hl_self_test_state_name(&got));
	assert_int_equal(0, script.nr_starts + script.nr_stops);
}

static void drive_without_a_way_says_so(void **state)
{
	struct hl_self_test got = { .name = "loop0" };
	struct hl_self_tests tests = { .items = &got, .nr = 1, .kind = SHORT };

	(void)state;
	hl_self_tests_begin(&tests);
	hl_self_tests_run(&tests);
	assert_string_equal("not-run", hl_self_test_state_name(&got));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_drive_ends_in_its_own_way),
		cmocka_unit_test(one_that_runs_already_counts_if_it_is_enough),
		cmocka_unit_test(one_that_began_between_look_and_start_is_joined),
		cmocka_unit_test(one_that_makes_no_progress_is_left),
		cmocka_unit_test(the_person_stops_only_what_was_started_here),
		cmocka_unit_test(what_was_interrupted_before_starts_nothing),
		cmocka_unit_test(drive_without_a_way_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
