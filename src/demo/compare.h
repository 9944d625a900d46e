/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing the bytes that are seen at several hops.
 */
#ifndef HOPLOSS_DEMO_COMPARE_H
#define HOPLOSS_DEMO_COMPARE_H

#include "demo.h"

struct view {
	const char *hop;
	const char *target; /* path or iscsi:// URL */
	const char *ns;     /* network namespace to be read from; NULL = ours */
};

/* -EBADMSG: one of them gives other bytes than the first. */
int compare_views(const struct view *views, size_t nr, struct hl_error *err);

#endif
