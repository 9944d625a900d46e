/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of fact keys, one for each kind of thing: a key stands in one of them, once. Joined in
 * src/fact.c.
 */
#ifndef HOPLOSS_FACTS_FACTS_H
#define HOPLOSS_FACTS_FACTS_H

#include "hoploss/fact.h"

struct fact_table {
	const struct hl_fact_key *keys; /* sorted by key */
	size_t nr_keys;
	const struct hl_fact_key *counters; /* likewise, of what only grows */
	size_t nr_counters;
};

#endif
