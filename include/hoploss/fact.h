/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fact keys: label and unit of each, the one place where renderers learn what a fact means. A key
 * is layer.attribute; keys are API, never renamed. To add one: a row in a table of src/facts/.
 */
#ifndef HOPLOSS_FACT_H
#define HOPLOSS_FACT_H

#include <stdbool.h>
#include <stddef.h>

struct hl_fact_key {
	const char *key;
	const char *label; /* "PCIe link width now" */
	const char *unit;  /* "GT/s", "bytes", "ns", "%"; NULL = a bare number, text or yes/no */
};

/* The row of key, or NULL for a key that is not in the table (shown as it is). */
const struct hl_fact_key *hl_fact_key_find(const char *key);
/* Each of them once, in no order: 0 .. n-1, then NULL. */
const struct hl_fact_key *hl_fact_key_at(size_t index);
/* Does it only grow, so that what it grew by during a run is of interest? */
bool hl_fact_key_is_counter(const char *key);

#endif
