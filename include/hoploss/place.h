/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places: which facts speak of which hop. A hop's target is a name on a host (a disk, a zvol, a
 * portal); the facts that explain its speed stand at what is under it: the PCIe link of the drive,
 * the NIC of the flow, the thread of the VM. What lies under what is itself told by facts, whose
 * value names other nodes (fact keys that are relations, in src/model/place_ways.c: "block.below",
 * "pcie.parent", "link.pci_address" …). Pure.
 *
 * From a guest to the machine below lead (place_guest.c): equal "vdisk.guest_address",
 * "vnic.guest_address" or "passthrough.guest_address" there and PCI address here; equal
 * "vdisk.serial", "vnic.mac" or "vf.mac". Names in /dev are "block.links" of a device
 * ("disk/by-id/x mapper/y"), LUNs "target.backing" of "IQN/lun0" and "block.lun" beside
 * "block.session". What is of a machine as a whole stands at node "cpu", "kernel", "memory", "host"
 * or "zfs", or at none.
 */
#ifndef HOPLOSS_PLACE_H
#define HOPLOSS_PLACE_H

#include "hoploss/graph.h"

/*
 * The index-th fact of that key at anything that hop stands on, on its host or on a machine below
 * (nearest first); NULL = no more. hop NULL: of the whole graph.
 */
const struct hl_fact *hl_place_fact(const struct hl_graph *graph, const struct hl_hop *hop,
				    const char *key, size_t index);
/* The fact of that key at the same host and node as another fact; NULL = none. */
const struct hl_fact *hl_place_beside(const struct hl_graph *graph, const struct hl_fact *fact,
				      const char *key);
/*
 * The first hop, drive end first, that stands on the node of that fact; NULL = none does, or
 * nothing was measured: then a finding about it has no hop.
 */
const struct hl_hop *hl_place_hop(const struct hl_graph *graph, const struct hl_fact *fact);
/* Is that node no device, but the machine as a whole? */
bool hl_place_is_whole(const char *node);

#endif
