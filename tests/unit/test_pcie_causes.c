/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Links below what they can, shared links, link errors: confirmed, suspected, and the healthy
 * look-alikes on which nothing is said. The facts are those that a listing of lspci gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside_maker.h"
#include "hoploss/model.h"
#include "hoploss/pcie.h"
#include "hoploss/sample.h"

#define DOWNGRADED "pcie-link-downgraded"
#define SHARED     "pcie-shared-uplink"
#define AER        "pcie-aer-errors"
#define DRIVE      "0000:01:00.0"
#define PORT       "0000:00:01.1"
#define NVME       "Non-Volatile memory controller"

struct end { /* 0 = not known */
	const char *node, *class, *type, *parent;
	double speed, width, cap_speed, cap_width, best_speed, best_width, target;
	bool is_vf, is_empty, is_synthetic;
};

static void add_truth(struct beside *made, const char *node, const char *key, bool value)
{
	const struct hl_origin origin = { .node = node, .source = "made" };

	hl_graph_add_boolean(made->graph, &origin, key, value);
}

static void add_known(struct beside *made, const char *node, const char *key, double value)
{
	if (value > 0)
		add_number(made, node, key, value);
}

static void add_end(struct beside *made, const struct end *end)
{
	add_text(made, end->node, "pcie.class", end->class);
	add_text(made, end->node, "pcie.port_type", end->type ? end->type : "Endpoint");
	add_text(made, end->node, "pcie.parent", end->parent);
	add_known(made, end->node, "pcie.speed_gts", end->speed);
	add_known(made, end->node, "pcie.width", end->width);
	add_known(made, end->node, "pcie.cap_speed_gts", end->cap_speed);
	add_known(made, end->node, "pcie.cap_width", end->cap_width);
	add_known(made, end->node, "pcie.best_speed_gts", end->best_speed);
	add_known(made, end->node, "pcie.best_width", end->best_width);
	add_known(made, end->node, "pcie.target_speed_gts", end->target);
	add_number(made, end->node, "pcie.mps", 256);
	if (end->is_vf)
		add_truth(made, end->node, "pcie.is_vf", true);
	if (end->is_empty)
		add_truth(made, end->node, "pcie.is_empty", true);
	if (end->is_synthetic)
		add_truth(made, end->node, "pcie.is_synthetic", true);
	if (end->width > 0)
		add_truth(made, end->node, "pcie.is_downgraded",
			  end->speed < end->cap_speed || end->width < end->cap_width);
}

/* The hop "virtio" as the drive nvme0n1, at that address. */
static void put_on_drive(struct beside *made, double limit_speed, double limit_width)
{
	const char *const targets[] = { "/dev/nvme0n1" };

	made->hop->target = "/dev/nvme0n1";
	made->hop->targets = hl_arena_alloc(made->graph->arena, sizeof(targets));
	memcpy(made->hop->targets, targets, sizeof(targets));
	made->hop->nr_targets = 1;
	add_text(made, "nvme0n1", "block.pci_address", DRIVE);
	add_number(made, DRIVE, "pcie.limit_speed_gts", limit_speed);
	add_number(made, DRIVE, "pcie.limit_width", limit_width);
	add_text(made, DRIVE, "pcie.limiting_hop", PORT);
}

#define GEN4_X4   .cap_speed = 16, .cap_width = 4
#define BEST_X4   .best_speed = 16, .best_width = 4
#define A_DRIVE   .node = DRIVE, .class = NVME
#define NOW(g, w) .speed = (g), .width = (w)

static void registers_alone_tell_a_downgraded_link(void **unused)
{
	static const struct {
		struct end end;
		int state; /* -1 = nothing is said */
	} cases[] = {
		{ { A_DRIVE, GEN4_X4, BEST_X4, NOW(16, 2) }, HL_CONFIRMED },
		{ { A_DRIVE, GEN4_X4, BEST_X4, NOW(8, 4) }, HL_CONFIRMED },
		{ { A_DRIVE, GEN4_X4, BEST_X4, NOW(2.5, 2) }, HL_CONFIRMED },
		{ { A_DRIVE, GEN4_X4, BEST_X4, NOW(2.5, 4) }, HL_SUSPECTED }, /* may be idle */
		{ { A_DRIVE, GEN4_X4, BEST_X4, NOW(2.5, 4), .target = 2.5 }, HL_CONFIRMED },
		{ { A_DRIVE, GEN4_X4, BEST_X4, NOW(2.5, 4), .target = 16 }, HL_SUSPECTED },
		{ { A_DRIVE, GEN4_X4, NOW(5, 2) }, HL_SUSPECTED }, /* the port is not known */
		{ { .node = "0000:02:00.0",
		    .class = "Ethernet controller",
		    .cap_speed = 8,
		    .cap_width = 8,
		    .best_speed = 8,
		    .best_width = 8,
		    NOW(5, 1) },
		  HL_CONFIRMED },
		{ { .node = PORT,
		    .type = "Root Port",
		    .cap_speed = 8,
		    .cap_width = 16,
		    NOW(2.5, 1) },
		  HL_AMBIGUOUS },
		/* look-alikes */
		{ { A_DRIVE, GEN4_X4, BEST_X4, NOW(16, 4) }, -1 },
		{ { A_DRIVE, .cap_speed = 32, .cap_width = 4, BEST_X4, NOW(16, 4) }, -1 },
		{ { .node = PORT,
		    .type = "Root Port",
		    .is_empty = true,
		    .cap_speed = 32,
		    .cap_width = 4,
		    NOW(2.5, 16) },
		  -1 },
		{ { .node = PORT,
		    .type = "Root Port",
		    .cap_speed = 32,
		    .cap_width = 4,
		    NOW(2.5, 16) },
		  -1 },
		{ { A_DRIVE, GEN4_X4, .is_vf = true }, -1 },
		{ { A_DRIVE, GEN4_X4, NOW(2.5, 1), .is_synthetic = true }, -1 },
		{ { .node = DRIVE,
		    .class = "VGA compatible controller",
		    GEN4_X4,
		    BEST_X4,
		    NOW(2.5, 4) },
		  -1 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = { .graph = hl_graph_new() };
		const struct hl_finding *found;

		add_end(&made, &cases[i].end);
		found = match_one(made.graph, DOWNGRADED);
		if ((found ? (int)found->state : -1) != cases[i].state)
			fail_msg("row %zu: %s", i, found ? found->text : "silent");
		if (!found)
			continue;
		assert_null(found->hop);
		assert_non_null(evidence_of(found, "pcie.width"));
		assert_true(found->state == HL_CONFIRMED || found->next);
	}
}

static void a_port_of_which_others_are_known_is_judged_by_what_is_below_it(void **unused)
{
	static const struct end ends[] = {
		{ .node = PORT,
		  .type = "Root Port",
		  .cap_speed = 32,
		  .cap_width = 16,
		  NOW(16, 4),
		  BEST_X4 },
		{ A_DRIVE, .parent = PORT, GEN4_X4, BEST_X4, NOW(16, 4) },
		{ .node = "0000:00:01.2",
		  .type = "Root Port",
		  .cap_speed = 32,
		  .cap_width = 16,
		  NOW(16, 4) },
	};
	BESIDE struct beside made = { .graph = hl_graph_new() };

	(void)unused;
	for (size_t i = 0; i < 3; i++)
		add_end(&made, &ends[i]);
	assert_null(match_one(made.graph, DOWNGRADED));
}

static void a_drive_in_a_guest_is_suspected_and_its_host_decides(void **unused)
{
	static const struct end ends[] = {
		{ .node = PORT,
		  .type = "Root Port",
		  .is_synthetic = true,
		  .cap_speed = 16,
		  .cap_width = 32,
		  NOW(16, 4) },
		{ A_DRIVE, .parent = PORT, GEN4_X4, NOW(16, 2) },
	};
	BESIDE struct beside made = { .graph = hl_graph_new() };
	const struct hl_finding *found;

	(void)unused;
	add_end(&made, &ends[0]);
	add_end(&made, &ends[1]);
	found = match_one(made.graph, DOWNGRADED);
	assert_int_equal(found->state, HL_SUSPECTED);
	assert_true(has_text(found->text, "the real one is on the host"));
	assert_int_equal(made.graph->nr_findings, 1);
}

static void a_port_of_unknown_type_is_told_by_what_is_below_it(void **unused)
{
	BESIDE struct beside made = { .graph = hl_graph_new() };

	(void)unused;
	add_number(&made, PORT, "pcie.speed_gts", 16);
	add_number(&made, PORT, "pcie.width", 2);
	add_number(&made, PORT, "pcie.cap_speed_gts", 16);
	add_number(&made, PORT, "pcie.cap_width", 4);
	add_truth(&made, PORT, "pcie.is_downgraded", true);
	add_text(&made, DRIVE, "pcie.parent", PORT);
	assert_null(match_one(made.graph, DOWNGRADED));
}

static void two_states_of_a_link_are_told_once(void **unused)
{
	const struct end end = { A_DRIVE, GEN4_X4, BEST_X4, NOW(16, 2) };
	BESIDE struct beside made = { .graph = hl_graph_new() };

	(void)unused;
	for (int i = 0; i < 2; i++) {
		add_end(&made, &end);
		add_text(&made, DRIVE, "pcie.aer_correctable", "RxErr");
	}
	match_one(made.graph, DOWNGRADED);
	match_one(made.graph, AER);
	assert_int_equal(made.graph->nr_findings, 2);
}

static void both_ports_of_a_nic_have_one_link(void **unused)
{
	static const struct end ends[] = {
		{ .node = "0000:02:00.0",
		  .class = "Ethernet controller",
		  GEN4_X4,
		  BEST_X4,
		  NOW(16, 2) },
		{ .node = "0000:02:00.1",
		  .class = "Ethernet controller",
		  GEN4_X4,
		  BEST_X4,
		  NOW(16, 2) },
	};
	BESIDE struct beside made = { .graph = hl_graph_new() };

	(void)unused;
	add_end(&made, &ends[0]);
	add_end(&made, &ends[1]);
	match_one(made.graph, DOWNGRADED);
	assert_int_equal(made.graph->nr_findings, 1);
	assert_int_equal(made.graph->findings[0]->layer, HL_LAYER_WIRE);
}

/* 8 GT/s x1, MPS 256: 858.6 MiB/s */
static void a_measurement_that_fills_the_link_confirms_it_and_a_faster_one_clears_it(void **unused)
{
	static const struct {
		double mib_per_s, width;
		int state;
		bool has_hop;
	} cases[] = {
		{ 850, 1, HL_CONFIRMED, true },
		{ 750, 1, HL_CONFIRMED, true }, /* by the registers */
		{ 300, 1, HL_CONFIRMED, false },
		{ 1500, 1, -1, false },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_DRIVE, 0, cases[i].mib_per_s);
		const struct end end = { A_DRIVE, GEN4_X4, BEST_X4, NOW(8, cases[i].width) };
		const struct hl_finding *found;

		put_on_drive(&made, 8, 1);
		add_end(&made, &end);
		found = match_one(made.graph, DOWNGRADED);
		if ((found ? (int)found->state : -1) != cases[i].state)
			fail_msg("row %zu: %s", i, found ? found->text : "silent");
		if (!found)
			continue;
		assert_int_equal(found->hop == made.hop, cases[i].has_hop);
		if (!cases[i].has_hop)
			continue;
		assert_true(found->at == made.hop->measurements[0]);
		assert_non_null(evidence_of(found, "run.read_bw"));
		assert_true(fabs(found->predicted_bw / HL_MIB - 6868) < 1);
		assert_int_equal(found->predicted_kind, HL_AT_MOST);
	}
}

static void an_idle_link_that_was_fast_under_load_is_left_alone(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_DRIVE, 0, 6000);
	const struct end end = { A_DRIVE, GEN4_X4, BEST_X4, NOW(2.5, 4) };

	(void)unused;
	put_on_drive(&made, 2.5, 4);
	add_end(&made, &end);
	assert_null(match_one(made.graph, DOWNGRADED));
}

static void what_the_link_ran_at_while_it_worked_decides(void **unused)
{
	static const struct {
		double speed, width;
		int state;
	} cases[] = {
		{ 16, 4, -1 },            /* it was asleep */
		{ 2.5, 4, HL_CONFIRMED }, /* it was not */
		{ 8, 4, HL_CONFIRMED },
		{ NAN, NAN, HL_SUSPECTED },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_DRIVE, 0, 100);
		const struct end end = { A_DRIVE, GEN4_X4, BEST_X4, NOW(2.5, 4) };
		const struct hl_finding *found;

		put_on_drive(&made, 2.5, 4);
		add_end(&made, &end);
		add_number(&made, "virtio/seq", "pcie.loaded_speed_gts", cases[i].speed);
		add_number(&made, "virtio/seq", "pcie.loaded_width", cases[i].width);
		found = match_one(made.graph, DOWNGRADED);
		if ((found ? (int)found->state : -1) != cases[i].state)
			fail_msg("row %zu: %s", i, found ? found->text : "silent");
	}
}

/* ---- shared ---- */

static void add_two_drives(struct beside *made, double uplink_width)
{
	static const char *const nodes[] = { DRIVE, "0000:02:00.0" };
	const struct end port = { .node = PORT,
				  .type = "Upstream Port",
				  .cap_speed = 8,
				  .cap_width = 8,
				  NOW(8, uplink_width) };

	add_end(made, &port);
	for (int i = 0; i < 2; i++) {
		const struct end end = {
			.node = nodes[i], .class = NVME, .cap_speed = 8, .cap_width = 4, NOW(8, 4)
		};

		add_end(made, &end);
		add_text(made, nodes[i], "pcie.shared_uplink", PORT);
		add_text(made, nodes[i], "pcie.uplink_shared_by", nodes[!i]);
		add_number(made, nodes[i], "pcie.limit_speed_gts", 8);
		add_number(made, nodes[i], "pcie.limit_width", 4);
		add_text(made, nodes[i], "pcie.limiting_hop", nodes[i]);
	}
}

static void put_on_two_drives(struct beside *made)
{
	const char *const targets[] = { "/dev/nvme0n1", "/dev/nvme1n1" };

	made->hop->targets = hl_arena_alloc(made->graph->arena, sizeof(targets));
	memcpy(made->hop->targets, targets, sizeof(targets));
	made->hop->nr_targets = 2;
	made->hop->target = "/dev/nvme0n1 /dev/nvme1n1";
	add_text(made, "nvme0n1", "block.pci_address", DRIVE);
	add_text(made, "nvme1n1", "block.pci_address", "0000:02:00.0");
}

/* 8 GT/s x4, MPS 256: 3,434 MiB/s */
static void drives_that_fill_the_link_that_they_share_are_told(void **unused)
{
	static const struct {
		double mib_per_s, uplink_width;
		int state;
	} cases[] = {
		{ 3400, 4, HL_CONFIRMED }, { 2900, 4, HL_SUSPECTED }, { 2000, 4, -1 },
		{ 4000, 4, -1 },           { 3400, 8, -1 }, /* wide enough */
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_DRIVE, 0, cases[i].mib_per_s);
		const struct hl_finding *found;

		put_on_two_drives(&made);
		add_two_drives(&made, cases[i].uplink_width);
		found = match_one(made.graph, SHARED);
		if ((found ? (int)found->state : -1) != cases[i].state)
			fail_msg("row %zu: %s", i, found ? found->text : "silent");
		if (!found)
			continue;
		assert_true(found->hop == made.hop);
		assert_true(fabs(found->predicted_bw / HL_MIB - 2 * 3434) < 2);
	}
}

/* Each drive alone gives so much. */
static void add_alone(struct beside *made, double mib_per_s)
{
	struct run_row row = { "seq",        "iscsi",       .rw = HL_RW_READ,
			       .bs = 131072, .iodepth = 32, .lat = 10 * MS };

	row.iops = mib_per_s * 8;
	for (int i = 0; i < 2; i++) {
		struct hl_measurement *at = add_run(made->graph, made->hop, &row);

		at->experiment = HL_DRIVES_ALONE;
		at->drive = i ? "nvme1n1" : "nvme0n1";
	}
}

static void drives_that_give_more_alone_confirm_that_they_share_a_link(void **unused)
{
	static const struct {
		double alone;
		int state;
	} cases[] = { { 2500, HL_CONFIRMED }, { 1500, -1 } }; /* then they are what is slow */

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_DRIVE, 0, 2900);
		const struct hl_finding *found;

		put_on_two_drives(&made);
		add_two_drives(&made, 4);
		add_alone(&made, cases[i].alone);
		found = match_one(made.graph, SHARED);
		if ((found ? (int)found->state : -1) != cases[i].state)
			fail_msg("row %zu: %s", i, found ? found->text : "silent");
		if (found)
			assert_true(has_text(found->text, "Each alone, they add up to 5000 MiB/s"));
	}
}

static void a_link_that_is_too_narrow_is_suspected_where_nothing_was_measured(void **unused)
{
	static const double widths[] = { 4, 8 };

	(void)unused;
	for (int i = 0; i < 2; i++) {
		BESIDE struct beside made = { .graph = hl_graph_new() };
		const struct hl_finding *found;

		add_two_drives(&made, widths[i]);
		found = match_one(made.graph, SHARED);
		assert_int_equal(found ? (int)found->state : -1, i ? -1 : HL_SUSPECTED);
		assert_int_equal(made.graph->nr_findings, i ? 0 : 1); /* once for both */
		if (found)
			assert_null(found->hop);
	}
}

static void two_functions_of_a_device_have_one_link(void **unused)
{
	static const char *const nodes[] = { "0000:81:00.0", "0000:81:00.1" };
	const struct end port = {
		.node = PORT, .type = "Root Port", .cap_speed = 8, .cap_width = 8, NOW(8, 8)
	};
	BESIDE struct beside made = { .graph = hl_graph_new() };

	(void)unused;
	add_end(&made, &port);
	for (int i = 0; i < 2; i++) {
		const struct end end = {
			.node = nodes[i], .class = NVME, .cap_speed = 8, .cap_width = 8, NOW(8, 8)
		};

		add_end(&made, &end);
		add_text(&made, nodes[i], "pcie.shared_uplink", PORT);
	}
	assert_null(match_one(made.graph, SHARED));
}

/* ---- errors ---- */

static void link_errors_are_told_by_what_moved(void **unused)
{
	static const struct {
		double before, now; /* of the counter; NAN = not known */
		const char *flags;
		int state;
	} cases[] = {
		{ 5, 500, "RxErr", HL_CONFIRMED },
		{ 5, 7, "RxErr", HL_SUSPECTED },
		{ NAN, 7, "RxErr", HL_SUSPECTED },
		{ NAN, NAN, "RxErr BadTLP", HL_SUSPECTED },
		{ NAN, NAN, "AdvNonFatalErr", -1 },
		{ NAN, NAN, "", -1 },
		{ NAN, 0, "RxErr", -1 }, /* the count knows better than a flag */
		{ 0, 0, "AdvNonFatalErr", -1 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct hl_origin origin = { .node = DRIVE, .source = "made" };
		BESIDE struct beside made = { .graph = hl_graph_new() };
		const struct hl_finding *found;
		struct hl_fact *count = hl_graph_add_number(made.graph, &origin,
							    "pcie.aer_link_count", cases[i].now);

		if (count)
			count->before = cases[i].before;
		add_text(&made, DRIVE, "pcie.aer_correctable", cases[i].flags);
		found = match_one(made.graph, AER);
		if ((found ? (int)found->state : -1) != cases[i].state)
			fail_msg("row %zu: %s", i, found ? found->text : "silent");
		assert_int_equal(made.graph->nr_findings, cases[i].state >= 0);
	}
}

static void an_uncorrectable_error_while_measuring_is_confirmed(void **unused)
{
	const struct hl_origin origin = { .node = DRIVE, .source = "made" };
	BESIDE struct beside made = { .graph = hl_graph_new() };

	(void)unused;
	hl_graph_add_number(made.graph, &origin, "pcie.aer_nonfatal_count", 3)->before = 2;
	assert_int_equal(match_one(made.graph, AER)->state, HL_CONFIRMED);
}

/* ---- ceilings ---- */

static double ceiling_of(const struct beside *made, enum hl_dir dir)
{
	for (size_t i = 0; i < made->graph->nr_ceilings; i++) {
		if (made->graph->ceilings[i]->dir == dir)
			return made->graph->ceilings[i]->bw / HL_MIB;
	}
	return NAN;
}

static void a_hop_on_a_drive_has_the_ceiling_of_its_chain(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_DRIVE, 0, 3000);
	const struct end end = { A_DRIVE, GEN4_X4, BEST_X4, NOW(16, 4) };

	(void)unused;
	put_on_drive(&made, 8, 4);
	add_end(&made, &end);
	hl_ceiling_pcie_fill(made.graph);
	assert_int_equal(made.graph->nr_ceilings, 2);
	assert_true(fabs(ceiling_of(&made, HL_DIR_READ) - 3434) < 1);
	assert_true(fabs(ceiling_of(&made, HL_DIR_WRITE) - 3484) < 1);
	assert_int_equal(made.graph->ceilings[0]->layer, HL_LAYER_LINK);
	assert_true(has_text(made.graph->ceilings[0]->formula,
			     "8 GT/s x 4 x 128/130 / 8 x 256 / (256 + 24) = 3434 MiB/s"));
}

static void drives_add_up_to_what_they_share_and_no_further(void **unused)
{
	static const struct {
		double uplink_width, mib_per_s;
	} cases[] = { { 4, 3434 }, { 8, 2 * 3434 }, { 16, 2 * 3434 } };

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_POOL, 0, 3000);

		put_on_two_drives(&made);
		add_two_drives(&made, cases[i].uplink_width);
		hl_ceiling_pcie_fill(made.graph);
		assert_true(fabs(ceiling_of(&made, HL_DIR_READ) - cases[i].mib_per_s) < 2);
	}
}

static void a_hop_far_from_the_drive_has_no_ceiling_of_it(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 0, 3000);
	const struct end end = { A_DRIVE, GEN4_X4, BEST_X4, NOW(16, 4) };

	(void)unused;
	put_on_drive(&made, 8, 4);
	add_end(&made, &end);
	hl_ceiling_pcie_fill(made.graph);
	assert_int_equal(made.graph->nr_ceilings, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_alone_tell_a_downgraded_link),
		cmocka_unit_test(a_port_of_which_others_are_known_is_judged_by_what_is_below_it),
		cmocka_unit_test(a_drive_in_a_guest_is_suspected_and_its_host_decides),
		cmocka_unit_test(a_port_of_unknown_type_is_told_by_what_is_below_it),
		cmocka_unit_test(two_states_of_a_link_are_told_once),
		cmocka_unit_test(both_ports_of_a_nic_have_one_link),
		cmocka_unit_test(
			a_measurement_that_fills_the_link_confirms_it_and_a_faster_one_clears_it),
		cmocka_unit_test(an_idle_link_that_was_fast_under_load_is_left_alone),
		cmocka_unit_test(what_the_link_ran_at_while_it_worked_decides),
		cmocka_unit_test(drives_that_fill_the_link_that_they_share_are_told),
		cmocka_unit_test(drives_that_give_more_alone_confirm_that_they_share_a_link),
		cmocka_unit_test(a_link_that_is_too_narrow_is_suspected_where_nothing_was_measured),
		cmocka_unit_test(two_functions_of_a_device_have_one_link),
		cmocka_unit_test(link_errors_are_told_by_what_moved),
		cmocka_unit_test(an_uncorrectable_error_while_measuring_is_confirmed),
		cmocka_unit_test(a_hop_on_a_drive_has_the_ceiling_of_its_chain),
		cmocka_unit_test(drives_add_up_to_what_they_share_and_no_further),
		cmocka_unit_test(a_hop_far_from_the_drive_has_no_ceiling_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
