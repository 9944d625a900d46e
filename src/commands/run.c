/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss run: measures every hop of a path in turn, records it as a bundle, and diagnoses that.
 */
#include "hoploss/run.h"
#include "hoploss/alloc.h"
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/layout.h"
#include "hoploss/measure.h"
#include "hoploss/show.h"
#include "hoploss/spec.h"
#include "hoploss/unit.h"
#include "hoploss/workset.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define USUAL_TIME_S 180.0
#define QUICK_ROUNDS 6
#define USUAL_ROUNDS 14
#define FULL_ROUNDS  20

/* ---- what was asked for ---- */

struct request {
	struct hl_show show;
	struct hl_arena *arena;
	const char *path_name;
	char *path_text;
	size_t path_len;
	struct hl_path *path;
	struct hl_workset workset;
	struct hl_spec *spec; /* of a datasheet hop; NULL = none */
	unsigned drives;
	unsigned nr_rounds;
	double time_s;
	const char *out;
	bool is_dry;
};

static void request_clear(struct request *request)
{
	hl_path_free(request->path);
	hl_spec_free(request->spec);
	free(request->path_text);
	hl_arena_free(request->arena);
}
#define REQUEST __attribute__((cleanup(request_clear)))

static bool is_path_file(const char *word)
{
	size_t len = strlen(word);

	return len > 5 && !strcmp(word + len - 5, ".conf");
}

static int read_path(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *word = hl_args_operand(args, 0);

	if (hl_args_nr_operands(args) != 1)
		return hl_fail(err, EINVAL, "run wants one path file (NAME.conf) or one target");
	request->path_name = word;
	if (is_path_file(word)) {
		int rc = hl_console_read(word, &request->path_text, &request->path_len, err);

		if (rc < 0)
			return rc;
	} else {
		request->path_text = hl_path_text_of_target(word);
		request->path_len = strlen(request->path_text);
	}
	return hl_path_parse(word, request->path_text, request->path_len, &request->path, err);
}

static int read_rounds(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	bool is_quick = hl_args_has(args, "quick"), is_full = hl_args_has(args, "full");
	const char *time = hl_args_value(args, "time", 0);
	double ns = USUAL_TIME_S * 1e9;

	if (is_quick && is_full)
		return hl_fail(err, EINVAL, "--quick and --full exclude each other");
	if (time && (hl_unit_read_time(time, strlen(time), &ns) < 0 || !(ns >= 1e9)))
		return hl_fail(err, EINVAL, "--time %s: write it as 20s, 3m or 1h", time);
	request->nr_rounds = is_quick ? QUICK_ROUNDS : is_full ? FULL_ROUNDS : USUAL_ROUNDS;
	request->time_s = ns / 1e9;
	return 0;
}

/* The datasheet on top of the path, if it has one. */
static int read_spec(struct request *request, struct hl_error *err)
{
	for (size_t i = 0; i < request->path->nr_hops; i++) {
		const struct hl_path_hop *hop = &request->path->hops[i];

		if (hop->layer != HL_LAYER_DATASHEET)
			continue;
		request->drives = hop->drives;
		return hl_spec_load(hop->spec, &request->spec, err);
	}
	return 0;
}

static int read_request(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *words = hl_args_value(args, "workloads", 0);
	int (*choose)(struct hl_arena *, const char *, struct hl_workset *,
		      struct hl_error *) = hl_args_has(args, "write") ? hl_workset_choose_writing
								      : hl_workset_choose;
	int rc = hl_show_prepare(args, &request->show, err);

	request->arena = hl_arena_new();
	request->out = hl_args_value(args, "out", 0);
	request->is_dry = hl_args_has(args, "dry-run");
	if (rc == 0)
		rc = read_rounds(args, request, err);
	if (rc == 0)
		rc = read_path(args, request, err);
	if (rc == 0)
		rc = choose(request->arena, words ? words : request->path->workloads,
			    &request->workset, err);
	return rc == 0 ? read_spec(request, err) : rc;
}

/* hoploss-20261130-173000, beside where the person stands. */
static char *usual_out(void)
{
	time_t now = time(NULL);
	struct tm local;
	char stamp[32];

	localtime_r(&now, &local);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &local);
	return hl_printf("hoploss-%s", stamp);
}

static int make_bundle(const struct request *request, const char *dir,
		       struct hl_bundle **ret_bundle, struct hl_error *err)
{
	const struct hl_bundle_path path = { request->path_name, request->path_text,
					     request->path_len };
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int rc = hl_bundle_create(dir, &bundle, err);

	if (rc == 0)
		rc = hl_bundle_set_path(bundle, &path, err);
	if (rc == 0 && request->spec) {
		const struct hl_bundle_spec spec = { request->spec->name, request->spec->text,
						     request->spec->text_len, request->drives };

		rc = hl_bundle_set_spec(bundle, &spec, err);
	}
	if (rc < 0)
		return rc;
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}

static void close_run(struct hl_run **run)
{
	hl_run_close(*run);
}
#define RUN __attribute__((cleanup(close_run)))

static enum hl_exit record_and_show(const struct request *request, const struct hl_measure *measure,
				    struct hl_bundle *bundle, const char *dir)
{
	struct hl_error err;
	int rc = hl_measure_rounds(measure, bundle, &err);

	if (rc < 0) {
		hl_console_say("%s; what was measured is in %s", err.text, dir);
		return HL_EXIT_UNABLE;
	}
	hl_console_say("recorded in %s: \"hoploss report %s\" shows it again", dir, dir);
	return hl_show_diagnosis(&request->show, bundle);
}

static uint64_t seed_of(const struct hl_bundle *bundle)
{
	return bundle ? hl_bundle_seed(bundle) : 1;
}

/* ---- --layout ---- */

static int read_size(const struct hl_args *args, double *ret_size, struct hl_error *err)
{
	const char *text = hl_args_value(args, "size", 0);

	if (!text || hl_unit_read_size(text, strlen(text), 1024, ret_size) < 0)
		return hl_fail(err, EINVAL, "--layout wants --size: 1G, 64G");
	if (hl_args_nr_operands(args))
		return hl_fail(err, EINVAL,
			       "--layout only makes the file: measure it by a run of "
			       "its own");
	return 0;
}

static enum hl_exit lay_out(const struct hl_args *args, const char *file)
{
	char text[HL_UNIT_TEXT];
	struct hl_mark mark;
	struct hl_error err;
	double size;

	if (read_size(args, &size, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (hl_layout_check(file, size, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	hl_console_say("writes %s to the new file %s", hl_unit_size(text, size), file);
	fprintf(stderr,
		"  A thin volume under it grows by that and does not shrink by itself when the\n"
		"  file goes; snapshots taken meanwhile keep it; replication sends all of it.\n"
		"  To undo: rm '%s'\n",
		file);
	if (hl_args_has(args, "dry-run"))
		return HL_EXIT_OK;
	if (hl_layout_make(file, size, &mark, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	hl_console_say("done: \"hoploss run file:%s --write\" may write to it", file);
	return HL_EXIT_OK;
}

static enum hl_exit run_run(const struct hl_args *args)
{
	REQUEST struct request request = { 0 };
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	HL_FREE char *usual = usual_out();
	RUN struct hl_run *run = NULL;
	struct hl_run_options options;
	struct hl_measure measure;
	const char *dir;
	struct hl_error err;

	if (hl_args_value(args, "layout", 0))
		return lay_out(args, hl_args_value(args, "layout", 0));
	if (read_request(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	dir = request.out ? request.out : usual;
	if (!request.is_dry && make_bundle(&request, dir, &bundle, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	options = (struct hl_run_options){
		.path = request.path,
		.workloads = request.workset.jobs,
		.nr_workloads = request.workset.nr_jobs,
		.nr_rounds = request.nr_rounds,
		.time_s = request.time_s,
		.seed = seed_of(bundle),
		.may_write = hl_args_has(args, "write"),
		.may_be_busy = hl_args_has(args, "busy-ok"),
	};
	hl_measure_catch_interrupts();
	if (hl_run_open(&options, &run, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	measure = (struct hl_measure){
		.run = run,
		.name = request.path_name,
		.path = request.path,
		.workset = &request.workset,
		.time_s = request.time_s,
		.at_least = QUICK_ROUNDS,
	};
	hl_measure_say(&measure);
	if (options.may_be_busy)
		hl_console_say("whether others use the disks is not looked at (--busy-ok)");
	return request.is_dry ? HL_EXIT_OK : record_and_show(&request, &measure, bundle, dir);
}

static const struct hl_option options_of_run[] = {
	{ .name = "workloads",
	  .arg = "WORDS",
	  .help = "jobs and suites to measure, by blanks; those that write want --write (default: "
		  "the path file's, else " HL_WORKSET_DEFAULT ")",
	  .values = "SUITE" },
	{ .name = "quick", .help = "6 rounds: intervals, but nothing can be named" },
	{ .name = "full", .help = "up to 20 rounds" },
	{ .name = "time",
	  .arg = "T",
	  .help = "time for all rounds together: 20s, 3m, 1h (default 3m)" },
	{ .name = "write",
	  .help = "measure jobs that write, too, on targets that were given away: those that "
		  "\"hoploss mark\" marked, and files that --layout made" },
	{ .name = "layout",
	  .arg = "FILE",
	  .help = "make a new file of --size that runs with --write may write to, and measure "
		  "nothing",
	  .values = "FILE" },
	{ .name = "size", .arg = "SIZE", .help = "of the file that --layout makes: 1G, 64G" },
	{ .name = "busy-ok",
	  .help = "measure disks that others are using; without it their I/O is looked at for "
		  "10 s (2 s when --time is at most 1m), and more than 100 IOPS or 5 % busy is "
		  "refused" },
	{ .name = "dry-run", .help = "say what would be done, open every target, measure nothing" },
	{ .name = "out",
	  .arg = "DIR",
	  .help = "record into DIR, new or empty (default hoploss-DATE-TIME)",
	  .values = "DIR" },
	HL_SHOW_OPTIONS,
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss run /dev/nvme0n1", "One drive, three read workloads, three minutes." },
	{ "hoploss run pvc.conf --time 10m", "Every hop of a path file." },
	{ 0 },
};

const struct hl_command hl_command_run = {
	.name = "run",
	.summary =
		"measure every hop of a path in turn, and name the layer that loses the bandwidth",
	.usage = "PATH.conf | TARGET [--workloads WORDS] [--quick | --full] [--time T] [--write] "
		 "[--busy-ok] "
		 "[--dry-run] "
		 "[--out DIR] | --layout FILE --size SIZE",
	.details = "Reads every hop of the path with the same workloads, in rounds: each round has "
		   "every hop once, in random order, and one of them twice. Nothing is written "
		   "to a target without --write. Each host of the path is reached by the words of "
		   "its \"via\", and "
		   "must have hoploss on its PATH. A path file executes: treat it as a script.",
	.max_operands = 1,
	.operand_values = "FILE",
	.options = options_of_run,
	.examples = examples,
	.run = run_run,
};
