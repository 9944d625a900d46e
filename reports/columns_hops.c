/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of what was measured: one row a job and direction, and one a latency.
 */
#include "cell.h"
#include "columns.h"
#include "hoploss/spec.h"
#include <math.h>
#include <string.h>

static const struct hl_rate *rate_of(const struct hl_row *row)
{
	return row->at->dir[row->dir];
}

static const char *hop_cell(const struct hl_row *row)
{
	return hl_columns_has_hops(row->graph) ? row->at->hop->name : NULL;
}

static bool is_same_file(const struct hl_measurement *a, const struct hl_measurement *b)
{
	return a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file));
}

/* Which of several files or runs, where the hop has more than one and no change tells them apart.
 */
static const char *run_cell(const struct hl_row *row)
{
	const struct hl_measurement *at = row->at;
	bool has_runs = false;

	if (at->change)
		return NULL;
	for (size_t i = 0; i < at->hop->nr_measurements; i++) {
		const struct hl_measurement *other = at->hop->measurements[i];

		if (at->file && !is_same_file(at, other))
			return hl_arena_printf(row->arena, "%s:%u", at->file, at->line);
		has_runs = has_runs || other->run != at->run;
	}
	return has_runs ? hl_arena_printf(row->arena, "%u", at->run) : NULL;
}

static const char *job_cell(const struct hl_row *row)
{
	return row->at->workload.name;
}

static const char *change_cell(const struct hl_row *row)
{
	return row->at->change;
}

static const char *io_cell(const struct hl_row *row)
{
	return hl_cell_io(row->arena, row->at, row->dir);
}

static const char *bs_cell(const struct hl_row *row)
{
	return hl_cell_bs(row->arena, row->at, row->dir);
}

static const char *depth_cell(const struct hl_row *row)
{
	return hl_cell_depth(row->arena, row->at);
}

static const char *bw_cell(const struct hl_row *row)
{
	return rate_of(row) ? hl_cell_mib(row->arena, rate_of(row)->bw) : NULL;
}

static const char *interval_cell(const struct hl_row *row)
{
	const struct hl_rate *rate = rate_of(row);

	if (!rate || isnan(rate->bw_low) || isnan(rate->bw_high))
		return NULL;
	return hl_arena_printf(row->arena, "%s..%s", hl_cell_mib(row->arena, rate->bw_low),
			       hl_cell_mib(row->arena, rate->bw_high));
}

static const char *iops_cell(const struct hl_row *row)
{
	return rate_of(row) ? hl_cell_count(row->arena, rate_of(row)->iops) : NULL;
}

/* fio's total latency where it is there, else from submission to completion. */
static const char *mean_cell(const struct hl_row *row)
{
	const struct hl_rate *rate = rate_of(row);

	if (rate && rate->lat && !isnan(rate->lat->mean))
		return hl_cell_time(row->arena, rate->lat->mean);
	return rate && rate->clat ? hl_cell_time(row->arena, rate->clat->mean) : NULL;
}

static const char *p99_cell(const struct hl_row *row)
{
	const struct hl_rate *rate = rate_of(row);

	if (rate && rate->lat && !isnan(rate->lat->p99))
		return hl_cell_time(row->arena, rate->lat->p99);
	return rate && rate->clat ? hl_cell_time(row->arena, rate->clat->p99) : NULL;
}

static const char *slat_cell(const struct hl_row *row)
{
	const struct hl_rate *rate = rate_of(row);

	return rate && rate->slat ? hl_cell_time(row->arena, rate->slat->mean) : NULL;
}

/* A mean over a whole run belongs to no single job. */
static const char *device_cell(const struct hl_row *row)
{
	if (row->at->is_depth_of_run)
		return NULL;
	return hl_cell_grouped(row->arena, row->at->device_depth);
}

static const char *sheet_share(const struct hl_row *row, double drives)
{
	const struct hl_rate *rate = rate_of(row);
	double sheet;

	if (!rate || !row->graph->spec)
		return NULL;
	sheet = hl_spec_bw(row->graph->spec, &row->at->workload, row->dir);
	return hl_cell_percent(row->arena, 100 * rate->bw / (sheet * drives));
}

static const char *one_drive_cell(const struct hl_row *row)
{
	return sheet_share(row, 1);
}

static const char *all_drives_cell(const struct hl_row *row)
{
	return row->graph->drives > 1 ? sheet_share(row, row->graph->drives) : NULL;
}

static const char *note_cell(const struct hl_row *row)
{
	const struct hl_measurement *at = row->at;
	const char *text = NULL;

	if (at->experiment)
		text = hl_arena_printf(row->arena, "experiment %s", at->experiment);
	if (at->status != HL_STATUS_MEASURED && at->status != HL_STATUS_IMPORTED)
		text = hl_arena_printf(row->arena, "%s%s%s", text ? text : "", text ? ", " : "",
				       hl_status_name(at->status));
	if (at->error)
		text = hl_arena_printf(row->arena, "%s%serror %d", text ? text : "",
				       text ? ", " : "", at->error);
	if (at->reason)
		text = hl_arena_printf(row->arena, "%s%s%s", text ? text : "", text ? ": " : "",
				       at->reason);
	return text;
}

static const struct hl_column measurement_columns[] = {
	{ "hop", hop_cell, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "job", job_cell, .kind = HL_COLUMN_NAME },
	{ "change", change_cell, .kind = HL_COLUMN_NAME },
	{ "I/O", io_cell, .kind = HL_COLUMN_NAME },
	{ "bs", bs_cell, .kind = HL_COLUMN_NUMBER },
	{ "depth", depth_cell, .kind = HL_COLUMN_NUMBER, .drop = 2 },
	{ "MiB/s", bw_cell, .kind = HL_COLUMN_NUMBER },
	{ "95 %", interval_cell, .kind = HL_COLUMN_NUMBER, .drop = 3 },
	{ "IOPS", iops_cell, .kind = HL_COLUMN_NUMBER },
	{ "mean", mean_cell, .kind = HL_COLUMN_NUMBER, .drop = 1 },
	{ "p99", p99_cell, .kind = HL_COLUMN_NUMBER, .drop = 5 },
	{ "slat", slat_cell, .kind = HL_COLUMN_NUMBER, .drop = 9 },
	{ "in device", device_cell, .kind = HL_COLUMN_NUMBER, .drop = 7 },
	{ "% drive", one_drive_cell, .kind = HL_COLUMN_NUMBER, .drop = 4 },
	{ "% all", all_drives_cell, .kind = HL_COLUMN_NUMBER, .drop = 8 },
	{ "run", run_cell, .kind = HL_COLUMN_NAME, .drop = 6 },
	{ "note", note_cell, .kind = HL_COLUMN_LONG },
	{ 0 },
};

/* One row a direction, one for a job without any. */
static struct hl_row *add_rows(struct hl_row *rows, size_t *nr, struct hl_row row)
{
	size_t before = *nr;

	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (!row.at->dir[i])
			continue;
		row.dir = i;
		rows = hl_arena_extend(row.arena, rows, *nr, sizeof(*rows));
		rows[(*nr)++] = row;
	}
	if (*nr > before)
		return rows;
	rows = hl_arena_extend(row.arena, rows, *nr, sizeof(*rows));
	rows[(*nr)++] = row;
	return rows;
}

static struct hl_row *all_rows(struct hl_arena *arena, const struct hl_graph *graph, size_t *ret_nr)
{
	struct hl_row *rows = NULL;

	*ret_nr = 0;
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		for (size_t k = 0; k < hop->nr_measurements; k++)
			rows = add_rows(rows, ret_nr,
					(struct hl_row){ .arena = arena,
							 .graph = graph,
							 .at = hop->measurements[k] });
	}
	return rows;
}

struct hl_grid *hl_columns_measurements(struct hl_arena *arena, const struct hl_graph *graph)
{
	size_t nr;
	struct hl_row *rows = all_rows(arena, graph, &nr);

	struct hl_grid *grid = hl_grid_new(arena, "measurements", "Every measurement",
					   measurement_columns, rows, nr);

	for (size_t i = 0; grid && i < grid->nr_columns; i++) {
		if (grid->columns[i]->cell == one_drive_cell)
			grid->title = hl_arena_printf(
				arena, "Every measurement (%% drive: of the sheet of one %s)",
				graph->spec->name);
	}
	return grid;
}

static const struct {
	const char *name;
	size_t offset;
} latency_kinds[] = {
	{ "lat", offsetof(struct hl_rate, lat) },
	{ "clat", offsetof(struct hl_rate, clat) },
	{ "slat", offsetof(struct hl_rate, slat) },
	{ "sync", offsetof(struct hl_rate, sync) },
};

#define NR_KINDS (sizeof(latency_kinds) / sizeof(latency_kinds[0]))

static const struct hl_latency *latency_at(const struct hl_rate *rate, size_t kind)
{
	return *(struct hl_latency *const *)((const char *)rate + latency_kinds[kind].offset);
}

static const char *kind_cell(const struct hl_row *row)
{
	for (size_t i = 0; i < NR_KINDS; i++) {
		if (latency_at(rate_of(row), i) == row->item)
			return latency_kinds[i].name;
	}
	return NULL;
}

/* The figure whose place in struct hl_latency the column holds. */
static const char *figure_cell(const struct hl_row *row)
{
	const size_t *offset = row->of;

	return hl_cell_time(row->arena, *(const double *)((const char *)row->item + *offset));
}

#define FIGURE(name, member)                                                                       \
	{                                                                                          \
		name, figure_cell, .of = &(const size_t){ offsetof(struct hl_latency, member) },   \
				   .kind = HL_COLUMN_NUMBER                                        \
	}

static const struct hl_column latency_columns[] = {
	{ "hop", hop_cell, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "run", run_cell, .kind = HL_COLUMN_NAME },
	{ "job", job_cell, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "I/O", io_cell, .kind = HL_COLUMN_NAME },
	{ "latency", kind_cell, .kind = HL_COLUMN_NAME },
	FIGURE("mean", mean),
	FIGURE("min", min),
	FIGURE("max", max),
	FIGURE("p50", p50),
	FIGURE("p90", p90),
	FIGURE("p99", p99),
	FIGURE("p99.9", p99_9),
	FIGURE("p99.99", p99_99),
	{ 0 },
};

struct hl_grid *hl_columns_latencies(struct hl_arena *arena, const struct hl_graph *graph)
{
	size_t nr, nr_all;
	struct hl_row *all = all_rows(arena, graph, &nr_all);
	struct hl_row *rows = NULL;

	nr = 0;
	for (size_t i = 0; i < nr_all; i++) {
		for (size_t kind = 0; rate_of(&all[i]) && kind < NR_KINDS; kind++) {
			all[i].item = latency_at(rate_of(&all[i]), kind);
			if (!all[i].item)
				continue;
			rows = hl_arena_extend(arena, rows, nr, sizeof(*rows));
			rows[nr++] = all[i];
		}
	}
	return hl_grid_new(arena, "latencies", "Every latency", latency_columns, rows, nr);
}
