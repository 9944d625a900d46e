/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of one path: the bars of a waterfall, the stack of latencies, the steps of a ladder.
 */
#include "cell.h"
#include "columns.h"
#include <math.h>

static const char *bar_name(const struct hl_row *row)
{
	return ((const struct hl_bar *)row->item)->name;
}

static const char *bar_layer(const struct hl_row *row)
{
	return ((const struct hl_bar *)row->item)->layer;
}

static const char *bar_mib(const struct hl_row *row)
{
	return hl_cell_mib(row->arena, ((const struct hl_bar *)row->item)->bw);
}

static const char *bar_mb(const struct hl_row *row)
{
	const struct hl_bar *bar = row->item;

	return bar->is_sheet ? hl_cell_mb(row->arena, bar->bw) : NULL;
}

static const char *bar_lost(const struct hl_row *row)
{
	const struct hl_bar *bar = row->item;

	return bar->loss ? hl_cell_mib(row->arena, bar->loss->bw) : NULL;
}

static const char *bar_factor(const struct hl_row *row)
{
	const struct hl_bar *bar = row->item;

	return bar->loss ? hl_cell_factor(row->arena, bar->loss->factor) : NULL;
}

static const char *bar_share(const struct hl_row *row)
{
	const struct hl_bar *bar = row->item;

	/* A loss that stands alone is the whole. */
	return bar->loss && !bar->is_only ? hl_cell_percent(row->arena, bar->loss->share_pct)
					  : NULL;
}

/* How much of what there is here arrives at the leaf. */
static const char *bar_leaf(const struct hl_row *row)
{
	return hl_cell_percent(row->arena, ((const struct hl_bar *)row->item)->leaf_pct);
}

static const char *bar_mark(const struct hl_row *row)
{
	return hl_waterfall_mark(row->item);
}

static const char *bar_latency(const struct hl_row *row)
{
	return hl_cell_time(row->arena, ((const struct hl_bar *)row->item)->lat_ns);
}

static const char *bar_added(const struct hl_row *row)
{
	const struct hl_bar *bar = row->item;

	return hl_cell_time(row->arena, bar->lat_ns - bar->lat_before_ns);
}

static const struct hl_column waterfall_columns[] = {
	{ "hop", bar_name, .kind = HL_COLUMN_NAME },
	{ "layer", bar_layer, .kind = HL_COLUMN_NAME },
	{ "MiB/s", bar_mib, .kind = HL_COLUMN_NUMBER },
	{ "MB/s", bar_mb, .kind = HL_COLUMN_NUMBER, .drop = 1 },
	{ "lost", bar_lost, .kind = HL_COLUMN_NUMBER, .drop = 4 },
	{ "factor", bar_factor, .kind = HL_COLUMN_NUMBER },
	{ "share %", bar_share, .kind = HL_COLUMN_NUMBER, .drop = 2 },
	{ "leaf %", bar_leaf, .kind = HL_COLUMN_NUMBER, .drop = 3 },
	{ "", bar_mark, .kind = HL_COLUMN_NAME },
	{ 0 },
};

static const struct hl_column stack_columns[] = {
	{ "hop", bar_name, .kind = HL_COLUMN_NAME },
	{ "layer", bar_layer, .kind = HL_COLUMN_NAME },
	{ "mean latency", bar_latency, .kind = HL_COLUMN_NUMBER },
	{ "added", bar_added, .kind = HL_COLUMN_NUMBER },
	{ 0 },
};

struct hl_grid *hl_columns_waterfall(struct hl_arena *arena, const struct hl_waterfall *waterfall)
{
	struct hl_row *rows = hl_arena_alloc(arena, waterfall->nr_bars * sizeof(*rows));

	for (size_t i = 0; i < waterfall->nr_bars; i++)
		rows[i] = (struct hl_row){ .arena = arena, .item = &waterfall->bars[i] };
	return hl_grid_new(arena, "waterfall", "Where the bandwidth goes", waterfall_columns, rows,
			   waterfall->nr_bars);
}

struct hl_grid *hl_columns_stack(struct hl_arena *arena, const struct hl_waterfall *waterfall)
{
	struct hl_row *rows = hl_arena_alloc(arena, waterfall->nr_bars * sizeof(*rows));
	size_t nr = 0;

	for (size_t i = 0; i < waterfall->nr_bars; i++) {
		if (!isnan(waterfall->bars[i].lat_ns))
			rows[nr++] = (struct hl_row){ .arena = arena, .item = &waterfall->bars[i] };
	}
	return nr < 2 ? NULL
		      : hl_grid_new(arena, "stack", "Where the time goes", stack_columns, rows, nr);
}

static const char *step_layers(const struct hl_row *row)
{
	return hl_cell_layers(row->arena, ((const struct hl_step *)row->item)->layers);
}

static const char *step_hop(const struct hl_row *row)
{
	const struct hl_step *step = row->item;

	return step->hop ? step->hop->name : NULL;
}

static const char *step_cause(const struct hl_row *row)
{
	return ((const struct hl_step *)row->item)->cause;
}

static const char *step_kind(const struct hl_row *row)
{
	return ((const struct hl_step *)row->item)->kind == HL_AT_MOST ? "at most" : "about";
}

static const char *step_mib(const struct hl_row *row)
{
	return hl_cell_mib(row->arena, ((const struct hl_step *)row->item)->bw);
}

/* How many times what is measured now. */
static const char *step_gain(const struct hl_row *row)
{
	const struct hl_rate *rate = row->at ? row->at->dir[row->dir] : NULL;

	if (!rate)
		return NULL;
	return hl_cell_factor(row->arena, ((const struct hl_step *)row->item)->bw / rate->bw);
}

static const struct hl_column ladder_columns[] = {
	{ "mend", step_layers, .kind = HL_COLUMN_NAME },
	{ "hop", step_hop, .kind = HL_COLUMN_NAME, .drop = 3 },
	{ "cause", step_cause, .kind = HL_COLUMN_NAME, .drop = 2 },
	{ "then", step_kind, .kind = HL_COLUMN_NAME },
	{ "MiB/s", step_mib, .kind = HL_COLUMN_NUMBER },
	{ "times now", step_gain, .kind = HL_COLUMN_NUMBER, .drop = 1 },
	{ 0 },
};

struct hl_grid *hl_columns_ladder(struct hl_arena *arena, const struct hl_waterfall *waterfall)
{
	const struct hl_ladder *ladder = waterfall->ladder;
	struct hl_row *rows = NULL;

	for (size_t i = 0; ladder && i < ladder->nr_steps; i++) {
		rows = hl_arena_extend(arena, rows, i, sizeof(*rows));
		rows[i] = (struct hl_row){ .arena = arena,
					   .at = ladder->at,
					   .dir = ladder->dir,
					   .item = &ladder->steps[i] };
	}
	return hl_grid_new(arena, "ladder", "What mending would give", ladder_columns, rows,
			   ladder ? ladder->nr_steps : 0);
}
