/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting for self-tests: see hoploss/self_tests.h.
 *
 * Surprising: a drive may log the result a little later than it stops testing, or never; and some
 * show no progress until they are done. So what ended is known by a log that changed, and patience
 * is counted from the last time that anything moved.
 */
#include "hoploss/self_tests.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SILENT_MOST    3 /* looks: a drive may be resetting */
#define PATIENCE_SHARE (1.0 / 3)
#define UNKNOWN_LONG_S 7200.0 /* where the drive does not say */

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void settle(struct hl_self_test *test, enum hl_self_test_state state, const char *reason)
{
	test->state = state;
	if (test->since_s > 0)
		test->seconds = now_s() - test->since_s;
	snprintf(test->reason, sizeof(test->reason), "%s", reason);
}

double hl_self_test_seconds(const struct hl_self_test *test, enum hl_self_test_kind kind)
{
	return kind == HL_SELF_TEST_SHORT ? test->look.short_s : test->look.long_s;
}

void hl_self_tests_begin(struct hl_self_tests *tests)
{
	for (size_t i = 0; i < tests->nr; i++) {
		struct hl_self_test *test = &tests->items[i];
		struct hl_error err = { 0 };

		test->state = HL_SELF_TEST_WAITS;
		test->seconds = test->moved_pct = NAN;
		if (!test->way)
			settle(test, HL_SELF_TEST_NOT_RUN,
			       "it is no NVMe, SATA or SAS drive that this machine reaches itself");
		else if (test->way->look(tests->machine, test->device, &test->look, &err) < 0)
			settle(test, HL_SELF_TEST_NOT_RUN, err.text);
	}
}

/* ---- one drive ---- */

static void begin_waiting(struct hl_self_test *test)
{
	test->since_s = test->moved_s = now_s();
	test->moved_pct = NAN;
}

static void start(const struct hl_self_tests *tests, struct hl_self_test *test)
{
	struct hl_error err = { 0 };
	int rc;

	memcpy(test->log_before, test->look.log, sizeof(test->log_before));
	rc = test->way->start(tests->machine, test->device, tests->kind, &err);
	test->is_found = rc == -EBUSY;
	test->is_started = rc == 0;
	if (rc < 0 && rc != -EBUSY)
		settle(test, HL_SELF_TEST_NOT_RUN, err.text);
	else
		begin_waiting(test);
}

/* What was found running is waited for first. */
static void start_or_join(const struct hl_self_tests *tests, struct hl_self_test *test)
{
	if (test->look.running == HL_SELF_TEST_NONE) {
		start(tests, test);
		return;
	}
	memcpy(test->log_before, test->look.log, sizeof(test->log_before));
	test->is_found = true;
	begin_waiting(test);
}

static bool is_enough(const struct hl_self_tests *tests, const struct hl_self_test *test)
{
	return test->look.newest == tests->kind || test->look.newest == HL_SELF_TEST_LONG;
}

static void wait_on(const struct hl_self_tests *tests, struct hl_self_test *test)
{
	double expected = hl_self_test_seconds(test, tests->kind);
	double patience = tests->patience_s +
			  PATIENCE_SHARE * (isnan(expected) ? UNKNOWN_LONG_S : expected);

	if (!(test->look.done_pct <= test->moved_pct)) {
		test->moved_pct = test->look.done_pct;
		if (!isnan(test->moved_pct))
			test->moved_s = now_s();
	}
	/* without any figure the time it should take is its own */
	if (isnan(test->moved_pct))
		patience += isnan(expected) ? UNKNOWN_LONG_S : expected;
	if (now_s() - test->moved_s > patience)
		settle(test, HL_SELF_TEST_LEFT,
		       "it makes no progress any more; it was left running");
}

/* None runs: did it end, and was it the one that was asked for? */
static void take_result(const struct hl_self_tests *tests, struct hl_self_test *test)
{
	bool is_logged = strcmp(test->look.log, test->log_before) != 0;

	if (!is_logged && now_s() - test->moved_s < tests->settle_s)
		return;
	if (test->is_found && !(is_logged && is_enough(tests, test)))
		start(tests, test);
	else if (is_logged)
		settle(test, HL_SELF_TEST_ENDED, "");
	else
		settle(test, HL_SELF_TEST_NOT_RUN,
		       "the drive took the command, runs no test and has logged none");
}

static void look_again(const struct hl_self_tests *tests, struct hl_self_test *test)
{
	struct hl_error err = { 0 };

	if (test->way->look(tests->machine, test->device, &test->look, &err) < 0) {
		if (++test->nr_silent >= SILENT_MOST)
			settle(test, HL_SELF_TEST_LEFT, err.text);
		return;
	}
	test->nr_silent = 0;
	if (test->look.running != HL_SELF_TEST_NONE)
		wait_on(tests, test);
	else
		take_result(tests, test);
}

/* ---- the person has had enough ---- */

static bool is_interrupted(const struct hl_self_tests *tests)
{
	return tests->is_interrupted && tests->is_interrupted();
}

static void leave_out(const struct hl_self_tests *tests, struct hl_self_test *test)
{
	(void)tests;
	settle(test, HL_SELF_TEST_NOT_RUN, "interrupted before it was started");
}

static void stop(const struct hl_self_tests *tests, struct hl_self_test *test)
{
	struct hl_error err = { 0 };

	if (!test->is_started)
		settle(test, HL_SELF_TEST_LEFT,
		       "interrupted; it was running before, and was left running");
	else if (test->way->start(tests->machine, test->device, HL_SELF_TEST_NONE, &err) < 0)
		settle(test, HL_SELF_TEST_LEFT, err.text);
	else
		settle(test, HL_SELF_TEST_STOPPED, "interrupted, and stopped");
}

/* ---- all of them ---- */

static void for_each_waiting(struct hl_self_tests *tests,
			     void (*act)(const struct hl_self_tests *tests,
					 struct hl_self_test *test))
{
	for (size_t i = 0; i < tests->nr; i++) {
		if (tests->items[i].state == HL_SELF_TEST_WAITS)
			act(tests, &tests->items[i]);
	}
}

static bool is_any_waiting(const struct hl_self_tests *tests)
{
	for (size_t i = 0; i < tests->nr; i++) {
		if (tests->items[i].state == HL_SELF_TEST_WAITS)
			return true;
	}
	return false;
}

static void pause_s(double seconds)
{
	struct timespec time = { .tv_sec = (time_t)seconds };

	time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
	nanosleep(&time, NULL); /* Ctrl-C ends it */
}

void hl_self_tests_run(struct hl_self_tests *tests)
{
	for_each_waiting(tests, is_interrupted(tests) ? leave_out : start_or_join);
	while (is_any_waiting(tests)) {
		pause_s(tests->poll_s);
		if (is_interrupted(tests)) {
			for_each_waiting(tests, stop);
			return;
		}
		for_each_waiting(tests, look_again);
		if (tests->show)
			tests->show(tests->context, tests);
	}
}

const char *hl_self_test_state_name(const struct hl_self_test *test)
{
	static const char *const ends[] = {
		[HL_SELF_TEST_UNKNOWN] = "unknown",
		[HL_SELF_TEST_PASSED] = "passed",
		[HL_SELF_TEST_FAILED] = "failed",
		[HL_SELF_TEST_ABORTED] = "aborted",
	};
	static const char *const states[] = {
		[HL_SELF_TEST_WAITS] = "running",
		[HL_SELF_TEST_NOT_RUN] = "not-run",
		[HL_SELF_TEST_STOPPED] = "stopped",
		[HL_SELF_TEST_LEFT] = "running",
	};

	return test->state == HL_SELF_TEST_ENDED ? ends[test->look.end] : states[test->state];
}
