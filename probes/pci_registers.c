/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the values of link registers mean, in the words of lspci.
 *
 * Source: PCI Express Base Specification 6.0, 7.5.3 (Express capability); the rate of a link as
 * Linux reckons it (PCIE_SPEED2MBS_ENC): after the encoding, before the headers of packets.
 */
#include "pci.h"
#include <math.h>
#include <stddef.h>

#define MAX_WIDTH 32

static const struct {
	double gts, encoding;
} speeds[] = {
	[1] = { 2.5, 0.8 },        [2] = { 5, 0.8 },          [3] = { 8, 128.0 / 130 },
	[4] = { 16, 128.0 / 130 }, [5] = { 32, 128.0 / 130 }, [6] = { 64, 1 },
};

#define NR_SPEEDS (sizeof(speeds) / sizeof(*speeds))

double hl_pci_speed(unsigned code)
{
	return code && code < NR_SPEEDS ? speeds[code].gts : NAN;
}

double hl_pci_width(double lanes)
{
	return lanes >= 1 && lanes <= MAX_WIDTH ? lanes : NAN;
}

double hl_pci_link_bw(double gts, double width)
{
	for (size_t i = 1; i < NR_SPEEDS; i++) {
		if (speeds[i].gts == gts)
			return gts * 1e9 * speeds[i].encoding / 8 * hl_pci_width(width);
	}
	return NAN;
}

const char *hl_pci_aspm_cap_name(unsigned code)
{
	static const char *const names[] = { "not supported", "L0s", "L1", "L0s L1" };

	return names[code & 3];
}

const char *hl_pci_aspm_name(unsigned code)
{
	static const char *const names[] = { "Disabled", "L0s Enabled", "L1 Enabled",
					     "L0s L1 Enabled" };

	return names[code & 3];
}

const char *hl_pci_port_type_name(unsigned code)
{
	static const char *const names[16] = {
		[0] = "Endpoint",
		[1] = "Legacy Endpoint",
		[4] = "Root Port",
		[5] = "Upstream Port",
		[6] = "Downstream Port",
		[7] = "PCI-Express to PCI/PCI-X Bridge",
		[8] = "PCI/PCI-X to PCI-Express Bridge",
		[9] = "Root Complex Integrated Endpoint",
		[10] = "Root Complex Event Collector",
	};

	return names[code & 15];
}
