/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model: from measurements to losses, ceilings, ladders and verdicts. Pure.
 */
#ifndef HOPLOSS_MODEL_H
#define HOPLOSS_MODEL_H

#include "hoploss/graph.h"

/* ---- pairing (src/model/pair.c) ---- */

/* The measurement of hop that can be compared with at: same workload, same direction; or NULL. */
const struct hl_measurement *hl_pair_find(const struct hl_hop *hop, const struct hl_measurement *at,
					  enum hl_dir dir);
/* A hop that no other hop stands after: a leaf. */
bool hl_hop_is_leaf(const struct hl_graph *graph, const struct hl_hop *hop);

/* ---- one hop alone (src/model/fit.c, src/model/depth.c) ---- */

/* Time per I/O at saturation: t(bs) = a + b × bs, by least squares on the relative error. */
struct hl_fit {
	double a_ns;                /* per I/O */
	double b_ns_per_byte;       /* per byte */
	double a_low_ns, a_high_ns; /* spread of a over all pairs of block sizes */
	double b_low, b_high;
	double worst_error; /* largest |fitted / measured - 1| */
	size_t nr_points;
	bool is_mixed; /* random and sequential jobs together */
	const struct hl_measurement *points[16];
};

/*
 * Over the deep pure jobs of one direction (only reads or only writes; depth asked for at least
 * 16). -ENODATA: fewer than two block sizes.
 */
int hl_fit_hop(const struct hl_hop *hop, enum hl_dir dir, struct hl_fit *ret_fit);

/* Mean in flight by Little's law: IOPS × mean clat (or lat), as the generator saw it. NAN. */
double hl_depth_little(const struct hl_measurement *at, enum hl_dir dir);
/* Mean requests in flight of a device over a run by its own statistics. NAN. */
double hl_depth_of_disk(const struct hl_hop *hop, const struct hl_disk *disk);
/* Fills device_depth of every measurement of the graph from the disks of its run. */
void hl_depth_fill(struct hl_graph *graph);

/* ---- paths (src/model/loss.c, ladder.c, verdict.c) ---- */

void hl_model_losses(struct hl_graph *graph);   /* losses along each path, datasheet on top */
void hl_model_ladders(struct hl_graph *graph);  /* binding layer, then the next, … */
void hl_model_verdicts(struct hl_graph *graph); /* after the causes: one per leaf and workload */

/* ---- ceilings that need no facts (src/model/ceiling.c) ---- */

/* TCP payload rate of an Ethernet line in bytes/s: rate × (MTU − 52) / (MTU + 38). DESIGN 6. */
double hl_ceiling_ethernet(double bits_per_s, double mtu);
/* PCIe payload rate in bytes/s for the direction of drive reads; NAN for unknown speeds. */
double hl_ceiling_pcie(double gts, double width, double mps);

#endif
