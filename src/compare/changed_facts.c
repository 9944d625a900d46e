/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts that differ between two states: see changed_facts.h. What moves by itself (counters,
 * temperatures, what was seen while measuring) is no change of the system.
 */
#include "changed_facts.h"
#include "hoploss/demo.h"
#include "hoploss/fact.h"
#include "hoploss/place.h"
#include "influence.h"
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ILL 100 /* the weight of what got worse: before all that was only changed */

/*
 * Facts of a measurement, of the model, of a moment (counters, levels, who runs where just now), or
 * of one start of a machine or a process. Patterns of fnmatch(3).
 */
static const char *const moving[] = {
	"*.*_count",
	"*.*_dropped",
	"*.*_drops",
	"*.*_errors",
	"*.*_iops",
	"*.*_missed",
	"*.*_wait_ns",
	"*.read_bw",
	"*.write_bw",
	"accept.*",
	"arc.[!m]*",
	"arc.memory_throttle_count",
	"arc.metadata_size",
	"arc.misses",
	"block.backing_file",
	"block.mean_depth",
	"block.others_*",
	"block.read_size",
	"block.util_pct",
	"block.write_size",
	"cgroup.*",
	"cpu.*_time_ns",
	"cpu.busiest*",
	"cpu.frequency_pct",
	"cpu.idle_exit_ns",
	"cpu.softirq*",
	"cpu.steal*",
	"drive.allocated_bytes",
	"drive.is_asleep",
	"drive.temperature_c",
	"generator.*",
	"iscsi.sid",
	"link.hwmode",
	"link.is_promiscuous",
	"link.mac",
	"link.module_temperature_c",
	"link.pause_frames_rx",
	"link.tx_timeouts",
	"model.*",
	"mount.available",
	"nvme.slot_*",
	"numa.memory_free",
	"pcie.aer_*",
	"pcie.loaded_*",
	"pcie.power_state",
	"psi.*",
	"run.*",
	"smart.*",
	"system.boot_id",
	"system.uptime_s",
	"target.sessions",
	"tcp.*_cwnd",
	"tcp.*_delivery_rate",
	"tcp.*_mss",
	"tcp.*_pct",
	"tcp.*_pacing_rate",
	"tcp.*_retransmits",
	"tcp.*_rtt_us",
	"tcp.streams_bw",
	"thermal.*",
	"thread.*",
	"vm.id",
	"vm.pid",
	"vm.vcpu_*_ns",
	"zfs.available",
	"zfs.compressratio",
	"zfs.logicalused",
	"zfs.referenced",
	"zfs.used",
	"zpool.alloc",
	"zpool.capacity_pct",
	"zpool.dedup_ratio",
	"zpool.errors",
	"zpool.fragmentation_pct",
	"zpool.free",
	"zpool.scan",
	NULL,
};

/* What is worse when it grows (1) or falls (-1) by so much, or is another word than that. */
static const struct {
	const char *key;
	int sign;
	double step;
	const char *well;
} ills[] = {
	{ "smart.critical_warning", 1, 1, NULL },
	{ "smart.media_errors", 1, 1, NULL },
	{ "smart.reallocated", 1, 1, NULL },
	{ "smart.pending", 1, 1, NULL },
	{ "smart.offline_uncorrectable", 1, 1, NULL },
	{ "smart.grown_defects", 1, 1, NULL },
	{ "smart.uncorrected_reads", 1, 1, NULL },
	{ "smart.uncorrected_writes", 1, 1, NULL },
	{ "smart.crc_errors", 1, 1, NULL },
	{ "smart.health_passed", -1, 1, NULL },
	{ "smart.available_spare_pct", -1, 5, NULL },
	{ "smart.percentage_used", 1, 10, NULL },
	{ "smart.critical_temp_time_min", 1, 1, NULL },
	{ "pcie.speed_gts", -1, 0.1, NULL },
	{ "pcie.width", -1, 1, NULL },
	{ "link.speed_mbps", -1, 1, NULL },
	{ "link.is_up", -1, 1, NULL },
	{ "zpool.broken", 1, 1, NULL },
	{ "zpool.read_errors", 1, 1, NULL },
	{ "zpool.write_errors", 1, 1, NULL },
	{ "zpool.checksum_errors", 1, 1, NULL },
	{ "zpool.state", 0, 0, "ONLINE" },
};

static double value_of(const struct hl_fact *fact)
{
	if (fact->type == HL_FACT_STRING)
		return NAN;
	return fact->type == HL_FACT_BOOLEAN ? fact->boolean : fact->number;
}

static bool is_ill(const char *key)
{
	for (size_t i = 0; i < sizeof(ills) / sizeof(*ills); i++) {
		if (!strcmp(ills[i].key, key))
			return true;
	}
	return false;
}

static bool is_worse(const struct hl_fact *before, const struct hl_fact *after)
{
	for (size_t i = 0; before && after && i < sizeof(ills) / sizeof(*ills); i++) {
		if (strcmp(ills[i].key, before->key) != 0)
			continue;
		if (ills[i].well)
			return after->type == HL_FACT_STRING &&
			       strcmp(after->string, ills[i].well) != 0;
		return ills[i].sign * (value_of(after) - value_of(before)) >= ills[i].step;
	}
	return false;
}

static bool is_own(const char *text)
{
	return text && strstr(text, HL_DEMO_DIR "/");
}

/* What moves by itself, or is of hoploss and gone with it. */
static bool is_moving(const struct hl_fact *fact)
{
	for (size_t i = 0; moving[i]; i++) {
		if (!fnmatch(moving[i], fact->key, 0))
			return true;
	}
	return !isnan(fact->before) || hl_fact_key_is_counter(fact->key) || is_own(fact->node) ||
	       (fact->type == HL_FACT_STRING && is_own(fact->string));
}

/* A counter that only an ill thing moves is told when it moved. */
static bool is_passed_over(const struct hl_fact *before, const struct hl_fact *after)
{
	const struct hl_fact *fact = before ? before : after;

	return is_ill(fact->key) ? !is_worse(before, after) && is_moving(fact) : is_moving(fact);
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* The order in which hl_diagnose leaves facts, but for the source. */
static int compare_places(const struct hl_fact *a, const struct hl_fact *b)
{
	int order = compare_texts(a->host, b->host);

	if (!order)
		order = compare_texts(a->node, b->node);
	return order ? order : compare_texts(a->key, b->key);
}

static bool is_same_value(const struct hl_fact *a, const struct hl_fact *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case HL_FACT_NUMBER:
		return a->number == b->number;
	case HL_FACT_STRING:
		return !strcmp(a->string, b->string);
	case HL_FACT_BOOLEAN:
		return a->boolean == b->boolean;
	}
	return false;
}

/* ---- where it is ---- */

static const char *machine_of(const struct hl_graph *graph, const char *host)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!strcmp(fact->key, "system.boot_id") && !compare_texts(fact->host, host))
			return fact->string;
	}
	return NULL;
}

/* Hosts of a path can be one machine; what is the same on both is told once. */
static bool is_told(const struct hl_comparison *comparison, const struct hl_graph *graph,
		    size_t from, const struct hl_fact *before, const struct hl_fact *after)
{
	const struct hl_fact *fact = before ? before : after;
	const char *machine = machine_of(graph, fact->host);

	for (size_t i = 0; machine && i < comparison->nr_facts; i++) {
		const struct hl_changed_fact *told = &comparison->facts[i];
		const struct hl_fact *other = hl_changed_fact_either(told);

		if (told->from == from && !compare_texts(other->node, fact->node) &&
		    !strcmp(other->key, fact->key) && !told->before == !before &&
		    !told->after == !after && (!before || is_same_value(told->before, before)) &&
		    (!after || is_same_value(told->after, after)) &&
		    !compare_texts(machine_of(graph, other->host), machine))
			return true;
	}
	return false;
}

/* Is it known at all what the hops stand on? Saved files and captures alone do not tell. */
static bool is_placed(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		if (hl_place_hop(graph, graph->facts[i]))
			return true;
	}
	return false;
}

static bool has_node(const struct hl_graph *graph, const struct hl_fact *fact)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *other = graph->facts[i];

		if (other && !compare_texts(other->host, fact->host) &&
		    !compare_texts(other->node, fact->node))
			return true;
	}
	return false;
}

struct step {
	struct hl_comparison *comparison;
	size_t from;
	const struct hl_graph *before, *after;
	bool is_placed;
};

static const struct hl_hop *hop_of(const struct step *step, const struct hl_fact *before,
				   const struct hl_fact *after)
{
	const struct hl_hop *hop = before ? hl_place_hop(step->before, before) : NULL;

	return hop || !after ? hop : hl_place_hop(step->after, after);
}

static void add(const struct step *step, const struct hl_fact *before, const struct hl_fact *after)
{
	struct hl_comparison *comparison = step->comparison;
	const struct hl_fact *fact = before ? before : after;
	const struct influence *influence = influence_of_key(fact->key);
	const struct hl_graph *graph = before ? step->before : step->after;
	const struct hl_hop *hop;
	bool is_beside;

	if (is_passed_over(before, after) || is_told(comparison, graph, step->from, before, after))
		return;
	hop = hop_of(step, before, after);
	is_beside = step->is_placed && !hop;
	/* a disk that is not on the path came or went */
	if (is_beside && !(before && after) &&
	    !has_node(before ? step->after : step->before, fact)) {
		comparison->nr_beside++;
		return;
	}
	comparison->facts = hl_arena_extend(comparison->arena, comparison->facts,
					    comparison->nr_facts, sizeof(*comparison->facts));
	comparison->facts[comparison->nr_facts++] = (struct hl_changed_fact){
		.before = before,
		.after = after,
		.from = step->from,
		.to = step->from + 1,
		.hop = hop,
		.is_beside = is_beside,
		.weight = is_worse(before, after) ? ILL
			  : influence             ? influence->weight
						  : 0,
		.is_worse = is_worse(before, after),
	};
}

static int compare_weights(const void *a, const void *b)
{
	const struct hl_changed_fact *x = a, *y = b;
	const struct hl_fact *left = hl_changed_fact_either(x);
	const struct hl_fact *right = hl_changed_fact_either(y);

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->is_worse == y->is_worse && x->is_beside != y->is_beside)
		return x->is_beside ? 1 : -1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return compare_places(left, right);
}

/* Something of that kind was captured in the state: else its absence means nothing. */
static bool knows_kind(const struct hl_graph *graph, const struct hl_fact *fact)
{
	size_t len = strcspn(fact->key, ".");

	for (size_t i = 0; graph->facts && i < graph->nr_facts; i++) {
		const struct hl_fact *other = graph->facts[i];

		if (other && !strncmp(other->key, fact->key, len + 1) &&
		    !compare_texts(other->host, fact->host))
			return true;
	}
	return false;
}

void changed_facts_add(struct hl_comparison *comparison, size_t from)
{
	const struct hl_graph *before = comparison->states[from].graph;
	const struct hl_graph *after = comparison->states[from + 1].graph;
	struct step step = { comparison, from, before, after, false };
	size_t i = 0, k = 0;

	if (before == after || !before->nr_facts || !after->nr_facts)
		return;
	step.is_placed = is_placed(before) && is_placed(after);
	while (i < before->nr_facts || k < after->nr_facts) {
		const struct hl_fact *a = i < before->nr_facts ? before->facts[i] : NULL;
		const struct hl_fact *b = k < after->nr_facts ? after->facts[k] : NULL;
		int order = !a ? 1 : !b ? -1 : compare_places(a, b);

		comparison->nr_shared += order == 0;
		if (a && b && order == 0 && !is_same_value(a, b))
			add(&step, a, b);
		else if (a && order < 0 && knows_kind(after, a))
			add(&step, a, NULL);
		else if (b && order > 0 && knows_kind(before, b))
			add(&step, NULL, b);
		i += order <= 0;
		k += order >= 0;
	}
	if (comparison->nr_facts)
		qsort(comparison->facts, comparison->nr_facts, sizeof(*comparison->facts),
		      compare_weights);
}
