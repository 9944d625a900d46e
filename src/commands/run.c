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
#define LEAST_MAX_BW 1e5 /* with less a slot has no I/O */

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
	double max_bw;    /* 0 = no limit */
	double precision; /* 0 = not asked for */
	const char *out;
	bool is_dry, is_trusted;
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

/* What a line of the path file says is wrong. */
static int fail_line(const struct request *request, unsigned line, const struct hl_error *why,
		     struct hl_error *err)
{
	return hl_fail(err, why->code, "%s:%u: %s", request->path_name, line, why->text);
}

/* A path file beside a bundle.json was written by whoever made that bundle. */
static int check_trust(const struct request *request, struct hl_error *err)
{
	const char *word = request->path_name, *slash = strrchr(word, '/');
	HL_FREE char *dir = slash ? hl_strndup(word, (size_t)(slash - word) + 1) : hl_strdup(".");

	if (request->is_trusted || !hl_bundle_is_dir(dir))
		return 0;
	return hl_fail(err, EPERM,
		       "%s was taken out of a bundle, and a path file executes: read it, then say "
		       "--trust",
		       word);
}

static int read_path_file(struct request *request, const char *word, struct hl_error *err)
{
	int rc = check_trust(request, err);

	return rc < 0 ? rc : hl_console_read(word, &request->path_text, &request->path_len, err);
}

/* Without a word, jobs of fio may name the one file that is measured. */
static const char *target_of(const struct hl_args *args, const struct hl_workset *workset)
{
	if (hl_args_nr_operands(args) == 1)
		return hl_args_operand(args, 0);
	if (hl_args_nr_operands(args) == 0 && workset->nr_filenames == 1)
		return workset->filenames[0];
	return NULL;
}

/*
 * The word becomes a line of a path file, and a path file executes: what is the name of a file must
 * not be able to add a line to it, nor a second target.
 */
static int check_target(const char *word, struct hl_error *err)
{
	if (!*word)
		return hl_fail(err, EINVAL, "the target is an empty word");
	for (const char *at = word; *at; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return hl_fail(err, EINVAL, "a control character in the target's name");
	}
	if (strchr(word, ' '))
		return hl_fail(
			err, EINVAL,
			"a blank in the target \"%s\": make a link to it whose name has none",
			word);
	return 0;
}

static int read_path(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *word = target_of(args, &request->workset);

	if (!word)
		return hl_fail(err, EINVAL, "run wants one path file (NAME.conf) or one target");
	request->path_name = word;
	if (is_path_file(word)) {
		int rc = read_path_file(request, word, err);

		if (rc < 0)
			return rc;
	} else {
		int rc = check_target(word, err);

		if (rc < 0)
			return rc;
		request->path_text = hl_path_text_of_target(word);
		request->path_len = strlen(request->path_text);
	}
	return hl_path_parse(word, request->path_text, request->path_len, &request->path, err);
}

/* ---- workloads ---- */

static bool is_target(const struct hl_path *path, const char *file)
{
	for (size_t i = 0; i < path->nr_hops; i++) {
		const char *const *target = path->hops[i].targets;

		for (; target && *target; target++) {
			if (!strcmp(*target, file))
				return true;
		}
	}
	return false;
}

static void note_filenames(struct request *request)
{
	struct hl_workset *set = &request->workset;

	for (size_t i = 0; i < set->nr_filenames; i++) {
		if (!is_target(request->path, set->filenames[i]))
			hl_workset_add_note(
				request->arena, set,
				hl_arena_printf(request->arena,
						"filename=%s of a fio job was not used: the hops "
						"say what is measured",
						set->filenames[i]));
	}
}

static void note_writing(struct request *request)
{
	struct hl_workset *set = &request->workset;
	const char *list = "";

	for (size_t i = 0; i < set->nr_writing; i++)
		list = hl_arena_printf(request->arena, "%s %s", list, set->writing[i]);
	if (set->nr_writing)
		hl_workset_add_note(
			request->arena, set,
			hl_arena_printf(request->arena, "left out, they write:%s", list));
}

static int choose(struct request *request, const struct hl_workset_request *wanted,
		  struct hl_error *err)
{
	return hl_workset_choose(request->arena, wanted, &request->workset, err);
}

static int choose_words(struct request *request, struct hl_workset_request *wanted,
			struct hl_error *err)
{
	struct hl_error why;

	if (wanted->words || !request->path->workloads)
		return choose(request, wanted, err);
	wanted->words = request->path->workloads;
	wanted->file = request->path_name;
	if (choose(request, wanted, &why) < 0)
		return fail_line(request, request->path->workloads_line, &why, err);
	return 0;
}

/* The command line of fio is read first: it may name the target. */
static int read_path_and_workloads(const struct hl_args *args, struct request *request,
				   struct hl_error *err)
{
	struct hl_workset_request wanted = {
		.words = hl_args_value(args, "workloads", 0),
		.may_write = hl_args_has(args, "write"),
	};
	int rc = 0;

	wanted.line = hl_args_rest(args, &wanted.nr_line);
	if (wanted.words && wanted.nr_line)
		return hl_fail(err, EINVAL,
			       "--workloads and a fio command line exclude each other");
	if (wanted.nr_line)
		rc = choose(request, &wanted, err);
	if (rc == 0)
		rc = read_path(args, request, err);
	if (rc == 0 && !wanted.nr_line)
		rc = choose_words(request, &wanted, err);
	if (rc < 0)
		return rc;
	note_filenames(request);
	note_writing(request);
	return 0;
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

/* It takes as many rounds as it takes. */
static int read_precision(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *text = hl_args_value(args, "precision", 0);
	double pct;
	char *end;

	if (!text)
		return 0;
	pct = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) || !(pct >= 0.1 && pct <= 50))
		return hl_fail(err, EINVAL, "--precision %s: percent, 0.1 to 50", text);
	if (hl_args_has(args, "quick"))
		return hl_fail(err, EINVAL, "--quick and --precision exclude each other");
	request->precision = pct / 100;
	request->nr_rounds = FULL_ROUNDS;
	return 0;
}

/* The report says so, too: what is above it is not seen. */
static int read_max_bw(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *text = hl_args_value(args, "max-bw", 0);

	if (!text)
		return 0;
	if (hl_unit_read_rate(text, strlen(text), 1000, &request->max_bw) < 0 ||
	    !(request->max_bw >= LEAST_MAX_BW))
		return hl_fail(err, EINVAL, "--max-bw %s: write it as 100MiB/s or 1Gbit/s", text);
	hl_workset_add_note(request->arena, &request->workset,
			    hl_arena_printf(request->arena,
					    "held back to %s by --max-bw: what a hop can do beyond "
					    "that is not seen, nor is a loss there",
					    text));
	return 0;
}

/* The datasheet on top of the path, if it has one. */
static int read_spec(struct request *request, struct hl_error *err)
{
	struct hl_error why;

	for (size_t i = 0; i < request->path->nr_hops; i++) {
		const struct hl_path_hop *hop = &request->path->hops[i];

		if (hop->layer != HL_LAYER_DATASHEET)
			continue;
		request->drives = hop->drives;
		if (hl_spec_load(hop->spec, &request->spec, &why) < 0)
			return fail_line(request, hop->line, &why, err);
		return 0;
	}
	return 0;
}

static int read_request(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	int rc = hl_show_prepare(args, &request->show, err);

	request->arena = hl_arena_new();
	request->out = hl_args_value(args, "out", 0);
	request->is_dry = hl_args_has(args, "dry-run");
	request->is_trusted = hl_args_has(args, "trust");
	if (rc == 0)
		rc = read_rounds(args, request, err);
	if (rc == 0)
		rc = read_precision(args, request, err);
	if (rc == 0)
		rc = read_path_and_workloads(args, request, err);
	if (rc == 0)
		rc = read_max_bw(args, request, err);
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
	REQUEST struct request request = { 0 };
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
		.time_s = request.time_s,
		.at_least = QUICK_ROUNDS,
		.precision = request.precision,
	};
	nr_missing = hl_measure_say(&measure);
	if (options.may_be_busy)
		hl_console_say("others may be using the disks (--busy-ok); where their I/O takes "
			       "five times "
			       "as long, a hop is stopped");
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
	.usage = "PATH.conf | TARGET [--workloads WORDS] [--quick | --full] [--precision PCT] "
		 "[--time T] [--write] "
		 "[--busy-ok] [--max-bw RATE] "
		 "[--dry-run] "
		 "[--out DIR] [-- FIO-OPTIONS] | --layout FILE --size SIZE",
	.details =
		"Reads every hop of the path with the same workloads, in rounds: each round has "
		"every hop once, in random order, and one of them twice. Nothing is written to a "
		"target without --write. Each host of the path is reached by the words of its "
		"\"via\", and must have hoploss on its PATH. A path file executes: treat it as a "
		"script.\n\n"
		"Behind \"--\" stands a command line of fio, with or without the word fio; job "
		"files may stand in it, and in --workloads as @FILE. Each option is honoured, or "
		"accepted without effect and listed in the report, or refused because it would "
		"change the I/O. Without a TARGET the jobs' filename is measured.",
	.max_operands = 1,
	.takes_rest = true,
	.operand_values = "FILE",
	.options = options_of_run,
	.examples = examples,
	.run = run_run,
};
