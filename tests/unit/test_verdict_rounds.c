/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verdicts on rounds: when a layer is named, how sure, and the words for it.
 */
#include "hoploss/sample.h"
#include "rounds_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BIT(layer) (1U << (layer))

/* Rounds that scatter by 2 % around a mean. */
static void steady_rounds(struct hl_graph *graph, struct hl_hop *hop, double mib_per_s, size_t nr,
			  uint64_t seed)
{
	double rounds[MOST_ROUNDS], repeats[MOST_ROUNDS];

	for (size_t i = 0; i < nr; i++) {
		rounds[i] = mib_per_s * MIB * exp(0.02 * next_gauss(&seed));
		repeats[i] = i % 2 ? NAN : mib_per_s * MIB * exp(0.02 * next_gauss(&seed));
	}
	set_rounds(graph, hop->measurements[0], rounds, repeats, nr);
}

struct made {
	struct hl_graph *graph;
	struct hl_hop *drive, *target, *leaf;
};

/* drive, target, leaf: one workload, so many rounds */
static struct made make(double drive, double target, double leaf, size_t nr)
{
	struct made made = { .graph = hl_graph_new() };

	made.drive = add_measured(made.graph, "raw", HL_LAYER_DRIVE, NULL, drive);
	made.target = add_measured(made.graph, "loopback", HL_LAYER_TARGET, made.drive, target);
	made.leaf = add_measured(made.graph, "virtio", HL_LAYER_VNIC, made.target, leaf);
	steady_rounds(made.graph, made.drive, drive, nr, 1);
	steady_rounds(made.graph, made.target, target, nr, 2);
	steady_rounds(made.graph, made.leaf, leaf, nr, 3);
	return made;
}

static void free_made(struct made *made)
{
	hl_graph_free(made->graph);
}
#define MADE __attribute__((cleanup(free_made)))

static const struct hl_verdict *judge(struct made *made)
{
	hl_model_losses(made->graph);
	hl_model_ladders(made->graph);
	hl_model_verdicts(made->graph);
	return made->graph->verdicts[0];
}

static struct hl_finding *add_finding(struct made *made, const char *id, struct hl_hop *hop,
				      enum hl_layer layer, enum hl_state state)
{
	struct hl_finding *finding = hl_graph_add_finding(made->graph);

	finding->id = id;
	finding->hop = hop;
	finding->layer = layer;
	finding->dir = HL_DIR_READ;
	finding->state = state;
	return finding;
}

static void has_part(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static void a_named_layer_is_told_with_its_interval(void **state)
{
	MADE struct made made = make(3000, 2900, 400, 9);
	const struct hl_verdict *verdict = judge(&made);

	(void)state;
	assert_int_equal(verdict->layers, BIT(HL_LAYER_VNIC));
	assert_int_equal(verdict->state, HL_SUSPECTED);
	has_part(verdict->text, "vnic takes 86.");
	has_part(verdict->text, " %, 9 rounds: 2880 MiB/s at loopback, 401 MiB/s at virtio)");
	assert_null(strstr(verdict->text, "One value each"));
}

static void direct_evidence_confirms_what_is_named(void **state)
{
	MADE struct made made = make(3000, 2900, 400, 9);
	const struct hl_verdict *verdict;

	(void)state;
	add_finding(&made, "link-shaped", made.leaf, HL_LAYER_VNIC, HL_CONFIRMED);
	verdict = judge(&made);
	assert_int_equal(verdict->state, HL_CONFIRMED);
	assert_string_equal(verdict->cause, "link-shaped");
}

/* Whatever the evidence: the layer is not told from chance. */
static void evidence_names_nothing_where_the_rounds_do_not(void **state)
{
	static const size_t rounds[] = { 3, 6, 9 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		MADE struct made made = make(400, 402, 399, rounds[i]);
		const struct hl_verdict *verdict;

		add_finding(&made, "link-shaped", made.leaf, HL_LAYER_VNIC, HL_CONFIRMED);
		verdict = judge(&made);
		assert_int_equal(verdict->layers, 0);
		assert_null(verdict->cause);
		assert_int_equal(verdict->state, HL_AMBIGUOUS);
	}
}

static void why_nothing_is_named_is_said(void **state)
{
	static const struct {
		double leaf;
		size_t nr;
		const char *text;
	} cases[] = {
		{ 400, 4, "no layer is named: 4 rounds give no interval, it takes 9 to name one" },
		{ 400, 6, "no layer is named yet: vnic takes 86." },
		{ 2890, 20,
		  "no loss that is seen: at most 5.0 % at any hop (20 rounds, 2894 MiB/s at "
		  "virtio" },
		{ 2760, 14, "which is not told from 5.0 %; more rounds would tell" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		MADE struct made made = make(2900, 2895, cases[i].leaf, cases[i].nr);
		const struct hl_verdict *verdict = judge(&made);

		assert_int_equal(verdict->layers, 0);
		has_part(verdict->text, cases[i].text);
	}
}

static void noise_that_hides_a_loss_is_told(void **state)
{
	MADE struct made made = make(2900, 2895, 2400, 9);
	double again[9];
	const struct hl_verdict *verdict;

	(void)state;
	for (size_t i = 0; i < 9; i++)
		again[i] = made.leaf->measurements[0]->dir[HL_DIR_READ]->per_round[i] * 1.4;
	made.leaf->measurements[0]->dir[HL_DIR_READ]->repeats = again;
	verdict = judge(&made);
	has_part(verdict->text, "not told from A/A noise of 28.6 %");
}

static void another_engine_is_capped_unless_both_had_idle_cpu(void **state)
{
	static const struct {
		double idle, cpu;
		enum hl_state state;
		const char *text;
	} cases[] = {
		{ 40, NAN, HL_CONFIRMED, "loopback with iscsi; CPU idle meanwhile: 40 % and 40 %" },
		{ 8, 50, HL_CONFIRMED, "meanwhile: 8 % and 8 %" },
		{ 8, 99, HL_SUSPECTED, "so it may be the engine: suspected at most" },
		{ 2, 50, HL_SUSPECTED, "suspected at most" },
		{ NAN, NAN, HL_SUSPECTED, "CPU idle meanwhile: unknown and unknown" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		MADE struct made made = make(3000, 400, 401, 9);
		const struct hl_verdict *verdict;

		made.drive->measurements[0]->workload.engine = "io_uring";
		made.target->measurements[0]->workload.engine = "iscsi";
		made.leaf->measurements[0]->workload.engine = "iscsi";
		for (size_t h = 0; h < 3; h++) {
			made.graph->hops[h]->measurements[0]->idle_pct = cases[i].idle;
			made.graph->hops[h]->measurements[0]->cpu_pct = cases[i].cpu;
		}
		add_finding(&made, "target-cpu-bound", made.target, HL_LAYER_TARGET, HL_CONFIRMED);
		verdict = judge(&made);
		assert_int_equal(verdict->layers, BIT(HL_LAYER_TARGET));
		assert_int_equal(verdict->state, cases[i].state);
		has_part(verdict->text, cases[i].text);
	}
}

/* The engine was measured against a LUN in RAM beside the hop that it is used at. */
static void add_engine_alone(struct made *made, struct hl_hop *hop, double mib_per_s)
{
	const struct hl_measurement *like = hop->measurements[0];
	struct hl_measurement *at = hl_graph_add_measurement(made->graph, hop);

	at->workload = like->workload;
	at->workload.name = "seq-read/engine";
	at->experiment = HL_ENGINE_ALONE;
	at->status = HL_STATUS_MEASURED;
	hl_graph_add_rate(made->graph, at, HL_DIR_READ)->bw = mib_per_s * MIB;
	hl_model_engine_ceilings(made->graph);
}

static void an_engine_at_its_own_ceiling_caps_it_though_cpu_is_idle(void **state)
{
	static const struct {
		double alone;
		enum hl_state state;
	} cases[] = { { 430, HL_SUSPECTED }, { 2000, HL_CONFIRMED } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		MADE struct made made = make(3000, 400, 401, 9);
		const struct hl_verdict *verdict;

		made.drive->measurements[0]->workload.engine = "io_uring";
		made.target->measurements[0]->workload.engine = "iscsi";
		made.leaf->measurements[0]->workload.engine = "iscsi";
		for (size_t h = 0; h < 3; h++)
			made.graph->hops[h]->measurements[0]->idle_pct = 40;
		add_engine_alone(&made, made.target, cases[i].alone);
		assert_int_equal(made.graph->nr_ceilings, 1);
		assert_string_equal(made.graph->ceilings[0]->name, "engine");
		assert_ptr_equal(made.graph->ceilings[0]->at, made.target->measurements[0]);
		add_finding(&made, "target-cpu-bound", made.target, HL_LAYER_TARGET, HL_CONFIRMED);
		verdict = judge(&made);
		assert_int_equal(verdict->layers, BIT(HL_LAYER_TARGET));
		assert_int_equal(verdict->state, cases[i].state);
		has_part(verdict->text, "against a LUN in RAM the engine gives ");
	}
}

static void different_shares_from_cache_cap_it_too(void **state)
{
	static const double shares[] = { 0.55, 0.95, NAN };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		MADE struct made made = make(3000, 2900, 400, 9);
		const struct hl_verdict *verdict;

		made.target->measurements[0]->cached_share = 0.9;
		made.leaf->measurements[0]->cached_share = shares[i];
		add_finding(&made, "link-shaped", made.leaf, HL_LAYER_VNIC, HL_CONFIRMED);
		verdict = judge(&made);
		assert_int_equal(verdict->state, i ? HL_CONFIRMED : HL_SUSPECTED);
		assert_int_equal(!strstr(verdict->text, "came from a cache"), i != 0);
	}
}

/* Nothing was measured at the target, but its thread was seen at its end. */
static void direct_evidence_tells_the_layer_between_two_hops(void **state)
{
	static const enum hl_state states[] = { HL_CONFIRMED, HL_SUSPECTED };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		MADE struct made made = make(3000, 2900, 400, 9);
		const struct hl_verdict *verdict;

		made.target->layer = HL_LAYER_POOL;
		add_finding(&made, "target-cpu-bound", made.leaf, HL_LAYER_TARGET, states[i]);
		verdict = judge(&made);
		assert_int_equal(verdict->layers, BIT(i ? HL_LAYER_VNIC : HL_LAYER_TARGET));
		has_part(verdict->text, i ? "vnic takes" : "target takes");
		assert_int_equal(!strstr(verdict->text, "Nothing was measured between"), i == 0);
	}
}

/* A named loss is worth mending however small: it is there. */
static void a_small_loss_has_a_ladder(void **state)
{
	MADE struct made made = make(3000, 2990, 2700, 14);
	const struct hl_verdict *verdict = judge(&made);

	(void)state;
	assert_int_equal(verdict->layers, BIT(HL_LAYER_VNIC));
	has_part(verdict->text, "vnic takes 8.9 % (7.6 % to 10.6 %, 14 rounds: ");
}

static void depth_one_adds_time_and_says_how_sure(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_latency(graph, "raw", HL_LAYER_DRIVE, NULL, 80);
	struct hl_hop *leaf = add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, drive, 320);

	(void)state;
	steady_rounds(graph, drive, 50, 9, 1);
	steady_rounds(graph, leaf, 12, 9, 2);
	hl_model_losses(graph);
	hl_model_ladders(graph);
	hl_model_verdicts(graph);
	has_part(graph->verdicts[0]->text,
		 "filesystem adds 240 us to each I/O (80.0 us at raw, 320 us at pvc) and takes 7");
	has_part(graph->verdicts[0]->text, " % of the rate (7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_named_layer_is_told_with_its_interval),
		cmocka_unit_test(direct_evidence_confirms_what_is_named),
		cmocka_unit_test(evidence_names_nothing_where_the_rounds_do_not),
		cmocka_unit_test(why_nothing_is_named_is_said),
		cmocka_unit_test(noise_that_hides_a_loss_is_told),
		cmocka_unit_test(another_engine_is_capped_unless_both_had_idle_cpu),
		cmocka_unit_test(an_engine_at_its_own_ceiling_caps_it_though_cpu_is_idle),
		cmocka_unit_test(different_shares_from_cache_cap_it_too),
		cmocka_unit_test(direct_evidence_tells_the_layer_between_two_hops),
		cmocka_unit_test(a_small_loss_has_a_ladder),
		cmocka_unit_test(depth_one_adds_time_and_says_how_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
