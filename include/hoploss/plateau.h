/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plateau: I/Os a second that do not rise with the depth that was asked for, and all that the
 * other figures of the hop say about why. Used by src/causes.
 */
#ifndef HOPLOSS_PLATEAU_H
#define HOPLOSS_PLATEAU_H

#include "hoploss/model.h"
#include "hoploss/trial.h"

struct hl_plateau {
	const struct hl_hop *hop;
	enum hl_dir dir;
	struct hl_trial shallow, deep; /* same kind, deep has at least twice the depth */
	struct hl_trial one;           /* the same at depth 1; at == NULL: not measured */
	double slots;                  /* that many at depth 1's latency give as much; NAN */
	double device_depth; /* mean over the run of deep by the device's own count; NAN */
	double depth_asked;  /* mean over the same run */
	double cap;          /* in flight at most, that explains device_depth; NAN: no cap seen */
	struct hl_trial blocked; /* the one that spent most of its time submitting; at == NULL */
	bool has_fit;
	struct hl_fit fit;
};

/* False: IOPS rise with depth as far as can be seen, or the plateau has a reason that is known. */
bool hl_plateau_find(const struct hl_graph *graph, const struct hl_hop *hop, enum hl_dir dir,
		     struct hl_plateau *ret_plateau);

#endif
