/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A meter: counters of a machine that move while a slot runs, read before, during (10 times a
 * second) and after it. What it saw becomes facts of the slot, and lines of the timeline.
 *
 * To add one: a const struct at the bottom of its own file in probes/ and one line in
 * probes/meters.c. A meter that cannot read its counters has no facts; it never fails a slot.
 */
#ifndef HOPLOSS_METER_H
#define HOPLOSS_METER_H

#include "hoploss/graph.h"
#include "hoploss/machine.h"

struct hl_meter_target {
	const char *path;    /* of a block device or file; NULL */
	const char *address; /* numeric, of an iSCSI portal or TCP peer; NULL */
	unsigned port;
};

/* Of the lines of a slot, as far as they are drawn. */
struct hl_meter_points {
	struct hl_graph *graph; /* that has them until they are handed out */
	double started_at;      /* of CLOCK_MONOTONIC */
	double now_s;           /* since then */
};

/*
 * Draws a value of now: of a node, or of the machine (NULL). key must be static. NAN draws nothing.
 */
void hl_meter_point(struct hl_meter_points *points, const char *node, const char *key,
		    double value);

struct hl_meter {
	const char *name;
	const char *summary;
	/* Reads what there is before the slot; returns its state, or NULL when it has none. */
	void *(*begin)(struct hl_machine *machine, const struct hl_meter_target *target);
	/* NULL = not needed. What costs something is done every so many ticks only. */
	void (*tick)(void *state, struct hl_machine *machine, struct hl_meter_points *points);
	/*
	 * After the slot, which took so many seconds: adds facts under origin (host and node are
	 * set, source is the meter's) and frees the state.
	 */
	void (*end)(void *state, struct hl_machine *machine, double seconds, struct hl_graph *graph,
		    const struct hl_origin *origin);
};

extern const struct hl_meter *const hl_meters[]; /* NULL-terminated */

/* All meters at once. */
struct hl_metering;

struct hl_metering *hl_metering_begin(const struct hl_meter_target *target);
void hl_metering_tick(struct hl_metering *metering);
/* Facts, and lines of the timeline by the time since the slot began. */
void hl_metering_end(struct hl_metering *metering, double seconds, struct hl_graph *graph,
		     const char *node);

#endif
