/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A PCIe function as the facts tell of it, and what its link carries. Used by src/model and
 * src/causes. Pure.
 */
#ifndef HOPLOSS_PCIE_H
#define HOPLOSS_PCIE_H

#include "hoploss/graph.h"

struct hl_pcie { /* NAN and NULL = not known */
	const char *host, *node;
	double speed, width; /* GT/s and lanes now */
	double cap_speed, cap_width, best_speed, best_width, target_speed;
	double limit_speed, limit_width; /* of the slowest link up to the root */
	double mps;
	const char *name, *class, *type, *slot, *parent, *limiting_hop, *shared_uplink, *sharers;
	bool is_vf, is_empty, is_synthetic;
};

/* The function that fact stands at. */
struct hl_pcie hl_pcie_of(const struct hl_graph *graph, const struct hl_fact *fact);
/* That of a node on the same host as another; all unknown when it has no facts. */
struct hl_pcie hl_pcie_at(const struct hl_graph *graph, const struct hl_pcie *beside,
			  const char *node);
/* Its fact of that key; NULL. */
const struct hl_fact *hl_pcie_fact(const struct hl_graph *graph, const struct hl_pcie *pcie,
				   const char *key);
bool hl_pcie_is_storage(const struct hl_pcie *pcie);
bool hl_pcie_is_network(const struct hl_pcie *pcie);
bool hl_pcie_looks_down(const struct hl_pcie *pcie); /* a port with a slot or a device below */

/*
 * Bytes/s of payload that so fast and wide a link carries for reads or writes of a drive behind
 * it; mps NAN = the largest in use, so that it stays an upper limit. NAN for unknown speeds.
 */
double hl_pcie_bw(double gts, double width, double mps, enum hl_dir dir);

/*
 * The drives of a hop: one row each, those of which the slowest link up to the root is known, at
 * most so many.
 */
size_t hl_pcie_drives(const struct hl_graph *graph, const struct hl_hop *hop,
		      struct hl_pcie *ret_drives, size_t most);

/*
 * A ceiling for reads and one for writes of every hop that stands on drives behind PCIe: the
 * slowest link of each drive's chain, added up, and no more than a link that they share.
 */
void hl_ceiling_pcie_fill(struct hl_graph *graph);
/*
 * The same of every hop whose flow crosses a NIC: the slowest link up to the root of the slowest
 * NIC at either end, of a VF that of its PF. None where both ends are on one machine and no VF is
 * in between, and where bonded NICs have links of their own.
 */
void hl_ceiling_nic_fill(struct hl_graph *graph);

#endif
