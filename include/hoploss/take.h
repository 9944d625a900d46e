/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking a capture of one host into a bundle, for `capture` and `run`.
 */
#ifndef HOPLOSS_TAKE_H
#define HOPLOSS_TAKE_H

#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/bundle.h"

struct hl_take {
	struct hl_bundle *bundle;
	const char *host; /* the name that it stands under */
	enum hl_capture_stage stage;
	struct hl_agent *agent; /* NULL: it could not be reached, */
	const char *reason;     /* and why */
	double probe_s;         /* that each probe has; 0 = the usual */
};

struct hl_taken { /* in an arena */
	unsigned nr_files, nr_kept;
	double bytes, seconds;
	const char *reason; /* why it is not whole; NULL */
	struct hl_capture_status *statuses;
	size_t nr_statuses;
};

/*
 * Captures a host. Every probe has a status afterwards: those that said nothing before the line
 * broke are "failed" with the reason, which the capture has, too. Errors are of the bundle.
 */
int hl_take_capture(const struct hl_take *take, struct hl_arena *arena, struct hl_taken *ret_taken,
		    struct hl_error *err);

#endif
