/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ceilings that follow from a standard alone: what a line can carry of what the user asked for.
 *
 * Source: IEEE 802.3 (14 bytes header, 4 FCS, 8 preamble, 12 gap), IPv4 and TCP with timestamps
 * (20 + 20 + 12); PCI Express Base Specification (symbol rate and encoding per generation, 24 bytes
 * of header, sequence number, LCRC and framing a memory write, 20 a completion). Not counted:
 * DLLPs, 2 to 5 %.
 */
#include "hoploss/model.h"
#include <math.h>

#define TCP_IP_BYTES   52
#define ETHERNET_BYTES 38
#define HEADER_BYTES   14 /* all that a shaper sees of them */
#define TLP_BYTES      24
#define CPLD_BYTES     20 /* of a completion with data: a header of three words */

static const struct {
	double gts, encoding;
} generations[] = {
	{ 2.5, 0.8 },        { 5, 0.8 },          { 8, 128.0 / 130 },
	{ 16, 128.0 / 130 }, { 32, 128.0 / 130 }, /* 64 GT/s has flits instead: another formula */
};

double hl_ceiling_ethernet(double bits_per_s, double mtu)
{
	if (!(bits_per_s > 0) || !(mtu > TCP_IP_BYTES) || isinf(bits_per_s) || isinf(mtu))
		return NAN;
	return bits_per_s / 8 * (mtu - TCP_IP_BYTES) / (mtu + ETHERNET_BYTES);
}

double hl_ceiling_shaped(double bytes_per_s, double mtu)
{
	if (!(bytes_per_s > 0) || !(mtu > TCP_IP_BYTES) || isinf(bytes_per_s) || isinf(mtu))
		return NAN;
	return bytes_per_s * (mtu - TCP_IP_BYTES) / (mtu + HEADER_BYTES);
}

static double pcie_bw(double gts, double width, double payload, double overhead)
{
	if (!(width >= 1 && width <= 32) || !(payload >= 128 && payload <= 4096))
		return NAN;
	for (size_t i = 0; i < sizeof(generations) / sizeof(*generations); i++) {
		if (generations[i].gts == gts)
			return gts * 1e9 * width * generations[i].encoding / 8 * payload /
			       (payload + overhead);
	}
	return NAN;
}

double hl_ceiling_pcie(double gts, double width, double mps)
{
	return pcie_bw(gts, width, mps, TLP_BYTES);
}

double hl_ceiling_pcie_writes(double gts, double width, double mps)
{
	return pcie_bw(gts, width, mps, CPLD_BYTES);
}
