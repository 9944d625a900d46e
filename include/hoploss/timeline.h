/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timeline of a run: what its samples saw while they ran, joined to lines by host, node and
 * key, by seconds since the run began. Pure.
 */
#ifndef HOPLOSS_TIMELINE_H
#define HOPLOSS_TIMELINE_H

#include "hoploss/sample.h"

/* The bandwidth of a sample, twice a second. */
void hl_timeline_add_bandwidth(struct hl_graph *graph, const struct hl_hop *hop,
			       const struct hl_sample *sample);
/* What meters saw on the hop's host. */
void hl_timeline_add_series(struct hl_graph *graph, const struct hl_hop *hop,
			    const struct hl_sample *sample);
/* Each line by time, once all is added. */
void hl_timeline_sort(struct hl_graph *graph);

#endif
