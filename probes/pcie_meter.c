/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PCIe link of a drive while it works: an idle link may have gone down to save power, and only
 * what it runs at under load counts.
 *
 * Source: /sys/dev/block/MAJOR:MINOR is a link that leads through the addresses of all bridges to
 * the drive; current_link_speed and current_link_width of the last one. Read once a slot, half a
 * second into it: each read is one of config space.
 */
#include "hoploss/meter.h"
#include "hoploss/number.h"
#include "pci.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define READ_AT_TICK 5
#define MAX_PATH     128

struct link_state {
	char device[PCI_NODE]; /* its address */
	unsigned nr_ticks;
	double speed, width;
	char source[MAX_PATH];
};

/* The device number of a block device, or of the one that holds a file. */
static bool device_of(const char *path, dev_t *ret_device)
{
	struct stat status;

	if (!path || stat(path, &status) < 0)
		return false;
	*ret_device = S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev;
	return true;
}

/* The last part of path that is the address of a PCI function; false: there is none. */
static bool last_address(char *path, char ret_address[PCI_NODE])
{
	bool is_found = false;
	char *rest = path, *part;

	while ((part = strsep(&rest, "/"))) {
		struct pci_function at;
		size_t len = strlen(part);

		if (!len || len >= PCI_NODE || hl_pci_read_address(part, len, &at) != len)
			continue;
		memcpy(ret_address, part, len + 1);
		is_found = true;
	}
	return is_found;
}

static void *pcie_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct link_state state = { .speed = NAN, .width = NAN };
	HL_FREE char *link = NULL, *name = NULL;
	struct link_state *kept;
	dev_t device;

	if (!device_of(target->path, &device))
		return NULL;
	name = hl_printf("/sys/dev/block/%u:%u", major(device), minor(device));
	if (hl_machine_readlink(machine, name, &link, NULL) < 0 ||
	    !last_address(link, state.device))
		return NULL;
	kept = hl_alloc(sizeof(*kept));
	*kept = state;
	return kept;
}

/* The number that the attribute begins with; NAN. */
static double read_number(struct hl_machine *machine, struct link_state *state, const char *name)
{
	HL_FREE char *text = NULL;
	double value = NAN;
	size_t len;

	snprintf(state->source, sizeof(state->source), "/sys/bus/pci/devices/%s/%s", state->device,
		 name);
	if (hl_machine_read(machine, state->source, &text, &len, NULL) == 0)
		hl_number_double(text, strcspn(text, " \n"), &value);
	return value;
}

static void pcie_tick(void *opaque, struct hl_machine *machine, struct hl_meter_points *points)
{
	struct link_state *state = opaque;

	(void)points;
	if (++state->nr_ticks != READ_AT_TICK)
		return;
	state->width = hl_pci_width(read_number(machine, state, "current_link_width"));
	state->speed = read_number(machine, state, "current_link_speed");
}

static void pcie_end(void *opaque, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	struct link_state *state = opaque;
	struct hl_origin where = *origin;

	(void)machine;
	(void)seconds;
	where.source = state->source;
	if (!isnan(state->width)) {
		hl_graph_add_number(graph, &where, "pcie.loaded_speed_gts", state->speed);
		hl_graph_add_number(graph, &where, "pcie.loaded_width", state->width);
	}
	free(state);
}

const struct hl_meter hl_meter_pcie = {
	.name = "pcie",
	.summary = "speed and width of the drive's PCIe link while it works",
	.begin = pcie_begin,
	.tick = pcie_tick,
	.end = pcie_end,
};
