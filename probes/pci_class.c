/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Class codes and their names, as far as they matter to an I/O path.
 *
 * Source: PCI Code and ID Assignment Specification; the names are those of pci.ids, which lspci
 * prints.
 */
#include "pci.h"
#include <math.h>
#include <string.h>

static const struct {
	unsigned code;
	const char *name;
} classes[] = {
	{ 0x0100, "SCSI storage controller" },
	{ 0x0101, "IDE interface" },
	{ 0x0104, "RAID bus controller" },
	{ 0x0105, "ATA controller" },
	{ 0x0106, "SATA controller" },
	{ 0x0107, "Serial Attached SCSI controller" },
	{ 0x0108, "Non-Volatile memory controller" },
	{ 0x0109, "Universal Flash Storage controller" },
	{ 0x0180, "Mass storage controller" },
	{ 0x0200, "Ethernet controller" },
	{ 0x0207, "Infiniband controller" },
	{ 0x0208, "Fabric controller" },
	{ 0x0280, "Network controller" },
	{ 0x0300, "VGA compatible controller" },
	{ 0x0302, "3D controller" },
	{ 0x0380, "Display controller" },
	{ 0x0600, "Host bridge" },
	{ 0x0601, "ISA bridge" },
	{ 0x0604, "PCI bridge" },
	{ 0x0680, "Bridge" },
	{ 0x0c03, "USB controller" },
	{ 0x0c04, "Fibre Channel" },
	{ 0x0c05, "SMBus" },
	{ 0x0c06, "InfiniBand" },
	{ 0x1200, "Processing accelerators" },
};

#define NR_CLASSES (sizeof(classes) / sizeof(*classes))

double hl_pci_class_code(const char *name)
{
	for (size_t i = 0; i < NR_CLASSES; i++) {
		if (!strcmp(classes[i].name, name))
			return classes[i].code;
	}
	return NAN;
}

const char *hl_pci_class_name(double code)
{
	for (size_t i = 0; i < NR_CLASSES; i++) {
		if (classes[i].code == code)
			return classes[i].name;
	}
	return NULL;
}

bool hl_pci_moves_data(const struct pci_function *at)
{
	double code = at->numbers[PCI_CLASS_CODE];
	double base = floor(code / 256);

	return base == 0x01 || base == 0x02 || base == 0x03 || base == 0x12 || code == 0x0c03 ||
	       code == 0x0c04 || code == 0x0c06;
}
