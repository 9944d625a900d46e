/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probes, one line each: see hoploss/probe.h.
 */
#include "hoploss/probe.h"
#include <string.h>

extern const struct hl_probe hl_probe_system;

/* clang-format off */
const struct hl_probe *const hl_probes[] = {
	&hl_probe_system,
	NULL,
};
/* clang-format on */

const struct hl_probe *hl_probe_find(const char *name)
{
	for (const struct hl_probe *const *probe = hl_probes; *probe; probe++) {
		if (!strcmp((*probe)->name, name))
			return *probe;
	}
	return NULL;
}
