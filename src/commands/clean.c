/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss clean: removes what a killed run left behind on this machine, and tells what.
 */
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/demo.h"
#include "hoploss/json.h"
#include "hoploss/layout.h"
#include <stdio.h>

static void put_line(void *out, const char *what, const char *name)
{
	(void)out;
	hl_console_put(stdout, "removed %s %s\n", what, name);
}

static void put_object(void *out, const char *what, const char *name)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "what", what);
	hl_json_put_string(out, "name", name);
	hl_json_close(out);
}

/* What a demo made, then files that --layout did not finish; one failing does not keep the other.
 */
static int clean_all(void (*removed)(void *context, const char *what, const char *name),
		     void *context, struct hl_error *err)
{
	int demo = hl_demo_clean(removed, context, err);
	int layout = hl_layout_clean(removed, context, demo < 0 ? NULL : err);

	return demo < 0 ? demo : layout;
}

static int clean_as_json(struct hl_error *err)
{
	struct hl_json_out *out = hl_json_out_new(stdout);
	int rc;

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.clean/1");
	hl_json_array(out, "removed");
	rc = clean_all(put_object, out, err);
	hl_json_close(out);
	if (rc < 0)
		hl_json_put_string(out, "error", err->text);
	hl_json_close(out);
	hl_json_out_free(out);
	return rc;
}

static enum hl_exit clean_run(const struct hl_args *args)
{
	struct hl_error err;
	int rc = hl_args_json(args) ? clean_as_json(&err) : clean_all(put_line, NULL, &err);

	if (rc < 0)
		hl_console_say("%s", err.text);
	return rc < 0 ? HL_EXIT_UNABLE : HL_EXIT_OK;
}

const struct hl_command hl_command_clean = {
	.name = "clean",
	.summary = "remove what a killed run left behind",
	.usage = "[--json]",
	.details = "Removes only what carries the UUID of a journal of this machine, in "
		   "/run/hoploss (demos) or /var/lib/hoploss (files of --layout), and only when "
		   "the process that made it is gone. Doing it twice does no more than once. A "
		   "run that still goes on is left alone.",
	.run = clean_run,
};
