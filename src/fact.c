/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fact keys: see hoploss/fact.h. The tables are in src/facts/; to add one: a line here.
 */
#include "hoploss/fact.h"
#include "facts/facts.h"
#include <stdlib.h>
#include <string.h>

#define TABLES(ROW)                                                                                \
	ROW(run)                                                                                   \
	ROW(block)                                                                                 \
	ROW(drive)                                                                                 \
	ROW(zfs)                                                                                   \
	ROW(pci)                                                                                   \
	ROW(net)                                                                                   \
	ROW(iscsi)                                                                                 \
	ROW(vm)                                                                                    \
	ROW(host)

#define DECLARE(name)  extern const struct fact_table fact_##name##_table;
#define POINT_TO(name) &fact_##name##_table,

TABLES(DECLARE)

static const struct fact_table *const tables[] = { TABLES(POINT_TO) NULL };

static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct hl_fact_key *)row)->key);
}

static const struct hl_fact_key *find(const char *key, const struct hl_fact_key *rows, size_t nr)
{
	return nr ? bsearch(key, rows, nr, sizeof(*rows), compare) : NULL;
}

static const struct hl_fact_key *find_counter(const char *key)
{
	const struct hl_fact_key *row = NULL;

	for (size_t i = 0; tables[i] && !row; i++)
		row = find(key, tables[i]->counters, tables[i]->nr_counters);
	return row;
}

const struct hl_fact_key *hl_fact_key_find(const char *key)
{
	const struct hl_fact_key *row = NULL;

	for (size_t i = 0; tables[i] && !row; i++)
		row = find(key, tables[i]->keys, tables[i]->nr_keys);
	return row ? row : find_counter(key);
}

bool hl_fact_key_is_counter(const char *key)
{
	return find_counter(key);
}

const struct hl_fact_key *hl_fact_key_at(size_t index)
{
	for (size_t i = 0; tables[i]; i++) {
		if (index < tables[i]->nr_keys)
			return &tables[i]->keys[index];
		index -= tables[i]->nr_keys;
		if (index < tables[i]->nr_counters)
			return &tables[i]->counters[index];
		index -= tables[i]->nr_counters;
	}
	return NULL;
}
