/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss accept: is this drive to be kept? Judges saved output and bundles as they are; devices
 * are measured first, into a bundle, which is then judged the same way.
 */
#include "hoploss/args.h"
#include "hoploss/blockdev.h"
#include "hoploss/certificate.h"
#include "hoploss/console.h"
#include "hoploss/drive_test.h"
#include "hoploss/given.h"
#include "hoploss/show.h"
#include "hoploss/unit.h"
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct request {
	const struct hl_certificate *certificate;
	struct hl_report_style style;
	struct hl_sources sources; /* files */
	struct hl_spec *spec;      /* NULL = by model */
	struct hl_acceptance_how how;
	struct hl_drive_test test; /* devices */
	bool is_missing;           /* one that was named is not there */
};

static void request_clear(struct request *request)
{
	hl_sources_clear(&request->sources);
	hl_spec_free(request->spec);
	hl_arena_free(request->test.arena);
}
#define REQUEST __attribute__((cleanup(request_clear)))

/* ---- what was asked for ---- */

static int read_format(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *format;
	int rc = hl_console_format(args, &format, err);

	if (rc < 0)
		return rc;
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

	if (serial) {
		purchases = hl_arena_alloc(request->test.arena, sizeof(*purchases));
		*purchases = (struct hl_purchase){ .serial = serial, .capacity = NAN };
		request->how.purchases = purchases;
		request->how.nr_purchases = 1;
	}
	if (!file)
		return 0;
	rc = hl_console_read(file, &bytes, &len, err);
	if (rc == 0)
		rc = hl_purchases_read(file, bytes, len, request->test.arena, &purchases,
				       &request->how.nr_purchases, err);
	if (rc == 0)
		request->how.purchases = purchases;
	return rc;
}

static int read_time(const struct hl_args *args, const char *option, double *ret_s,
		     struct hl_error *err)
{
	const char *time = hl_args_value(args, option, 0);
	double ns = NAN;

	if (time && (hl_unit_read_time(time, strlen(time), &ns) < 0 || !(ns >= 1e9)))
		return hl_fail(err, EINVAL, "--%s %s: write it as 20s, 3m or 1h", option, time);
	*ret_s = ns / 1e9;
	return 0;
}

static void note(struct request *request, const char *text)
{
	request->test.notes = hl_arena_extend(request->test.arena, request->test.notes,
					      request->test.nr_notes, sizeof(*request->test.notes));
	request->test.notes[request->test.nr_notes++] = text;
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
	const char *path = hl_arena_printf(request->test.arena, "/sys/class/block/%s/device/model",
					   name);
	HL_FREE char *bytes = NULL;
	size_t len;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NULL;
	while (len && (bytes[len - 1] == '\n' || bytes[len - 1] == ' '))
		bytes[--len] = '\0';
	return hl_arena_strdup(request->test.arena, bytes);
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

	request->test.drives = hl_arena_extend(request->test.arena, request->test.drives,
					       request->test.nr_drives, sizeof(*drive));
	drive = &request->test.drives[request->test.nr_drives++];
	*drive = (struct hl_accept_drive){ path, slash + 1, request->spec };
	model = request->spec ? NULL : model_of(request, machine, drive->name);
	if (model)
		spec = hl_accept_find_spec(model);
	if (!spec)
		return;
	hl_arena_adopt(request->test.arena, spec, free_spec);
	drive->spec = spec;
}

static int read_device(struct request *request, struct hl_machine *machine, const char *word,
		       struct hl_error *err)
{
	HL_FREE char *real = realpath(word, NULL);
	const char *path;
	struct stat status;

	if (!real || stat(real, &status) < 0) { /* the others are judged nevertheless */
		note(request, hl_arena_printf(request->test.arena, "%s is left out: %s", word,
					      strerror(errno)));
		request->is_missing = true;
		return 0;
	}
	if (!S_ISBLK(status.st_mode))
		return hl_fail(err, ENOTBLK, "%s is no block device%s", word,
			       strstr(real, "/dev/nvme") ? ": name its namespace, as /dev/nvme0n1"
							 : "");
	path = hl_arena_strdup(request->test.arena, real);
	for (size_t i = 0; i < request->test.nr_drives; i++) {
		if (!strcmp(request->test.drives[i].path, path))
			return hl_fail(err, EINVAL, "%s is given twice", word);
	}
	if (is_of_system(machine, status.st_rdev))
		note(request, hl_arena_printf(request->test.arena,
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
	if (rc == 0 && !request->test.nr_drives)
		rc = hl_fail(err, EBUSY, "no drive is left: %s", request->test.notes[0]);
	return rc;
}

#define HEX "[0-9a-f]"

/* "01:00.0", as lspci prints it, is of domain 0. */
static int read_bdf(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *text = hl_args_value(args, "bdf", 0);
	bool has_domain = text && strchr(text, ':') != strrchr(text, ':');
	char *bdf;

	if (!text)
		return 0;
	bdf = hl_arena_printf(request->test.arena, "%s%s", has_domain ? "" : "0000:", text);
	for (char *at = bdf; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	if (fnmatch(HEX HEX HEX HEX ":" HEX HEX ":" HEX HEX ".[0-7]", bdf, 0) != 0)
		return hl_fail(err, EINVAL, "--bdf %s: write it as 0000:01:00.0", text);
	request->how.bdf = bdf;
	return 0;
}

static int read_self_test(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *text = hl_args_value(args, "self-test", 0);
	const enum hl_self_test_kind kinds[] = { HL_SELF_TEST_SHORT, HL_SELF_TEST_LONG };

	for (size_t i = 0; text && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(text, hl_self_test_kind_name(kinds[i])))
			request->test.self_test = kinds[i];
	}
	if (text && !request->test.self_test)
		return hl_fail(err, EINVAL, "--self-test %s: short or long", text);
	if (text && hl_args_nr_operands(args) && !is_device(hl_args_operand(args, 0)))
		return hl_fail(err, EINVAL, "--self-test wants a device; %s is none",
			       hl_args_operand(args, 0));
	request->how.wants_self_test = text;
	return 0;
}

static int read_options(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *serial = hl_args_value(args, "serial", 0);
	int rc = read_format(args, request, err);

	if (rc == 0 && serial && hl_args_value(args, "serials", 0))
		rc = hl_fail(err, EINVAL, "--serial and --serials exclude each other");
	if (rc == 0 && serial && !*serial)
		rc = hl_fail(err, EINVAL, "--serial: it is an empty word");
	if (rc == 0)
		rc = read_bdf(args, request, err);
	request->test.out = hl_args_value(args, "out", 0);
	request->how.is_second_hand = hl_args_has(args, "second-hand");
	request->how.may_miss = hl_args_has(args, "allow-missing");
	request->how.wants_write = request->test.may_write = hl_args_has(args, "write");
	request->how.wants_soak = hl_args_has(args, "soak");
	request->test.may_be_busy = hl_args_has(args, "busy-ok");
	if (rc == 0 && !hl_args_nr_operands(args))
		rc = hl_fail(err, EINVAL, "accept needs a device, a file or a bundle");
	if (rc == 0)
		rc = read_time(args, "time", &request->test.time_s, err);
	if (rc == 0)
		rc = read_time(args, "soak", &request->test.soak_s, err);
	if (rc == 0)
		rc = read_self_test(args, request, err);
	if (rc == 0 && request->test.may_write && !hl_args_has(args, "serial") &&
	    !hl_args_has(args, "serials"))
		rc = hl_fail(err, EINVAL,
			     "--write wants --serial (one drive) or --serials FILE: the serial "
			     "numbers of what may be overwritten");
	return rc;
}

/* What options name must be readable: a mistake in it is no mistake of the command line. */
static int read_named(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *spec = hl_args_value(args, "spec", 0);
	int rc = read_purchases(args, request, err);

	if (rc == 0 && spec)
		rc = hl_spec_load(spec, &request->spec, err);
	request->how.spec = request->spec;
	request->test.purchases = request->how.purchases;
	request->test.nr_purchases = request->how.nr_purchases;
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

/* Those that were there pass: that is no PASS of all that was named. */
static void miss(struct hl_acceptance_set *set)
{
	set->verdict = HL_ACCEPT_INCOMPLETE;
	set->headline = hl_arena_printf(set->arena,
					"%s: not all that was named could be read; the rest is %s",
					hl_acceptance_verdict_name(set->verdict), set->headline);
}

/* lspci's output names no drive: the person chooses. */
static void list_functions(const struct request *request, const struct hl_graph *graph)
{
	size_t nr;
	const struct hl_acceptance_function *functions = hl_acceptance_functions(
		graph, request->test.arena, &nr);

	for (size_t i = 0; i < nr; i++)
		hl_console_put(stderr, "  --bdf %s  %s%s%s\n", functions[i].bdf,
			       functions[i].name ? functions[i].name : "",
			       functions[i].host ? ", host " : "",
			       functions[i].host ? functions[i].host : "");
}

static enum hl_exit judge(const struct request *request, const struct hl_graph *graph)
{
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	struct hl_error err;
	int rc = hl_acceptance_judge(graph, &request->how, &set, &err);

	if (rc < 0) {
		hl_console_say("%s", err.text);
		list_functions(request, graph);
		return HL_EXIT_UNABLE;
	}
	if (request->is_missing && set->verdict == HL_ACCEPT_PASS)
		miss(set);
	if (hl_certificate_write(request->certificate, set, &request->style, stdout, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return exit_of(set);
}

static enum hl_exit judge_files(const struct hl_args *args, struct request *request)
{
	const struct hl_given_how how = { .out = request->test.out };
	struct hl_given given = { 0 };
	struct hl_error err;
	enum hl_exit code;

	if (hl_sources_read(args, &request->sources, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (hl_given_read(&request->sources, &how, &given, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	request->is_missing = given.is_missing;
	code = judge(request, given.graph);
	hl_given_clear(&given);
	return code;
}

static enum hl_exit accept_run(const struct hl_args *args)
{
	REQUEST struct request request = { .test.arena = hl_arena_new() };
	HL_GRAPH struct hl_graph *graph = NULL;
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	struct hl_error err;

	if (read_options(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (read_named(args, &request, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	if (!is_device(hl_args_operand(args, 0)))
		return judge_files(args, &request);
	if (read_devices(args, &request, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	if (hl_drive_test_run(&request.test, &bundle, &graph, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return judge(&request, graph);
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
	{ .name = "write",
	  .help = "overwrite the drive, twice over, and read it back; it must be empty, and "
		  "--serial or --serials must name it" },
	{ .name = "soak",
	  .arg = "T",
	  .help = "then read all drives at full speed for so long: 30m, 2h" },
	{ .name = "self-test",
	  .arg = "KIND",
	  .help = "have each drive test itself: short (minutes, before all else) or long (hours, "
		  "after all else). One that runs already is waited for. Ctrl-C stops those that "
		  "were started here, as nvme device-self-test -w does, and no others",
	  .values = "short long" },
	{ .name = "busy-ok", .help = "measure drives that others are using" },
	{ .name = "time",
	  .arg = "T",
	  .help = "time to measure all drives: 20s, 3m, 1h (default 2m a drive)" },
	{ .name = "out",
	  .arg = "DIR",
	  .help = "record into DIR, new or empty (default hoploss-accept-DATE-TIME); of a test "
		  "that was stopped: go on",
	  .values = "DIR" },
	{ .name = "format",
	  .arg = "FORMAT",
	  .help = "text, json or html (default text)",
	  .values = "text json html" },
	HL_COLOR_OPTION,
	{ 0 },
};

static const struct hl_example accept_examples[] = {
	{ "hoploss accept /dev/nvme0n1", "Read-only: link, heat, health, age and read speeds." },
	{ "hoploss accept /dev/nvme0n1 --write --serial S6XYZ --soak 30m",
	  "An empty drive in full: capacity, steady writes, heat." },
	{ "hoploss accept /dev/sd[a-d] --second-hand --self-test long",
	  "Used disks, all of them reading their whole medium at once." },
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
		 "--serials FILE] [--second-hand] [--allow-missing] [--write] [--soak T] "
		 "[--self-test short|long] [--time T] [--busy-ok] [--out DIR] "
		 "[--format FORMAT] [--json] [--color WHEN]",
	.details = "Each check is PASS, FAIL or NOT MEASURED, with what was measured, what is "
		   "required and where that was read. NOT MEASURED is never PASS: then the "
		   "verdict is INCOMPLETE, unless --allow-missing. Nothing is written without "
		   "--write.\n\n"
		   "Devices are captured and read first, into a bundle; the drive that the "
		   "system runs from is left out. A blank drive answers reads of blocks that "
		   "were never written without touching its medium: such figures do not count.\n\n"
		   "Exit code 0: PASS, 1: FAIL, 4: INCOMPLETE.",
	.options = accept_options,
	.examples = accept_examples,
	.max_operands = -1,
	.operand_values = "FILE",
	.run = accept_run,
};
