/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In place of probes/pci_config.c in the static file: libpci has no static archive. There config
 * space is only copied; the coordinator decodes it.
 */
#include "../../../probes/pci.h"
#include <errno.h>

int hl_pci_config_read(struct pci_listing *listing, struct hl_error *err)
{
	(void)listing;
	return hl_fail(err, EOPNOTSUPP, "this build has no libpci to read config space with");
}

int hl_pci_config_name(struct pci_listing *listing, struct hl_error *err)
{
	(void)listing;
	return hl_fail(err, EOPNOTSUPP, "this build has no libpci to name devices with");
}
