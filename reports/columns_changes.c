/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a comparison: see columns_changes.h.
 */
#include "columns_changes.h"
#include "cell.h"
#include "columns_checks.h"
#include <math.h>
#include <string.h>

static const char *change_state(const struct hl_row *row)
{
	return hl_change_state_name(((const struct hl_change *)row->item)->state);
}

static const char *change_hop(const struct hl_row *row)
{
	const struct hl_change *change = row->item;

	if (!change->hop_after)
		return change->hop;
	return hl_arena_printf(row->arena, "%s > %s", change->hop, change->hop_after);
}

/* The pattern where it has no name. */
static const char *change_workload(const struct hl_row *row)
{
	const struct hl_change *change = row->item;

	return change->workload.name ? change->workload.name : hl_rw_name(change->workload.rw);
}

/* "read p99" */
static const char *change_metric(const struct hl_row *row)
{
	const struct hl_change *change = row->item;

	return hl_arena_printf(row->arena, "%s %s", hl_dir_name(change->dir), change->metric);
}

static const char *figure(const struct hl_row *row, double value)
{
	const struct hl_change *change = row->item;

	if (!strcmp(change->metric, "bw"))
		return hl_arena_printf(row->arena, "%s MiB/s", hl_cell_mib(row->arena, value));
	if (!strcmp(change->metric, "iops"))
		return hl_cell_in_unit(row->arena, value, "IOPS");
	return hl_cell_time(row->arena, value);
}

static const char *change_before(const struct hl_row *row)
{
	return figure(row, ((const struct hl_change *)row->item)->before);
}

static const char *change_after(const struct hl_row *row)
{
	return figure(row, ((const struct hl_change *)row->item)->after);
}

/* "+51 %", and beyond five times a factor: "x12", "1/103". */
static const char *change_by(const struct hl_row *row)
{
	const struct hl_change *change = row->item;
	double factor = change->after / change->before;

	if (factor >= 5 || factor <= 0.2)
		return hl_arena_printf(row->arena, "%s%.3g", factor < 1 ? "1/" : "x",
				       factor < 1 ? 1 / factor : factor);
	return hl_arena_printf(row->arena, "%+.0f %%", change->change_pct);
}

static const char *change_interval(const struct hl_row *row)
{
	const struct hl_change *change = row->item;

	if (isnan(change->low_pct) || isnan(change->high_pct))
		return NULL;
	return hl_arena_printf(row->arena, "%+.0f to %+.0f %%", change->low_pct, change->high_pct);
}

static const char *change_control(const struct hl_row *row)
{
	return ((const struct hl_change *)row->item)->control;
}

static const char *change_why(const struct hl_row *row)
{
	return ((const struct hl_change *)row->item)->reason;
}

/* Narrow text keeps the state and the change, and leaves out what they were read from. */
static const struct hl_column change_columns[] = {
	{ "state", change_state, .kind = HL_COLUMN_NAME },
	{ "hop", change_hop, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "workload", change_workload, .kind = HL_COLUMN_NAME, .is_group = true, .is_kept = true },
	{ "of", change_metric, .kind = HL_COLUMN_NAME, .is_kept = true },
	{ "change", change_by, .kind = HL_COLUMN_NUMBER },
	{ "95 % interval", change_interval, .kind = HL_COLUMN_NUMBER, .drop = 1 },
	{ "before", change_before, .kind = HL_COLUMN_NUMBER, .drop = 2 },
	{ "after", change_after, .kind = HL_COLUMN_NUMBER, .drop = 2 },
	{ "against", change_control, .kind = HL_COLUMN_NAME, .drop = 3 },
	{ "why", change_why, .kind = HL_COLUMN_LONG, .is_below = true },
	{ 0 },
};

static const char *state_name(const struct hl_comparison *comparison, size_t index)
{
	const struct hl_compared *state = &comparison->states[index];

	if (!state->graph->begun || state->change)
		return state->name;
	return hl_arena_printf(comparison->arena, "%s (%s)", state->name, state->graph->begun);
}

static const char *title_of(const struct hl_comparison *comparison, const char *what, size_t from,
			    size_t to)
{
	return hl_arena_printf(comparison->arena, "%s, from %s to %s", what,
			       state_name(comparison, from), state_name(comparison, to));
}

struct hl_grid *hl_columns_changes(const struct hl_comparison *comparison, size_t from, size_t to)
{
	struct hl_row *rows = hl_arena_alloc(comparison->arena,
					     (comparison->nr_changes + 1) * sizeof(*rows));
	size_t nr = 0;

	for (size_t i = 0; i < comparison->nr_changes; i++) {
		if (comparison->changes[i].from == from && comparison->changes[i].to == to)
			rows[nr++] = (struct hl_row){ .arena = comparison->arena,
						      .item = &comparison->changes[i] };
	}
	return hl_grid_new(comparison->arena,
			   hl_arena_printf(comparison->arena, "changes-%zu-%zu", from + 1, to + 1),
			   title_of(comparison, "Figures", from, to), change_columns, rows, nr);
}

static const struct hl_fact *either(const struct hl_row *row)
{
	return hl_changed_fact_either(row->item);
}

static const char *fact_host(const struct hl_row *row)
{
	return either(row)->host;
}

static const char *fact_node(const struct hl_row *row)
{
	return either(row)->node;
}

static const char *fact_label(const struct hl_row *row)
{
	return hl_cell_label(either(row)->key);
}

static const char *fact_before(const struct hl_row *row)
{
	const struct hl_changed_fact *fact = row->item;

	return fact->before ? hl_cell_fact(row->arena, fact->before) : "-";
}

static const char *fact_after(const struct hl_row *row)
{
	const struct hl_changed_fact *fact = row->item;

	return fact->after ? hl_cell_fact(row->arena, fact->after) : "-";
}

static const char *fact_state(const struct hl_row *row)
{
	return ((const struct hl_changed_fact *)row->item)->is_worse ? "worse" : NULL;
}

static const struct hl_column fact_columns[] = {
	{ "state", fact_state, .kind = HL_COLUMN_NAME },
	{ "host", fact_host, .kind = HL_COLUMN_NAME, .is_group = true },
	{ "of", fact_node, .kind = HL_COLUMN_NAME },
	{ "fact", fact_label, .kind = HL_COLUMN_NAME },
	{ "before", fact_before, .kind = HL_COLUMN_NAME },
	{ "after", fact_after, .kind = HL_COLUMN_LONG },
	{ 0 },
};

struct hl_grid *hl_columns_changed_facts(const struct hl_comparison *comparison, size_t from)
{
	struct hl_row *rows = hl_arena_alloc(comparison->arena,
					     (comparison->nr_facts + 1) * sizeof(*rows));
	size_t nr = 0;

	for (size_t i = 0; i < comparison->nr_facts; i++) {
		if (comparison->facts[i].from == from)
			rows[nr++] = (struct hl_row){ .arena = comparison->arena,
						      .item = &comparison->facts[i] };
	}
	return hl_grid_new(
		comparison->arena, hl_arena_printf(comparison->arena, "facts-%zu", from + 1),
		title_of(comparison, "What else changed", from, from + 1), fact_columns, rows, nr);
}

static bool is_first_with(const struct hl_comparison *comparison, size_t index)
{
	const struct hl_change *change = &comparison->changes[index];

	for (size_t i = 0; change->next && i < index; i++) {
		const char *other = comparison->changes[i].next;

		if (other && comparison->changes[i].from == change->from &&
		    !strcmp(other, change->next))
			return false;
	}
	return change->next;
}

/* The workloads that share an advice. */
static const char *names_of(const struct hl_comparison *comparison, const struct hl_change *first)
{
	const char *names = NULL, *last = NULL;

	for (size_t i = 0; i < comparison->nr_changes; i++) {
		const struct hl_change *change = &comparison->changes[i];
		const char *name = change->workload.name;

		if (!change->next || change->from != first->from || !name ||
		    strcmp(change->next, first->next) != 0 || (last && !strcmp(last, name)))
			continue;
		names = names ? hl_arena_printf(comparison->arena, "%s, %s", names, name) : name;
		last = name;
	}
	return names;
}

const char *hl_columns_advice(const struct hl_comparison *comparison, size_t index)
{
	for (size_t i = 0; i < comparison->nr_changes; i++) {
		const struct hl_change *change = &comparison->changes[i];
		const char *names;

		if (!is_first_with(comparison, i) || index--)
			continue;
		names = names_of(comparison, change);
		return hl_arena_printf(comparison->arena, "%s%s%s", names ? names : "",
				       names ? ": " : "", change->next);
	}
	return NULL;
}

struct hl_grid *hl_columns_sriov(const struct hl_comparison *comparison)
{
	const struct hl_acceptance checks = {
		.checks = comparison->checks,
		.nr_checks = comparison->nr_checks,
	};
	struct hl_grid *grid = hl_columns_checks(comparison->arena, &checks);

	if (grid) {
		grid->id = "sriov";
		grid->title = "SR-IOV";
	}
	return grid;
}
