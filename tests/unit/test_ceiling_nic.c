/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PCIe link of a NIC is a ceiling of the hops that cross it, and of no others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"
#include "hoploss/model.h"
#include "hoploss/pcie.h"

#define NIC       "Ethernet controller"
#define GEN3_X4   3484 /* MiB/s: 8 x 4 x 128/130 / 8 x 256 / 276 */
#define GEN3_X8   6968
#define NO_NUMBER 0

struct row {
	const char *host, *node, *key, *text;
	double number;
};

#define TEXT(host, node, key, text)                                                                \
	{                                                                                          \
		host, node, key, text, NO_NUMBER                                                   \
	}
#define NUMBER(host, node, key, number)                                                            \
	{                                                                                          \
		host, node, key, NULL, number                                                      \
	}

static void add_rows(struct hl_graph *graph, const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct hl_origin origin = { rows[i].host, rows[i].node, "made" };

		if (rows[i].text)
			hl_graph_add_string(graph, &origin, rows[i].key, rows[i].text);
		else
			hl_graph_add_number(graph, &origin, rows[i].key, rows[i].number);
	}
}

#define ADD_ROWS(graph, rows) add_rows(graph, rows, sizeof(rows) / sizeof(*(rows)))

static void add_card(struct hl_graph *graph, const char *host, const char *nic, const char *address,
		     double width)
{
	const struct row rows[] = {
		TEXT(host, nic, "link.pci_address", address),
		TEXT(host, address, "pcie.class", NIC),
		TEXT(host, address, "pcie.limiting_hop", address),
		NUMBER(host, address, "pcie.limit_speed_gts", 8),
		NUMBER(host, address, "pcie.limit_width", width),
		NUMBER(host, address, "pcie.mps", 256),
	};

	ADD_ROWS(graph, rows);
}

static void add_hosts(struct hl_graph *graph, const char *nas_on, const char *worker_on)
{
	struct hl_host *host;

	hl_graph_add_host(graph, "pve");
	host = hl_graph_add_host(graph, "nas");
	host->on = nas_on;
	host->vm = nas_on ? "nas" : NULL;
	host = hl_graph_add_host(graph, "worker");
	host->on = worker_on;
	host->vm = worker_on ? "worker" : NULL;
}

/* A hop of worker behind a target on nas, by way of those devices; NULL = not known. */
static struct hl_hop *add_flow(struct hl_graph *graph, enum hl_layer layer, const char *here,
			       const char *there)
{
	const struct run_row row = { "seq",         .rw = HL_RW_READ, .bs = 131072,
				     .iodepth = 32, .iops = 8000,     .lat = 4 * MS };
	struct hl_hop *target = add_runs(graph, "loopback", HL_LAYER_TARGET, &row, 1);
	struct hl_hop *hop = add_runs(graph, "hop", layer, &row, 1);

	target->host = "nas";
	hop->host = "worker";
	hop->after = target;
	const struct row rows[] = { TEXT("worker", "hop", "route.device", here),
				    TEXT("nas", "hop/target-end", "route.device", there) };

	/* what the run asked the route stands at no host */
	for (size_t i = 0; i < 2; i++) {
		const struct hl_origin origin = { NULL, rows[i].node, "made" };

		hl_graph_add_string(graph, &origin, rows[i].key, rows[i].text);
	}
	return hop;
}

static void assert_mib(const struct hl_graph *graph, double mib_per_s)
{
	assert_int_equal(graph->nr_ceilings, 2);
	for (size_t i = 0; i < 2; i++) {
		double mib = graph->ceilings[i]->bw / HL_MIB;

		if (fabs(mib - mib_per_s) > 1)
			fail_msg("%g, not %g: %s", mib, mib_per_s, graph->ceilings[i]->formula);
	}
}

static void the_slower_nic_of_both_ends_counts(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_ceiling *ceiling;

	(void)unused;
	add_hosts(graph, NULL, NULL);
	add_card(graph, "worker", "eth0", "0000:01:00.0", 8);
	add_card(graph, "nas", "enp1s0", "0000:01:00.0", 4);
	add_flow(graph, HL_LAYER_WIRE, "eth0", "enp1s0");
	hl_ceiling_nic_fill(graph);
	assert_mib(graph, GEN3_X4);
	ceiling = graph->ceilings[0];
	assert_int_equal(ceiling->layer, HL_LAYER_WIRE);
	assert_string_equal(ceiling->hop->name, "hop");
	assert_string_equal(ceiling->name, "PCIe 8 GT/s x4 of the NIC");
	assert_true(has_text(ceiling->formula, "8 GT/s x 4 x 128/130 / 8 x 256 / (256 + 20)"));
	assert_true(has_text(ceiling->formula, "0000:01:00.0 at nas"));
	assert_int_equal(ceiling->nr_from, 3);
}

static const struct row vf[] = {
	TEXT("worker", "eth1", "link.mac", "52:54:00:00:00:01"),
	TEXT("pve", "ens1f0/vf0", "vf.mac", "52:54:00:00:00:01"),
};

static void a_vf_has_the_link_of_its_pf(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	add_hosts(graph, "pve", "pve");
	ADD_ROWS(graph, vf);
	add_card(graph, "pve", "ens1f0", "0000:41:00.0", 8);
	add_flow(graph, HL_LAYER_VNIC, "eth1", NULL);
	hl_ceiling_nic_fill(graph);
	assert_mib(graph, GEN3_X8);
	assert_int_equal(graph->ceilings[0]->layer, HL_LAYER_VNIC);
}

/* A virtual NIC on a bridge, whose port to the outside is a card. */
static const struct row bridge[] = {
	TEXT("worker", "eth0", "link.mac", "52:54:00:00:00:02"),
	TEXT("pve", "worker/net0", "vnic.mac", "52:54:00:00:00:02"),
	TEXT("pve", "worker/net0", "vnic.bridge", "vmbr0"),
	TEXT("pve", "vmbr0", "link.below", "ens1f0"),
};

static void the_nic_below_a_bridge_is_not_between_two_guests(void **unused)
{
	static const struct {
		const char *nas_on;
		enum hl_layer layer;
		size_t nr;
	} cases[] = {
		{ "pve", HL_LAYER_VNIC, 0 }, { "pve", HL_LAYER_FILESYSTEM, 0 },
		{ NULL, HL_LAYER_VNIC, 2 },  { NULL, HL_LAYER_INITIATOR, 2 },
		{ "pve", HL_LAYER_WIRE, 2 }, /* by the user's word */
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		add_hosts(graph, cases[i].nas_on, "pve");
		ADD_ROWS(graph, bridge);
		add_card(graph, "pve", "ens1f0", "0000:41:00.0", 8);
		add_flow(graph, cases[i].layer, "eth0", NULL);
		hl_ceiling_nic_fill(graph);
		if (graph->nr_ceilings != cases[i].nr)
			fail_msg("row %zu: %zu", i, graph->nr_ceilings);
	}
}

static void bonded_nics_with_links_of_their_own_are_no_ceiling(void **unused)
{
	static const struct row bond[] = {
		TEXT("worker", "bond0", "link.kind", "bond"),
		TEXT("worker", "bond0", "link.below", "eth0 eth1"),
	};

	(void)unused;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		add_hosts(graph, NULL, NULL);
		ADD_ROWS(graph, bond);
		add_card(graph, "worker", "eth0", "0000:01:00.0", 8);
		add_card(graph, "worker", "eth1", i ? "0000:02:00.0" : "0000:01:00.0", 8);
		add_flow(graph, HL_LAYER_WIRE, "bond0", NULL);
		hl_ceiling_nic_fill(graph);
		assert_int_equal(graph->nr_ceilings, i ? 0 : 2);
	}
}

static void other_hops_unknown_links_and_other_cards_give_none(void **unused)
{
	static const struct {
		enum hl_layer layer;
		double width;
		const char *class;
	} cases[] = {
		{ HL_LAYER_TARGET, 8, NIC },
		{ HL_LAYER_VDISK, 8, NIC },
		{ HL_LAYER_WIRE, 0, NIC },
		{ HL_LAYER_WIRE, 8, "Non-Volatile memory controller" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct row rows[] = {
			TEXT("worker", "eth0", "link.pci_address", "0000:01:00.0"),
			TEXT("worker", "0000:01:00.0", "pcie.class", cases[i].class),
			NUMBER("worker", "0000:01:00.0", "pcie.limit_speed_gts", 8),
			NUMBER("worker", "0000:01:00.0", "pcie.limit_width", cases[i].width),
		};

		add_hosts(graph, NULL, NULL);
		ADD_ROWS(graph, rows);
		add_flow(graph, cases[i].layer, "eth0", NULL);
		hl_ceiling_nic_fill(graph);
		if (graph->nr_ceilings)
			fail_msg("row %zu: %s", i, graph->ceilings[0]->formula);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slower_nic_of_both_ends_counts),
		cmocka_unit_test(a_vf_has_the_link_of_its_pf),
		cmocka_unit_test(the_nic_below_a_bridge_is_not_between_two_guests),
		cmocka_unit_test(bonded_nics_with_links_of_their_own_are_no_ceiling),
		cmocka_unit_test(other_hops_unknown_links_and_other_cards_give_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
