/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of ethtool's output, and what each line in them means.
 */
#ifndef HOPLOSS_PROBES_ETHTOOL_TEXT_H
#define HOPLOSS_PROBES_ETHTOOL_TEXT_H

#include "hoploss/graph.h"
#include "saved.h"

enum ethtool_section {
	ETHTOOL_SETTINGS,
	ETHTOOL_DRIVER,
	ETHTOOL_FEATURES,
	ETHTOOL_OFFLOADS, /* as features were called before ethtool 3.4 */
	ETHTOOL_RINGS,
	ETHTOOL_CHANNELS,
	ETHTOOL_COALESCE,
	ETHTOOL_PAUSE,
	ETHTOOL_STATISTICS,
	ETHTOOL_MODULE,
	ETHTOOL_OTHER,
	ETHTOOL_NR_SECTIONS,
};

enum ethtool_block { ETHTOOL_NO_BLOCK, ETHTOOL_MAXIMUMS, ETHTOOL_CURRENT };

/* Adds the facts of that line, if it has any. The strings of origin are copied. */
void ethtool_add(struct hl_graph *graph, const struct hl_origin *origin,
		 enum ethtool_section section, enum ethtool_block block,
		 const struct saved_pair *pair);

#define ETHTOOL_NR_GATHERED 7

/* What only several lines together give: sums of statistics, the fastest of the link modes. */
struct ethtool_gathered {
	double value[ETHTOOL_NR_GATHERED];
	unsigned line[ETHTOOL_NR_GATHERED]; /* where it was first seen; 0 = not at all */
};

/* One line of statistics. */
void ethtool_count(struct ethtool_gathered *sums, const struct saved_pair *pair, unsigned line);
/* The list of link modes that begins in that line; -1 = none does. */
int ethtool_list(const struct saved_pair *pair);
/* Words of that list: "10000baseT/Full 25000baseCR/Full". */
void ethtool_take_modes(struct ethtool_gathered *modes, int list, const char *text, unsigned line);
/* Adds the facts of all that was gathered, and forgets it. */
void ethtool_add_gathered(struct hl_graph *graph, const struct hl_origin *origin, const char *file,
			  struct ethtool_gathered *all);

#endif
