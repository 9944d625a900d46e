/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model: from measurements to losses, ceilings, ladders and verdicts. Pure.
 */
#ifndef HOPLOSS_MODEL_H
#define HOPLOSS_MODEL_H

#include "hoploss/graph.h"
#include "hoploss/rank.h"

/* ---- what one measurement says (src/model/figure.c) ---- */

/* Has a rate of that direction that can be reckoned with: not failed, bandwidth above zero. */
bool hl_figure_is_usable(const struct hl_measurement *at, enum hl_dir dir);
/* I/Os per second, from the issued total and the run time where both are known; NAN. */
double hl_figure_iops(const struct hl_measurement *at, enum hl_dir dir);
/* Block size of the direction in bytes; NAN when unknown or a range. */
double hl_figure_bs(const struct hl_measurement *at, enum hl_dir dir);
/* Depth asked for, all jobs: iodepth × numjobs; a synchronous engine has depth 1 a job. NAN. */
double hl_figure_depth(const struct hl_measurement *at);
/* Run time in ms of the longest direction; NAN. */
double hl_figure_runtime(const struct hl_measurement *at);
/* Of the same run of the same file. */
bool hl_figure_is_same_run(const struct hl_measurement *a, const struct hl_measurement *b);
/*
 * Several jobs of one fio group run at the same time: the index of the first measurement of hop
 * after the group that starts at index first. Each of them then has part of the rate only.
 */
size_t hl_figure_group_end(const struct hl_hop *hop, size_t first);

/* ---- pairing (src/model/pair.c) ---- */

/*
 * The measurement of hop that can be compared with at: same pattern, block size, depth, jobs,
 * direction and "change"; where pattern or block size is unknown, the name must be the same, and
 * for network figures protocol and streams. Of several, those of the same name; of these the one
 * of median bandwidth (the lower of two). NULL when there is none.
 */
const struct hl_measurement *hl_pair_find(const struct hl_hop *hop, const struct hl_measurement *at,
					  enum hl_dir dir);
/*
 * Sets ret_is_chosen[i] for each measurement of hop that hl_pair_find gives for itself: of several
 * runs of a workload the one that stands for them. In one go, for a hop can have thousands.
 */
void hl_pair_choose(const struct hl_hop *hop, enum hl_dir dir, bool *ret_is_chosen);
/* How many measurements of hop can be compared with at: several = runs of the same workload. */
size_t hl_pair_count(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir);
/* Fastest ÷ slowest of those, 1 for a single one. */
double hl_pair_spread(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir);
/* Same name, but other parameters: looks comparable and is not. NULL when there is none. */
const struct hl_measurement *hl_pair_namesake(const struct hl_hop *hop,
					      const struct hl_measurement *at, enum hl_dir dir);
/* A hop that no other hop stands after: a leaf. */
bool hl_hop_is_leaf(const struct hl_graph *graph, const struct hl_hop *hop);

/* ---- one hop alone (src/model/fit.c, src/model/depth.c) ---- */

/*
 * Time per I/O at saturation: t(bs) = a + b × bs, by least squares on the relative error. Neither
 * a nor b can be negative; a fit that wants it so is made again with that one at 0.
 */
struct hl_fit {
	double a_ns;                /* per I/O */
	double b_ns_per_byte;       /* per byte */
	double a_low_ns, a_high_ns; /* spread of a over all pairs of block sizes, may be negative */
	double b_low, b_high;
	double worst_error; /* largest |fitted / measured - 1| */
	size_t nr_points;   /* all of them; the first 16 are in points */
	bool is_mixed;      /* random and sequential jobs together */
	const struct hl_measurement *points[16];
};

/*
 * Over the deep pure jobs of one direction (only reads or only writes; depth asked for at least
 * 16; jobs of one group that ran the same workload side by side are one point, others that shared
 * the device are left out). -ENODATA: fewer than two block sizes, or several states ("change").
 */
int hl_fit_hop(const struct hl_hop *hop, enum hl_dir dir, struct hl_fit *ret_fit);
/*
 * The same without the points that ran the block size of at: what predicts it from the others;
 * the spread is left out (NAN). -ENODATA also when at is no deep pure job that had the device for
 * itself.
 */
int hl_fit_others(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir,
		  struct hl_fit *ret_fit);
/* The index-th job of hop, the only one of its group, is a deep pure job: a point of the fit. */
bool hl_fit_is_point(const struct hl_hop *hop, size_t index, enum hl_dir dir);
/* Bandwidth in bytes/s that the fit gives at block size bs. */
double hl_fit_bw(const struct hl_fit *fit, double bs);
/* Adds the fit of each hop and direction as facts "model.*" with the hop's name as node. */
void hl_fit_fill(struct hl_graph *graph);

/*
 * Mean requests in flight of a device over its run: time that requests spent in it ÷ run time, the
 * sum over the groups of the run, which fio runs one after another. The time is in_queue or the
 * ticks of reads and writes, whichever is more: old kernels sample in_queue and miss some. NAN.
 */
double hl_depth_of_disk(const struct hl_hop *hop, const struct hl_disk *disk);
/*
 * Fills device_depth of every measurement from the disks of its run, and facts "model.device_depth"
 * and "model.depth_asked" (mean over the run) for each run. Stacked devices (those with a line of
 * their members) stand for what is below them; parallel devices add up; a stacked device that
 * counts no time (md before Linux 5.x) is replaced by the plain ones. Never from what was asked.
 */
void hl_depth_fill(struct hl_graph *graph);

/* ---- rounds (src/model/rounds.c) ---- */

/* A layer is named only for a loss above this share and above the A/A noise. */
#define HL_NAMED_LOSS 0.05

/* The largest look (6, 9, 14 or 20 rounds) that so many rounds allow; 0 = none. */
unsigned hl_rounds_look(size_t nr);
/* Fills bw_low and bw_high of every rate with rounds, from those of the last look. */
void hl_rounds_fill(struct hl_graph *graph);
/*
 * Judges the stages of all chains by their rounds: factors and their intervals, and whether they
 * are named. A stage is named when the signed-rank test of "the loss is at most 5 % or the A/A
 * noise" is rejected after Holm over the layers and workloads of its leaf and direction. The noise
 * is that of the stage's own repeats, or, where it has fewer than five, of all hops' together: a
 * fact "model.noise_pct" says which. Stages without rounds are left as they are.
 */
void hl_rounds_judge(struct hl_graph *graph);
/*
 * Interval of the time that the stage at index adds to each byte, s/byte, over the rounds of its
 * last look. NAN where it was not judged by rounds.
 */
struct hl_interval hl_rounds_time(const struct hl_chain *chain, size_t index);

/* ---- paths (src/model/sheet.c, chain.c, loss.c, ladder.c, residual.c, verdict.c) ---- */

/* Loss up to which two single values are not told apart: fio repeats itself within 3 to 17 %. */
#define HL_SINGLE_NOISE 0.10

/*
 * The datasheet as the top of every path: a hop of layer datasheet without measurements, named
 * after the spec ("KCD61LUL7T68 x 5"), that all roots are put after; and ceilings of layer
 * datasheet for each measurement that the sheet speaks of: hop and at are those of the measurement,
 * one for all drives and, where there are several, one for a single drive. A measurement's share
 * of the sheet is its bandwidth ÷ that of the ceiling. Nothing happens without a spec, with one
 * that speaks of none of them, or when it was done before. Returns the hop, or NULL.
 */
struct hl_hop *hl_sheet_fill(struct hl_graph *graph);
/* What the sheet promises at in bytes/s, all drives together; NAN. */
double hl_sheet_bw(const struct hl_graph *graph, const struct hl_measurement *at, enum hl_dir dir);
/* Share below the promise that the sheet still allows: 0.1 is 10 %. */
double hl_sheet_tolerance(const struct hl_graph *graph, const struct hl_measurement *at);

/*
 * Fills graph->chains, leaf by leaf, in the order of the leaf's measurements; then those of hops
 * further up for which the leaf has no result. Warns where a comparison is not what it seems.
 */
void hl_chain_fill(struct hl_graph *graph);

/*
 * Losses along each path, from stage to stage of each chain (made here with the datasheet on top
 * unless they are there already). The losses of a chain add up to top minus leaf, their shares to
 * 100 %. Imports have one value each: no interval. With rounds bw is the mean paired difference,
 * factor and the intervals are those of the paired rounds.
 */
void hl_model_losses(struct hl_graph *graph);
/*
 * The binding layer of each chain, then the next, up to the top: which one mended alone raises the
 * leaf, and to what. A chain of one measured hop has no ladder.
 */
void hl_model_ladders(struct hl_graph *graph);
/*
 * For the deep jobs of each leaf: measured minus what the fit over the leaf's other block sizes
 * predicts; none where fewer than two others were measured.
 */
void hl_model_residuals(struct hl_graph *graph);
/*
 * After the causes: one per leaf, workload and direction, the gravest first (named ones, then by
 * the loss of the worst leaf, by loss, by path order). Fills the causes of the ladders too.
 */
void hl_model_verdicts(struct hl_graph *graph);

/*
 * Of a graph that was diagnosed after so many rounds, a look: is the binding layer of every leaf
 * and workload named, with no runner-up that can overtake it, or no loss left that could be named?
 * Always after 20 rounds; never where no two hops were compared in rounds.
 */
bool hl_model_is_settled(const struct hl_graph *graph, unsigned rounds);
/*
 * How well the binding layer's factor is known, of all leaves and workloads the worst: half of its
 * interval, 0.02 = 2 % to each side. Where none binds it is that of the widest stage, and of one
 * hop alone that of its bandwidth. NAN: there is no interval yet.
 */
double hl_model_precision(const struct hl_graph *graph);

/*
 * A ceiling "engine" for each hop and workload beside which the engine was measured against a LUN
 * in RAM (experiment HL_ENGINE_ALONE).
 */
void hl_model_engine_ceilings(struct hl_graph *graph);
/* The bandwidth of that ceiling of a measurement; NAN. */
double hl_model_engine_bw(const struct hl_graph *graph, const struct hl_measurement *at,
			  enum hl_dir dir);

/*
 * ---- ceilings that need no facts (src/model/ceiling.c) ----
 *
 * Sources: IEEE 802.3, IPv4 and TCP with timestamps (RFC 7323); PCI Express Base Specification.
 */

/* TCP payload rate of an Ethernet line in bytes/s: rate × (MTU − 52) / (MTU + 38). */
double hl_ceiling_ethernet(double bits_per_s, double mtu);
/* What a tbf or htb shaper lets through of TCP payload: rate × (MTU − 52) / (MTU + 14); bytes/s. */
double hl_ceiling_shaped(double bytes_per_s, double mtu);
/* PCIe payload rate in bytes/s for the direction of drive reads; NAN for unknown speeds. */
double hl_ceiling_pcie(double gts, double width, double mps);
/*
 * The same for drive writes, whose data come as completions: at most, for the root complex often
 * answers in pieces of 64 to 256 bytes, smaller than mps.
 */
double hl_ceiling_pcie_writes(double gts, double width, double mps);

#endif
