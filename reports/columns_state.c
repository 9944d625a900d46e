/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of what is known besides: facts and evidence, ceilings, timelines.
 */
#include "cell.h"
#include "columns.h"
#include <math.h>
#include <string.h>

bool hl_columns_has_hops(const struct hl_graph *graph)
{
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_hops && nr < 2; i++)
		nr += graph->hops[i]->nr_measurements > 0;
	return nr > 1;
}

struct hl_row *hl_columns_rows(struct hl_arena *arena, const struct hl_graph *graph,
			       const void *items, size_t nr)
{
	struct hl_row *rows = hl_arena_alloc(arena, (nr + 1) * sizeof(*rows));

	for (size_t i = 0; i < nr; i++)
		rows[i] = (struct hl_row){ .arena = arena,
					   .graph = graph,
					   .item = ((const void *const *)items)[i] };
	return rows;
}

static const struct hl_fact *fact_of(const struct hl_row *row)
{
	return row->item;
}

static const char *fact_host(const struct hl_row *row)
{
	return fact_of(row)->host;
}

static const char *fact_node(const struct hl_row *row)
{
	return fact_of(row)->node;
}

static const char *fact_label(const struct hl_row *row)
{
	return hl_cell_label(fact_of(row)->key);
}

static const char *fact_value(const struct hl_row *row)
{
	return hl_cell_fact(row->arena, fact_of(row));
}

static const char *fact_source(const struct hl_row *row)
{
	return fact_of(row)->source;
}

static const struct hl_column fact_columns[] = {
	{ "host", fact_host, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "where", fact_node, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "fact", fact_label, .kind = HL_COLUMN_NAME },
	{ "value", fact_value, .kind = HL_COLUMN_NAME },
	{ "source", fact_source, .kind = HL_COLUMN_LONG, .is_group = true, .drop = 1 },
	{ 0 },
};

/* Of facts that were all read from one file. */
static const char *fact_line(const struct hl_row *row)
{
	const char *source = fact_of(row)->source;
	size_t len = hl_cell_file_len(source);

	return source && source[len] ? source + len + 1 : NULL;
}

static const struct hl_column line_columns[] = {
	{ "host", fact_host, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "where", fact_node, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "fact", fact_label, .kind = HL_COLUMN_NAME },
	{ "value", fact_value, .kind = HL_COLUMN_NAME },
	{ "line", fact_line, .kind = HL_COLUMN_NUMBER, .is_group = true, .drop = 1 },
	{ 0 },
};

/* The one file that all rows were read from, with no blank in its name; NULL. */
static const char *one_file(struct hl_arena *arena, const struct hl_row *rows, size_t nr)
{
	const char *first = nr ? fact_of(&rows[0])->source : NULL;
	size_t len = hl_cell_file_len(first);

	for (size_t i = 0; i < nr && first; i++) {
		const char *source = fact_of(&rows[i])->source;

		if (hl_cell_file_len(source) != len || strncmp(source, first, len) != 0 ||
		    strchr(source, ' '))
			return NULL;
	}
	return first ? hl_arena_strndup(arena, first, len) : NULL;
}

static const struct hl_column evidence_columns[] = {
	{ "where", fact_node, .kind = HL_COLUMN_NAME, .is_group = true, .drop = 2 },
	{ "evidence", fact_label, .kind = HL_COLUMN_NAME },
	{ "value", fact_value, .kind = HL_COLUMN_NUMBER },
	{ "source", fact_source, .kind = HL_COLUMN_LONG, .is_group = true, .drop = 1 },
	{ 0 },
};

static bool is_evidence(const struct hl_graph *graph, const struct hl_fact *fact)
{
	for (size_t i = 0; i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];

		for (size_t k = 0; k < finding->nr_evidence; k++) {
			if (finding->evidence[k] == fact)
				return true;
		}
	}
	return false;
}

struct hl_grid *hl_columns_facts(struct hl_arena *arena, const struct hl_graph *graph,
				 const struct hl_fact_groups *groups)
{
	struct hl_row *all = hl_columns_rows(arena, graph, graph->facts, graph->nr_facts);
	const char *title, *file;
	size_t nr = 0;

	if (!groups)
		return hl_grid_new(arena, "facts", "Facts", fact_columns, all, graph->nr_facts);
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!hl_columns_is_grouped(groups, fact) && !is_evidence(graph, fact))
			all[nr++] = all[i];
	}
	title = nr < graph->nr_facts ? "Other facts" : "Facts";
	file = one_file(arena, all, nr);
	if (file)
		title = hl_arena_printf(arena, "%s (%s)", title, file);
	return hl_grid_new(arena, "facts", title, file ? line_columns : fact_columns, all, nr);
}

struct hl_grid *hl_columns_evidence(struct hl_arena *arena, const struct hl_finding *finding)
{
	return hl_grid_new(arena, "evidence", "Evidence", evidence_columns,
			   hl_columns_rows(arena, NULL, finding->evidence, finding->nr_evidence),
			   finding->nr_evidence);
}

static const struct hl_ceiling *ceiling_of(const struct hl_row *row)
{
	return row->item;
}

static const char *ceiling_name(const struct hl_row *row)
{
	return ceiling_of(row)->name;
}

static const char *ceiling_layer(const struct hl_row *row)
{
	return hl_layer_name(ceiling_of(row)->layer);
}

static const char *ceiling_hop(const struct hl_row *row)
{
	const struct hl_hop *hop = ceiling_of(row)->hop;

	return hop && hl_columns_has_hops(row->graph) ? hop->name : NULL;
}

static const char *ceiling_job(const struct hl_row *row)
{
	const struct hl_ceiling *ceiling = ceiling_of(row);

	return ceiling->at && ceiling->at->workload.name ? ceiling->at->workload.name
							 : hl_dir_name(ceiling->dir);
}

static const char *ceiling_mib(const struct hl_row *row)
{
	return hl_cell_mib(row->arena, ceiling_of(row)->bw);
}

static const char *ceiling_formula(const struct hl_row *row)
{
	return ceiling_of(row)->formula;
}

static const struct hl_column ceiling_columns[] = {
	{ "ceiling", ceiling_name, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "layer", ceiling_layer, .kind = HL_COLUMN_NAME },
	{ "hop", ceiling_hop, .kind = HL_COLUMN_NAME, .drop = 1 },
	{ "of", ceiling_job, .kind = HL_COLUMN_NAME },
	{ "MiB/s", ceiling_mib, .kind = HL_COLUMN_NUMBER },
	{ "reckoned as", ceiling_formula, .kind = HL_COLUMN_LONG },
	{ 0 },
};

struct hl_grid *hl_columns_ceilings(struct hl_arena *arena, const struct hl_graph *graph,
				    bool is_complete)
{
	struct hl_row *all = hl_columns_rows(arena, graph, graph->ceilings, graph->nr_ceilings);
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_ceilings; i++) {
		if (is_complete || graph->ceilings[i]->layer != HL_LAYER_DATASHEET)
			all[nr++] = all[i];
	}
	return hl_grid_new(arena, "ceilings", "Upper limits", ceiling_columns, all, nr);
}

struct range {
	double min, sum, max;
};

static struct range range_of(const struct hl_series *series)
{
	struct range range = { NAN, 0, NAN };

	for (size_t i = 0; i < series->nr_points; i++) {
		range.min = fmin(range.min, series->points[i].value);
		range.max = fmax(range.max, series->points[i].value);
		range.sum += series->points[i].value;
	}
	return range;
}

static const char *in_unit(const struct hl_row *row, double value)
{
	const struct hl_series *series = row->item;
	struct hl_fact as_fact = { .key = series->key, .unit = series->unit, .number = value };

	return isnan(value) ? NULL : hl_cell_fact(row->arena, &as_fact);
}

static const char *series_host(const struct hl_row *row)
{
	return ((const struct hl_series *)row->item)->host;
}

static const char *series_node(const struct hl_row *row)
{
	return ((const struct hl_series *)row->item)->node;
}

static const char *series_label(const struct hl_row *row)
{
	return hl_cell_label(((const struct hl_series *)row->item)->key);
}

static const char *series_min(const struct hl_row *row)
{
	return in_unit(row, range_of(row->item).min);
}

static const char *series_mean(const struct hl_row *row)
{
	const struct hl_series *series = row->item;

	return in_unit(row, range_of(series).sum / series->nr_points);
}

static const char *series_max(const struct hl_row *row)
{
	return in_unit(row, range_of(row->item).max);
}

static const struct hl_column series_columns[] = {
	{ "host", series_host, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "where", series_node, .kind = HL_COLUMN_NAME },
	{ "what", series_label, .kind = HL_COLUMN_NAME },
	{ "min", series_min, .kind = HL_COLUMN_NUMBER },
	{ "mean", series_mean, .kind = HL_COLUMN_NUMBER },
	{ "max", series_max, .kind = HL_COLUMN_NUMBER },
	{ 0 },
};

struct hl_grid *hl_columns_timeline(struct hl_arena *arena, const struct hl_graph *graph)
{
	return hl_grid_new(arena, "timeline", "While it was measured", series_columns,
			   hl_columns_rows(arena, graph, graph->timeline, graph->nr_timeline),
			   graph->nr_timeline);
}
