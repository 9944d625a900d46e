/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probes, one line each: see hoploss/probe.h.
 */
#include "hoploss/probe.h"
#include <string.h>

/* clang-format off */
#define PROBES(PROBE) \
	PROBE(block) \
	PROBE(cpu) \
	PROBE(iscsi) \
	PROBE(libvirt) \
	PROBE(link) \
	PROBE(mount) \
	PROBE(nvme) \
	PROBE(pcie) \
	PROBE(proxmox) \
	PROBE(qemu) \
	PROBE(smart) \
	PROBE(sriov) \
	PROBE(system) \
	PROBE(thermal) \
	PROBE(zfs)

/* clang-format on */

#define DECLARE(name)  extern const struct hl_probe hl_probe_##name;
#define POINT_AT(name) &hl_probe_##name,

PROBES(DECLARE)

const struct hl_probe *const hl_probes[] = { PROBES(POINT_AT) NULL };

const struct hl_probe *hl_probe_find(const char *name)
{
	for (const struct hl_probe *const *probe = hl_probes; *probe; probe++) {
		if (!strcmp((*probe)->name, name))
			return *probe;
	}
	return NULL;
}
