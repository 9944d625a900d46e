/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of drives, for the tests of what reads nvme-cli's and smartctl's output.
 */
#ifndef DRIVE_FACTS_H
#define DRIVE_FACTS_H

#include "import_reader.h"

static inline const struct hl_fact *fact_of(const struct import *import, const char *node,
					    const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(import->graph, node, key);

	if (!fact)
		fail_msg("no fact %s of %s", key, node ? node : "anything");
	return fact;
}

static inline double number_of(const struct import *import, const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(import->graph, NULL, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

static inline const char *string_of(const struct import *import, const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(import->graph, NULL, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : "?";
}

static inline int boolean_of(const struct import *import, const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(import->graph, NULL, key);

	return fact && fact->type == HL_FACT_BOOLEAN ? fact->boolean : -1;
}

static inline void assert_fact(const struct import *import, double expected, const char *key)
{
	double actual = number_of(import, key);

	if (!(fabs(expected - actual) <= 1e-6 * fabs(expected)))
		fail_msg("%s is %.10g, not %.10g", key, actual, expected);
}

static inline void assert_no_fact(const struct import *import, const char *key)
{
	if (hl_graph_find_fact(import->graph, NULL, key))
		fail_msg("%s is known", key);
}

#endif
