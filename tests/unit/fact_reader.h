/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The facts of a text, for tests of formats that give facts.
 */
#ifndef FACT_READER_H
#define FACT_READER_H

#include "import_reader.h"

static inline const struct hl_fact *fact_of(const struct import *import, const char *node,
					    const char *key)
{
	return hl_graph_find_fact(import->graph, node, key);
}

static inline double number_of(const struct import *import, const char *node, const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

static inline const char *text_of(const struct import *import, const char *node, const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : "";
}

/* 1, 0 or -1 = unknown */
static inline int boolean_of(const struct import *import, const char *node, const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_BOOLEAN ? fact->boolean : -1;
}

#endif
