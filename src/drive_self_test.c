/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self-tests of the drives under test: said before, shown while they run, and written down. Nothing
 * else runs on the drives meanwhile, for each would slow the other.
 */
#include "drive_session.h"
#include "hoploss/console.h"
#include "hoploss/measure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POLL_S     2.0
#define SETTLE_S   30.0
#define PATIENCE_S 600.0
#define TEXT_MAX   400

/* Namespaces of one controller have one test. */
static size_t find_test(const struct hl_self_tests *tests, const char *device)
{
	for (size_t i = 0; device && i < tests->nr; i++) {
		if (tests->items[i].device && !strcmp(tests->items[i].device, device))
			return i;
	}
	return tests->nr;
}

static void add_test(struct drive_session *session, size_t drive)
{
	struct hl_self_tests *tests = &session->self_tests;
	const char *name = session->test->drives[drive].name;
	HL_FREE char *device = NULL;
	const struct hl_self_test_way *way = hl_self_test_find(tests->machine, name, &device);
	size_t at = find_test(tests, device);

	session->self_test_of[drive] = at;
	if (at < tests->nr)
		return;
	tests->items[tests->nr++] = (struct hl_self_test){
		.name = name,
		.way = way,
		.device = device ? hl_arena_strdup(session->test->arena, device) : NULL,
	};
}

/* ---- what the person sees ---- */

static double done_of(const struct hl_self_test *test)
{
	return test->state == HL_SELF_TEST_WAITS ? test->look.done_pct : 100;
}

/* "nvme0n1 40 %, nvme1n1 passed" */
static void print_line(const struct hl_self_tests *tests, char line[TEXT_MAX])
{
	size_t used = 0;

	for (size_t i = 0; i < tests->nr && used < TEXT_MAX; i++) {
		const struct hl_self_test *test = &tests->items[i];
		const char *comma = i ? ", " : "";

		if (test->state != HL_SELF_TEST_WAITS)
			used += (size_t)snprintf(line + used, TEXT_MAX - used, "%s%s %s", comma,
						 test->name, hl_self_test_state_name(test));
		else if (isnan(test->look.done_pct))
			used += (size_t)snprintf(line + used, TEXT_MAX - used, "%s%s runs", comma,
						 test->name);
		else
			used += (size_t)snprintf(line + used, TEXT_MAX - used, "%s%s %.0f %%",
						 comma, test->name, test->look.done_pct);
	}
}

/* On a terminal all the time, else each tenth of the slowest. */
static void show(void *context, const struct hl_self_tests *tests)
{
	struct drive_session *session = context;
	char line[TEXT_MAX] = "";
	double least = 100;

	for (size_t i = 0; i < tests->nr; i++)
		least = fmin(least,
			     done_of(&tests->items[i])); /* one that says none is passed by */
	print_line(tests, line);
	hl_progress_text(&session->progress, line);
	if (session->progress.is_terminal || floor(least / 10) <= session->shown_tenth)
		return;
	session->shown_tenth = floor(least / 10);
	hl_console_say("self-test: %s", line);
}

/* What each is about to do, before anything is started. */
static void say_one(const struct drive_session *session, const struct hl_self_test *test)
{
	enum hl_self_test_kind kind = session->self_tests.kind, running = test->look.running;
	double seconds = hl_self_test_seconds(test, kind);
	const char *time = isnan(seconds) ? "it does not say how long that takes"
					  : hl_accept_span(session->test->arena, seconds);

	if (test->state != HL_SELF_TEST_WAITS)
		hl_console_put(stderr, "  %s: %s\n", test->name, test->reason);
	else if (running != HL_SELF_TEST_NONE)
		hl_console_put(stderr, "  %s: a self-test runs already%s and is waited for\n",
			       test->name,
			       running == HL_SELF_TEST_SHORT  ? " (short)"
			       : running == HL_SELF_TEST_LONG ? " (long)"
							      : "");
	else
		hl_console_put(stderr, "  %s: %s%s\n", test->name, isnan(seconds) ? "" : "about ",
			       time);
}

bool drive_self_tests_come_first(const struct drive_session *session)
{
	const struct hl_self_tests *tests = &session->self_tests;
	bool is_any_running = false;

	for (size_t i = 0; i < tests->nr; i++)
		is_any_running |= tests->items[i].look.running != HL_SELF_TEST_NONE;
	return tests->kind == HL_SELF_TEST_SHORT || is_any_running;
}

void drive_say_self_tests(struct drive_session *session)
{
	struct hl_self_tests *tests = &session->self_tests;
	struct hl_drive_test *test = session->test;

	*tests = (struct hl_self_tests){
		.kind = test->self_test,
		.machine = hl_machine_open("/", NULL),
		.items = hl_arena_alloc(test->arena, test->nr_drives * sizeof(*tests->items)),
		.poll_s = POLL_S,
		.settle_s = SETTLE_S,
		.patience_s = PATIENCE_S,
		.is_interrupted = hl_measure_is_interrupted,
		.show = show,
		.context = session,
	};
	session->self_test_of = hl_arena_alloc(test->arena,
					       test->nr_drives * sizeof(*session->self_test_of));
	for (size_t i = 0; i < test->nr_drives; i++)
		add_test(session, i);
	hl_self_tests_begin(tests);
	hl_console_say(
		"%s self-test of each drive, by itself, %s:", hl_self_test_kind_name(tests->kind),
		drive_self_tests_come_first(session) ? "before all else" : "after all else");
	for (size_t i = 0; i < tests->nr; i++)
		say_one(session, &tests->items[i]);
}

static void say_end(const struct hl_self_test *test)
{
	if (test->state == HL_SELF_TEST_ENDED)
		hl_console_say("self-test of %s: %s", test->name, test->look.result);
	else if (test->state != HL_SELF_TEST_NOT_RUN)
		hl_console_say("self-test of %s: %s", test->name, test->reason);
}

void drive_run_self_tests(struct drive_session *session)
{
	struct hl_self_tests *tests = &session->self_tests;

	hl_progress_start(&session->progress);
	session->shown_tenth = 0;
	hl_self_tests_run(tests);
	hl_progress_end(&session->progress);
	for (size_t i = 0; i < tests->nr; i++)
		say_end(&tests->items[i]);
}

void drive_put_self_test(struct hl_json_out *out, const struct drive_session *session, size_t drive)
{
	const struct hl_self_test *test = &session->self_tests.items[session->self_test_of[drive]];
	bool has_ended = test->state == HL_SELF_TEST_ENDED;

	hl_json_put_string(out, "self_test", hl_self_test_kind_name(session->self_tests.kind));
	hl_json_put_string(out, "self_test_state", hl_self_test_state_name(test));
	hl_json_put_string(out, "self_test_result", has_ended ? test->look.result : test->reason);
	hl_json_put_number(out, "self_test_s", test->seconds);
	if (test->is_found)
		hl_json_put_boolean(out, "self_test_was_running", true);
	if (!has_ended)
		return;
	hl_json_put_number(out, "self_test_hours", test->look.hours);
	hl_json_put_number(out, "self_test_segment", test->look.segment);
	hl_json_put_number(out, "self_test_lba", test->look.lba);
}

void drive_end_self_tests(struct drive_session *session)
{
	hl_machine_close(session->self_tests.machine);
	session->self_tests.machine = NULL;
}
