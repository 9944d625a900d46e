/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of all paths: jobs by hops, every loss, what the model leaves unexplained.
 */
#include "cell.h"
#include "columns.h"
#include <math.h>
#include <string.h>

static const struct hl_waterfall *waterfall_of(const struct hl_row *row)
{
	return row->item;
}

static const char *chain_job(const struct hl_row *row)
{
	return row->at->workload.name;
}

static const char *chain_io(const struct hl_row *row)
{
	return hl_cell_io(row->arena, row->at, row->dir);
}

static const char *chain_bs(const struct hl_row *row)
{
	return hl_cell_bs(row->arena, row->at, row->dir);
}

static const char *chain_depth(const struct hl_row *row)
{
	return hl_cell_depth(row->arena, row->at);
}

/* The bar of the hop that the column is about. */
static const char *chain_hop(const struct hl_row *row)
{
	const struct hl_waterfall *waterfall = waterfall_of(row);

	for (size_t i = 0; i < waterfall->nr_bars; i++) {
		if (waterfall->bars[i].hop == row->of)
			return hl_cell_mib(row->arena, waterfall->bars[i].bw);
	}
	return NULL;
}

static const char *chain_share(const struct hl_row *row)
{
	const struct hl_waterfall *waterfall = waterfall_of(row);

	return hl_cell_percent(row->arena, 100 * waterfall->bars[waterfall->nr_bars - 1].bw /
						   waterfall->bars[0].bw);
}

static const char *chain_layers(const struct hl_row *row)
{
	const struct hl_verdict *verdict = waterfall_of(row)->verdict;

	return verdict ? hl_cell_layers(row->arena, verdict->layers) : NULL;
}

static const char *chain_cause(const struct hl_row *row)
{
	const struct hl_verdict *verdict = waterfall_of(row)->verdict;

	return verdict ? verdict->cause : NULL;
}

static const char *chain_state(const struct hl_row *row)
{
	const struct hl_verdict *verdict = waterfall_of(row)->verdict;

	return verdict ? hl_state_name(verdict->state) : NULL;
}

static const struct hl_column job_columns[] = {
	{ "job", chain_job, .kind = HL_COLUMN_NAME },
	{ "I/O", chain_io, .kind = HL_COLUMN_NAME },
	{ "bs", chain_bs, .kind = HL_COLUMN_NUMBER, .drop = 3 },
	{ "depth", chain_depth, .kind = HL_COLUMN_NUMBER, .drop = 5 },
};

static const struct hl_column verdict_columns[] = {
	{ "% of top", chain_share, .kind = HL_COLUMN_NUMBER, .drop = 6 },
	{ "layer", chain_layers, .kind = HL_COLUMN_NAME },
	{ "cause", chain_cause, .kind = HL_COLUMN_NAME, .drop = 2 },
	{ "state", chain_state, .kind = HL_COLUMN_NAME, .drop = 4 },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define MAX_HOPS 12 /* more make no table that can be read */

/* Adds the hops of the chain to those of others, each behind the one that is before it. */
static size_t merge_hops(const struct hl_hop **hops, size_t nr, const struct hl_chain *chain)
{
	size_t place = 0;

	for (size_t i = 0; i < chain->nr_stages && nr < MAX_HOPS; i++) {
		size_t found = 0;

		while (found < nr && hops[found] != chain->stages[i].hop)
			found++;
		if (found == nr) {
			memmove(hops + place + 1, hops + place, (nr - place) * sizeof(*hops));
			hops[place] = chain->stages[i].hop;
			found = place;
			nr++;
		}
		place = found + 1;
	}
	return nr;
}

static struct hl_column *path_columns(struct hl_arena *arena, const struct hl_hop *const *hops,
				      size_t nr_hops)
{
	size_t nr = COUNT(job_columns) + nr_hops + COUNT(verdict_columns);
	struct hl_column *columns = hl_arena_alloc(arena, (nr + 1) * sizeof(*columns));
	struct hl_column *next = columns;

	memcpy(next, job_columns, sizeof(job_columns));
	next += COUNT(job_columns);
	for (size_t i = 0; i < nr_hops; i++)
		*next++ = (struct hl_column){ .title = hops[i]->name,
					      .cell = chain_hop,
					      .of = hops[i],
					      .kind = HL_COLUMN_NUMBER,
					      .drop = i + 1 < nr_hops };
	memcpy(next, verdict_columns, sizeof(verdict_columns));
	return columns;
}

struct hl_grid *hl_columns_jobs(struct hl_arena *arena, const struct hl_waterfall *all, size_t nr,
				const struct hl_hop *leaf)
{
	const struct hl_hop *hops[MAX_HOPS];
	struct hl_row *rows = NULL;
	size_t nr_hops = 0, nr_rows = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct hl_chain *chain = all[i].chain;

		if (chain->leaf != leaf || chain->nr_stages < 2)
			continue;
		nr_hops = merge_hops(hops, nr_hops, chain);
		rows = hl_arena_extend(arena, rows, nr_rows, sizeof(*rows));
		rows[nr_rows++] = (struct hl_row){
			.arena = arena, .at = chain->at, .dir = chain->dir, .item = &all[i]
		};
	}
	return hl_grid_new(arena, "jobs", "Every job along the path, MiB/s",
			   path_columns(arena, hops, nr_hops), rows, nr_rows);
}

static const struct hl_loss *loss_of(const struct hl_row *row)
{
	return row->item;
}

static const char *loss_leaf(const struct hl_row *row)
{
	return loss_of(row)->leaf->name;
}

static const char *loss_job(const struct hl_row *row)
{
	return row->at ? hl_cell_job(row->arena, row->at, row->dir) : NULL;
}

static const char *loss_layers(const struct hl_row *row)
{
	return hl_cell_layers(row->arena, loss_of(row)->layers);
}

static const char *loss_from(const struct hl_row *row)
{
	return loss_of(row)->from->name;
}

static const char *loss_to(const struct hl_row *row)
{
	return loss_of(row)->to->name;
}

static const char *loss_mib(const struct hl_row *row)
{
	return hl_cell_mib(row->arena, loss_of(row)->bw);
}

static const char *loss_factor(const struct hl_row *row)
{
	return hl_cell_factor(row->arena, loss_of(row)->factor);
}

static const char *loss_interval(const struct hl_row *row)
{
	const struct hl_loss *loss = loss_of(row);

	if (isnan(loss->factor_low) || isnan(loss->factor_high))
		return NULL;
	return hl_arena_printf(row->arena, "%s..%s", hl_cell_factor(row->arena, loss->factor_low),
			       hl_cell_factor(row->arena, loss->factor_high));
}

static const char *loss_share(const struct hl_row *row)
{
	return hl_cell_percent(row->arena, loss_of(row)->share_pct);
}

static const char *loss_masked(const struct hl_row *row)
{
	return loss_of(row)->is_masked ? "masked" : NULL;
}

static const struct hl_column loss_columns[] = {
	{ "path to", loss_leaf, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "job", loss_job, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "from", loss_from, .kind = HL_COLUMN_NAME },
	{ "to", loss_to, .kind = HL_COLUMN_NAME },
	{ "layer", loss_layers, .kind = HL_COLUMN_NAME },
	{ "lost MiB/s", loss_mib, .kind = HL_COLUMN_NUMBER },
	{ "factor", loss_factor, .kind = HL_COLUMN_NUMBER },
	{ "95 %", loss_interval, .kind = HL_COLUMN_NUMBER },
	{ "share %", loss_share, .kind = HL_COLUMN_NUMBER },
	{ "", loss_masked, .kind = HL_COLUMN_NAME },
	{ 0 },
};

struct hl_grid *hl_columns_losses(struct hl_arena *arena, const struct hl_graph *graph)
{
	struct hl_row *rows = hl_columns_rows(arena, graph, graph->losses, graph->nr_losses);

	for (size_t i = 0; i < graph->nr_losses; i++) {
		rows[i].at = graph->losses[i]->at;
		rows[i].dir = graph->losses[i]->dir;
	}
	return hl_grid_new(arena, "losses", "Every loss", loss_columns, rows, graph->nr_losses);
}

static const char *residual_leaf(const struct hl_row *row)
{
	return ((const struct hl_residual *)row->item)->leaf->name;
}

static double residual_share(const struct hl_residual *residual)
{
	return residual->bw / (residual->at->dir[residual->dir]->bw - residual->bw);
}

static const char *residual_mib(const struct hl_row *row)
{
	return hl_cell_mib(row->arena, ((const struct hl_residual *)row->item)->bw);
}

static const char *residual_pct(const struct hl_row *row)
{
	return hl_cell_percent(row->arena, residual_share(row->item) * 100);
}

static const struct hl_column residual_columns[] = {
	{ "path to", residual_leaf, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "job", loss_job, .kind = HL_COLUMN_NAME },
	{ "measured less predicted, MiB/s", residual_mib, .kind = HL_COLUMN_NUMBER },
	{ "% of that", residual_pct, .kind = HL_COLUMN_NUMBER },
	{ 0 },
};

/* Below this share the model is as good as it gets. */
#define UNEXPLAINED 0.1

struct hl_grid *hl_columns_residuals(struct hl_arena *arena, const struct hl_graph *graph,
				     bool is_complete)
{
	struct hl_row *rows = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_residuals; i++) {
		const struct hl_residual *residual = graph->residuals[i];

		if (!is_complete && fabs(residual_share(residual)) < UNEXPLAINED)
			continue;
		rows = hl_arena_extend(arena, rows, nr, sizeof(*rows));
		rows[nr++] = (struct hl_row){
			.arena = arena,
			.graph = graph,
			.at = residual->at,
			.dir = residual->dir,
			.item = residual,
		};
	}
	return hl_grid_new(arena, "residuals", "What the model does not explain", residual_columns,
			   rows, nr);
}
