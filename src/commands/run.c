/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss run: measures every hop of a path in turn, records it as a bundle, and diagnoses that.
 */
#include "hoploss/run.h"
#include "hoploss/alloc.h"
#include "hoploss/console.h"
#include "hoploss/layout.h"
#include "hoploss/measure.h"
#include "hoploss/show.h"
#include "hoploss/unit.h"
#include "run_request.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

static int make_bundle(const struct run_request *request, const char *dir,
		       struct hl_bundle **ret_bundle, struct hl_error *err)
{
	const struct hl_bundle_path path = { request->path_name, request->path_text,
					     request->path_len };
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int rc = hl_bundle_create(dir, &bundle, err);

	if (rc == 0 && request->show.style.is_anonymised)
		hl_bundle_scrub(bundle);
	if (rc == 0)
		rc = hl_bundle_set_path(bundle, &path, err);
	if (rc == 0 && request->spec) {
		const struct hl_bundle_spec spec = { request->spec->name, request->spec->text,
						     request->spec->text_len, request->drives };

		rc = hl_bundle_set_spec(bundle, &spec, err);
	}
	for (size_t i = 0; rc == 0 && i < request->workset.nr_notes; i++)
		rc = hl_bundle_add_note(bundle, request->workset.notes[i], err);
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

static enum hl_exit record_and_show(const struct run_request *request,
				    const struct hl_measure *measure, struct hl_bundle *bundle,
				    const char *dir)
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
	double size = 0;

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

static enum hl_exit exit_of_dry_run(const struct hl_run *run, size_t nr_missing)
{
	if (!hl_plan_nr_slots(hl_run_plan(run)))
		return HL_EXIT_UNABLE;
	return nr_missing ? HL_EXIT_INCOMPLETE : HL_EXIT_OK;
}

static enum hl_exit run_run(const struct hl_args *args)
{
	RUN_REQUEST struct run_request request = { 0 };
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	HL_FREE char *usual = usual_out();
	RUN struct hl_run *run = NULL;
	struct hl_run_options options;
	struct hl_measure measure;
	size_t nr_missing;
	const char *dir;
	struct hl_error err;

	if (hl_args_value(args, "layout", 0))
		return lay_out(args, hl_args_value(args, "layout", 0));
	if (run_request_read(args, &request, &err) < 0)
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
		.nr_rounds = request.rounds.nr,
		.wants_all = request.rounds.wants_all,
		.time_s = request.rounds.time_s,
		.max_bw = request.max_bw,
		.seed = seed_of(bundle),
		.may_write = hl_args_has(args, "write"),
		.may_be_empty = request.is_dry,
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
		.time_s = request.rounds.time_s,
		.at_least = RUN_QUICK_ROUNDS,
		.precision = request.precision,
	};
	nr_missing = hl_measure_say(&measure);
	if (options.may_be_busy)
		hl_console_say("others may be using the disks (--busy-ok); where their I/O takes "
			       "five times as long, a hop is stopped");
	if (request.is_dry)
		return exit_of_dry_run(run, nr_missing);
	return record_and_show(&request, &measure, bundle, dir);
}

static const struct hl_option options_of_run[] = {
	{ .name = "workloads",
	  .arg = "WORDS",
	  .help = "jobs, suites and @FILES of fio jobs to measure, by blanks; those that write "
		  "want --write (default: the path file's, else " HL_WORKSET_DEFAULT ")",
	  .values = "SUITE" },
	{ .name = "quick", .help = "6 rounds: intervals, but nothing can be named" },
	{ .name = "full", .help = "up to 20 rounds" },
	ROUNDS_OPTION,
	{ .name = "precision",
	  .arg = "PCT",
	  .help = "up to 20 rounds, until what binds is known to so many percent or the time is "
		  "up" },
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
	{ .name = "max-bw",
	  .arg = "RATE",
	  .help = "use no more of any hop than that: 100MiB/s, 1Gbit/s" },
	{ .name = "dry-run",
	  .help = "say what would be done and what would fail, open every target, measure nothing; "
		  "exit code 0 when all can be measured" },
	{ .name = "trust", .help = "run a path file that was taken out of a bundle" },
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
	{ "hoploss run pvc.conf --workloads @jobs.fio",
	  "The same with the jobs of a fio job file." },
	{ "hoploss run /dev/sdb -- fio --name=a --rw=randread --bs=4k --direct=1",
	  "A command line of fio, as it is." },
	{ 0 },
};

const struct hl_command hl_command_run = {
	.name = "run",
	.summary =
		"measure every hop of a path in turn, and name the layer that loses the bandwidth",
	.usage = "PATH.conf | TARGET [--workloads WORDS] [--quick | --full | --rounds N] "
		 "[--precision PCT] [--time T] [--write] [--busy-ok] [--max-bw RATE] [--dry-run] "
		 "[--trust] [--out DIR] " HL_SHOW_USAGE " [-- FIO-OPTIONS] | "
		 "--layout FILE --size SIZE",
	.details = "Reads every hop of the path with the same workloads, in rounds: each round "
		   "has every hop once, in random order, and one of them twice. Nothing is "
		   "written to a target without --write. Each host of the path is reached by the "
		   "words of its \"via\", and must have hoploss on its PATH. A path file "
		   "executes: treat it as a script.\n\n"
		   "Behind \"--\" stands a command line of fio, with or without the word fio; "
		   "job files may stand in it, and in --workloads as @FILE. Each option is "
		   "honoured, or accepted without effect and listed in the report, or refused "
		   "because it would change the I/O. Without a TARGET the jobs' filename is "
		   "measured.",
	.max_operands = 1,
	.takes_rest = true,
	.operand_values = "FILE",
	.options = options_of_run,
	.examples = examples,
	.run = run_run,
};
