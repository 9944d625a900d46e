/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Testing drives of this machine into a bundle, for `accept`: state before and after, reads in
 * rounds, and, as far as was asked for, filling, reading back, soaking and self-tests. Judges
 * nothing.
 */
#ifndef HOPLOSS_DRIVE_TEST_H
#define HOPLOSS_DRIVE_TEST_H

#include "hoploss/accept_plan.h"
#include "hoploss/acceptance.h"
#include "hoploss/bundle.h"
#include "hoploss/self_test.h"

struct hl_drive_test {
	struct hl_arena *arena;
	struct hl_accept_drive *drives;
	size_t nr_drives;
	const struct hl_purchase *purchases; /* serials of what may be written */
	size_t nr_purchases;
	const char **notes;
	size_t nr_notes;
	const char *out; /* directory of the bundle; NULL = a new one beside the person */
	double time_s;   /* of the rounds; NAN = the usual */
	double soak_s;   /* NAN = no soak */
	enum hl_self_test_kind self_test; /* a short one comes first, a long one last */
	bool may_write, may_be_busy;
};

/*
 * What fails on the way is in the bundle; an error is of the bundle, or says why nothing could be
 * begun: a drive that may not be written, with nothing written to any.
 */
int hl_drive_test_run(struct hl_drive_test *test, struct hl_bundle **ret_bundle,
		      struct hl_graph **ret_graph, struct hl_error *err);

#endif
