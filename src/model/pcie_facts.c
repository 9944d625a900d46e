/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PCIe functions out of facts: see hoploss/pcie.h. Classes are told by their names in pci.ids.
 */
#include "hoploss/model.h"
#include "hoploss/pcie.h"
#include "hoploss/place.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

#define LARGEST_MPS 512 /* that systems set */

static const struct {
	const char *key;
	size_t offset;
} numbers[] = {
	{ "pcie.speed_gts", offsetof(struct hl_pcie, speed) },
	{ "pcie.width", offsetof(struct hl_pcie, width) },
	{ "pcie.cap_speed_gts", offsetof(struct hl_pcie, cap_speed) },
	{ "pcie.cap_width", offsetof(struct hl_pcie, cap_width) },
	{ "pcie.best_speed_gts", offsetof(struct hl_pcie, best_speed) },
	{ "pcie.best_width", offsetof(struct hl_pcie, best_width) },
	{ "pcie.target_speed_gts", offsetof(struct hl_pcie, target_speed) },
	{ "pcie.limit_speed_gts", offsetof(struct hl_pcie, limit_speed) },
	{ "pcie.limit_width", offsetof(struct hl_pcie, limit_width) },
	{ "pcie.mps", offsetof(struct hl_pcie, mps) },
};

static const struct {
	const char *key;
	size_t offset;
} strings[] = {
	{ "pcie.name", offsetof(struct hl_pcie, name) },
	{ "pcie.class", offsetof(struct hl_pcie, class) },
	{ "pcie.port_type", offsetof(struct hl_pcie, type) },
	{ "pcie.slot", offsetof(struct hl_pcie, slot) },
	{ "pcie.parent", offsetof(struct hl_pcie, parent) },
	{ "pcie.limiting_hop", offsetof(struct hl_pcie, limiting_hop) },
	{ "pcie.shared_uplink", offsetof(struct hl_pcie, shared_uplink) },
	{ "pcie.uplink_shared_by", offsetof(struct hl_pcie, sharers) },
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

static bool is_true(const struct hl_graph *graph, const struct hl_fact *at, const char *key)
{
	const struct hl_fact *fact = hl_place_beside(graph, at, key);

	return fact && fact->type == HL_FACT_BOOLEAN && fact->boolean;
}

struct hl_pcie hl_pcie_of(const struct hl_graph *graph, const struct hl_fact *fact)
{
	struct hl_pcie pcie = { .host = fact->host, .node = fact->node };

	for (size_t i = 0; i < NR(numbers); i++) {
		const struct hl_fact *other = hl_place_beside(graph, fact, numbers[i].key);

		*(double *)((char *)&pcie +
			    numbers[i].offset) = other && other->type == HL_FACT_NUMBER
							 ? other->number
							 : NAN;
	}
	for (size_t i = 0; i < NR(strings); i++) {
		const struct hl_fact *other = hl_place_beside(graph, fact, strings[i].key);

		*(const char **)((char *)&pcie + strings[i].offset) = other ? other->string : NULL;
	}
	pcie.is_vf = is_true(graph, fact, "pcie.is_vf");
	pcie.is_empty = is_true(graph, fact, "pcie.is_empty");
	pcie.is_synthetic = is_true(graph, fact, "pcie.is_synthetic");
	return pcie;
}

struct hl_pcie hl_pcie_at(const struct hl_graph *graph, const struct hl_pcie *beside,
			  const char *node)
{
	return hl_pcie_of(graph, &(struct hl_fact){ .host = beside->host, .node = node });
}

const struct hl_fact *hl_pcie_fact(const struct hl_graph *graph, const struct hl_pcie *pcie,
				   const char *key)
{
	return hl_place_beside(graph, &(struct hl_fact){ .host = pcie->host, .node = pcie->node },
			       key);
}

static bool has_class(const struct hl_pcie *pcie, const char *const *parts)
{
	for (; pcie->class && *parts; parts++) {
		if (strcasestr(pcie->class, *parts))
			return true;
	}
	return false;
}

bool hl_pcie_is_storage(const struct hl_pcie *pcie)
{
	static const char *const parts[] = { "Non-Volatile memory", "SATA",     "SCSI", "RAID",
					     "Mass storage",        "ATA cont", "IDE",  NULL };

	return has_class(pcie, parts);
}

bool hl_pcie_is_network(const struct hl_pcie *pcie)
{
	static const char *const parts[] = { "Ethernet", "Network", "InfiniBand", "Fibre Channel",
					     NULL };

	return has_class(pcie, parts);
}

bool hl_pcie_looks_down(const struct hl_pcie *pcie)
{
	return pcie->type &&
	       (!strcmp(pcie->type, "Root Port") || !strcmp(pcie->type, "Downstream Port"));
}

double hl_pcie_bw(double gts, double width, double mps, enum hl_dir dir)
{
	double payload = isnan(mps) ? LARGEST_MPS : mps;

	return dir == HL_DIR_WRITE ? hl_ceiling_pcie_writes(gts, width, payload)
				   : hl_ceiling_pcie(gts, width, payload);
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_listed(const struct hl_pcie *drives, size_t nr, const struct hl_fact *fact)
{
	for (size_t i = 0; i < nr; i++) {
		if (is_same(drives[i].host, fact->host) && is_same(drives[i].node, fact->node))
			return true;
	}
	return false;
}

size_t hl_pcie_drives(const struct hl_graph *graph, const struct hl_hop *hop,
		      struct hl_pcie *ret_drives, size_t most)
{
	const struct hl_fact *fact;
	size_t nr = 0;

	for (size_t i = 0; nr < most; i++) {
		struct hl_pcie pcie;

		fact = hl_place_fact(graph, hop, "pcie.limit_width", i);
		if (!fact)
			break;
		pcie = hl_pcie_of(graph, fact);
		if (hl_pcie_is_storage(&pcie) && !is_listed(ret_drives, nr, fact))
			ret_drives[nr++] = pcie;
	}
	return nr;
}
