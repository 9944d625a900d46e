/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts that a text gave, by node and key, for tests of formats that give facts.
 */
#ifndef FACT_READER_H
#define FACT_READER_H

#include "import_reader.h"

static inline const struct hl_fact *fact_of(const struct import *import, const char *node,
					    const char *key)
{
	return hl_graph_find_fact(import->graph, node, key);
}

static inline bool has(const struct import *import, const char *node, const char *key)
{
	return fact_of(import, node, key) != NULL;
}

/* NAN when there is none. */
static inline double number_of(const struct import *import, const char *node, const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

/* "" when there is none. */
static inline const char *text_of(const struct import *import, const char *node, const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : "";
}

/* 1, 0, or -1 when there is none. */
static inline int boolean_of(const struct import *import, const char *node, const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_BOOLEAN ? fact->boolean : -1;
}

#define assert_text(expected, import, node, key)                                                   \
	assert_string_equal(expected, text_of(import, node, key))

struct fact_row {
	const char *node, *key, *string;
	double number; /* where string is NULL */
};

static inline void assert_row(const struct import *import, const struct fact_row *row)
{
	const struct hl_fact *fact = fact_of(import, row->node, row->key);

	if (!fact)
		fail_msg("no %s of %s", row->key, row->node);
	assert_int_equal(row->string ? HL_FACT_STRING : HL_FACT_NUMBER, fact->type);
	if (row->string)
		assert_string_equal(row->string, fact->string);
	else
		assert_near(row->number, fact->number);
}

static inline void assert_rows(const struct import *import, const struct fact_row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		assert_row(import, &rows[i]);
}

#endif
