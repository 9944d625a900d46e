/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts that a text gave, by node and key, for the tests of decoders.
 */
#ifndef FACTS_READER_H
#define FACTS_READER_H

#include "import_reader.h"

__attribute__((unused)) static const struct hl_fact *fact_of(const struct import *import,
							     const char *node, const char *key)
{
	return hl_graph_find_fact(import->graph, node, key);
}

__attribute__((unused)) static double number_of(const struct import *import, const char *node,
						const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

/* "" when there is none. */
__attribute__((unused)) static const char *text_of(const struct import *import, const char *node,
						   const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : "";
}

/* 1, 0, or -1 when there is none. */
__attribute__((unused)) static int boolean_of(const struct import *import, const char *node,
					      const char *key)
{
	const struct hl_fact *fact = fact_of(import, node, key);

	return fact && fact->type == HL_FACT_BOOLEAN ? fact->boolean : -1;
}

#define assert_text(expected, import, node, key)                                                   \
	assert_string_equal(expected, text_of(import, node, key))

#endif
