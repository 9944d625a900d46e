/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One block device while its facts are gathered. Used by the probe "block" only.
 */
#ifndef PROBES_BLOCK_H
#define PROBES_BLOCK_H

#include "hoploss/graph.h"
#include "hoploss/machine.h"

struct hl_block {
	struct hl_machine *machine;
	struct hl_graph *graph;
	const char *host;
	const char *name; /* "nvme0n1"; the node of its facts */
	const char *link; /* where /sys/class/block/NAME points; "" = nowhere */
};

/* Each adds a fact with that file as its source; an unknown value adds none. */
void hl_block_add_text(const struct hl_block *block, const char *key, const char *value,
		       const char *path);
void hl_block_add_number(const struct hl_block *block, const char *key, double value,
			 const char *path);

/* What it stands on: devices, a controller, a PCI function, an iSCSI session (block_place.c). */
void hl_block_place(const struct hl_block *block);
/* The names of all devices in /dev, "disk/by-id/x", and the volumes of ZFS (block_names.c). */
void hl_block_names(struct hl_machine *machine, const char *host, struct hl_graph *graph);

#endif
