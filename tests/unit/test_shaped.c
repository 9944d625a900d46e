/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shaper is confirmed by its own rate or by TCP streams that carry no more, suspected where the
 * figures hold still, and not seen where the rate is not reached or nothing is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside_maker.h"
#include "hoploss/experiment.h"
#include "hoploss/model.h"

#define SHAPED "link-shaped"

/* 300 Mbit/s at MTU 1500: 35.865 MB/s, 34.2 MiB/s */
static void add_shaper(struct beside *made, const char *node)
{
	add_text(made, node, "route.device", "eth1");
	add_text(made, node, "route.qdisc", "tbf");
	add_number(made, node, "route.qdisc_rate", 300e6 / 8);
	add_number(made, node, "route.mtu", 1500);
}

static void set_interval(const struct hl_hop *hop, double width)
{
	struct hl_rate *rate = hop->measurements[0]->dir[HL_DIR_READ];

	rate->bw_low = rate->bw * (1 - width / 2);
	rate->bw_high = rate->bw * (1 + width / 2);
}

static void a_ceiling_of_a_shaper_counts_frames_without_the_wire(void **unused)
{
	(void)unused;
	assert_true(fabs(hl_ceiling_shaped(300e6 / 8, 1500) - 35.865e6) < 1e3);
	assert_true(isnan(hl_ceiling_shaped(NAN, 1500)) && isnan(hl_ceiling_shaped(1e6, 40)));
}

static void at_the_rate_of_the_senders_qdisc_it_is_confirmed_and_near_it_suspected(void **unused)
{
	static const struct {
		double mib_per_s;
		int state; /* -1 = nothing is found */
	} cases[] = {
		{ 34.2, HL_CONFIRMED },
		{ 32.6, HL_CONFIRMED },
		{ 34.5, HL_CONFIRMED },
		{ 30, HL_SUSPECTED },
		{ 20, -1 },
		{ 40, -1 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 400, cases[i].mib_per_s);
		const struct hl_finding *found;

		add_shaper(&made, "virtio/target-end");
		found = match_one(made.graph, SHAPED);
		assert_int_equal(found ? (int)found->state : -1, cases[i].state);
		assert_int_equal(made.graph->nr_ceilings, 1);
		assert_true(fabs(made.graph->ceilings[0]->bw - 35.865e6) < 1e3);
		if (!found)
			continue;
		assert_int_equal(found->layer, HL_LAYER_VNIC);
		assert_true(found->predicted_bw == 400 * HL_MIB);
		assert_true(has_text(found->text, "of what tbf on eth1 lets through: 300 Mbit/s x "
						  "(1500 - 52) / (1500 + 14) = 34.2 MiB/s"));
		assert_non_null(evidence_of(found, "route.qdisc_rate"));
	}
}

static void look_alikes_are_left_alone(void **unused)
{
	static const struct {
		enum hl_layer layer;
		double before, depth;
		const char *node;
	} cases[] = {
		{ HL_LAYER_TARGET, 400, 32, "virtio/target-end" }, /* loopback: no line */
		{ HL_LAYER_VNIC, 35, 32, "virtio/target-end" },    /* nothing is lost */
		{ HL_LAYER_VNIC, 400, 1, "virtio/target-end" },    /* latency decides */
		{ HL_LAYER_VNIC, 400, 32, "virtio" },              /* the way that requests take */
		{ HL_LAYER_VNIC, 400, 32, "other/target-end" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(cases[i].layer, cases[i].before, 34.2);

		made.hop->measurements[0]->workload.iodepth = cases[i].depth;
		add_shaper(&made, cases[i].node);
		assert_null(match_one(made.graph, SHAPED));
	}
}

static void writes_are_shaped_at_the_initiators_end(void **unused)
{
	struct run_row row = { "seq",         "iscsi",          .rw = HL_RW_WRITE, .bs = 131072,
			       .iodepth = 32, .iops = 34.2 * 8, .lat = 10 * MS };
	BESIDE struct beside made = { .graph = hl_graph_new() };

	(void)unused;
	made.hop = add_runs(made.graph, "virtio", HL_LAYER_VNIC, &row, 1);
	add_shaper(&made, "virtio");
	assert_int_equal(match_one(made.graph, SHAPED)->state, HL_CONFIRMED);
}

static void what_holds_still_while_its_source_does_not_is_suspected(void **unused)
{
	static const struct {
		double before, bw, width_before, width;
		bool is_found;
	} cases[] = {
		{ 400, 34.2, 0.3, 0.02, true },
		{ 400, 34.2, 0.03, 0.02, false }, /* a quiet machine */
		{ 400, 34.2, 0.9, 0.2, false },   /* as things are */
		{ 36, 34.2, 0.3, 0.02, false },   /* nothing is lost */
		{ 400, 112, 0.3, 0.01, false },   /* a line of 1 Gb/s: ethernet-ceiling */
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_VNIC, cases[i].before,
							cases[i].bw);
		const struct hl_finding *found;

		set_interval(made.before, cases[i].width_before);
		set_interval(made.hop, cases[i].width);
		found = match_one(made.graph, SHAPED);
		assert_int_equal(found != NULL, cases[i].is_found);
		if (found)
			assert_int_equal(found->state, HL_SUSPECTED);
	}
}

static void what_is_regulated_lets_no_other_job_have_more(void **unused)
{
	struct run_row more = { "other",       "iscsi",     .rw = HL_RW_READ, .bs = 1048576,
				.iodepth = 32, .iops = 100, .lat = 300 * MS };
	BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 400, 34.2);

	(void)unused;
	set_interval(made.before, 0.3);
	set_interval(made.hop, 0.02);
	add_run(made.graph, made.hop, &more);
	assert_null(match_one(made.graph, SHAPED));
}

/* Turns of an experiment, as the run records them. */
static void add_turns(struct beside *made, const char *name, enum hl_dir dir, double mib_per_s)
{
	static double turns[2][HL_EXPERIMENT_TURNS];
	double *values = turns[mib_per_s > 100];
	struct run_row row = { name, "tcp", .rw = HL_RW_READ, .bs = 131072, .iops = mib_per_s * 8 };
	struct hl_measurement *at = add_run(made->graph, made->hop, &row);

	for (size_t i = 0; i < HL_EXPERIMENT_TURNS; i++)
		values[i] = mib_per_s * HL_MIB;
	at->experiment = "tcp-streams";
	at->dir[HL_DIR_READ]->per_round = values;
	at->dir[HL_DIR_READ]->nr_rounds = HL_EXPERIMENT_TURNS;
	if (dir != HL_DIR_READ) {
		at->dir[dir] = at->dir[HL_DIR_READ];
		at->dir[HL_DIR_READ] = NULL;
	}
}

static void streams_that_carry_no_more_confirm_it(void **unused)
{
	static const double streams[] = { 34.2, 800 };

	(void)unused;
	for (size_t i = 0; i < 2; i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 400, 34.2);
		const struct hl_finding *found;

		set_interval(made.hop, 0.2);
		add_turns(&made, "seq", HL_DIR_READ, 34.2);
		add_turns(&made, "seq/tcp-1-stream", HL_DIR_RX, streams[i]);
		add_turns(&made, "seq/tcp-4-streams", HL_DIR_RX, streams[i]);
		hl_experiments_judge(made.graph);
		found = match_one(made.graph, SHAPED);
		assert_int_equal(found != NULL, i == 0);
		if (!found)
			continue;
		assert_int_equal(found->state, HL_CONFIRMED);
		assert_true(
			has_text(found->text, "The line alone carries as little: seq at virtio"));
		assert_non_null(evidence_of(found, "tcp.streams_bw"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ceiling_of_a_shaper_counts_frames_without_the_wire),
		cmocka_unit_test(
			at_the_rate_of_the_senders_qdisc_it_is_confirmed_and_near_it_suspected),
		cmocka_unit_test(look_alikes_are_left_alone),
		cmocka_unit_test(writes_are_shaped_at_the_initiators_end),
		cmocka_unit_test(what_holds_still_while_its_source_does_not_is_suspected),
		cmocka_unit_test(what_is_regulated_lets_no_other_job_have_more),
		cmocka_unit_test(streams_that_carry_no_more_confirm_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
