/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A probe: reads one kind of state of a machine (PCIe links, drive health, the ZFS pools) and
 * makes facts of it, in two parts. Acquire runs on the live machine and only copies bytes; decode
 * is pure and runs wherever the bytes are. What is copied is raw files of the kernel, or the
 * format of the field's standard tool, which is then read by the same decoder as a file that a
 * user saved (hoploss/format.h).
 *
 * To add one: a const struct at the bottom of its own file in probes/ and one line in
 * probes/table.c. Probes never print or judge.
 */
#ifndef HOPLOSS_PROBE_H
#define HOPLOSS_PROBE_H

#include "hoploss/capture.h"
#include "hoploss/graph.h"
#include "hoploss/layer.h"
#include "hoploss/machine.h"

struct hl_probe {
	const char *name;    /* "block" */
	const char *summary; /* "block devices and their queue limits" */
	enum hl_layer layer;
	/*
	 * Live machine to bytes, without load, writes or waking anything, and without secrets: an
	 * allow-list of attributes. Files read through capture->machine record themselves; what a
	 * library or a tool says is kept by hl_capture_keep or hl_capture_command. Runs in a child
	 * with a deadline. -ENOENT: this machine has no such layer; -EACCES: needs more privilege;
	 * -EOPNOTSUPP: this kernel or build cannot tell. A missing attribute is no error.
	 */
	int (*acquire)(struct hl_capture *capture, struct hl_error *err);
	/*
	 * Recorded files to facts; pure. origin has the host; node and source are the decoder's.
	 * What was kept in a tool's format is read by that format, before. NULL: there is no more.
	 * A missing file is no fact; a broken one is an error that names it, and the rest is read.
	 */
	int (*decode)(struct hl_machine *recorded, const struct hl_origin *origin,
		      struct hl_graph *graph, struct hl_error *err);
};

extern const struct hl_probe *const hl_probes[]; /* NULL-terminated */

const struct hl_probe *hl_probe_find(const char *name); /* or NULL */

#endif
