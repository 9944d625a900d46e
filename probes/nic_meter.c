/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the NIC of a flow dropped or saw broken during a slot.
 *
 * Source: /sys/class/net/NIC/statistics (Documentation/ABI/testing/sysfs-class-net-statistics), of
 * the NIC that the route to the portal leaves by and of those below it (lower_* of a bond, bridge
 * or VLAN). Surprising: a bridge has the ends of virtual machines below it as well, so a drop there
 * counts too.
 */
#include "hoploss/meter.h"
#include "hoploss/route.h"
#include "sysfs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS     "/sys/class/net"
#define MAX_NICS  16
#define MAX_DEPTH 4

static const struct {
	const char *file, *key;
} counters[] = {
	{ "rx_dropped", "nic.rx_dropped" },      { "rx_errors", "nic.rx_errors" },
	{ "rx_missed_errors", "nic.rx_missed" }, { "tx_dropped", "nic.tx_dropped" },
	{ "tx_errors", "nic.tx_errors" },
};

#define NR_COUNTERS (sizeof(counters) / sizeof(*counters))

struct nics {
	char *names[MAX_NICS];
	size_t nr;
	double before[NR_COUNTERS];
};

static bool has_nic(const struct nics *nics, const char *name)
{
	for (size_t i = 0; i < nics->nr; i++) {
		if (!strcmp(nics->names[i], name))
			return true;
	}
	return false;
}

static void add_nic(struct hl_machine *machine, struct nics *nics, const char *name, int depth)
{
	HL_FREE char *path = hl_printf(CLASS "/%s", name);
	char **names;
	size_t nr;

	if (nics->nr == MAX_NICS || has_nic(nics, name))
		return;
	nics->names[nics->nr++] = hl_strdup(name);
	if (depth == MAX_DEPTH || hl_machine_list(machine, path, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		if (!strncmp(names[i], "lower_", 6))
			add_nic(machine, nics, names[i] + 6, depth + 1);
	}
	hl_machine_free_names(names, nr);
}

/* Sum over the NICs; NAN where none has it. */
static double read_counter(struct hl_machine *machine, const struct nics *nics, const char *file)
{
	double sum = NAN;

	for (size_t i = 0; i < nics->nr; i++) {
		HL_FREE char *path = hl_printf(CLASS "/%s/statistics/%s", nics->names[i], file);
		double value = hl_sysfs_number(machine, path);

		if (!isnan(value))
			sum = isnan(sum) ? value : sum + value;
	}
	return sum;
}

static void *nics_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct hl_route route;
	struct nics *nics;

	if (!target->address || hl_route_find(target->address, &route, NULL) < 0 || route.is_local)
		return NULL;
	nics = hl_alloc(sizeof(*nics));
	add_nic(machine, nics, route.device, 0);
	for (size_t i = 0; i < NR_COUNTERS; i++)
		nics->before[i] = read_counter(machine, nics, counters[i].file);
	return nics;
}

static void nics_end(void *state, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	struct nics *nics = state;
	HL_FREE char *source = hl_printf(CLASS "/%s/statistics", nics->names[0]);
	struct hl_origin where = *origin;

	(void)seconds;
	where.source = source;
	for (size_t i = 0; i < NR_COUNTERS; i++)
		hl_graph_add_number(graph, &where, counters[i].key,
				    read_counter(machine, nics, counters[i].file) -
					    nics->before[i]);
	for (size_t i = 0; i < nics->nr; i++)
		free(nics->names[i]);
	free(nics);
}

const struct hl_meter hl_meter_nic = {
	.name = "nic",
	.summary = "drops and errors of the NIC that the flow leaves by",
	.begin = nics_begin,
	.end = nics_end,
};
