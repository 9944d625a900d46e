/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss accept: is this drive to be kept? Judges saved output and bundles as they are; devices
 * are measured first, into a bundle, which is then judged the same way.
 */
#include "hoploss/accept_plan.h"
#include "hoploss/args.h"
#include "hoploss/blockdev.h"
#include "hoploss/certificate.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/given.h"
#include "hoploss/measure.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS       6
#define USUAL_TIME_S 120.0 /* a drive */

struct request {
	const struct hl_certificate *certificate;
	struct hl_report_style style;
	struct hl_arena *arena;
	struct hl_sources sources; /* files */
	struct hl_spec *spec;      /* NULL = by model */
	struct hl_acceptance_how how;
	struct hl_accept_drive *drives; /* devices */
	size_t nr_drives;
	const char **notes;
	size_t nr_notes;
	const char *out;
	double time_s; /* NAN = the usual */
};

static void request_clear(struct request *request)
{
	hl_sources_clear(&request->sources);
	hl_spec_free(request->spec);
	hl_arena_free(request->arena);
}
#define REQUEST __attribute__((cleanup(request_clear)))

/* ---- what was asked for ---- */

static int read_format(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *format = hl_args_value(args, "format", 0);

	if (!format)
		format = hl_args_json(args) ? "json" : "text";
	else if (hl_args_json(args) && strcmp(format, "json") != 0)
		return hl_fail(err, EINVAL, "--json and --format %s: one of them", format);
	request->certificate = hl_certificate_find(format);
	if (!request->certificate)
		return hl_fail(err, EINVAL, "--format %s: text, json or html", format);
	return hl_console_style(args, &request->style, err);
}

static int read_purchases(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *file = hl_args_value(args, "serials", 0);
	const char *serial = hl_args_value(args, "serial", 0);
	HL_FREE char *bytes = NULL;
	struct hl_purchase *purchases;
	size_t len;
	int rc;

	if (file && serial)
		return hl_fail(err, EINVAL, "--serial and --serials exclude each other");
	if (serial) {
		purchases = hl_arena_alloc(request->arena, sizeof(*purchases));
		*purchases = (struct hl_purchase){ .serial = serial, .capacity = NAN };
		request->how.purchases = purchases;
		request->how.nr_purchases = 1;
	}
	if (!file)
		return 0;
	rc = hl_console_read(file, &bytes, &len, err);
	if (rc == 0)
		rc = hl_purchases_read(file, bytes, len, request->arena, &purchases,
				       &request->how.nr_purchases, err);
	if (rc == 0)
		request->how.purchases = purchases;
	return rc;
}

static int read_time(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *time = hl_args_value(args, "time", 0);
	double ns = NAN;

	if (time && (hl_unit_read_time(time, strlen(time), &ns) < 0 || !(ns >= 1e9)))
		return hl_fail(err, EINVAL, "--time %s: write it as 20s, 3m or 1h", time);
	request->time_s = ns / 1e9;
	return 0;
}

static void note(struct request *request, const char *text)
{
	request->notes = hl_arena_extend(request->arena, request->notes, request->nr_notes,
					 sizeof(*request->notes));
	request->notes[request->nr_notes++] = text;
}

/* What the system itself lives on is not up for acceptance. */
static bool is_of_system(struct hl_machine *machine, dev_t device)
{
	static const char *const places[] = { "/", "/boot", "/usr", "/var" };
	struct stat status;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (stat(places[i], &status) == 0 &&
		    hl_blockdev_is_on(machine, status.st_dev, device))
			return true;
	}
	return false;
}

static const char *model_of(struct request *request, struct hl_machine *machine, const char *name)
{
	const char *path = hl_arena_printf(request->arena, "/sys/class/block/%s/device/model",
					   name);
	HL_FREE char *bytes = NULL;
	size_t len;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NULL;
	while (len && (bytes[len - 1] == '\n' || bytes[len - 1] == ' '))
		bytes[--len] = '\0';
	return hl_arena_strdup(request->arena, bytes);
}

static void free_spec(void *spec)
{
	hl_spec_free(spec);
}

static void add_drive(struct request *request, struct hl_machine *machine, const char *path)
{
	struct hl_accept_drive *drive;
	const char *slash = strrchr(path, '/'), *model;
	struct hl_spec *spec = NULL;

	request->drives = hl_arena_extend(request->arena, request->drives, request->nr_drives,
					  sizeof(*drive));
	drive = &request->drives[request->nr_drives++];
	*drive = (struct hl_accept_drive){ path, slash + 1, request->spec };
	model = request->spec ? NULL : model_of(request, machine, drive->name);
	if (model)
		spec = hl_accept_find_spec(model);
	if (!spec)
		return;
	hl_arena_adopt(request->arena, spec, free_spec);
	drive->spec = spec;
}

static int read_device(struct request *request, struct hl_machine *machine, const char *word,
		       struct hl_error *err)
{
	HL_FREE char *real = realpath(word, NULL);
	const char *path;
	struct stat status;

	if (!real || stat(real, &status) < 0)
		return hl_fail(err, errno, "%s: %s", word, strerror(errno));
	if (!S_ISBLK(status.st_mode))
		return hl_fail(err, ENOTBLK, "%s is no block device%s", word,
			       strstr(real, "/dev/nvme") ? ": name its namespace, as /dev/nvme0n1"
							 : "");
	path = hl_arena_strdup(request->arena, real);
	for (size_t i = 0; i < request->nr_drives; i++) {
		if (!strcmp(request->drives[i].path, path))
			return hl_fail(err, EINVAL, "%s is given twice", word);
	}
	if (is_of_system(machine, status.st_rdev))
		note(request, hl_arena_printf(request->arena,
					      "%s is left out: the system runs from it", word));
	else
		add_drive(request, machine, path);
	return 0;
}

static bool is_device(const char *word)
{
	return !strncmp(word, "/dev/", 5);
}

static int read_devices(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < hl_args_nr_operands(args); i++) {
		const char *word = hl_args_operand(args, i);

		if (!is_device(word))
			rc = hl_fail(err, EINVAL, "%s: devices and files do not go together", word);
		else
			rc = read_device(request, machine, word, err);
	}
	hl_machine_close(machine);
	if (rc == 0 && !request->nr_drives)
		rc = hl_fail(err, EBUSY, "no drive is left: %s", request->notes[0]);
	return rc;
}

static int read_options(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *spec = hl_args_value(args, "spec", 0);
	int rc = read_format(args, request, err);

	request->out = hl_args_value(args, "out", 0);
	request->how.bdf = hl_args_value(args, "bdf", 0);
	request->how.is_second_hand = hl_args_has(args, "second-hand");
	request->how.may_miss = hl_args_has(args, "allow-missing");
	if (rc == 0 && !hl_args_nr_operands(args))
		rc = hl_fail(err, EINVAL, "accept needs a device, a file or a bundle");
	if (rc == 0)
		rc = read_time(args, request, err);
	if (rc == 0)
		rc = read_purchases(args, request, err);
	if (rc == 0 && spec)
		rc = hl_spec_load(spec, &request->spec, err);
	request->how.spec = request->spec;
	return rc;
}

/* ---- judging ---- */

static enum hl_exit exit_of(const struct hl_acceptance_set *set)
{
	static const enum hl_exit codes[] = {
		[HL_ACCEPT_PASS] = HL_EXIT_OK,
		[HL_ACCEPT_INCOMPLETE] = HL_EXIT_INCOMPLETE,
		[HL_ACCEPT_FAIL] = HL_EXIT_FINDINGS,
	};

	return codes[set->verdict];
}

static enum hl_exit judge(const struct request *request, const struct hl_graph *graph)
{
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	struct hl_error err;

	if (hl_acceptance_judge(graph, &request->how, &set, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	set->notes = request->notes;
	set->nr_notes = request->nr_notes;
	if (hl_certificate_write(request->certificate, set, &request->style, stdout, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return exit_of(set);
}

static enum hl_exit judge_files(const struct hl_args *args, struct request *request)
{
	struct hl_given given = { 0 };
	struct hl_error err;
	enum hl_exit code;

	if (hl_sources_read(args, &request->sources, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (hl_given_read(&request->sources, &given, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	code = judge(request, given.graph);
	if (given.is_missing && code != HL_EXIT_FINDINGS)
		code = HL_EXIT_INCOMPLETE;
	hl_given_clear(&given);
	return code;
}

/* ---- measuring ---- */

static void close_run(struct hl_run **run)
{
	hl_run_close(*run);
}
#define RUN __attribute__((cleanup(close_run)))

static void free_path(struct hl_path **path)
{
	hl_path_free(*path);
}
#define PATH __attribute__((cleanup(free_path)))

static char *usual_out(void)
{
	time_t now = time(NULL);
	struct tm local;
	char stamp[32];

	localtime_r(&now, &local);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &local);
	return hl_printf("hoploss-accept-%s", stamp);
}

static int make_bundle(const struct request *request, const char *dir, const char *text,
		       struct hl_bundle **ret_bundle, struct hl_error *err)
{
	const struct hl_bundle_path path = { "accept", text, strlen(text) };
	int rc = hl_bundle_create(dir, ret_bundle, err);

	if (rc == 0)
		rc = hl_bundle_set_path(*ret_bundle, &path, err);
	for (size_t i = 0; rc == 0 && i < request->nr_notes; i++)
		rc = hl_bundle_add_note(*ret_bundle, request->notes[i], err);
	return rc;
}

static enum hl_exit record_and_judge(struct request *request, const struct hl_measure *measure,
				     struct hl_bundle *bundle, const char *dir)
{
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_error err;
	int rc = hl_measure_rounds(measure, bundle, &err);

	if (rc < 0)
		hl_console_say("%s; the certificate is of what was measured", err.text);
	hl_console_say("recorded in %s: \"hoploss accept %s\" judges it again", dir, dir);
	if (hl_diagnose(bundle, NULL, &graph, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return judge(request, graph);
}

static enum hl_exit measure_devices(const struct hl_args *args, struct request *request)
{
	HL_FREE char *usual = usual_out();
	const char *dir = request->out ? request->out : usual;
	HL_FREE char *text = hl_accept_path_text(request->drives, request->nr_drives);
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	PATH struct hl_path *path = NULL;
	RUN struct hl_run *run = NULL;
	struct hl_workset workset = { 0 };
	struct hl_run_options options;
	struct hl_measure measure;
	struct hl_error err;

	workset.jobs = hl_accept_workloads(request->arena, request->drives, request->nr_drives,
					   false, &workset.nr_jobs);
	options = (struct hl_run_options){
		.workloads = workset.jobs,
		.nr_workloads = workset.nr_jobs,
		.nr_rounds = ROUNDS,
		.time_s = request->time_s > 0 ? request->time_s
					      : USUAL_TIME_S * (double)request->nr_drives,
		.may_be_busy = hl_args_has(args, "busy-ok"),
		.may_be_empty = true,
	};
	hl_measure_catch_interrupts();
	if (hl_path_parse("accept", text, strlen(text), &path, &err) < 0 ||
	    make_bundle(request, dir, text, &bundle, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	options.path = path;
	options.seed = hl_bundle_seed(bundle);
	if (hl_run_open(&options, &run, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	measure = (struct hl_measure){ .run = run,
				       .name = "accept",
				       .path = path,
				       .workset = &workset,
				       .time_s = options.time_s,
				       .at_least = ROUNDS };
	hl_measure_say(&measure);
	return record_and_judge(request, &measure, bundle, dir);
}

static enum hl_exit accept_run(const struct hl_args *args)
{
	REQUEST struct request request = { .arena = hl_arena_new() };
	struct hl_error err;

	if (read_options(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (!is_device(hl_args_operand(args, 0)))
		return judge_files(args, &request);
	if (read_devices(args, &request, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return measure_devices(args, &request);
}

static const struct hl_option accept_options[] = {
	{ .name = "spec",
	  .arg = "NAME",
	  .help = "the datasheet that it must hold (default: chosen by its model)",
	  .values = "SPEC" },
	{ .name = "bdf",
	  .arg = "ADDRESS",
	  .help = "the PCI function of the one drive in lspci's output, as 0000:01:00.0" },
	{ .name = "serial", .arg = "SERIAL", .help = "the serial number that it must have" },
	{ .name = "serials",
	  .arg = "FILE",
	  .help = "the purchase list, CSV: serial[,model,capacity,firmware]",
	  .values = "FILE" },
	{ .name = "second-hand", .help = "it was bought used: its age is shown, not judged" },
	{ .name = "allow-missing", .help = "what could not be measured does not spoil a PASS" },
	{ .name = "busy-ok", .help = "measure drives that others are using" },
	{ .name = "time",
	  .arg = "T",
	  .help = "time to measure all drives: 20s, 3m, 1h (default 2m a drive)" },
	{ .name = "out",
	  .arg = "DIR",
	  .help = "record into DIR, new or empty (default hoploss-accept-DATE-TIME)",
	  .values = "DIR" },
	{ .name = "format",
	  .arg = "FORMAT",
	  .help = "text, json or html (default text)",
	  .values = "text json html" },
	{ .name = "color",
	  .arg = "WHEN",
	  .help = "colour the text: auto, always or never (default auto)",
	  .values = "auto always never" },
	{ 0 },
};

static const struct hl_example accept_examples[] = {
	{ "hoploss accept /dev/nvme0n1", "Read-only: link, heat, health, age and read speeds." },
	{ "hoploss accept /dev/nvme{0..23}n1 --serials bought.csv",
	  "A delivery against its purchase list, and the drives against each other." },
	{ "hoploss accept smart.txt lspci.txt --bdf 0000:41:00.0",
	  "From saved output: the rest is NOT MEASURED." },
	{ 0 },
};

const struct hl_command hl_command_accept = {
	.name = "accept",
	.summary = "keep this drive? link, heat, health, age and speed against its datasheet",
	.usage = "DEVICE... | FILE... | BUNDLE [--spec NAME] [--bdf ADDRESS] [--serial SERIAL | "
		 "--serials FILE] [--second-hand] [--allow-missing] [--time T] [--out DIR] "
		 "[--format FORMAT] [--json]",
	.details = "Each check is PASS, FAIL or NOT MEASURED, with what was measured, what is "
		   "required and where that was read. NOT MEASURED is never PASS: then the verdict "
		   "is INCOMPLETE, unless --allow-missing. Nothing is written to any drive.\n\n"
		   "Devices are captured and read first, into a bundle; the drive that the system "
		   "runs from is left out. A blank drive answers reads of blocks that were never "
		   "written without touching its medium: such figures do not count.\n\n"
		   "Exit code 0: PASS, 1: FAIL, 4: INCOMPLETE.",
	.options = accept_options,
	.examples = accept_examples,
	.max_operands = -1,
	.operand_values = "FILE",
	.run = accept_run,
};
