/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A net_failover NIC: see net_link.h.
 *
 * Source: Documentation/networking/net_failover.rst. The guest sees three: the master, the standby
 * (virtio) and the primary (the VF). The primary carries while it has a carrier. Surprising:
 * nothing in sysfs says what the master is; but it and its standby hang on the same virtio device.
 */
#include "hoploss/alloc.h"
#include "net_link.h"
#include "sysfs.h"
#include <stdlib.h>
#include <string.h>

#define CLASS "/sys/class/net"

static char *device_of(struct hl_machine *machine, const char *nic)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/device", nic);

	return hl_sysfs_link(machine, path);
}

static bool has_carrier(struct hl_machine *machine, const char *nic)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/carrier", nic);

	return hl_sysfs_number(machine, path) == 1;
}

/* Both names, to be freed; NULL where it has none. */
struct pair {
	char *standby, *primary;
};

static struct pair find_pair(const struct net_link *link, const char *device)
{
	HL_FREE char *path = hl_printf(CLASS "/%s", link->name);
	struct pair pair = { 0 };
	char **names;
	size_t nr;

	if (hl_machine_list(link->machine, path, &names, &nr, NULL) < 0)
		return pair;
	for (size_t i = 0; i < nr; i++) {
		const char *lower = names[i] + strlen("lower_");
		HL_FREE char *below = NULL;
		char **slot;

		if (strncmp(names[i], "lower_", 6) != 0)
			continue;
		below = device_of(link->machine, lower);
		slot = below && !strcmp(below, device) ? &pair.standby : &pair.primary;
		if (!*slot)
			*slot = hl_strdup(lower);
	}
	hl_machine_free_names(names, nr);
	return pair;
}

void net_link_failover(const struct net_link *link)
{
	HL_FREE char *path = hl_printf(CLASS "/%s", link->name);
	HL_FREE char *device = device_of(link->machine, link->name);
	HL_FREE char *below = NULL;
	struct pair pair = { 0 };
	const char *active;

	if (device && !strncmp(device, "virtio", 6))
		pair = find_pair(link, device);
	if (pair.standby) {
		active = pair.primary && has_carrier(link->machine, pair.primary) ? pair.primary
										  : pair.standby;
		below = pair.primary ? hl_printf("%s %s", pair.standby, pair.primary)
				     : hl_strdup(pair.standby);
		net_link_add_text(link, NULL, "link.kind", "net_failover", path);
		net_link_add_text(link, NULL, "link.below", below, path);
		net_link_add_text(link, NULL, "link.standby", pair.standby, path);
		net_link_add_text(link, NULL, "link.primary", pair.primary, path);
		net_link_add_text(link, NULL, "link.active_slave", active, path);
	}
	free(pair.standby);
	free(pair.primary);
}
