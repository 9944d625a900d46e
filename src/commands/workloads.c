/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss workloads: the workloads that are built in, and empty tables to write results into.
 */
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/json.h"
#include "hoploss/near.h"
#include "hoploss/suite.h"
#include "hoploss/unit.h"
#include "hoploss/usage.h"
#include <errno.h>
#include <math.h>

/* ---- JSON ---- */

static void put_job(struct hl_json_out *out, const struct hl_workload *job)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "name", job->name);
	hl_json_put_string(out, "rw", hl_rw_name(job->rw));
	hl_json_put_number(out, "bs", job->bs);
	hl_json_put_number(out, "iodepth", job->iodepth);
	hl_json_put_number(out, "numjobs", job->numjobs);
	hl_json_put_number(out, "size", job->size);
	hl_json_put_number(out, "runtime", job->runtime_s);
	hl_json_put_number(out, "rwmixread", job->rwmixread);
	hl_json_put_number(out, "fsync", job->fsync);
	hl_json_put_boolean(out, "direct", job->direct == 1);
	hl_json_put_string(out, "engine", job->engine);
	hl_json_close(out);
}

static void put_json(const struct hl_suite *only)
{
	struct hl_json_out *out = hl_json_out_new(stdout);
	const struct hl_suite *suite;

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.workloads/1");
	hl_json_array(out, "suites");
	for (size_t i = 0; (suite = hl_suite_at(i)); i++) {
		if (only && suite != only)
			continue;
		hl_json_object(out, NULL);
		hl_json_put_string(out, "name", suite->name);
		hl_json_put_string(out, "summary", suite->summary);
		hl_json_array(out, "jobs");
		for (size_t k = 0; k < suite->nr_jobs; k++)
			put_job(out, &suite->jobs[k]);
		hl_json_close(out);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

/* ---- text ---- */

static void print_suites(void)
{
	const struct hl_suite *suite;

	for (size_t i = 0; (suite = hl_suite_at(i)); i++) {
		HL_FREE char *what = hl_printf("%zu jobs: %s", suite->nr_jobs, suite->summary);

		hl_usage_row(stdout, suite->name, what);
	}
}

static void print_job(const struct hl_workload *job)
{
	HL_FREE char *seconds = hl_printf("%g s", job->runtime_s);
	char bs[HL_UNIT_TEXT], size[HL_UNIT_TEXT];

	printf("  %-22s %-10s %-8s %5g %5g", job->name, hl_rw_name(job->rw),
	       hl_unit_size(bs, job->bs), job->iodepth, job->numjobs);
	printf("  %7s %6s", isnan(job->size) ? "any" : hl_unit_size(size, job->size),
	       isnan(job->runtime_s) ? "any" : seconds);
	if (!isnan(job->rwmixread))
		printf("  %g %% reads", job->rwmixread);
	if (!isnan(job->fsync))
		printf("  fsync after %g", job->fsync);
	putchar('\n');
}

static void print_suite(const struct hl_suite *suite)
{
	printf("%s: %s\n\n", suite->name, suite->summary);
	printf("  %-22s %-10s %-8s %5s %5s  %7s %6s\n", "job", "pattern", "block", "depth", "jobs",
	       "size", "time");
	for (size_t i = 0; i < suite->nr_jobs; i++)
		print_job(&suite->jobs[i]);
}

/* ---- an empty table: src/import/csv_table.c reads it when it is filled in ---- */

static void print_csv(const struct hl_suite *suite)
{
	printf("# Results of the workloads \"%s\": one row for each change and each place "
	       "measured.\n"
	       "# A figure has its unit (679 MB/s, 24K) or that of its column; reads / writes of a "
	       "mix;\n"
	       "# nothing where nothing was measured. Then: hoploss diagnose FILE.csv\n"
	       "change,hop",
	       suite->name);
	for (size_t i = 0; i < suite->nr_jobs; i++)
		printf(",%s [%s]", suite->jobs[i].name, hl_suite_unit(&suite->jobs[i]));
	printf("\nas found,");
	for (size_t i = 0; i < suite->nr_jobs; i++)
		putchar(',');
	putchar('\n');
}

/* ---- the command ---- */

static int find_suite(const char *name, const struct hl_suite **ret_suite, struct hl_error *err)
{
	struct hl_near near;
	const struct hl_suite *suite;

	*ret_suite = name ? hl_suite_find(name) : NULL;
	if (!name || *ret_suite)
		return 0;
	hl_near_start(&near, name);
	for (size_t i = 0; (suite = hl_suite_at(i)); i++)
		hl_near_offer(&near, suite->name);
	return hl_fail(err, ENOENT, "no suite is called \"%s\"%s", name, hl_near_hint(&near));
}

static enum hl_exit workloads_run(const struct hl_args *args)
{
	const struct hl_suite *suite = NULL;
	struct hl_error err = { 0 };

	if (find_suite(hl_args_operand(args, 0), &suite, &err))
		return hl_console_misuse(hl_args_command(args), &err);
	if (hl_args_has(args, "csv") && (!suite || hl_args_json(args))) {
		hl_fail(&err, EINVAL,
			suite ? "--csv and --json exclude each other" : "--csv needs a suite");
		return hl_console_misuse(hl_args_command(args), &err);
	}
	if (hl_args_json(args))
		put_json(suite);
	else if (!suite)
		print_suites();
	else if (hl_args_has(args, "csv"))
		print_csv(suite);
	else
		print_suite(suite);
	return HL_EXIT_OK;
}

static const struct hl_option options[] = {
	{ .name = "csv", .help = "print an empty table to write results on paper into" },
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss workloads", "Lists the suites." },
	{ "hoploss workloads pve-zfs --csv > tuning.csv",
	  "A table with a column for each job; fill it in and give it to hoploss diagnose." },
	{ 0 },
};

const struct hl_command hl_command_workloads = {
	.name = "workloads",
	.summary = "list the workloads that are built in, or print a table to fill in",
	.usage = "[SUITE] [--csv | --json]",
	.details = "A table holds one row for each change that was made and each place that was "
		   "measured, and one column for each workload. A cell has a figure with its unit "
		   "(\"679 MB/s\", \"24K\"), or a bare one in the unit of its column's heading, or "
		   "two, \"1070 / 457\", for the reads and the writes of a mix. A workload that is "
		   "not built in is described in its heading: \"mine [MB/s rw=read bs=64k "
		   "iodepth=8]\". Commas, semicolons, tabs and Markdown's bars separate the cells.",
	.examples = examples,
	.max_operands = 1,
	.operand_values = "SUITE",
	.options = options,
	.run = workloads_run,
};
