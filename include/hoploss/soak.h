/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A soak: drives read all together at full speed for a long time, to see whether they keep their
 * bandwidth when they are hot. Reads only. Stops at a drive's critical temperature.
 */
#ifndef HOPLOSS_SOAK_H
#define HOPLOSS_SOAK_H

#include "hoploss/engine.h"

struct hl_soak_drive {
	const char *path;
	double max_c;      /* the hottest that was seen; NAN = it shows none */
	double critical_c; /* as its maker calls it; NAN */
};

struct hl_soak {
	double seconds;
	double first_bw, last_bw; /* bytes/s of all, in the first and the last tenth */
	double kept_pct;          /* the slowest tenth of the first one */
	bool is_too_hot;          /* it was stopped by that */
};

/* -EINTR: watch said so, and what was seen until then is in ret_soak; else as hl_slot_run. */
int hl_soak_run(struct hl_soak_drive *drives, unsigned nr, double seconds, hl_slot_watch *watch,
		void *context, struct hl_soak *ret_soak, struct hl_error *err);

#endif
