/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts in compact tables: what several things of one host have in common stands side by side, a
 * table for each kind of fact (what stands before the point of its key). Few things are columns,
 * many are rows; what is the same for all of many is told once.
 *
 * What only one thing of a host has stays in the plain list. Surprising: a fact that two sources
 * tell differently is one cell, and what is all evidence of findings is not told again.
 */
#include "cell.h"
#include "columns.h"
#include "fact_groups.h"
#include <string.h>

/* Characters: of a table, of a fact's name, and of a cell, where longer ones are cut. */
#define ROOM  98
#define LABEL 26
#define LONG  28
#define SHORT 16

static bool is_same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

bool hl_columns_is_grouped(const struct hl_fact_groups *groups, const struct hl_fact *fact)
{
	for (size_t i = 0; i < groups->nr_keys; i++) {
		if (!strcmp(groups->keys[i]->key, fact->key) &&
		    is_same(groups->keys[i]->host, fact->host))
			return true;
	}
	return false;
}

/* ---- cells ---- */

struct asked { /* a column: of which group, and which thing or key */
	const struct hl_fact_group *group;
	const char *what;
};

static const char *title_of_row(const struct hl_row *row)
{
	return row->item;
}

static const char *label_of_row(const struct hl_row *row)
{
	return hl_cell_label(row->item);
}

static const char *cell_of_node(const struct hl_row *row) /* rows are keys */
{
	const struct asked *asked = row->of;

	return hl_fact_group_cell(row->arena, asked->group, asked->what, row->item);
}

static const char *cell_of_key(const struct hl_row *row) /* rows are things */
{
	const struct asked *asked = row->of;

	return hl_fact_group_cell(row->arena, asked->group, row->item, asked->what);
}

/* "speed gts" of "pcie.speed_gts" */
static const char *short_label(struct hl_arena *arena, const char *key)
{
	char *label = hl_arena_strdup(arena, strchr(key, '.') ? strchr(key, '.') + 1 : key);

	for (char *at = label; *at; at++) {
		if (*at == '_')
			*at = ' ';
	}
	return label;
}

/* ---- tables ---- */

static const char *title_of(struct hl_arena *arena, const struct hl_fact_group *group,
			    const char *part)
{
	const char *files = hl_fact_group_files(arena, group);

	return hl_arena_printf(arena, "Facts%s%s: %.*s%s%s%s%s", group->host ? " of " : "",
			       group->host ? group->host : "", (int)group->kind_len, group->kind,
			       part, files ? " (" : "", files ? files : "", files ? ")" : "");
}

static struct hl_column *new_columns(struct hl_arena *arena, const struct hl_fact_group *group,
				     const char *const *what, size_t nr,
				     const char *(*cell)(const struct hl_row *row))
{
	struct hl_column *columns = hl_arena_alloc(arena, (nr + 2) * sizeof(*columns));
	struct asked *asked = hl_arena_alloc(arena, (nr + 1) * sizeof(*asked));

	for (size_t i = 0; i < nr; i++) {
		asked[i] = (struct asked){ group, what[i] };
		columns[i + 1] = (struct hl_column){ .title = what[i] ? what[i] : "",
						     .cell = cell,
						     .of = &asked[i],
						     .kind = HL_COLUMN_NAME };
	}
	return columns;
}

static void add_grid(struct hl_arena *arena, struct hl_fact_groups *found, struct hl_grid *grid)
{
	if (!grid)
		return;
	found->grids = hl_arena_extend(arena, found->grids, found->nr_grids,
				       sizeof(struct hl_grid *));
	found->grids[found->nr_grids++] = grid;
}

static void add_side_by_side(struct hl_arena *arena, const struct hl_fact_group *group,
			     struct hl_fact_groups *found)
{
	struct hl_column *columns = new_columns(arena, group, group->nodes, group->nr_nodes,
						cell_of_node);

	columns[0] = (struct hl_column){
		.title = "fact", .cell = label_of_row, .kind = HL_COLUMN_NAME, .is_kept = true
	};
	add_grid(arena, found,
		 hl_grid_new(arena, "facts", title_of(arena, group, ""), columns,
			     hl_columns_rows(arena, NULL, group->keys, group->nr_keys),
			     group->nr_keys));
}

/* The things that have any of these keys. */
static struct hl_row *rows_with(struct hl_arena *arena, const struct hl_fact_group *group,
				const char *const *keys, size_t nr_keys, size_t *ret_nr)
{
	struct hl_row *rows = hl_columns_rows(arena, NULL, group->nodes, group->nr_nodes);
	size_t nr = 0;

	for (size_t n = 0; n < group->nr_nodes; n++) {
		for (size_t k = 0; k < nr_keys; k++) {
			const char *cell = hl_fact_group_cell(arena, group, group->nodes[n],
							      keys[k]);

			if (!cell || !*cell)
				continue;
			rows[nr++] = rows[n];
			break;
		}
	}
	*ret_nr = nr;
	return rows;
}

static size_t longer(size_t width, const char *text, size_t most)
{
	size_t len = text ? strlen(text) : 0;

	len = len > most ? most : len;
	return len > width ? len : width;
}

/* With the gap behind it; bytes stand for characters. */
static size_t width_of(struct hl_arena *arena, const struct hl_fact_group *group, const char *key)
{
	size_t width = longer(0, short_label(arena, key), LONG);

	for (size_t n = 0; n < group->nr_nodes; n++)
		width = longer(width, hl_fact_group_cell(arena, group, group->nodes[n], key), LONG);
	return width + 2;
}

/* Few things, and short enough for a column each; what is longer than most is cut. */
static bool fits_side_by_side(struct hl_arena *arena, const struct hl_fact_group *group)
{
	size_t used = LABEL;

	for (size_t n = 0; n < group->nr_nodes; n++) {
		size_t width = longer(0, group->nodes[n], SHORT);

		for (size_t k = 0; k < group->nr_keys; k++)
			width = longer(
				width,
				hl_fact_group_cell(arena, group, group->nodes[n], group->keys[k]),
				SHORT);
		used += width + 2;
	}
	return used <= ROOM;
}

/* One behind the last key that still fits, with those from first on, beside the things' names. */
static size_t fit_keys(struct hl_arena *arena, const struct hl_fact_group *group,
		       const char *const *keys, size_t first, size_t nr)
{
	size_t used = 0, end = first;

	for (size_t n = 0; n < group->nr_nodes; n++)
		used = longer(used, group->nodes[n], LONG);
	while (end < nr) {
		used += width_of(arena, group, keys[end]);
		if (used > ROOM && end > first)
			break;
		end++;
	}
	return end;
}

/* Tables of as many keys as fit. */
static void add_rows(struct hl_arena *arena, const struct hl_fact_group *group, const char **keys,
		     size_t nr, struct hl_fact_groups *found)
{
	for (size_t first = 0, end; first < nr; first = end) {
		struct hl_column *columns;
		struct hl_row *rows;
		size_t nr_rows;

		end = fit_keys(arena, group, keys, first, nr);
		columns = new_columns(arena, group, keys + first, end - first, cell_of_key);
		rows = rows_with(arena, group, keys + first, end - first, &nr_rows);
		columns[0] = (struct hl_column){ .title = "where",
						 .cell = title_of_row,
						 .kind = HL_COLUMN_NAME };
		for (size_t i = 1; columns[i].title; i++)
			columns[i].title = short_label(arena, columns[i].title);
		add_grid(arena, found,
			 hl_grid_new(arena, "facts",
				     title_of(arena, group, first ? ", continued" : ""), columns,
				     rows, nr_rows));
	}
}

static bool is_constant(struct hl_arena *arena, const struct hl_fact_group *group, const char *key)
{
	const char *first = hl_fact_group_cell(arena, group, group->nodes[0], key);

	for (size_t i = 1; first && i < group->nr_nodes; i++) {
		const char *cell = hl_fact_group_cell(arena, group, group->nodes[i], key);

		if (!cell || strcmp(cell, first) != 0)
			return false;
	}
	return first != NULL;
}

/* Keys whose value is the same everywhere in a table of their own, the others by thing. */
static void add_many(struct hl_arena *arena, const struct hl_fact_group *group,
		     struct hl_fact_groups *found)
{
	const char **varying = hl_arena_alloc(arena, group->nr_keys * sizeof(const char *));
	const char **constant = hl_arena_alloc(arena, group->nr_keys * sizeof(const char *));
	size_t nr_varying = 0, nr_constant = 0;
	struct hl_column *columns;

	for (size_t i = 0; i < group->nr_keys; i++) {
		if (is_constant(arena, group, group->keys[i]))
			constant[nr_constant++] = group->keys[i];
		else
			varying[nr_varying++] = group->keys[i];
	}
	add_rows(arena, group, varying, nr_varying, found);
	columns = new_columns(arena, group, group->nodes, 1, cell_of_node);
	columns[0] = (struct hl_column){
		.title = "fact", .cell = label_of_row, .kind = HL_COLUMN_NAME, .is_kept = true
	};
	columns[1].title = "value";
	add_grid(
		arena, found,
		hl_grid_new(
			arena, "facts",
			title_of(arena, group,
				 hl_arena_printf(arena, ", the same for all %zu", group->nr_nodes)),
			columns, hl_columns_rows(arena, NULL, constant, nr_constant), nr_constant));
}

static bool is_evidence(const struct hl_graph *graph, const struct hl_fact *fact)
{
	for (size_t i = 0; i < graph->nr_findings; i++) {
		for (size_t k = 0; k < graph->findings[i]->nr_evidence; k++) {
			if (graph->findings[i]->evidence[k] == fact)
				return true;
		}
	}
	return false;
}

/* Has something to tell that no finding told. */
static bool is_news(const struct hl_graph *graph, const struct hl_fact_group *group)
{
	for (size_t i = 0; i < group->nr_facts; i++) {
		if (!is_evidence(graph, group->facts[i]))
			return true;
	}
	return false;
}

static void remember_keys(struct hl_arena *arena, const struct hl_fact_group *group,
			  struct hl_fact_groups *found)
{
	for (size_t k = 0; k < group->nr_keys; k++) {
		for (size_t n = 0; n < group->nr_nodes; n++) {
			size_t at = hl_fact_group_find(group, group->nodes[n], group->keys[k]);

			if (!hl_fact_group_has(group, group->nodes[n], group->keys[k]))
				continue;
			found->keys = hl_arena_extend(arena, found->keys, found->nr_keys,
						      sizeof(const struct hl_fact *));
			found->keys[found->nr_keys++] = group->facts[at];
			break;
		}
	}
}

struct hl_fact_groups hl_columns_fact_groups(struct hl_arena *arena, const struct hl_graph *graph)
{
	struct hl_fact_gathered groups = hl_fact_gather(arena, graph);
	struct hl_fact_groups found = { 0 };

	for (size_t i = 0; i < groups.nr; i++) {
		struct hl_fact_group *group = &groups.items[i];

		hl_fact_group_keep_common(arena, group);
		if (!group->nr_keys || !is_news(graph, group))
			continue;
		remember_keys(arena, group, &found);
		if (fits_side_by_side(arena, group))
			add_side_by_side(arena, group, &found);
		else
			add_many(arena, group, &found);
	}
	return found;
}
