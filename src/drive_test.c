/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Testing drives: see hoploss/drive_test.h.
 */
#include "drive_session.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/json.h"
#include "hoploss/mark.h"
#include "hoploss/measure.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS       6
#define USUAL_TIME_S 120.0 /* a drive */
#define PROBE_S      30.0  /* a drive that has just been written to may take long to answer */
#define SCHEMA       "hoploss.drive-test/1"

/* ---- progress ---- */

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

bool drive_show(void *context, double done, double bytes_per_s)
{
	struct drive_showing *showing = context;
	double passed = seconds_since(&showing->start);
	double left_s = done > showing->begun ? passed * (1 - done) / (done - showing->begun) : NAN;

	hl_progress_show_share(&showing->progress, showing->what, done, bytes_per_s, left_s);
	return hl_measure_is_interrupted();
}

void drive_show_begin(struct drive_showing *showing, const char *what)
{
	hl_console_say("%s", what);
	showing->what = what;
	clock_gettime(CLOCK_MONOTONIC, &showing->start);
	hl_progress_start(&showing->progress);
	showing->progress.last_tenth = floor(showing->begun * 10);
}

/* ---- soaking ---- */

static int soak_all(struct drive_session *session, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	struct drive_showing showing = { 0 };
	int rc;

	session->soaks = hl_arena_alloc(test->arena, test->nr_drives * sizeof(*session->soaks));
	for (size_t i = 0; i < test->nr_drives; i++)
		session->soaks[i] = (struct hl_soak_drive){ test->drives[i].path, NAN, NAN };
	drive_show_begin(&showing, "soaking, all drives are read at full speed");
	rc = hl_soak_run(session->soaks, (unsigned)test->nr_drives, test->soak_s, drive_show,
			 &showing, &session->soak, err);
	hl_progress_end(&showing.progress);
	if (rc == 0 && session->soak.is_too_hot)
		hl_console_say("stopped: a drive came near its critical temperature");
	return rc == -EINTR ? 0 : rc;
}

/* ---- writing it down ---- */

static void put_drive(struct hl_json_out *out, const struct drive_session *session, size_t index)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "device", session->test->drives[index].name);
	hl_json_put_string(out, "host", "local");
	if (session->test->may_write) {
		const struct hl_fill_drive *fill = &session->fills[index];

		hl_json_put_string(out, "serial", fill->serial);
		hl_json_put_number(out, "written_bytes", fill->written);
		hl_json_put_number(out, "filled_bytes", fill->filled);
		hl_json_put_number(out, "write_bw", fill->write_bw);
		hl_json_put_number(out, "read_back_bytes", fill->read_back);
		hl_json_put_number(out, "read_back_bw", fill->read_bw);
		hl_json_put_string(out, "failure", *fill->failure ? fill->failure : NULL);
	}
	if (session->soaks) {
		hl_json_put_number(out, "soak_s", session->soak.seconds);
		hl_json_put_number(out, "soak_kept_pct", session->soak.kept_pct);
		hl_json_put_number(out, "soak_max_c", session->soaks[index].max_c);
	}
	if (session->test->self_test)
		drive_put_self_test(out, session, index);
	hl_json_close(out);
}

static int write_down(const struct drive_session *session, struct hl_error *err)
{
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);
	struct hl_json_out *out = hl_json_out_new(file);
	struct hl_bundle_input input = { .file = "drive-test.json", .hop = "drive-test" };

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", SCHEMA);
	hl_json_array(out, "drives");
	for (size_t i = 0; i < session->test->nr_drives; i++)
		put_drive(out, session, i);
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
	fclose(file);
	input.bytes = text;
	input.len = len;
	return hl_bundle_add_input(session->bundle, &input, err);
}

/* ---- rounds ---- */

static double time_of(const struct hl_drive_test *test)
{
	return test->time_s > 0 ? test->time_s : USUAL_TIME_S * (double)test->nr_drives;
}

static char *usual_out(void)
{
	time_t now = time(NULL);
	struct tm local;
	char stamp[32];

	localtime_r(&now, &local);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &local);
	return hl_printf("hoploss-accept-%s", stamp);
}

static int make_bundle(const struct hl_drive_test *test, const char *dir, const char *text,
		       struct hl_bundle **ret_bundle, struct hl_error *err)
{
	const struct hl_bundle_path path = { "accept", text, strlen(text) };
	int rc = hl_bundle_create(dir, ret_bundle, err);

	if (rc == 0)
		rc = hl_bundle_set_path(*ret_bundle, &path, err);
	for (size_t i = 0; rc == 0 && i < test->nr_notes; i++)
		rc = hl_bundle_add_note(*ret_bundle, test->notes[i], err);
	return rc;
}

static int open_run(const struct drive_session *session, const struct hl_path *path,
		    struct hl_run **ret_run, struct hl_error *err)
{
	const struct hl_drive_test *test = session->test;
	const struct hl_run_options options = {
		.path = path,
		.workloads = session->workset.jobs,
		.nr_workloads = session->workset.nr_jobs,
		.nr_rounds = ROUNDS,
		.time_s = time_of(test),
		.seed = hl_bundle_seed(session->bundle),
		.begun_s = drive_begun_s(session),
		.probe_s = PROBE_S,
		.may_write = test->may_write,
		.may_be_busy = test->may_be_busy,
		.may_be_empty = true,
	};

	return hl_run_open(&options, ret_run, err);
}

static int measure_rounds(struct drive_session *session, const struct hl_path *path,
			  struct hl_run *run, struct hl_error *err)
{
	const struct hl_measure measure = {
		.run = run,
		.name = "accept",
		.path = path,
		.workset = &session->workset,
		.time_s = time_of(session->test),
		.at_least = ROUNDS,
		.done = session->position.rounds,
		.leaves_after = true,
		.keep = drive_keep_round,
		.context = session,
	};

	hl_measure_say(&measure);
	return hl_measure_rounds(&measure, session->bundle, err);
}

/* The state afterwards is that after the soak, which heats most. */
static int measure(struct drive_session *session, const struct hl_path *path, struct hl_error *err)
{
	struct hl_error why;
	struct hl_run *run;
	int rc = open_run(session, path, &run, err);

	if (rc < 0)
		return rc;
	rc = measure_rounds(session, path, run, err);
	if (rc == 0 && session->test->soak_s > 0 && !hl_measure_is_interrupted() &&
	    soak_all(session, &why) < 0)
		hl_console_say("%s; there is no soak", why.text);
	if (rc == 0)
		rc = hl_run_capture(run, HL_CAPTURE_AFTER, session->bundle, err);
	hl_run_close(run);
	return rc;
}

/* What was found is judged, however far it came. */
static int run_all(struct drive_session *session, const struct hl_path *path, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	bool has_tests = test->self_test, is_first = drive_self_tests_come_first(session);
	struct hl_error why;
	int rc = 0;

	if (has_tests && is_first)
		drive_run_self_tests(session);
	if (test->may_write)
		rc = drive_fill_all(session, err);
	else
		rc = drive_keep_position(session, err);
	drive_close_fills(session); /* the rounds open them anew */
	if (rc == 0 && measure(session, path, &why) < 0)
		hl_console_say("%s; the certificate is of what was measured", why.text);
	if (rc == 0 && has_tests && !is_first)
		drive_run_self_tests(session);
	if (rc == 0 && (test->may_write || session->soaks || has_tests))
		rc = write_down(session, err);
	return rc;
}

/* Its directory as it was named, without a slash behind it. */
static void name_files(struct drive_session *session)
{
	struct hl_arena *arena = session->test->arena;
	HL_FREE char *usual = usual_out();
	const char *dir = session->test->out ? session->test->out : usual;
	size_t len = strlen(dir);

	while (len > 1 && dir[len - 1] == '/')
		len--;
	session->dir = hl_arena_strndup(arena, dir, len);
	session->file = hl_arena_printf(arena, "%s.%s.json", session->dir,
					session->test->may_write ? "fill" : "rounds");
}

/* The drives are opened, or refused, before anything is begun. */
static int begin(struct drive_session *session, const char *text, struct hl_bundle **ret_bundle,
		 struct hl_error *err)
{
	struct hl_bundle *bundle = NULL;
	int rc = 0;

	if (session->test->may_write)
		rc = drive_open_fills(session, err);
	else
		drive_know_fills(session);
	if (rc == 0)
		rc = drive_go_on(session, text, &bundle, err);
	if (rc == 0 && !bundle)
		rc = make_bundle(session->test, session->dir, text, &bundle, err);
	if (rc < 0)
		return rc;
	session->bundle = *ret_bundle = bundle;
	if (session->position.pass == 0 && session->position.at == HL_MARK_AREA)
		session->position.seed = hl_bundle_seed(session->bundle);
	return 0;
}

int hl_drive_test_run(struct hl_drive_test *test, struct hl_bundle **ret_bundle,
		      struct hl_graph **ret_graph, struct hl_error *err)
{
	HL_FREE char *text = hl_accept_path_text(test->drives, test->nr_drives);
	struct drive_session session = { .test = test };
	struct hl_path *path = NULL;
	int rc = hl_path_parse("accept", text, strlen(text), &path, err);

	hl_measure_catch_interrupts();
	name_files(&session);
	session.workset.may_write = test->may_write;
	session.workset.jobs = hl_accept_workloads(test->arena, test->drives, test->nr_drives,
						   test->may_write, &session.workset.nr_jobs);
	if (rc == 0)
		rc = begin(&session, text, ret_bundle, err);
	if (rc == 0 && test->self_test)
		drive_say_self_tests(&session);
	if (rc == 0)
		rc = run_all(&session, path, err);
	if (rc == 0)
		drive_end_position(&session);
	drive_close_fills(&session);
	drive_end_self_tests(&session);
	hl_path_free(path);
	if (rc < 0)
		return rc;
	hl_console_say("recorded in %s: \"hoploss accept %s\" judges it again", session.dir,
		       session.dir);
	return hl_diagnose(*ret_bundle, NULL, ret_graph, err);
}
