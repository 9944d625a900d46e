/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss formats: what is recognised in files, and in which formats a report can be had.
 */
#include "hoploss/command.h"
#include "hoploss/format.h"
#include "hoploss/json.h"
#include "hoploss/report.h"
#include "hoploss/usage.h"

static void put_json(void)
{
	struct hl_json_out *out = hl_json_out_new(stdout);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.formats/1");
	hl_json_array(out, "formats");
	for (size_t i = 0; hl_formats[i]; i++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "name", hl_formats[i]->name);
		hl_json_put_string(out, "summary", hl_formats[i]->summary);
		hl_json_put_boolean(out, "is_read", hl_formats[i]->read);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_array(out, "reports");
	for (size_t i = 0; hl_reports[i]; i++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "name", hl_reports[i]->name);
		hl_json_put_string(out, "summary", hl_reports[i]->summary);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

static void print_formats(const char *title, bool is_read)
{
	size_t nr = 0;

	for (size_t i = 0; hl_formats[i]; i++) {
		if ((hl_formats[i]->read != NULL) != is_read)
			continue;
		if (!nr++)
			printf("%s\n", title);
		hl_usage_row(stdout, hl_formats[i]->name, hl_formats[i]->summary);
	}
	if (nr)
		putchar('\n');
}

static enum hl_exit formats_run(const struct hl_args *args)
{
	if (hl_args_json(args)) {
		put_json();
		return HL_EXIT_OK;
	}
	print_formats("read, by content, whatever the file is called:", true);
	print_formats("recognised and named with its lines, but not read by this version:", false);
	puts("reports (--format):");
	for (size_t i = 0; hl_reports[i]; i++)
		hl_usage_row(stdout, hl_reports[i]->name, hl_reports[i]->summary);
	return HL_EXIT_OK;
}

static const struct hl_example examples[] = {
	{ "hoploss formats", "Lists them." },
	{ "hoploss formats --json | jq -r '.formats[] | select(.is_read) | .name'",
	  "The names of those that are read, one a line." },
	{ 0 },
};

const struct hl_command hl_command_formats = {
	.name = "formats",
	.summary = "list the formats that are read, and those of reports",
	.usage = "[--json]",
	.examples = examples,
	.run = formats_run,
};
