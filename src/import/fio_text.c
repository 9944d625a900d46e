/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio's normal output, 1.x to 3.x: the format, and the run that is being read. See fio_text.h for
 * who reads what.
 *
 * direct= is not printed, so it stays unknown. A file that ends early gives what is there, flagged.
 */
#include "fio_text.h"
#include "formats.h"
#include <errno.h>
#include <math.h>

static fio_take *const takers[FIO_NR_KINDS] = {
	[FIO_JOB] = fio_take_job,
	[FIO_BANNER] = fio_take_banner,
	[FIO_START] = fio_take_start,
	[FIO_LAYOUT] = fio_take_layout,
	[FIO_HOST] = fio_take_host,
	[FIO_ERROR] = fio_take_error,
	[FIO_NOTE] = fio_take_note,
	[FIO_RESULT] = fio_take_result,
	[FIO_RATE] = fio_take_rate,
	[FIO_LATENCY] = fio_take_latency,
	[FIO_PERCENTILES] = fio_take_percentiles,
	[FIO_ROW] = fio_take_row,
	[FIO_SYNC] = fio_take_sync,
	[FIO_CPU] = fio_take_cpu,
	[FIO_ISSUED] = fio_take_issued,
	[FIO_ERRORS] = fio_take_errors,
	[FIO_TARGET] = fio_take_target,
	[FIO_GROUP] = fio_take_group,
	[FIO_GROUP_RATE] = fio_take_group_rate,
	[FIO_DISKS] = fio_take_disks,
	[FIO_DISK] = fio_take_disk,
};

static void take_lines(struct fio_run *run)
{
	struct fio_line line;

	fio_lines_begin(&run->lines, run->slice);
	while (fio_lines_next(&run->lines, &line)) {
		fio_check_order(run, &line);
		if (takers[line.kind])
			takers[line.kind](run, &line);
	}
	fio_lines_end(&run->lines);
}

static void add_warnings(const struct fio_run *run)
{
	struct hl_graph *graph = run->reading->graph;
	unsigned line = run->slice->lines[0].number;

	if (run->signal)
		hl_graph_warn(graph, "%s:%u: this run was stopped early (signal %d)",
			      run->slice->name, line, run->signal);
	if (run->nr_same && run->nr_same == run->nr_dropped) /* else it is --status-interval */
		hl_graph_warn(graph, "%s:%u: %u results of this run stand here twice; counted once",
			      run->slice->name, line, run->nr_same);
}

/* The measurement that shows that the text ends early. */
static const struct hl_measurement *find_cut(const struct hl_hop *hop, size_t first)
{
	for (size_t i = first; i < hop->nr_measurements; i++) {
		enum hl_status status = hop->measurements[i]->status;

		if (!hop->measurements[i]->error &&
		    (status == HL_STATUS_PARTIAL || status == HL_STATUS_NOT_MEASURED))
			return hop->measurements[i];
	}
	return NULL;
}

static int add_run(struct fio_run *run, struct hl_error *err)
{
	const struct hl_measurement *cut;
	size_t nr;

	run->reading->nr_runs++;
	nr = fio_results_add(run);
	if (!nr) {
		run->reading->nr_runs--;
		return hl_fail(err, EBADMSG,
			       "%s:%u: figures without the line that names their job (\"name: "
			       "(groupid=0, jobs=1): …\")",
			       run->slice->name, run->slice->lines[0].number);
	}
	add_warnings(run);
	cut = find_cut(run->reading->hop, run->reading->hop->nr_measurements - nr);
	if (cut)
		return hl_fail(err, EBADMSG, "%s:%u: not all of fio's output is here: %s",
			       run->slice->name, cut->line, cut->reason);
	return 0;
}

static int fio_text_read(const struct hl_text *slice, struct hl_reading *reading,
			 struct hl_error *err)
{
	struct hl_arena *arena = hl_arena_new();
	struct fio_run run = {
		.reading = reading,
		.slice = slice,
		.arena = arena,
		.nr_processes = NAN,
	};
	int r;

	take_lines(&run);
	if (run.nr_results || run.nr_groups || run.nr_failures)
		r = add_run(&run, err);
	else
		r = hl_fail(err, ENODATA,
			    "%s:%u: fio began, but was stopped before it printed a "
			    "result",
			    slice->name, slice->lines[0].number);
	hl_arena_free(arena);
	return r;
}

const struct hl_format hl_format_fio_text = {
	.name = "fio-text",
	.summary = "fio's normal output, 1.x to 3.x",
	.claim = fio_text_claim,
	.read = fio_text_read,
};
