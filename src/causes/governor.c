/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu-governor: processors are kept slow to save power while I/Os wait for them.
 *
 * Source: the frequency governor, its driver and the energy preference of a machine of the path;
 * the highest frequency seen during the slots. Surprising: with intel_pstate and amd_pstate the
 * governor "powersave" is the usual one and slows nothing down; there the preference decides. A
 * guest has no governor: that of the machine below counts for it.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "vm_said.h"
#include <math.h>
#include <string.h>

#define GOVERNOR   "cpu.governor"
#define PREFERENCE "cpu.energy_preference"
#define DRIVER     "cpu.frequency_driver"
#define SEEN       "cpu.frequency_pct"
#define SLOW_PCT   60 /* of the highest frequency: no processor was faster */

/* One of the words of the fact. */
static bool has_word(const struct hl_fact *fact, const char *word)
{
	const char *at = fact && fact->type == HL_FACT_STRING ? fact->string : "";
	size_t nr = strlen(word);

	while (*(at += strspn(at, " "))) {
		size_t len = strcspn(at, " ");

		if (len == nr && !memcmp(at, word, nr))
			return true;
		at += len;
	}
	return false;
}

/* The drivers that choose by themselves, whatever the governor is called. */
static bool chooses_itself(const struct hl_fact *driver)
{
	return has_word(driver, "intel_pstate") || has_word(driver, "amd-pstate-epp") ||
	       has_word(driver, "amd_pstate_epp");
}

/* What keeps the processors slow: a fact of the machine; NULL = nothing. */
static const struct hl_fact *find_slow(const struct hl_graph *graph, const struct hl_hop *hop)
{
	const struct hl_fact *governor = hl_place_fact(graph, hop, GOVERNOR, 0), *preference;

	if (!governor)
		return NULL;
	preference = hl_place_beside(graph, governor, PREFERENCE);
	if (!chooses_itself(hl_place_beside(graph, governor, DRIVER)))
		return has_word(governor, "powersave") || has_word(governor, "conservative")
			       ? governor
			       : NULL;
	if (has_word(governor, "performance"))
		return NULL;
	return has_word(preference, "power") || has_word(preference, "balance_power") ? preference
										      : NULL;
}

/* I/Os wait for each other, so the time of each counts; or the hop loses against the one before. */
static bool counts_here(const struct hl_trial *trial)
{
	return hl_trial_is_bound_here(trial) || trial->depth == trial->jobs;
}

static bool is_slow(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double seen = hl_beside_number(graph, trial->at, SEEN);

	return !hl_trial_is_bound_below(trial) && find_slow(graph, trial->at->hop) &&
	       !(seen > SLOW_PCT) && (seen <= SLOW_PCT || counts_here(trial));
}

/* The frequency is of the hop's own machine; the governor may be that of the one below. */
static bool is_of_hop(const struct hl_fact *fact, const struct hl_hop *hop)
{
	return !fact->host || !hop->host || !strcmp(fact->host, hop->host);
}

static void fill(struct hl_graph *graph, struct hl_finding *finding, const struct hl_fact *slow)
{
	static const char *const keys[] = { GOVERNOR, PREFERENCE, DRIVER, "cpu.max_hz",
					    "cpu.hardware_max_hz" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		hl_finding_add_evidence(graph, finding, hl_place_beside(graph, slow, keys[i]));
	finding->fix = "cpupower frequency-set -g performance; with intel_pstate or amd_pstate: "
		       "cpupower set --epp performance (or balance_performance). Also the power "
		       "profile of the BIOS.";
	finding->paste = "grep . /sys/devices/system/cpu/cpufreq/policy0/scaling_* \\\n"
			 "  /sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference\n"
			 "# while the job runs\n"
			 "grep MHz /proc/cpuinfo | sort | uniq -c\n";
	finding->next = "The same job with the governor performance: what it gains at depth 1 is "
			"what the processors cost.";
}

static const char *say_setting(struct hl_graph *graph, const struct hl_fact *slow)
{
	return hl_arena_printf(
		graph->arena, "The %s%s%s is \"%s\"",
		!strcmp(slow->key, GOVERNOR) ? "frequency governor" : "energy preference",
		slow->host ? " of " : "", slow->host ? slow->host : "", slow->string);
}

/* It is the same at every hop of a machine: told of the first, unless a later one is sure. */
static bool is_told(const struct hl_graph *graph, const struct hl_cause *cause,
		    const struct hl_fact *slow, bool is_sure)
{
	for (size_t i = 0; i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];

		if (strcmp(finding->id, cause->id) != 0 ||
		    (is_sure && finding->state != HL_CONFIRMED))
			continue;
		for (size_t k = 0; k < finding->nr_evidence; k++) {
			if (finding->evidence[k] == slow)
				return true;
		}
	}
	return false;
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	const struct hl_trial *trial = &matches->items[0];
	const struct hl_fact *slow = find_slow(graph, trial->at->hop);
	double seen = hl_beside_number(graph, trial->at, SEEN);
	bool is_sure = seen <= SLOW_PCT && is_of_hop(slow, trial->at->hop);
	struct hl_finding *finding;

	if (is_told(graph, cause, slow, is_sure))
		return;
	finding = hl_trial_found(graph, cause, trial);
	if (trial->at->hop->layer != HL_LAYER_NONE)
		finding->layer = trial->at->hop->layer;
	fill(graph, finding, slow);
	if (is_sure) {
		finding->state = HL_CONFIRMED;
		finding->next = NULL;
	}
	hl_finding_add_evidence(graph, finding, hl_beside_fact(graph, trial->at, SEEN));
	hl_evidence_add(graph, finding, trial, HL_FIGURE_LAT);
	finding->text = hl_arena_printf(
		graph->arena, "%s%s; %s gives %s%s.", say_setting(graph, slow),
		isnan(seen) ? ""
			    : hl_arena_printf(graph->arena,
					      ", and no processor was seen above %.0f %% of its "
					      "frequency",
					      seen),
		hl_beside_job(trial->at), hl_say_rate(trial->bw).text,
		hl_trials_say_others(graph, matches));
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	const struct hl_fact *slow;
	struct hl_finding *finding;

	hl_trials_match(graph, cause, is_slow, found);
	if (!vm_is_unmeasured(graph))
		return;
	slow = find_slow(graph, NULL);
	if (!slow)
		return;
	finding = hl_cause_found(graph, cause, NULL, NULL, HL_DIR_READ);
	fill(graph, finding, slow);
	finding->text = hl_arena_printf(graph->arena, "%s; nothing was measured.",
					say_setting(graph, slow));
}

static const char *const rivals[] = { "serial-stage", "numa-remote", NULL };

const struct hl_cause hl_cause_cpu_governor = {
	.id = "cpu-governor",
	.summary = "processors are kept slow to save power",
	.explain =
		"An I/O at depth 1 is a chain of short pieces of work with waits between, so a "
		"governor that looks at the load never sees a reason to speed up, and one that "
		"saves power keeps the lowest frequency: each piece takes two or three times as "
		"long.\n\n"
		"Recognised by the governor powersave or conservative, or with intel_pstate and "
		"amd_pstate by an energy preference of power or balance_power, on a machine that "
		"the hop stands on, where the hop loses or its I/Os wait for each other. "
		"Confirmed where no processor was seen above 60 % of its frequency during the "
		"job.\n\n"
		"Deep idle states cost as much again at each wait, with any governor.\n\n"
		"Decided by the same job with the governor performance.\n\n"
		"What to do: the governor performance, or balance_performance.",
	.rivals = rivals,
	.match = match,
};
