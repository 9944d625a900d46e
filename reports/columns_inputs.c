/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of what became of each experiment, probe and input.
 */
#include "cell.h"
#include "columns.h"
#include <string.h>

static const char *experiment_id(const struct hl_row *row)
{
	return ((const struct hl_experiment *)row->item)->id;
}

static const char *experiment_for(const struct hl_row *row)
{
	const struct hl_experiment *experiment = row->item;

	return hl_cell_join(row->arena, experiment->supports, experiment->nr_supports);
}

static const char *experiment_against(const struct hl_row *row)
{
	const struct hl_experiment *experiment = row->item;

	return hl_cell_join(row->arena, experiment->against, experiment->nr_against);
}

static const char *experiment_decided(const struct hl_row *row)
{
	return ((const struct hl_experiment *)row->item)->decided;
}

static const struct hl_column experiment_columns[] = {
	{ "experiment", experiment_id, .kind = HL_COLUMN_NAME },
	{ "speaks for", experiment_for, .kind = HL_COLUMN_NAME },
	{ "speaks against", experiment_against, .kind = HL_COLUMN_NAME },
	{ "decided", experiment_decided, .kind = HL_COLUMN_LONG },
	{ 0 },
};

struct hl_grid *hl_columns_experiments(struct hl_arena *arena, const struct hl_graph *graph)
{
	return hl_grid_new(arena, "experiments", "Experiments", experiment_columns,
			   hl_columns_rows(arena, graph, graph->experiments, graph->nr_experiments),
			   graph->nr_experiments);
}

static const char *probe_host(const struct hl_row *row)
{
	return ((const struct hl_probe_status *)row->item)->host;
}

static const char *probe_name(const struct hl_row *row)
{
	return ((const struct hl_probe_status *)row->item)->probe;
}

static const char *probe_status(const struct hl_row *row)
{
	return ((const struct hl_probe_status *)row->item)->status;
}

static const char *probe_reason(const struct hl_row *row)
{
	return ((const struct hl_probe_status *)row->item)->reason;
}

static const struct hl_column probe_columns[] = {
	{ "host", probe_host, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "probe", probe_name, .kind = HL_COLUMN_NAME },
	{ "status", probe_status, .kind = HL_COLUMN_NAME },
	{ "reason", probe_reason, .kind = HL_COLUMN_LONG },
	{ 0 },
};

struct hl_grid *hl_columns_probes(struct hl_arena *arena, const struct hl_graph *graph)
{
	return hl_grid_new(arena, "probes", "Probes", probe_columns,
			   hl_columns_rows(arena, graph, graph->probes, graph->nr_probes),
			   graph->nr_probes);
}

static const char *input_file(const struct hl_row *row)
{
	return ((const struct hl_input *)row->item)->file;
}

static const char *input_lines(const struct hl_row *row)
{
	const struct hl_input *input = row->item;

	if (!input->first_line)
		return NULL;
	if (input->last_line <= input->first_line)
		return hl_arena_printf(row->arena, "%u", input->first_line);
	return hl_arena_printf(row->arena, "%u-%u", input->first_line, input->last_line);
}

static const char *input_format(const struct hl_row *row)
{
	return ((const struct hl_input *)row->item)->format;
}

static const char *input_status(const struct hl_row *row)
{
	return hl_input_status_name(((const struct hl_input *)row->item)->status);
}

static const char *input_reason(const struct hl_row *row)
{
	return ((const struct hl_input *)row->item)->reason;
}

static const struct hl_column input_columns[] = {
	{ "file", input_file, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "lines", input_lines, .kind = HL_COLUMN_NUMBER },
	{ "format", input_format, .kind = HL_COLUMN_NAME },
	{ "status", input_status, .kind = HL_COLUMN_NAME },
	{ "reason", input_reason, .kind = HL_COLUMN_LONG },
	{ 0 },
};

static bool is_same_file(const struct hl_input *a, const struct hl_input *b)
{
	return a->file && b->file ? !strcmp(a->file, b->file) : a->file == b->file;
}

/* Pieces of one file stand side by side: from first, as many as belong to its file. */
static size_t file_end(const struct hl_graph *graph, size_t first)
{
	size_t end = first;

	while (end < graph->nr_inputs && is_same_file(graph->inputs[first], graph->inputs[end]))
		end++;
	return end;
}

static bool is_unused(const struct hl_input *input)
{
	return input->status != HL_INPUT_READ && input->status != HL_INPUT_PROSE;
}

/* What the pieces were taken for needs no saying where all were the same and something was
 * measured. */
static bool is_worth_listing(const struct hl_graph *graph)
{
	const char *first = NULL;

	for (size_t i = 0; i < graph->nr_inputs; i++) {
		const char *format = graph->inputs[i]->format;

		if (format && first && strcmp(format, first) != 0)
			return true;
		first = first ? first : format;
	}
	return first && !graph->nr_chains;
}

struct hl_grid *hl_columns_inputs(struct hl_arena *arena, const struct hl_graph *graph,
				  bool is_complete)
{
	struct hl_row *all = hl_columns_rows(arena, graph, graph->inputs, graph->nr_inputs);
	size_t nr = 0, end;

	is_complete = is_complete || is_worth_listing(graph);
	for (size_t first = 0; first < graph->nr_inputs; first = end) {
		bool is_wanted = is_complete;

		end = file_end(graph, first);
		for (size_t i = first; i < end; i++)
			is_wanted = is_wanted || is_unused(graph->inputs[i]);
		for (size_t i = first; i < end && is_wanted; i++)
			all[nr++] = all[i];
	}
	return hl_grid_new(arena, "inputs", "What was given", input_columns, all, nr);
}

#define MAX_PROSE 12 /* ranges of lines in one message */

static const char *prose_of_file(struct hl_arena *arena, const struct hl_graph *graph, size_t first,
				 size_t end)
{
	const char *text = NULL;
	size_t nr = 0;

	for (size_t i = first; i < end && nr <= MAX_PROSE; i++) {
		struct hl_row row = { .arena = arena, .item = graph->inputs[i] };

		if (graph->inputs[i]->status != HL_INPUT_PROSE || !graph->inputs[i]->file ||
		    !graph->inputs[i]->first_line)
			continue;
		if (!nr++)
			text = hl_arena_printf(arena, "%s: lines %s", graph->inputs[i]->file,
					       input_lines(&row));
		else
			text = hl_arena_printf(arena, "%s, %s", text,
					       nr > MAX_PROSE ? "..." : input_lines(&row));
	}
	return text;
}

const char *hl_columns_prose(struct hl_arena *arena, const struct hl_graph *graph, size_t *cursor)
{
	while (*cursor < graph->nr_inputs) {
		size_t first = *cursor;
		const char *text;

		*cursor = file_end(graph, first);
		text = prose_of_file(arena, graph, first, *cursor);
		if (text)
			return text;
	}
	return NULL;
}
