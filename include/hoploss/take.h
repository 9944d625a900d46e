/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking a capture of one host into a bundle, for `capture` and `run`.
 */
#ifndef HOPLOSS_TAKE_H
#define HOPLOSS_TAKE_H

#include "hoploss/agent.h"
#include "hoploss/bundle.h"

struct hl_taken { /* of one host */
	unsigned nr_files, nr_kept;
	double bytes;
	double seconds;
};

/*
 * Captures the host of that agent. Every probe has a status afterwards: those that said nothing
 * before the line broke are "failed" with the reason, which is also returned. agent NULL: the host
 * could not be reached, and why says why not. Errors of the bundle leave it without that capture.
 */
int hl_take_capture(struct hl_bundle *bundle, struct hl_agent *agent, const char *host,
		    enum hl_capture_stage stage, const struct hl_error *why,
		    struct hl_taken *ret_taken, struct hl_error *err);

#endif
