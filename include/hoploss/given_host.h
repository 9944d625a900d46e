/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hosts that were named on the command line, for the commands that capture them: `capture` and
 * `discover`.
 */
#ifndef HOPLOSS_GIVEN_HOST_H
#define HOPLOSS_GIVEN_HOST_H

#include "hoploss/alloc.h"
#include "hoploss/take.h"

struct hl_given_host {
	const char *name;       /* NULL: as its kernel says */
	const char *const *via; /* NULL = this machine */
	struct hl_taken taken;
	const char *captured; /* the name that it stands under; NULL = nothing does */
	const char *reason;   /* why there is nothing, or only part; NULL */
};

/* "NAME=VIA": VIA is "local" or the words of a command. -EINVAL: err says what is wrong. */
int hl_given_host_read(struct hl_arena *arena, const char *word, struct hl_given_host *ret_host,
		       struct hl_error *err);
/* Into a bundle on disk. Errors are of that; what is wrong with the host stands in reason. */
int hl_given_host_capture(struct hl_arena *arena, struct hl_given_host *host,
			  struct hl_bundle *bundle, struct hl_error *err);

#endif
