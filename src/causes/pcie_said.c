/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about PCIe links have in common: see pcie_said.h.
 */
#include "pcie_said.h"
#include "hoploss/place.h"
#include <math.h>
#include <string.h>

const char *pcie_say_device(struct hl_graph *graph, const struct hl_pcie *pcie)
{
	const char *slot = pcie->slot ? hl_arena_printf(graph->arena, "slot %s", pcie->slot) : NULL;

	if (!pcie->name && !slot)
		return pcie->node;
	return hl_arena_printf(graph->arena, "%s (%s%s%s)", pcie->node,
			       pcie->name ? pcie->name : "", pcie->name && slot ? ", " : "",
			       slot ? slot : "");
}

const char *pcie_say_link(struct hl_graph *graph, double speed, double width)
{
	const char *lanes = isnan(width) ? "" : hl_arena_printf(graph->arena, "x%.0f", width);

	if (isnan(speed))
		return lanes;
	return hl_arena_printf(graph->arena, "%g GT/s%s%s", speed, *lanes ? " " : "", lanes);
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool pcie_is_first(const struct hl_graph *graph, const char *key, size_t index)
{
	const struct hl_fact *fact = hl_place_fact(graph, NULL, key, index);

	for (size_t i = 0; i < index; i++) {
		const struct hl_fact *other = hl_place_fact(graph, NULL, key, i);

		if (is_same(other->node, fact->node) && is_same(other->host, fact->host))
			return false;
	}
	return true;
}

bool pcie_fastest(const struct hl_hop *hop, enum hl_dir dir, struct hl_trial *ret_trial)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	bool is_found = false;

	hl_trials_read(hop, dir, &trials);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *trial = &trials.items[i];

		if (!trial->is_pure || trial->at->experiment ||
		    (is_found && trial->bw <= ret_trial->bw))
			continue;
		*ret_trial = *trial;
		is_found = true;
	}
	return is_found;
}

void pcie_add_evidence(struct hl_graph *graph, struct hl_finding *finding,
		       const struct hl_pcie *pcie, const char *const *keys)
{
	for (; *keys; keys++)
		hl_finding_add_evidence(graph, finding, hl_pcie_fact(graph, pcie, *keys));
}
