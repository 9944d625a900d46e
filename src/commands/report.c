/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss report: a recorded bundle, shown in any of the report formats.
 */
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/show.h"
#include <errno.h>

static int open_bundle(const char *path, struct hl_bundle **ret_bundle, struct hl_error *err)
{
	if (!path)
		return hl_fail(err, EINVAL, "report needs a bundle");
	if (!hl_bundle_is_dir(path))
		return hl_fail(err, EINVAL, "%s is no bundle; for files: hoploss diagnose %s", path,
			       path);
	return hl_bundle_open(path, ret_bundle, err);
}

static enum hl_exit report_run(const struct hl_args *args)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	struct hl_show show;
	struct hl_error err;
	int r = hl_show_prepare(args, &show, &err);

	if (r == 0)
		r = open_bundle(hl_args_operand(args, 0), &bundle, &err);
	if (r == -EINVAL)
		return hl_console_misuse(hl_args_command(args), &err);
	if (r < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return hl_show_diagnosis(&show, bundle);
}

static const struct hl_option options[] = {
	HL_SHOW_OPTIONS,
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss report slow-pvc --format html > slow-pvc.html",
	  "One self-contained page: waterfall, ladder and every number in tables." },
	{ "hoploss report slow-pvc --format md --anonymize",
	  "Six lines to paste into an issue or a forum, without names and addresses." },
	{ 0 },
};

const struct hl_command hl_command_report = {
	.name = "report",
	.summary = "show a recorded bundle as text, JSON, HTML, Markdown or SVG",
	.usage = "BUNDLE " HL_SHOW_USAGE,
	.details = "A bundle is the directory that \"run\", \"capture\", \"accept\" or "
		   "\"diagnose --out DIR\" wrote. The diagnosis is made anew from what is "
		   "recorded in it; the same bundle gives the same bytes.\n\n"
		   "--anonymize takes out serial numbers, MAC and IP addresses, iSCSI and NVMe "
		   "names, world-wide names, UUIDs, host and domain names, mail addresses, paths "
		   "and the names of the files that were read. The same thing gets the same "
		   "stand-in all through the report. Hops that you named by --hop keep their "
		   "names. The bundle itself is not changed: it still holds everything.",
	.options = options,
	.examples = examples,
	.max_operands = 1,
	.operand_values = "BUNDLE",
	.run = report_run,
};
