/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Testing drives: see hoploss/drive_test.h.
 */
#include "hoploss/drive_test.h"
#include "hoploss/blockdev.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/fill_position.h"
#include "hoploss/gate.h"
#include "hoploss/json.h"
#include "hoploss/mark.h"
#include "hoploss/measure.h"
#include "hoploss/progress.h"
#include "hoploss/soak.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS       6
#define USUAL_TIME_S 120.0 /* a drive */
#define SCHEMA       "hoploss.drive-test/1"

struct session {
	struct hl_drive_test *test;
	struct hl_bundle *bundle;
	struct hl_fill_drive *fills; /* NULL = nothing is written */
	struct hl_soak_drive *soaks; /* NULL = no soak */
	struct hl_soak soak;
	struct hl_fill_position position;
	const char *dir;  /* of the bundle */
	const char *file; /* that says how far filling came */
};

/* ---- progress ---- */

struct showing {
	struct hl_progress progress;
	struct session *session;
	const char *what;
	struct timespec start;
	double begun; /* share that was done before */
};

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static bool show(void *context, double done, double bytes_per_s)
{
	struct showing *showing = context;
	double passed = seconds_since(&showing->start);
	const struct hl_run_progress now = {
		.hop = "all drives",
		.workload = showing->what,
		.round = 1,
		.nr_rounds = 1,
		.done = done,
		.bytes_per_s = bytes_per_s,
		.left_s = done > showing->begun ? passed * (1 - done) / (done - showing->begun)
						: NAN,
	};

	hl_progress_show(&showing->progress, &now);
	return hl_measure_is_interrupted();
}

static void show_begin(struct showing *showing, const char *what)
{
	hl_console_say("%s", what);
	showing->what = what;
	clock_gettime(CLOCK_MONOTONIC, &showing->start);
	hl_progress_start(&showing->progress);
}

/* ---- filling ---- */

static const char *find_given(const struct hl_drive_test *test, const char *serial)
{
	for (size_t i = 0; *serial && i < test->nr_purchases; i++) {
		if (!strcasecmp(test->purchases[i].serial, serial))
			return hl_arena_strdup(test->arena, serial);
	}
	return NULL;
}

/* One whose own serial number was not given may be known by its mark. */
static int find_mark_given(const struct hl_drive_test *test, const char *path, const char *own,
			   const char **ret_serial, struct hl_error *err)
{
	const struct hl_gate_request request = { .target = path };
	struct hl_gate_pass pass;
	struct hl_mark mark;
	int rc = hl_gate_open_marked(&request, &pass, &mark, err);

	if (rc < 0 && rc != -ENOMSG)
		return rc;
	if (rc < 0 && *own)
		return hl_fail(err, EPERM,
			       "%s has the serial number %s, which was not given: nothing is "
			       "written",
			       path, own);
	if (rc < 0) { /* it shows none: the gate says so, or better why not */
		*ret_serial = test->purchases[0].serial;
		return 0;
	}
	close(pass.fd);
	*ret_serial = find_given(test, mark.uuid);
	return *ret_serial ? 0
			   : hl_fail(err, EPERM,
				     "%s carries the mark %s, which was not given: nothing is "
				     "written",
				     path, mark.uuid);
}

/* The serial number that the person gave for that drive: its own, or that of its mark. */
static int find_serial(const struct hl_drive_test *test, struct hl_machine *machine,
		       const char *path, const char **ret_serial, struct hl_error *err)
{
	struct hl_blockdev_identity identity = { 0 };
	struct stat status;

	if (stat(path, &status) == 0)
		hl_blockdev_identify(machine, status.st_rdev, &identity);
	*ret_serial = find_given(test, identity.serial);
	if (!*ret_serial)
		*ret_serial = find_given(test, identity.wwid);
	if (*ret_serial)
		return 0;
	return find_mark_given(test, path, *identity.serial ? identity.serial : identity.wwid,
			       ret_serial, err);
}

static int open_one(const struct hl_drive_test *test, struct hl_machine *machine,
		    const struct hl_accept_drive *drive, struct hl_fill_drive *fill,
		    struct hl_error *err)
{
	int rc;

	*fill = (struct hl_fill_drive){ .path = drive->path,
					.fd = -1,
					.written = NAN,
					.write_bw = NAN,
					.read_back = NAN,
					.read_bw = NAN };
	rc = find_serial(test, machine, drive->path, &fill->serial, err);
	return rc < 0 ? rc : hl_fill_open(fill, err);
}

static void close_fills(struct session *session)
{
	for (size_t i = 0; session->fills && i < session->test->nr_drives; i++)
		hl_fill_close(&session->fills[i]);
}

/* All or none, so that a list with a mistake in it does no harm. */
static int open_fills(struct session *session, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	struct hl_machine *machine = hl_machine_open("/", NULL);
	int rc = 0;

	session->fills = hl_arena_alloc(test->arena, test->nr_drives * sizeof(*session->fills));
	for (size_t i = 0; i < test->nr_drives; i++)
		session->fills[i].fd = -1;
	for (size_t i = 0; rc == 0 && i < test->nr_drives; i++)
		rc = open_one(test, machine, &test->drives[i], &session->fills[i], err);
	hl_machine_close(machine);
	if (rc < 0)
		close_fills(session);
	return rc;
}

static void say_plan(const struct session *session)
{
	char size[HL_UNIT_TEXT];
	double longest = 0;

	for (size_t i = 0; i < session->test->nr_drives; i++) {
		const struct hl_fill_drive *fill = &session->fills[i];
		double bytes = (double)(fill->size - fill->from);

		longest = fmax(longest,
			       hl_accept_fill_seconds(session->test->drives[i].spec, bytes));
		hl_console_say("OVERWRITES %s (serial %s): 2 x %s, and what the rounds write",
			       fill->path, fill->serial, hl_unit_size(size, bytes));
	}
	if (longest > 0)
		hl_console_say("filling twice and reading back takes about %s",
			       hl_accept_span(session->test->arena, longest));
}

static const struct {
	const char *what;
	bool writes;
} passes[] = {
	{ "filling", true },
	{ "reading back", false },
	{ "filling again, for a steady state", true },
};

#define NR_PASSES (sizeof(passes) / sizeof(*passes))

static int keep_position(const struct session *session, struct hl_error *err)
{
	return hl_fill_position_save(session->file, &session->position, session->fills,
				     (unsigned)session->test->nr_drives, err);
}

static int keep(void *context, const struct hl_fill *fill, struct hl_error *err)
{
	struct showing *showing = context;

	showing->session->position.at = fill->at;
	return keep_position(showing->session, err);
}

/* What a pass gave, also one that was interrupted. */
static void take_pass(struct session *session, bool writes)
{
	for (size_t i = 0; i < session->test->nr_drives; i++) {
		struct hl_fill_drive *drive = &session->fills[i];

		*(writes ? &drive->written : &drive->read_back) = drive->bytes;
		*(writes ? &drive->write_bw : &drive->read_bw) = drive->bytes / drive->seconds;
		drive->filled += writes ? drive->bytes : 0;
		drive->bytes = drive->seconds = 0;
	}
}

static double share_done(const struct session *session)
{
	uint64_t size = HL_MARK_AREA + 1;

	for (size_t i = 0; i < session->test->nr_drives; i++)
		size = session->fills[i].size > size ? session->fills[i].size : size;
	return (double)(session->position.at - HL_MARK_AREA) / (double)(size - HL_MARK_AREA);
}

static int pass(struct session *session, struct hl_error *err)
{
	unsigned nr = session->position.pass;
	struct showing showing = { .session = session, .begun = share_done(session) };
	struct hl_fill fill = {
		.drives = session->fills,
		.nr = (unsigned)session->test->nr_drives,
		.writes = passes[nr].writes,
		.seed = session->position.seed,
		.at = session->position.at,
		.watch = show,
		.keep = keep,
		.context = &showing,
	};
	int rc;

	show_begin(&showing, passes[nr].what);
	rc = hl_fill_pass(&fill, err);
	hl_progress_end(&showing.progress);
	take_pass(session, fill.writes);
	if (rc < 0)
		return rc;
	session->position.pass++;
	session->position.at = HL_MARK_AREA;
	return keep_position(session, err);
}

/* Ctrl-C ends what is running; what was found until then is kept. */
static int fill_all(struct session *session, struct hl_error *err)
{
	struct hl_error why;
	int rc;

	if (session->position.pass < NR_PASSES)
		say_plan(session);
	rc = keep_position(session, err); /* before the first byte, so that it can be kept */
	while (rc == 0 && session->position.pass < NR_PASSES) {
		rc = pass(session, &why);
		if (rc == -EINTR)
			return 0;
		if (rc < 0)
			return hl_fail(err, -rc, "%s", why.text);
	}
	return rc;
}

/* ---- going on after a crash ---- */

/* What an earlier one began to record stands beside the new bundle. */
static int move_away(const char *dir, struct hl_error *err)
{
	enum { MOST = 100 };

	for (unsigned i = 1; i < MOST; i++) {
		HL_FREE char *old = hl_printf("%s.%u", dir, i);

		if (access(old, F_OK) == 0)
			continue;
		if (rename(dir, old) < 0)
			return hl_fail(err, errno, "%s: %s", dir, strerror(errno));
		hl_console_say("what was recorded before is now in %s", old);
		return 0;
	}
	return hl_fail(err, EEXIST, "%s was begun too often", dir);
}

/* The position stands beside the bundle, for that is not there yet. */
static int find_position(struct session *session, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	int rc = hl_fill_position_load(session->file, &session->position, session->fills,
				       (unsigned)test->nr_drives, err);

	if (rc == -ENOENT) {
		session->position.at = HL_MARK_AREA;
		return 0;
	}
	if (rc < 0)
		return rc;
	if (session->position.pass < NR_PASSES)
		hl_console_say("going on with what %s says: %s, %.0f %% done", session->file,
			       passes[session->position.pass].what, share_done(session) * 100);
	else
		hl_console_say("going on with what %s says: the drives are full", session->file);
	return access(session->dir, F_OK) == 0 ? move_away(session->dir, err) : 0;
}

static void end_position(const struct session *session)
{
	if (!hl_measure_is_interrupted())
		unlink(session->file);
	else
		hl_console_say("the same command with --out %s goes on", session->dir);
}

/* ---- soaking ---- */

static int soak_all(struct session *session, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	struct showing showing = { 0 };
	int rc;

	session->soaks = hl_arena_alloc(test->arena, test->nr_drives * sizeof(*session->soaks));
	for (size_t i = 0; i < test->nr_drives; i++)
		session->soaks[i] = (struct hl_soak_drive){ test->drives[i].path, NAN, NAN };
	show_begin(&showing, "soaking: all drives are read at full speed");
	rc = hl_soak_run(session->soaks, (unsigned)test->nr_drives, test->soak_s, show, &showing,
			 &session->soak, err);
	hl_progress_end(&showing.progress);
	if (rc == 0 && session->soak.is_too_hot)
		hl_console_say("stopped: a drive came near its critical temperature");
	return rc == -EINTR ? 0 : rc;
}

/* ---- writing it down ---- */

static void put_drive(struct hl_json_out *out, const struct session *session, size_t index)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "device", session->test->drives[index].name);
	hl_json_put_string(out, "host", "local");
	if (session->fills) {
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
	hl_json_close(out);
}

static int write_down(const struct session *session, struct hl_error *err)
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

static int measure(struct session *session, const struct hl_path *path, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	struct hl_workset workset = { .may_write = test->may_write };
	struct hl_run_options options = {
		.path = path,
		.nr_rounds = ROUNDS,
		.time_s = test->time_s > 0 ? test->time_s : USUAL_TIME_S * (double)test->nr_drives,
		.seed = hl_bundle_seed(session->bundle),
		.may_write = test->may_write,
		.may_be_busy = test->may_be_busy,
		.may_be_empty = true,
	};
	struct hl_measure measure;
	struct hl_run *run;
	int rc;

	workset.jobs = hl_accept_workloads(test->arena, test->drives, test->nr_drives,
					   test->may_write, &workset.nr_jobs);
	options.workloads = workset.jobs;
	options.nr_workloads = workset.nr_jobs;
	rc = hl_run_open(&options, &run, err);
	if (rc < 0)
		return rc;
	measure = (struct hl_measure){
		.run = run,
		.name = "accept",
		.path = path,
		.workset = &workset,
		.time_s = options.time_s,
		.at_least = ROUNDS,
	};
	hl_measure_say(&measure);
	rc = hl_measure_rounds(&measure, session->bundle, err);
	hl_run_close(run);
	return rc;
}

/* What was found is judged, however far it came. */
static int run_all(struct session *session, const struct hl_path *path, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	struct hl_error why;
	int rc = 0;

	if (session->fills)
		rc = fill_all(session, err);
	close_fills(session); /* the rounds open them anew */
	if (rc == 0 && measure(session, path, &why) < 0)
		hl_console_say("%s; the certificate is of what was measured", why.text);
	if (rc == 0 && test->soak_s > 0 && !hl_measure_is_interrupted() &&
	    soak_all(session, &why) < 0)
		hl_console_say("%s; there is no soak", why.text);
	if (rc == 0 && (session->fills || session->soaks))
		rc = write_down(session, err);
	return rc;
}

/* Its directory as it was named, without a slash behind it. */
static void name_files(struct session *session)
{
	struct hl_arena *arena = session->test->arena;
	HL_FREE char *usual = usual_out();
	const char *dir = session->test->out ? session->test->out : usual;
	size_t len = strlen(dir);

	while (len > 1 && dir[len - 1] == '/')
		len--;
	session->dir = hl_arena_strndup(arena, dir, len);
	session->file = hl_arena_printf(arena, "%s.fill.json", session->dir);
}

/* The drives are opened, or refused, before anything is begun. */
static int begin(struct session *session, const char *text, struct hl_bundle **ret_bundle,
		 struct hl_error *err)
{
	int rc = session->test->may_write ? open_fills(session, err) : 0;

	if (rc == 0 && session->fills)
		rc = find_position(session, err);
	if (rc == 0)
		rc = make_bundle(session->test, session->dir, text, ret_bundle, err);
	if (rc < 0)
		return rc;
	session->bundle = *ret_bundle;
	if (session->position.pass == 0 && session->position.at == HL_MARK_AREA)
		session->position.seed = hl_bundle_seed(session->bundle);
	return 0;
}

int hl_drive_test_run(struct hl_drive_test *test, struct hl_bundle **ret_bundle,
		      struct hl_graph **ret_graph, struct hl_error *err)
{
	HL_FREE char *text = hl_accept_path_text(test->drives, test->nr_drives);
	struct session session = { .test = test };
	struct hl_path *path = NULL;
	int rc = hl_path_parse("accept", text, strlen(text), &path, err);

	hl_measure_catch_interrupts();
	name_files(&session);
	if (rc == 0)
		rc = begin(&session, text, ret_bundle, err);
	if (rc == 0)
		rc = run_all(&session, path, err);
	if (rc == 0 && session.fills)
		end_position(&session);
	close_fills(&session);
	hl_path_free(path);
	if (rc < 0)
		return rc;
	hl_console_say("recorded in %s: \"hoploss accept %s\" judges it again", session.dir,
		       session.dir);
	return hl_diagnose(*ret_bundle, NULL, ret_graph, err);
}
