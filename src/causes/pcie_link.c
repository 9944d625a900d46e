/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcie-link-downgraded: a PCIe link runs slower or narrower than both of its ends can.
 *
 * Source: link capability and status of the device and of the port above it, and the reads and
 * writes of the hop that stands on it. Surprising: a Gen4 drive in a Gen5 port is as it should be,
 * though the port is below what it can do; an idle link may have gone down to 2.5 GT/s by itself;
 * and a link whose ceiling is exceeded by a measurement was up when it mattered.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "pcie_said.h"
#include <math.h>
#include <string.h>

#define IDLE_SPEED  2.5 /* GT/s, that links save power at */
#define MOST_DRIVES 128

struct link {
	struct hl_pcie end; /* the one that looks up; a port alone, where nothing is known below */
	double best_speed, best_width;
	bool is_both_known; /* what both ends can do */
	bool is_held;       /* the target speed is set as low as it runs */
	bool is_lone_port;
	bool is_in_guest;                  /* the port above it is made up */
	double loaded_speed, loaded_width; /* while it worked; NAN = not read */
	const struct hl_hop *hop;          /* that stands on it; NULL */
	double share;                      /* of the hop's bandwidth that crosses it */
};

/* ---- which links ---- */

/* Another function of the device stands for it: they have one link. */
static bool is_told_by_first(const struct hl_graph *graph, const struct hl_pcie *end)
{
	HL_FREE char *first = hl_strdup(end->node);
	size_t len = strlen(first);

	if (!len || first[len - 1] == '0')
		return false;
	first[len - 1] = '0';
	return !isnan(hl_pcie_at(graph, end, first).width);
}

static size_t nr_links(const struct hl_graph *graph)
{
	size_t nr = 0;

	while (hl_place_fact(graph, NULL, "pcie.cap_width", nr))
		nr++;
	return nr;
}

/* Where the type is not known: something stands below it. */
static bool is_bridge(const struct hl_graph *graph, const struct hl_pcie *end)
{
	const struct hl_fact *parent;

	for (size_t i = 0; (parent = hl_place_fact(graph, NULL, "pcie.parent", i)); i++) {
		if (parent->string && !strcmp(parent->string, end->node) &&
		    (parent->host == end->host ||
		     (parent->host && end->host && !strcmp(parent->host, end->host))))
			return true;
	}
	return false;
}

/* Root bridges and displays are left out: no I/O path leads over them. */
static bool is_of_a_path(const struct hl_graph *graph, const struct hl_pcie *end)
{
	if (end->is_vf || end->is_empty || end->is_synthetic || !(end->width <= end->cap_width))
		return false;
	if (hl_pcie_looks_down(end))
		return nr_links(graph) == 1;
	if (end->type && !strcmp(end->type, "Upstream Port"))
		return true;
	return (!end->class || hl_pcie_is_storage(end) || hl_pcie_is_network(end)) &&
	       !is_bridge(graph, end) && !is_told_by_first(graph, end);
}

static double share_of(const struct hl_graph *graph, const struct link *link)
{
	struct hl_pcie *drives;
	size_t nr = 0;

	if (!link->hop || !hl_pcie_is_storage(&link->end))
		return 1;
	drives = hl_arena_alloc(graph->arena, MOST_DRIVES * sizeof(*drives));
	nr = hl_pcie_drives(graph, link->hop, drives, MOST_DRIVES);
	return nr > 1 ? 1.0 / (double)nr : 1;
}

/* False: it runs as fast and wide as it can. */
static bool is_below(struct link *link)
{
	struct hl_pcie *end = &link->end;

	link->is_both_known = !isnan(end->best_speed) && !isnan(end->best_width) &&
			      !link->is_lone_port;
	link->best_speed = link->is_both_known ? end->best_speed : end->cap_speed;
	link->best_width = link->is_both_known ? end->best_width : end->cap_width;
	link->is_held = end->target_speed <= end->speed && end->speed < link->best_speed;
	return end->speed < link->best_speed || end->width < link->best_width;
}

/* Read in a slot of the hop that stands on this drive alone. */
static double loaded(const struct hl_graph *graph, const struct link *link, const char *key)
{
	double most = NAN;

	if (!link->hop || link->share < 1 || !hl_pcie_is_storage(&link->end))
		return NAN;
	for (size_t i = 0; i < link->hop->nr_measurements; i++)
		most = fmax(most, hl_beside_number(graph, link->hop->measurements[i], key));
	return most;
}

static bool read_link(const struct hl_graph *graph, const struct hl_fact *fact,
		      struct link *ret_link)
{
	struct link link = { .end = hl_pcie_of(graph, fact) };

	if (!is_of_a_path(graph, &link.end))
		return false;
	link.is_lone_port = hl_pcie_looks_down(&link.end);
	link.is_in_guest = link.end.parent &&
			   hl_pcie_at(graph, &link.end, link.end.parent).is_synthetic;
	if (!is_below(&link))
		return false;
	link.hop = hl_place_hop(graph, fact);
	link.share = share_of(graph, &link);
	link.loaded_speed = loaded(graph, &link, "pcie.loaded_speed_gts");
	link.loaded_width = loaded(graph, &link, "pcie.loaded_width");
	*ret_link = link;
	return !(link.loaded_speed >= link.best_speed && link.loaded_width >= link.best_width);
}

/* ---- how sure ---- */

static double now_bw(const struct link *link, enum hl_dir dir)
{
	return hl_pcie_bw(link->end.speed, link->end.width, link->end.mps, dir);
}

static double best_bw(const struct link *link, enum hl_dir dir)
{
	return hl_pcie_bw(link->best_speed, link->best_width, link->end.mps, dir);
}

/* Only slower, and so slow that it may be asleep. */
static bool may_be_idle(const struct link *link)
{
	return link->end.speed == IDLE_SPEED && !(link->end.width < link->best_width) &&
	       !link->is_held && isnan(link->loaded_speed);
}

/* A card that can do less is what a port alone most often has below it. */
static enum hl_state state_by_registers(const struct link *link)
{
	if (link->is_lone_port)
		return HL_AMBIGUOUS;
	return link->is_both_known && !may_be_idle(link) ? HL_CONFIRMED : HL_SUSPECTED;
}

/* Of the link's ceiling, the part that the fastest job of that direction fills; NAN. */
static double load_of(const struct link *link, enum hl_dir dir, struct hl_trial *ret_trial)
{
	if (!link->hop || !pcie_fastest(link->hop, dir, ret_trial))
		return NAN;
	return ret_trial->bw * link->share / now_bw(link, dir);
}

/* ---- words ---- */

static const char *say_link(struct hl_graph *graph, const struct link *link)
{
	const struct hl_pcie *end = &link->end;

	return hl_arena_printf(
		graph->arena, "The link of %s runs at %s; %s %s%s.", pcie_say_device(graph, end),
		pcie_say_link(graph, end->speed, end->width),
		link->is_both_known  ? "both ends can do"
		: link->is_lone_port ? "the port can do"
				     : "the device can do",
		pcie_say_link(graph, link->best_speed, link->best_width),
		isnan(now_bw(link, HL_DIR_READ)) || isnan(best_bw(link, HL_DIR_READ))
			? ""
			: hl_arena_printf(graph->arena, ": reads of %s at most instead of %s",
					  hl_say_rate(now_bw(link, HL_DIR_READ)).text,
					  hl_say_rate(best_bw(link, HL_DIR_READ)).text));
}

static const char *say_doubt(struct hl_graph *graph, const struct link *link)
{
	if (!isnan(link->loaded_speed))
		return hl_arena_printf(
			graph->arena, " While it worked it ran at %s.",
			pcie_say_link(graph, link->loaded_speed, link->loaded_width));
	if (link->is_held)
		return hl_arena_printf(graph->arena, " Its target speed is set to %g GT/s.",
				       link->end.target_speed);
	if (may_be_idle(link))
		return " It may have been saving power when it was looked at.";
	if (link->is_lone_port)
		return " What the device below it can do was not given.";
	if (link->is_in_guest)
		return " The port above it is the hypervisor's; the real one is on the host.";
	return link->is_both_known ? "" : " What the port above it can do was not given.";
}

static const char *fix_of(const struct link *link)
{
	if (link->is_held)
		return "Raise the link speed: firmware setup (\"PCIe speed\", \"Gen\"), or "
		       "whatever "
		       "script sets it; then retrain the link.";
	if (link->end.width < link->best_width)
		return "Reseat the drive or card; another slot, backplane port, cable or riser; in "
		       "the firmware the slot's bifurcation and lanes.";
	return "Firmware setup (\"PCIe speed\", \"Gen\", power saving); reseat it; a shorter cable "
	       "or another riser; look for errors on the link.";
}

static const char *next_of(const struct link *link)
{
	if (link->is_in_guest)
		return "What the real port above it can do: lspci -vv on the host.";
	if (!link->is_both_known)
		return link->is_lone_port
			       ? "What the device below it can do: lspci -vv of the whole machine."
			       : "What the port above it can do: lspci -vv of the whole machine.";
	if (may_be_idle(link))
		return "Read the link again while reads run.";
	return NULL;
}

/* ---- findings ---- */

static struct hl_finding *add_finding(struct hl_graph *graph, const struct hl_cause *cause,
				      const struct link *link, const struct hl_trial *trial)
{
	static const char *const keys[] = { "pcie.speed_gts",
					    "pcie.width",
					    "pcie.cap_speed_gts",
					    "pcie.cap_width",
					    "pcie.best_speed_gts",
					    "pcie.best_width",
					    "pcie.target_speed_gts",
					    "pcie.mps",
					    NULL };
	struct hl_finding *finding = hl_cause_found(graph, cause, trial ? link->hop : NULL,
						    trial ? trial->at : NULL,
						    trial ? trial->dir : HL_DIR_READ);

	if (hl_pcie_is_network(&link->end))
		finding->layer = link->hop && trial ? link->hop->layer : HL_LAYER_WIRE;
	pcie_add_evidence(graph, finding, &link->end, keys);
	for (size_t i = 0; !isnan(link->loaded_speed) && i < link->hop->nr_measurements; i++)
		hl_finding_add_evidence(
			graph, finding,
			hl_beside_fact(graph, link->hop->measurements[i], "pcie.loaded_speed_gts"));
	finding->state = state_by_registers(link);
	finding->fix = fix_of(link);
	finding->next = next_of(link);
	finding->paste = hl_arena_printf(graph->arena,
					 "lspci -tv\n"
					 "lspci -vv -s %s | grep -E 'LnkCap|LnkSta|LnkCtl2'\n",
					 link->end.node);
	return finding;
}

static void found_at(struct hl_graph *graph, const struct hl_cause *cause, const struct link *link,
		     const struct hl_trial *trial, double load)
{
	struct hl_finding *finding = add_finding(graph, cause, link, trial);

	if (load >= PCIE_AT) {
		finding->state = HL_CONFIRMED;
		finding->next = NULL;
	}
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	finding->text = hl_arena_printf(
		graph->arena, "%s %s at %s reach %s, %s of what it carries.", say_link(graph, link),
		trial->dir == HL_DIR_READ ? "Reads" : "Writes", link->hop->name,
		hl_say_rate(trial->bw).text, hl_say_share(load).text);
	finding->predicted_bw = best_bw(link, trial->dir) / link->share;
	finding->predicted_kind = HL_AT_MOST;
}

/* Nothing measured fills it. */
static void found_alone(struct hl_graph *graph, const struct hl_cause *cause,
			const struct link *link)
{
	struct hl_finding *finding = add_finding(graph, cause, link, NULL);

	finding->text = hl_arena_printf(
		graph->arena, "%s%s%s", say_link(graph, link), say_doubt(graph, link),
		link->hop ? " What was measured over it does not fill it." : "");
}

static void match_link(struct hl_graph *graph, const struct hl_cause *cause,
		       const struct link *link)
{
	struct hl_trial trials[2];
	double loads[2];
	bool is_filled = false;

	for (int dir = HL_DIR_READ; dir <= HL_DIR_WRITE; dir++) {
		loads[dir] = load_of(link, dir, &trials[dir]);
		if (loads[dir] > PCIE_REFUTED)
			return;
	}
	for (int dir = HL_DIR_READ; dir <= HL_DIR_WRITE; dir++) {
		if (!(loads[dir] >= PCIE_NEAR))
			continue;
		found_at(graph, cause, link, &trials[dir], loads[dir]);
		is_filled = true;
	}
	if (!is_filled)
		found_alone(graph, cause, link);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	struct link *links = NULL;
	const struct hl_fact *fact;
	size_t nr = 0;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, "pcie.is_downgraded", i)); i++) {
		struct link link;

		if (!fact->boolean || !read_link(graph, fact, &link) ||
		    !pcie_is_first(graph, "pcie.is_downgraded", i))
			continue;
		links = hl_arena_extend(graph->arena, links, nr, sizeof(*links));
		links[nr++] = link;
	}
	for (size_t i = 0; i < nr; i++)
		match_link(graph, cause, &links[i]);
}

static const char *const rivals[] = { "pcie-shared-uplink", "pcie-aer-errors", NULL };

const struct hl_cause hl_cause_pcie_link_downgraded = {
	.id = "pcie-link-downgraded",
	.summary = "a PCIe link is slower or narrower than both of its ends can",
	.layer = HL_LAYER_LINK,
	.explain =
		"A PCIe link trains to the highest speed and width that both ends and what lies "
		"between them allow. A dirty contact, a bad riser, cable or backplane, bifurcation "
		"set wrong or a speed limit in the firmware make it slower or narrower, and "
		"everything behind it is held to GT/s x lanes x encoding / 8 x MPS / (MPS + "
		"24).\n\n"
		"Recognised by the link status of a drive, NIC or switch being below what both its "
		"own capability and that of the port above it allow. Confirmed by the registers of "
		"both ends, or by reads or writes that fill the link as it is (95 % of it). "
		"Suspected where only one end is known, or where the speed alone is down to 2.5 "
		"GT/s: an idle link may save power. A measurement faster than the link clears "
		"it.\n\n"
		"What looks the same and is not told: a Gen4 drive in a Gen5 port, an empty port, "
		"a "
		"VF (it has no link), QEMU's root ports and Thunderbolt or USB4, whose links are "
		"no "
		"wires. A link that several drives share can be full while each own link is as it "
		"should be.\n\n"
		"Decided by reading the link again under load, and by lspci -vv of both ends.\n\n"
		"What to do: reseat; another slot, cable or riser; bifurcation and link speed in "
		"the firmware.",
	.rivals = rivals,
	.match = match,
};
