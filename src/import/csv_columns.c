/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Headings of a table of results, with the workload and the unit that each stands for.
 *
 * Surprising: brackets that hold neither a unit nor an option belong to the name: "read (4k)".
 */
#include "csv_columns.h"
#include "hoploss/fio_options.h"
#include "hoploss/suite.h"
#include <string.h>
#include <strings.h>

static enum hl_csv_role role_of(const char *heading)
{
	static const struct {
		const char *name;
		enum hl_csv_role role;
	} roles[] = {
		{ "change", HL_CSV_CHANGE }, { "state", HL_CSV_CHANGE }, { "hop", HL_CSV_HOP },
		{ "store", HL_CSV_HOP },     { "layer", HL_CSV_LAYER },  { "note", HL_CSV_NOTE },
		{ "notes", HL_CSV_NOTE },    { "date", HL_CSV_NOTE },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		if (!strcasecmp(heading, roles[i].name))
			return roles[i].role;
	}
	return HL_CSV_WORKLOAD;
}

/* Cuts the brackets at the end of heading off and returns what was in them; NULL = none. */
static char *cut_brackets(char *heading)
{
	size_t len = strlen(heading);
	char *open = strpbrk(heading, "[("), *inside;

	if (!open || !strchr("])", heading[len - 1]))
		return NULL;
	inside = open + 1;
	heading[len - 1] = '\0';
	while (open > heading && (open[-1] == ' ' || open[-1] == '\t'))
		open--;
	*open = '\0';
	return inside;
}

/* One of the words in brackets; false if it is neither a unit nor an option. */
static bool read_word(char *word, struct hl_csv_column *column, struct hl_fio_options *options,
		      struct hl_arena *arena)
{
	char *value = strchr(word, '=');

	if (!value)
		return !hl_csv_unit_parse(word, &column->unit);
	*value++ = '\0';
	column->is_described = true;
	if (hl_fio_options_set(options, arena, word, value))
		column->is_wrong = true;
	return true;
}

static bool read_brackets(char *inside, struct hl_csv_column *column, struct hl_arena *arena)
{
	struct hl_fio_options options;
	char *next = NULL;
	bool is_known = true;

	if (!hl_csv_unit_parse(inside, &column->unit))
		return true;
	column->is_described = false;
	hl_fio_options_init(&options);
	for (char *word = strtok_r(inside, " \t", &next); word && is_known;
	     word = strtok_r(NULL, " \t", &next))
		is_known = read_word(word, column, &options, arena);
	hl_fio_options_finish(&options);
	if (column->is_described)
		column->workload = options.workload;
	return is_known;
}

static void take_suite(const char *name, struct hl_csv_column *column)
{
	const struct hl_workload *job = hl_suite_job(name);

	hl_workload_init(&column->workload);
	if (!job)
		return;
	column->workload = *job;
	column->is_described = true;
	hl_csv_unit_parse(hl_suite_unit(job), &column->unit);
}

/* "bw-r MB/s": a unit need not stand in brackets. */
static void take_last_word(char *name, struct hl_arena *arena, struct hl_csv_column *column)
{
	char *gap = strrchr(name, ' ');
	struct hl_csv_unit unit;

	if (!gap || gap == name || hl_csv_unit_parse(gap + 1, &unit))
		return;
	if (unit.kind != HL_CSV_RATE) { /* "rand read kIOPS" is the name, too */
		column->unit = unit;
		return;
	}
	while (gap > name && strchr(" ,-:", gap[-1]))
		gap--;
	*gap = '\0';
	take_suite(name, column);
	column->unit = unit;
	column->workload.name = hl_arena_strdup(arena, name);
}

void hl_csv_column_read(const char *heading, struct hl_arena *arena,
			struct hl_csv_column *ret_column)
{
	HL_FREE char *name = hl_strdup(heading);
	char *inside = cut_brackets(name);
	bool has_brackets = inside;
	struct hl_csv_column column = { .role = role_of(name) };

	take_suite(name, &column);
	if (inside && !read_brackets(inside, &column, arena)) {
		column = (struct hl_csv_column){ 0 };
		take_suite(heading, &column);
		inside = NULL;
	}
	column.workload.name = hl_arena_strdup(arena, inside ? name : heading);
	if (!has_brackets)
		take_last_word(name, arena, &column);
	if (column.unit.kind == HL_CSV_UNKNOWN && strcasestr(column.workload.name, "iops"))
		hl_csv_unit_parse(strcasestr(column.workload.name, "(k)") ? "KIOPS" : "IOPS",
				  &column.unit);
	*ret_column = column;
}

/* ---- a table on its side ---- */

static bool is_any(const char *name, const char *const *names)
{
	while (*names && strcasecmp(name, *names) != 0)
		names++;
	return *names;
}

static const char *const job_names[] = { "workload", "test", "job", "benchmark", NULL };

static bool is_difference(const char *name)
{
	static const char *const names[] = { "change",  "diff",        "difference", "delta",
					     "\u0394",  "gain",        "%",          "+/-",
					     "speedup", "improvement", NULL };

	return is_any(name, names) || !strncasecmp(name, "vs ", 3) || !strncasecmp(name, "vs. ", 4);
}

static bool is_state(const char *name)
{
	static const char *const notes[] = { "note", "notes", "date", "unit", "units", NULL };

	return *name && !is_difference(name) && !is_any(name, notes);
}

bool hl_csv_columns_turn(struct hl_csv_column *columns, size_t nr)
{
	bool has_difference = false, has_before = false, has_after = false;
	size_t nr_states = 0;

	if (nr < 3 || !is_any(columns[0].workload.name, job_names))
		return false;
	for (size_t i = 1; i < nr; i++) {
		const char *name = columns[i].workload.name;

		has_difference |= is_difference(name);
		has_before |= strcasestr(name, "before") != NULL;
		has_after |= strcasestr(name, "after") != NULL;
		nr_states += is_state(name);
	}
	if (nr_states < 2 || (!has_difference && !(has_before && has_after)))
		return false;
	columns[0].role = HL_CSV_JOB;
	for (size_t i = 1; i < nr; i++) {
		columns[i].role = is_state(columns[i].workload.name) ? HL_CSV_STATE : HL_CSV_NOTE;
		columns[i].is_described = columns[i].is_wrong = false;
	}
	return true;
}
