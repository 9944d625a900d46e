/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ceilings of the PCIe links below a hop: see hl_ceiling_pcie_fill in hoploss/pcie.h.
 *
 * Source: facts of the chain of each drive. Surprising: several drives behind one link do not add
 * up beyond it, and the slowest link of two drives may be the same one.
 */
#include "hoploss/model.h"
#include "hoploss/pcie.h"
#include "hoploss/say.h"
#include <math.h>
#include <string.h>

#define MOST_DRIVES 128

struct drives {
	struct hl_pcie items[MOST_DRIVES];
	size_t nr;
	enum hl_dir dir;
};

static double limit_of(const struct drives *drives, size_t i)
{
	const struct hl_pcie *drive = &drives->items[i];

	return hl_pcie_bw(drive->limit_speed, drive->limit_width, drive->mps, drives->dir);
}

static bool is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* Those that share a link, and those whose slowest link is the same, are one group. */
static bool is_in_group(const struct hl_pcie *a, const struct hl_pcie *b)
{
	return is_same(a->shared_uplink, b->shared_uplink) ||
	       is_same(a->limiting_hop, b->limiting_hop);
}

static bool is_first_of_group(const struct drives *drives, size_t which)
{
	for (size_t i = 0; i < which; i++) {
		if (is_in_group(&drives->items[i], &drives->items[which]))
			return false;
	}
	return true;
}

/* What the link that a group shares carries; infinite where they share none. */
static double shared_bw(const struct hl_graph *graph, const struct drives *drives, size_t which)
{
	const struct hl_pcie *drive = &drives->items[which];
	struct hl_pcie uplink;
	double bw;

	if (!drive->shared_uplink)
		return INFINITY;
	uplink = hl_pcie_at(graph, drive, drive->shared_uplink);
	bw = uplink.is_synthetic ? NAN
				 : hl_pcie_bw(uplink.speed, uplink.width, drive->mps, drives->dir);
	return isnan(bw) ? INFINITY : bw;
}

/* The slowest link of an earlier one of its group: it counts once. */
static bool is_counted(const struct drives *drives, size_t first, size_t which)
{
	for (size_t i = first; i < which; i++) {
		if (is_same(drives->items[i].limiting_hop, drives->items[which].limiting_hop))
			return true;
	}
	return false;
}

static double group_bw(const struct hl_graph *graph, const struct drives *drives, size_t first)
{
	double sum = 0;

	for (size_t i = first; i < drives->nr; i++) {
		if ((i == first || is_in_group(&drives->items[first], &drives->items[i])) &&
		    !is_counted(drives, first, i))
			sum += limit_of(drives, i);
	}
	return fmin(sum, shared_bw(graph, drives, first));
}

static const char *formula_of(struct hl_graph *graph, const struct drives *drives, double bw)
{
	const struct hl_pcie *drive = &drives->items[0];
	const char *encoding = drive->limit_speed >= 8 ? "128/130" : "8/10";
	int overhead = drives->dir == HL_DIR_WRITE ? 20 : 24;
	const char *payload = isnan(drive->mps) ? "512"
						: hl_arena_printf(graph->arena, "%.0f", drive->mps);

	if (drives->nr > 1)
		return hl_arena_printf(graph->arena,
				       "the slowest link up to the root of each of %zu drives, "
				       "shared ones once = %s",
				       drives->nr, hl_say_rate(bw).text);
	return hl_arena_printf(graph->arena, "%g GT/s x %.0f x %s / 8 x %s / (%s + %d) = %s (%s)",
			       drive->limit_speed, drive->limit_width, encoding, payload, payload,
			       overhead, hl_say_rate(bw).text,
			       drive->limiting_hop ? drive->limiting_hop : drive->node);
}

static const char *name_of(struct hl_graph *graph, const struct drives *drives)
{
	const struct hl_pcie *drive = &drives->items[0];

	if (drives->nr > 1)
		return hl_arena_printf(graph->arena, "PCIe of %zu drives", drives->nr);
	return hl_arena_printf(graph->arena, "PCIe %g GT/s x%.0f", drive->limit_speed,
			       drive->limit_width);
}

static void add_ceiling(struct hl_graph *graph, const struct hl_hop *hop,
			const struct drives *drives)
{
	static const char *const keys[] = { "pcie.limit_speed_gts", "pcie.limit_width",
					    "pcie.mps" };
	struct hl_ceiling *ceiling;
	double bw = 0;

	for (size_t i = 0; i < drives->nr; i++) {
		if (is_first_of_group(drives, i))
			bw += group_bw(graph, drives, i);
	}
	if (!(bw > 0))
		return;
	ceiling = hl_graph_add_ceiling(graph);
	ceiling->name = name_of(graph, drives);
	ceiling->layer = HL_LAYER_LINK;
	ceiling->hop = hop;
	ceiling->dir = drives->dir;
	ceiling->bw = bw;
	ceiling->formula = formula_of(graph, drives, bw);
	ceiling->nr_from = sizeof(keys) / sizeof(*keys);
	ceiling->from = hl_arena_alloc(graph->arena, sizeof(keys));
	memcpy(ceiling->from, keys, sizeof(keys));
}

/* Further from the drives more lies between that this ceiling says nothing of. */
static bool is_near_drives(const struct hl_hop *hop)
{
	return hop->nr_measurements &&
	       (hop->layer == HL_LAYER_NONE || hop->layer == HL_LAYER_LINK ||
		hop->layer == HL_LAYER_DRIVE || hop->layer == HL_LAYER_POOL);
}

void hl_ceiling_pcie_fill(struct hl_graph *graph)
{
	struct drives *drives = hl_arena_alloc(graph->arena, sizeof(*drives));

	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		drives->nr = is_near_drives(hop)
				     ? hl_pcie_drives(graph, hop, drives->items, MOST_DRIVES)
				     : 0;
		for (int dir = HL_DIR_READ; drives->nr && dir <= HL_DIR_WRITE; dir++) {
			drives->dir = dir;
			add_ceiling(graph, hop, drives);
		}
	}
}
