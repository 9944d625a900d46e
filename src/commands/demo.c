/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss demo: makes a path of real parts on this machine, measures it as any other, and says
 * whether the verdict is the one that its construction demands.
 */
#include "hoploss/demo.h"
#include "hoploss/alloc.h"
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/measure.h"
#include "hoploss/number.h"
#include "hoploss/show.h"
#include "hoploss/unit.h"
#include "rounds.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_S    60.0 /* below it there is only time for the workload that is judged */
#define ROUNDS_MIN 9    /* fewer name nothing */
#define ROUNDS_MAX 14
#define SHAPE_RATE (300e6 / 8)
#define PATH_NAME  "demo.conf"

struct request {
	struct hl_show show;
	struct hl_demo_options options;
	struct rounds rounds;
	const char *out; /* NULL: the recording goes with the demo */
};

/* ---- what was asked for ---- */

static int read_rate(const struct hl_args *args, const char *name, double *ret_rate,
		     struct hl_error *err)
{
	const char *text = hl_args_value(args, name, 0);

	if (!text)
		return 0;
	if (hl_unit_read_rate(text, strlen(text), 1000, ret_rate) < 0 || !(*ret_rate >= 1e5))
		return hl_fail(err, EINVAL, "--%s %s: write it as 300Mbit/s or 20MiB/s", name,
			       text);
	return 0;
}

static int read_shape(const struct hl_args *args, double *ret_rate, struct hl_error *err)
{
	const char *text = hl_args_value(args, "shape", 0);

	*ret_rate = SHAPE_RATE;
	if (!text || strcmp(text, "off") != 0)
		return read_rate(args, "shape", ret_rate, err);
	*ret_rate = NAN;
	return 0;
}

static int read_cpu(const struct hl_args *args, double *ret_pct, struct hl_error *err)
{
	const char *text = hl_args_value(args, "target-cpu", 0);
	uint64_t pct;

	*ret_pct = NAN;
	if (!text)
		return 0;
	if (hl_number_u64(text, strlen(text), &pct) < 0 || pct < 1 || pct > 100)
		return hl_fail(err, EINVAL, "--target-cpu %s: percent of one core, 1 to 100", text);
	*ret_pct = (double)pct;
	return 0;
}

static int read_request(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	int rc = hl_show_prepare(args, &request->show, err);

	request->out = hl_args_value(args, "out", 0);
	request->options.disk_rate = NAN;
	if (rc == 0)
		rc = read_shape(args, &request->options.shape_rate, err);
	if (rc == 0)
		rc = read_rate(args, "throttle-disk", &request->options.disk_rate, err);
	if (rc == 0)
		rc = read_cpu(args, &request->options.target_cpu_pct, err);
	return rc == 0 ? rounds_read(args, ROUNDS_MAX, &request->rounds, err) : rc;
}

/* ---- measuring ---- */

static void close_run(struct hl_run **run)
{
	hl_run_close(*run);
}

static void free_path(struct hl_path **path)
{
	hl_path_free(*path);
}

static void free_arena(struct hl_arena **arena)
{
	hl_arena_free(*arena);
}

#define CLEANUP(function) __attribute__((cleanup(function)))

static int make_bundle(const struct request *request, const struct hl_demo *demo,
		       struct hl_bundle **ret_bundle, struct hl_error *err)
{
	const char *text = hl_demo_path(demo);
	const struct hl_bundle_path path = { PATH_NAME, text, strlen(text) };
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int rc = hl_bundle_create(request->out ? request->out : hl_demo_scratch(demo), &bundle,
				  err);

	if (rc == 0)
		rc = hl_bundle_set_path(bundle, &path, err);
	if (rc < 0)
		return rc;
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}

static int measure(const struct request *request, const struct hl_path *path,
		   const struct hl_workset *workset, struct hl_bundle *bundle, struct hl_error *err)
{
	CLEANUP(close_run) struct hl_run *run = NULL;
	const struct hl_run_options options = {
		.path = path,
		.workloads = workset->jobs,
		.nr_workloads = workset->nr_jobs,
		.nr_rounds = request->rounds.nr,
		.wants_all = request->rounds.wants_all,
		.time_s = request->rounds.time_s,
		.seed = hl_bundle_seed(bundle),
		.may_be_busy = true, /* nobody else knows these disks */
	};
	struct hl_measure how = {
		.name = "demo",
		.path = path,
		.workset = workset,
		.time_s = request->rounds.time_s,
		.at_least = ROUNDS_MIN,
	};
	int rc = hl_run_open(&options, &run, err);

	if (rc < 0)
		return rc;
	how.run = run;
	hl_measure_say(&how);
	return hl_measure_rounds(&how, bundle, err);
}

static int record(const struct request *request, const struct hl_demo *demo,
		  struct hl_bundle **ret_bundle, struct hl_error *err)
{
	const char *text = hl_demo_path(demo);
	const struct hl_workset_request wanted = {
		.words = request->rounds.time_s < SHORT_S ? "seq-read-128k"
							  : "seq-read-128k rand-read-4k",
	};
	CLEANUP(free_arena) struct hl_arena *arena = hl_arena_new();
	CLEANUP(free_path) struct hl_path *path = NULL;
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	struct hl_workset workset;
	int rc = hl_path_parse(PATH_NAME, text, strlen(text), &path, err);

	if (rc == 0)
		rc = hl_workset_choose(arena, &wanted, &workset, err);
	if (rc == 0)
		rc = make_bundle(request, demo, &bundle, err);
	if (rc == 0)
		rc = hl_demo_compare(demo, err);
	if (rc == 0)
		rc = measure(request, path, &workset, bundle, err);
	if (rc < 0)
		return rc;
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}

/* Makes it, records it, removes it. */
static int make_and_record(const struct request *request, struct hl_bundle **ret_bundle,
			   struct hl_error *err)
{
	struct hl_demo *demo;
	int rc;

	hl_console_say("demo: making disk, target, lines and file system: emulated, in RAM");
	rc = hl_demo_open(&request->options, &demo, err);
	if (rc < 0)
		return rc;
	if (hl_demo_left_out(demo))
		hl_console_say("demo: without the file system: %s", hl_demo_left_out(demo));
	rc = record(request, demo, ret_bundle, err);
	hl_demo_close(demo);
	return rc;
}

static enum hl_exit judge(const struct request *request, const struct hl_bundle *bundle)
{
	const struct hl_diagnose_how how = { .is_nameless = request->show.style.is_anonymised };
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_error err, difference;
	bool is_expected;

	if (hl_diagnose(bundle, &how, &graph, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	is_expected = hl_demo_judge(graph, &difference) == 0; /* before names are replaced */
	if (hl_show_graph(&request->show, graph) == HL_EXIT_UNABLE)
		return HL_EXIT_UNABLE;
	if (is_expected)
		hl_console_say("demo: the verdict is the one that was built in");
	else
		hl_console_say("demo: not the verdict that was built in: %s", difference.text);
	return is_expected ? HL_EXIT_OK : HL_EXIT_FINDINGS;
}

static enum hl_exit demo_run(const struct hl_args *args)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	struct request request = { 0 };
	struct hl_error err;

	if (read_request(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	hl_measure_catch_interrupts();
	if (make_and_record(&request, &bundle, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	if (request.out)
		hl_console_say("recorded in %s: \"hoploss report %s\" shows it again", request.out,
			       request.out);
	return judge(&request, bundle);
}

static const struct hl_option options[] = {
	{ .name = "time",
	  .arg = "T",
	  .help = "time for all rounds together: 20s, 3m, 1h (default 3m); below 60s only one "
		  "workload" },
	ROUNDS_OPTION,
	{ .name = "shape",
	  .arg = "RATE",
	  .help = "rate of the shaped line, or off (default 300Mbit/s)" },
	{ .name = "throttle-disk",
	  .arg = "RATE",
	  .help = "hold the loop device to that rate, as 20MiB/s, to see another verdict" },
	{ .name = "target-cpu",
	  .arg = "PCT",
	  .help = "hold the target to so many percent of a core, to see another verdict" },
	{ .name = "out",
	  .arg = "DIR",
	  .help = "keep the recording in DIR, new or empty (default: it is removed)",
	  .values = "DIR" },
	HL_SHOW_OPTIONS,
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss demo", "Three minutes; the line shaped to 300 Mbit/s is named." },
	{ "hoploss demo --time 20s --shape off", "Nothing shaped: exit code 1 says what differs." },
	{ 0 },
};

const struct hl_command hl_command_demo = {
	.name = "demo",
	.summary = "make a whole path on this machine, measure it, remove it",
	.usage = "[--time T] [--rounds N] [--out DIR] [--shape RATE|off] "
		 "[--throttle-disk RATE] [--target-cpu PCT] " HL_SHOW_USAGE,
	.details = "A file in RAM, a loop device on it, an iSCSI target (tgtd) over loopback, "
		   "the same LUN over a virtual line shaped to 300 Mbit/s and over one that is "
		   "not, and a file system on the LUN, mounted read-only by way of "
		   "qemu-storage-daemon. All of it is in namespaces of its own and is gone when "
		   "hoploss is, even when that was killed; \"hoploss clean\" removes the empty "
		   "directory that then is left. Must be run as root. Exit code 0 means that the "
		   "shaped line was named as what binds its leaf, and 1 that it was not.",
	.options = options,
	.examples = examples,
	.run = demo_run,
};
