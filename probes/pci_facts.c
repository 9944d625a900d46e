/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what is known of a PCI function to facts: a row a key.
 */
#include "pci.h"
#include <math.h>
#include <string.h>

static const char *const number_keys[PCI_NR_NUMBERS] = {
	[PCI_CAP_SPEED] = "pcie.cap_speed_gts",
	[PCI_CAP_WIDTH] = "pcie.cap_width",
	[PCI_SPEED] = "pcie.speed_gts",
	[PCI_WIDTH] = "pcie.width",
	[PCI_TARGET_SPEED] = "pcie.target_speed_gts",
	[PCI_BEST_SPEED] = "pcie.best_speed_gts",
	[PCI_BEST_WIDTH] = "pcie.best_width",
	[PCI_LIMIT_SPEED] = "pcie.limit_speed_gts",
	[PCI_LIMIT_WIDTH] = "pcie.limit_width",
	[PCI_MPS_CAP] = "pcie.mps_cap",
	[PCI_MPS] = "pcie.mps",
	[PCI_MRRS] = "pcie.mrrs",
	[PCI_NUMA_NODE] = "pcie.numa_node",
	[PCI_IOMMU_GROUP] = "pcie.iommu_group",
	[PCI_NR_VFS] = "pcie.vfs",
	[PCI_AER_CORRECTABLE_COUNT] = "pcie.aer_correctable_count",
	[PCI_AER_LINK_COUNT] = "pcie.aer_link_count",
	[PCI_AER_NONFATAL_COUNT] = "pcie.aer_nonfatal_count",
	[PCI_AER_FATAL_COUNT] = "pcie.aer_fatal_count",
};

static const char *const boolean_keys[PCI_NR_NUMBERS] = {
	[PCI_IS_DOWNGRADED] = "pcie.is_downgraded",
	[PCI_IS_EMPTY] = "pcie.is_empty",
	[PCI_IS_GONE] = "pcie.is_gone",
	[PCI_IS_SYNTHETIC] = "pcie.is_synthetic",
	[PCI_IS_VF] = "pcie.is_vf",
	[PCI_SLOT_PRESENT] = "pcie.slot_present",
};

static const char *const string_keys[PCI_NR_STRINGS] = {
	[PCI_NAME] = "pcie.name",
	[PCI_CLASS] = "pcie.class",
	[PCI_PORT_TYPE] = "pcie.port_type",
	[PCI_ASPM_CAP] = "pcie.aspm_cap",
	[PCI_ASPM] = "pcie.aspm",
	[PCI_AER_CORRECTABLE] = "pcie.aer_correctable",
	[PCI_AER_UNCORRECTABLE] = "pcie.aer_uncorrectable",
	[PCI_AER_COUNTED] = "pcie.aer_correctable_counted",
	[PCI_SLOT] = "pcie.slot",
	[PCI_DRIVER] = "pcie.driver",
	[PCI_POWER_STATE] = "pcie.power_state",
	[PCI_PHYSFN] = "pcie.physfn",
	[PCI_PARENT] = "pcie.parent",
	[PCI_LIMITING_HOP] = "pcie.limiting_hop",
	[PCI_SHARED_UPLINK] = "pcie.shared_uplink",
	[PCI_UPLINK_SHARED_BY] = "pcie.uplink_shared_by",
};

struct writer {
	struct hl_graph *graph;
	size_t nr_before; /* facts that the graph had, from another file or part of this one */
	struct hl_origin origin;
};

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_value(const struct hl_fact *a, const struct hl_fact *b)
{
	if (a->type != b->type)
		return false;
	return a->type == HL_FACT_STRING   ? is_same_text(a->string, b->string)
	       : a->type == HL_FACT_NUMBER ? a->number == b->number
					   : a->boolean == b->boolean;
}

/* Takes the last fact back if it was known. */
static void drop_known(const struct writer *writer, const struct hl_fact *added)
{
	struct hl_graph *graph = writer->graph;

	for (size_t i = 0; added && i < writer->nr_before; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (fact->key == added->key && is_same_text(fact->node, added->node) &&
		    is_same_text(fact->host, added->host) && is_same_value(fact, added)) {
			graph->nr_facts--;
			return;
		}
	}
}

static void add_function(struct writer *writer, const struct pci_function *at)
{
	writer->origin.node = at->node;
	for (int i = 0; i < PCI_NR_NUMBERS; i++) {
		writer->origin.source = at->number_sources[i];
		if (isnan(at->numbers[i]))
			continue;
		if (number_keys[i])
			drop_known(writer, hl_graph_add_number(writer->graph, &writer->origin,
							       number_keys[i], at->numbers[i]));
		if (boolean_keys[i])
			drop_known(writer,
				   hl_graph_add_boolean(writer->graph, &writer->origin,
							boolean_keys[i], at->numbers[i] != 0));
	}
	for (int i = 0; i < PCI_NR_STRINGS; i++) {
		writer->origin.source = at->string_sources[i];
		drop_known(writer, hl_graph_add_string(writer->graph, &writer->origin,
						       string_keys[i], at->strings[i]));
	}
}

void hl_pci_facts_add(const struct pci_listing *listing, const char *host, struct hl_graph *graph)
{
	struct writer writer = {
		.graph = graph,
		.nr_before = graph->nr_facts,
		.origin = { .host = host },
	};

	for (size_t i = 0; i < listing->nr; i++)
		add_function(&writer, listing->functions[i]);
}
