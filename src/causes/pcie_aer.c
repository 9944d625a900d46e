/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcie-aer-errors: a PCIe link has errors that it mends by sending again.
 *
 * Source: the kernel's counters of both ends of a link, before and after the run where there were
 * two captures; else what they hold since boot, or the sticky flags of the error status register.
 * Surprising: "advisory non-fatal" errors come of probing a device and say nothing of a link; a
 * flag without a count may be as old as the last boot.
 */
#include "hoploss/cause.h"
#include "hoploss/place.h"
#include "pcie_said.h"
#include <math.h>
#include <string.h>

#define MANY 10 /* while it was measured: no chance event */

static const char *const keys[] = { "pcie.aer_link_count",
				    "pcie.aer_correctable_counted",
				    "pcie.aer_nonfatal_count",
				    "pcie.aer_fatal_count",
				    "pcie.aer_correctable",
				    "pcie.aer_uncorrectable",
				    NULL };

struct errors { /* of one function */
	struct hl_pcie pcie;
	double moved;      /* of the link, while it was measured; NAN = not known */
	double severe;     /* non-fatal and fatal ones, likewise */
	double count;      /* of the link, since boot; NAN */
	const char *flags; /* set, that speak of the link; NULL */
};

static double number(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

static double moved(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_NUMBER ? fact->number - fact->before : NAN;
}

/* "RxErr AdvNonFatalErr" without what says nothing of the link; NULL = nothing left. */
static const char *link_flags(struct hl_graph *graph, const struct hl_fact *fact)
{
	static const char *const kinds[] = { "RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout" };
	const char *found = NULL;

	for (size_t i = 0; fact && fact->string && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strstr(fact->string, kinds[i]))
			found = hl_arena_printf(graph->arena, "%s%s%s", found ? found : "",
						found ? ", " : "", kinds[i]);
	}
	return found;
}

static struct errors errors_of(struct hl_graph *graph, const struct hl_fact *at)
{
	struct errors errors = { .pcie = hl_pcie_of(graph, at) };
	const struct hl_fact *count = hl_place_beside(graph, at, "pcie.aer_link_count");
	double nonfatal = moved(hl_place_beside(graph, at, "pcie.aer_nonfatal_count"));
	double fatal = moved(hl_place_beside(graph, at, "pcie.aer_fatal_count"));

	errors.count = number(count);
	errors.moved = moved(count);
	errors.severe = fmax(nonfatal, fatal);
	errors.flags = link_flags(graph, hl_place_beside(graph, at, "pcie.aer_correctable"));
	return errors;
}

static bool is_worth_telling(const struct errors *errors)
{
	if (errors->pcie.is_vf || errors->pcie.is_synthetic)
		return false;
	if (errors->moved > 0 || errors->severe > 0 || errors->count > 0)
		return true;
	return isnan(errors->count) && errors->flags;
}

/* ---- words ---- */

static const char *say_errors(struct hl_graph *graph, const struct errors *errors)
{
	const char *device = pcie_say_device(graph, &errors->pcie);

	if (errors->severe > 0)
		return hl_arena_printf(graph->arena,
				       "%s reported %.0f uncorrectable PCIe errors while it was "
				       "measured.",
				       device, errors->severe);
	if (errors->moved > 0)
		return hl_arena_printf(graph->arena,
				       "%s counted %.0f link errors while it was measured (%.0f "
				       "since boot): each is sent again.",
				       device, errors->moved, errors->count);
	if (errors->count > 0)
		return hl_arena_printf(graph->arena, "%s counted %.0f link errors since boot%s.",
				       device, errors->count,
				       errors->moved == 0 ? ", none while it was measured" : "");
	return hl_arena_printf(graph->arena,
			       "%s has seen link errors (%s) since it was last cleared; how many, "
			       "and when, the flags do not say.",
			       device, errors->flags);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause, const struct errors *errors)
{
	struct hl_finding *finding = hl_cause_found(graph, cause, NULL, NULL, HL_DIR_READ);

	if (errors->moved >= MANY || errors->severe > 0)
		finding->state = HL_CONFIRMED;
	if (hl_pcie_is_network(&errors->pcie))
		finding->layer = HL_LAYER_WIRE;
	pcie_add_evidence(graph, finding, &errors->pcie, keys);
	finding->text = say_errors(graph, errors);
	finding->fix = "Reseat the device; another slot, cable, riser or backplane port; one speed "
		       "lower in the firmware to see whether they stop.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "Read the counters of both ends before and after a run.";
	finding->paste = hl_arena_printf(graph->arena,
					 "# before and after a run\n"
					 "cat /sys/bus/pci/devices/%s/aer_dev_correctable\n"
					 "dmesg | grep -iE 'aer|pcieport'\n",
					 errors->pcie.node);
}

/* Functions with any of these facts, each once. */
static bool is_first_fact(const struct hl_graph *graph, const struct hl_fact *fact, size_t key)
{
	for (size_t i = 0; i < key; i++) {
		if (hl_place_beside(graph, fact, keys[i]))
			return false;
	}
	return true;
}

static void match_key(struct hl_graph *graph, const struct hl_cause *cause, size_t key)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, keys[key], i)); i++) {
		struct errors errors;

		if (!is_first_fact(graph, fact, key) || !pcie_is_first(graph, keys[key], i))
			continue;
		errors = errors_of(graph, fact);
		if (is_worth_telling(&errors))
			found(graph, cause, &errors);
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	for (size_t key = 0; keys[key]; key++)
		match_key(graph, cause, key);
}

static const char *const rivals[] = { "pcie-link-downgraded", NULL };

const struct hl_cause hl_cause_pcie_aer_errors = {
	.id = "pcie-aer-errors",
	.summary = "a PCIe link has errors and sends again",
	.layer = HL_LAYER_LINK,
	.explain =
		"A packet that arrives broken is sent again by the link itself, and nobody above "
		"sees more than a delay. Few of them cost nothing; many cost bandwidth and make "
		"latency jump, and they are how a link behaves before it trains down or drops its "
		"drive.\n\n"
		"Recognised by the counters of receiver errors, bad TLPs and DLLPs, rollovers and "
		"replay timeouts (aer_dev_correctable of both ends). Confirmed when ten or more "
		"came while it was measured, or any uncorrectable one; suspected when there were "
		"some since boot, or when only the sticky flags of the error status (CESta) are "
		"known.\n\n"
		"Advisory non-fatal errors (AdvNonFatalErr, NonFatalErr) are set by probing a "
		"device and are not told.\n\n"
		"Decided by the counters before and after a run, at both ends: the end that counts "
		"is the one that receives.\n\n"
		"What to do: reseat; another slot, cable, riser or port; one link speed lower to "
		"see whether they stop.",
	.rivals = rivals,
	.match = match,
};
