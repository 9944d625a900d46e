/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The meters, one line each, and running all of them together.
 */
#include "hoploss/meter.h"
#include <stdlib.h>

extern const struct hl_meter hl_meter_threads, hl_meter_flow, hl_meter_disk, hl_meter_throttle,
	hl_meter_arc;

const struct hl_meter *const hl_meters[] = {
	&hl_meter_threads, &hl_meter_flow, &hl_meter_disk, &hl_meter_throttle, &hl_meter_arc, NULL,
};

#define NR_METERS (sizeof(hl_meters) / sizeof(*hl_meters) - 1)

struct hl_metering {
	struct hl_machine *machine;
	void *states[NR_METERS];
};

struct hl_metering *hl_metering_begin(const struct hl_meter_target *target)
{
	struct hl_metering *metering = hl_alloc(sizeof(*metering));

	metering->machine = hl_machine_open("/", NULL);
	for (size_t i = 0; i < NR_METERS; i++)
		metering->states[i] = hl_meters[i]->begin(metering->machine, target);
	return metering;
}

void hl_metering_tick(struct hl_metering *metering)
{
	for (size_t i = 0; i < NR_METERS; i++) {
		if (metering->states[i] && hl_meters[i]->tick)
			hl_meters[i]->tick(metering->states[i], metering->machine);
	}
}

void hl_metering_end(struct hl_metering *metering, double seconds, struct hl_graph *graph,
		     const char *node)
{
	const struct hl_origin origin = { .node = node };

	for (size_t i = 0; i < NR_METERS; i++) {
		if (metering->states[i])
			hl_meters[i]->end(metering->states[i], metering->machine, seconds, graph,
					  &origin);
	}
	hl_machine_close(metering->machine);
	free(metering);
}
