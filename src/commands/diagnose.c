/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss diagnose: from files that already exist, or from a recorded bundle, to the report.
 *
 * Files go the road of a bundle: they are put into one, in memory or, with --out, on disk, and that
 * is diagnosed. A file that cannot be read is named on stderr and costs exit code 4, not the rest.
 */
#include "hoploss/alloc.h"
#include "hoploss/console.h"
#include "hoploss/gather.h"
#include "hoploss/number.h"
#include "hoploss/show.h"
#include "hoploss/sources.h"
#include "hoploss/spec.h"
#include <errno.h>
#include <string.h>

#define DRIVES_MAX 10000

/* ---- what was asked for ---- */

static int read_drives(const struct hl_args *args, unsigned *ret_drives, struct hl_error *err)
{
	const char *text = hl_args_value(args, "drives", 0);
	uint64_t drives = 1;

	if (text && !hl_args_has(args, "spec"))
		return hl_fail(err, EINVAL, "--drives multiplies a datasheet: give --spec too");
	if (text &&
	    (hl_number_u64(text, strlen(text), &drives) < 0 || drives < 1 || drives > DRIVES_MAX))
		return hl_fail(err, EINVAL, "--drives %s: it is a number from 1 to %d", text,
			       DRIVES_MAX);
	*ret_drives = (unsigned)drives;
	return 0;
}

/* ---- the command ---- */

struct request {
	struct hl_show show;
	struct hl_sources sources;
	struct hl_spec *spec; /* NULL = none */
	struct hl_bundle_spec used;
	const char *out; /* NULL = no bundle on disk */
};

static void request_clear(struct request *request)
{
	hl_sources_clear(&request->sources);
	hl_spec_free(request->spec);
}
#define REQUEST __attribute__((cleanup(request_clear)))

static int read_spec(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *name = hl_args_value(args, "spec", 0);
	unsigned drives = 1;
	int r = read_drives(args, &drives, err);

	if (r == 0 && name)
		r = hl_spec_load(name, &request->spec, err);
	if (r < 0 || !name)
		return r;
	request->used = (struct hl_bundle_spec){
		.name = request->spec->name,
		.text = request->spec->text,
		.len = request->spec->text_len,
		.drives = drives,
	};
	return 0;
}

static int read_request(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	int r = hl_show_prepare(args, &request->show, err);

	if (r == 0)
		r = hl_sources_read(args, &request->sources, err);
	if (r == 0 && !request->sources.nr)
		r = hl_fail(err, EINVAL, "diagnose needs a file or a bundle");
	if (r == 0)
		r = read_spec(args, request, err);
	request->out = hl_args_value(args, "out", 0);
	return r;
}

/* A bundle that was recorded before stays as it is: another datasheet is only shown with it. */
static int make_bundle(struct request *request, struct hl_bundle **ret_bundle, bool *ret_is_missing,
		       struct hl_error *err)
{
	int r = hl_gather(&request->sources, request->out, request->show.style.is_anonymised,
			  ret_bundle, ret_is_missing, err);

	if (r < 0 || !*ret_bundle || !request->spec)
		return r;
	if (!request->out) { /* as it was recorded, or in memory */
		request->show.spec = &request->used;
		return 0;
	}
	return hl_bundle_set_spec(*ret_bundle, &request->used, err);
}

static enum hl_exit diagnose_run(const struct hl_args *args)
{
	REQUEST struct request request = { 0 };
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	bool is_missing = false;
	struct hl_error err;
	enum hl_exit code;

	if (read_request(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (make_bundle(&request, &bundle, &is_missing, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	if (!bundle) {
		hl_console_say("nothing readable");
		return HL_EXIT_UNABLE;
	}
	code = hl_show_diagnosis(&request.show, bundle);
	if (is_missing && code != HL_EXIT_UNABLE)
		return HL_EXIT_INCOMPLETE;
	return code;
}

static const struct hl_option options[] = {
	HL_SOURCES_OPTION,
	{ .name = "spec",
	  .arg = "NAME",
	  .help = "the datasheet on top of the path: a name of \"hoploss specs\", or a .conf file",
	  .values = "SPEC" },
	{ .name = "drives",
	  .arg = "N",
	  .help = "so many drives of that datasheet work together (1 to 10000, default 1)" },
	{ .name = "out",
	  .arg = "DIR",
	  .help = "record what was read, bundles too, as one bundle, with --anonymize without "
		  "names: DIR must be new or empty",
	  .values = "DIR" },
	HL_SHOW_OPTIONS,
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss diagnose fio.txt", "One result, from one place: what can be known from it." },
	{ "hoploss diagnose --spec KCD61LUL7T68 --drives 5 --hop raw:drive=raw.json "
	  "--hop zvol:pool=zvol.json --hop pvc:filesystem=pvc.txt",
	  "The same jobs at three hops of one path, under the datasheet of five drives." },
	{ "xclip -o | hoploss diagnose -", "What was copied from a forum post." },
	{ 0 },
};

const struct hl_command hl_command_diagnose = {
	.name = "diagnose",
	.summary = "name the layer that loses the bandwidth, from results that exist already",
	.usage = "[BUNDLE | FILE]... [--hop NAME[:LAYER]=FILE[,FILE...]]... [--spec NAME "
		 "[--drives N]] [--out DIR] " HL_SHOW_USAGE,
	.details = "Each FILE is recognised by its content, whatever its name: \"hoploss "
		   "formats\" lists what is read. One file may hold several results, prose and "
		   "the output of other tools; each part is named with its lines. \"-\" is "
		   "standard input. A directory that was written by --out, by \"run\" or by "
		   "\"capture\" is a bundle. Files and captures of several hosts may be given "
		   "together: they are joined by the names of the hosts. One of them may be a "
		   "run. --out makes one bundle of all of it.\n\n"
		   "A hop is a place where I/O was issued and timed: the bare drive, a volume of "
		   "the pool, the LUN over loopback, the disk in the VM, the file in the pod. "
		   "Run the same jobs at each, give the hops in path order, the drive end first, "
		   "and say the layer that each adds: link, drive, pool, target, wire, vnic, "
		   "vdisk, initiator or filesystem. A plain FILE is a hop of its own, named by "
		   "its stem, and the order on the command line is taken for the path. Several "
		   "files of one hop are joined: --hop pvc=a.json,b.json, or the same name "
		   "again.\n\n"
		   "What cannot be used is named, and the rest is diagnosed: exit code 4.",
	.options = options,
	.examples = examples,
	.max_operands = -1,
	.operand_values = "FILE",
	.run = diagnose_run,
};
