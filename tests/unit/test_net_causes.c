/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causes about NICs, VFs and iSCSI sessions: each on a path where it is sure, on one where it
 * is only likely, and on healthy ones that look alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/model.h"
#include "pool_maker.h"

#define SESSION "iqn.2005-10.org.example:pvc@10.0.0.2:3260"
#define IQN     "iqn.2005-10.org.example:pvc"

/* A disk of a session whose flow leaves by eth0, a real NIC. */
static const struct fact_row session_facts[] = {
	TEXT("sdb", "block.session", SESSION), NUMBER(SESSION, "iscsi.sid", 1),
	TEXT(SESSION, "iscsi.nic", "eth0"),    TEXT("eth0", "link.pci_address", "0000:01:00.0"),
	NUMBER("eth0", "link.mtu", 9000),
};

/* One job on that disk, in MiB/s, behind the target over loopback if that is not 0. */
static struct hl_hop *make_disk(struct hl_graph *graph, const struct run_row *row, double before)
{
	struct run_row faster = *row;
	struct hl_hop *loopback = NULL, *hop;

	ADD_FACTS(graph, session_facts);
	faster.iops = before * HL_MIB / row->bs;
	if (before > 0)
		loopback = add_runs(graph, "loopback", HL_LAYER_TARGET, &faster, 1);
	hop = add_runs(graph, "disk", HL_LAYER_INITIATOR, row, 1);
	hop->after = loopback;
	put_on(graph, hop, "/dev/sdb");
	return hop;
}

static struct run_row reads_of(double mib)
{
	return (struct run_row){ .name = "seq",
				 .rw = HL_RW_READ,
				 .bs = 131072,
				 .iodepth = 32,
				 .iops = mib * 8,
				 .lat = 10 * MS };
}

static void add_rows_of(struct hl_graph *graph, const struct fact_row *row)
{
	add_fact_rows(graph, row, 1);
}

static void assert_state(const struct hl_finding *found, int state)
{
	assert_int_equal(found ? (int)found->state : -1, state);
	if (!found)
		return;
	assert_true(found->text && found->fix && found->nr_evidence > 0);
	assert_int_equal(found->next == NULL, state == HL_CONFIRMED);
	assert_null(strstr(found->text, "nan"));
}

#define SILENT (-1)

/* ---- ethernet-ceiling ---- */

static void a_known_line_at_its_end_is_confirmed(void **state)
{
	static const struct {
		double mib, speed;
		int state;
	} cases[] = {
		{ 1170, 10000, HL_CONFIRMED }, /* of 1,180 at MTU 9000 */
		{ 1170, 25000, HL_SUSPECTED }, /* something behind the NIC may be slower */
		{ 1170, 0, HL_SUSPECTED },     /* speed not known */
		{ 900, 10000, SILENT },
		{ 1300, 10000, SILENT }, /* more than it can carry: several */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct run_row row = reads_of(cases[i].mib);
		const struct fact_row speed = NUMBER("eth0", "link.speed_mbps", cases[i].speed);
		const struct hl_finding *found;

		make_disk(graph, &row, 2000);
		if (cases[i].speed > 0)
			add_rows_of(graph, &speed);
		found = match_one(graph, "ethernet-ceiling");
		assert_state(found, cases[i].state);
		if (cases[i].state == HL_CONFIRMED)
			assert_true(
				has_text(found->text,
					 "99 % of what eth0 carries: 10 Gb/s at an MTU of 9000"));
	}
}

static void a_link_that_negotiated_down_is_told(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct run_row row = reads_of(115);
	static const struct fact_row link[] = { NUMBER("eth0", "link.speed_mbps", 1000),
						NUMBER("eth0", "link.supported_mbps", 10000) };
	const struct hl_finding *found;

	(void)state;
	make_disk(graph, &row, 2000);
	ADD_FACTS(graph, link);
	found = match_one(graph, "ethernet-ceiling");
	assert_state(found, HL_CONFIRMED);
	assert_true(has_text(found->text, "The NIC could do 10 Gb/s."));
	assert_true(has_text(found->fix, "cable"));
}

static void a_virtual_nic_has_no_speed_that_counts(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct run_row row = reads_of(1170);
	static const struct fact_row bridge[] = { TEXT("eth0", "link.below", "vmbr0"),
						  NUMBER("vmbr0", "link.speed_mbps", 10000) };

	(void)state;
	make_disk(graph, &row, 2000);
	ADD_FACTS(graph, bridge);
	assert_state(match_one(graph, "ethernet-ceiling"), HL_SUSPECTED);
}

/* ---- link-shaped, where no route was asked ---- */

static void a_qdisc_of_this_end_s_nic_holds_writes(void **state)
{
	static const struct {
		enum hl_rw rw;
		double mib;
		int state;
	} cases[] = {
		{ HL_RW_WRITE, 34.2, HL_CONFIRMED }, /* 300 Mbit/s */
		{ HL_RW_WRITE, 29, HL_SUSPECTED },
		{ HL_RW_READ, 34.2, SILENT }, /* the other end sends those */
		{ HL_RW_WRITE, 60, SILENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_origin disk = { "worker", "sdb", "made" },
				 nic = { "worker", "eth0", "made" };
		struct run_row row = reads_of(cases[i].mib);
		struct hl_hop *hop;

		hl_graph_add_string(graph, &disk, "block.below", "eth0");
		hl_graph_add_number(graph, &nic, "link.qdisc_rate", 300e6 / 8);
		hl_graph_add_string(graph, &nic, "link.qdisc", "tbf");
		hl_graph_add_number(graph, &nic, "link.mtu", 1500);
		row.rw = cases[i].rw;
		hop = add_runs(graph, "disk", HL_LAYER_VNIC, &row, 1);
		hop->host = "worker";
		put_on(graph, hop, "/dev/sdb");
		assert_state(match_one(graph, "link-shaped"), cases[i].state);
	}
}

/* ---- mtu-mismatch ---- */

static void ends_with_different_mtus_are_told(void **state)
{
	static const struct {
		double near, far, mss;
		int state;
	} cases[] = {
		{ 9000, 1500, 0, HL_CONFIRMED }, { 1500, 9000, 0, HL_CONFIRMED },
		{ 9000, 9000, 8948, SILENT },    { 1500, 1500, 1448, SILENT },
		{ 9000, 0, 1448, HL_SUSPECTED }, { 9000, 0, 8948, SILENT },
		{ 9000, 0, 0, SILENT },          { 65536, 0, 65483, SILENT },
		{ 65536, 0, 32768, SILENT },     { 65535, 0, 40318, SILENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct run_row row = reads_of(800);
		const struct fact_row near = NUMBER("disk", "route.mtu", cases[i].near);
		const struct fact_row far = NUMBER("disk/target-end", "route.mtu", cases[i].far);
		const struct fact_row mss = NUMBER("disk/seq", "tcp.initiator_mss", cases[i].mss);
		const struct hl_finding *found;

		make_disk(graph, &row, 0);
		add_rows_of(graph, &near);
		if (cases[i].far > 0)
			add_rows_of(graph, &far);
		if (cases[i].mss > 0)
			add_rows_of(graph, &mss);
		found = match_one(graph, "mtu-mismatch");
		assert_state(found, cases[i].state);
		if (found)
			assert_true(found->predicted_bw > 1.03 * 800 * HL_MIB &&
				    found->predicted_bw < 1.06 * 800 * HL_MIB);
	}
}

static void what_is_below_must_take_as_much(void **state)
{
	static const struct {
		const char *key;
		double above, below;
		int state;
	} cases[] = {
		{ "link.below", 9000, 1500, HL_CONFIRMED },
		{ "link.pf", 9000, 1500, HL_CONFIRMED },
		{ "link.pf", 1500, 9000, SILENT }, /* a VF may have less */
		{ "link.below", 1500, 1500, SILENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct fact_row rows[] = {
			TEXT("up", cases[i].key, "other down"),
			NUMBER("up", "link.mtu", cases[i].above),
			NUMBER("down", "link.mtu", cases[i].below),
			NUMBER("other", "link.mtu", cases[i].above),
		};
		const struct hl_finding *found;

		ADD_FACTS(graph, rows);
		found = match_one(graph, "mtu-mismatch");
		assert_state(found, cases[i].state);
		assert_true(!found || has_text(found->text, "on top of down with 1500"));
		assert_true(graph->nr_findings <= 1);
	}
}

/* ---- tcp-loss ---- */

static void lost_segments_are_told_by_their_share(void **state)
{
	static const struct {
		double nr, pct, before_pct, rate; /* of a shaper, MiB/s */
		int state;
	} cases[] = {
		{ 5000, 2.5, 0, 0, HL_CONFIRMED },
		{ 300, 0.3, 0, 0, HL_SUSPECTED },
		{ 40, 0.02, 0, 0, SILENT }, /* usual */
		{ 5, 2.5, 0, 0, SILENT },   /* too few to say */
		{ 5000, 2.5, 2.4, 0, SILENT },
		{ 5000, 2.5, 0, 105, SILENT }, /* a shaper drops to hold its rate */
		{ 5000, 2.5, 0, 500, HL_CONFIRMED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct run_row row = reads_of(100);
		const struct fact_row rows[] = {
			NUMBER("disk/seq", "tcp.target_retransmits", cases[i].nr),
			NUMBER("disk/seq", "tcp.target_retransmit_pct", cases[i].pct),
			NUMBER("disk/seq", "nic.rx_missed", 12),
			NUMBER("loopback/seq", "tcp.target_retransmits", 5000),
			NUMBER("loopback/seq", "tcp.target_retransmit_pct", cases[i].before_pct),
			NUMBER("disk/target-end", "route.mtu", 1500),
			NUMBER("disk/target-end", "route.qdisc_rate", cases[i].rate * HL_MIB),
		};
		const struct hl_finding *found;
		const struct hl_cause *cause = hl_cause_find("tcp-loss");

		make_disk(graph, &row, 900);
		add_fact_rows(graph, rows, cases[i].rate > 0 ? 7 : 6);
		cause->match(graph, cause);
		found = NULL;
		for (size_t k = 0; k < graph->nr_findings; k++) {
			if (!strcmp(graph->findings[k]->hop->name, "disk"))
				found = graph->findings[k];
		}
		assert_state(found, cases[i].state);
		assert_true(!found || has_text(found->text, "The NIC at this end dropped some"));
	}
}

/* ---- vf-rate-limited ---- */

static void a_vf_limit_counts_for_the_end_that_sends(void **state)
{
	enum owner { TARGET, INITIATOR, THIRD, UNKNOWN };
	static const struct {
		double mib, limit;
		enum owner owner;
		int state;
	} cases[] = {
		{ 112, 1000, TARGET, HL_CONFIRMED },  { 95, 1000, TARGET, HL_SUSPECTED },
		{ 112, 1000, UNKNOWN, HL_SUSPECTED }, { 95, 1000, UNKNOWN, SILENT },
		{ 112, 1000, INITIATOR, SILENT }, /* these are reads */
		{ 112, 1000, THIRD, SILENT },         { 112, 5000, TARGET, SILENT },
		{ 300, 1000, TARGET, SILENT },        { 112, 0, TARGET, SILENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct run_row row = reads_of(cases[i].mib);
		static const char *const macs[] = { "02:00:00:00:00:0a", "02:00:00:00:00:0B",
						    "02:00:00:00:00:0c", "02:00:00:00:00:0c" };
		const struct fact_row rows[] = {
			TEXT("disk", "route.device", "ens19"),
			TEXT("disk/target-end", "route.device", "enp1s0"),
			TEXT("ens19", "link.mac", "02:00:00:00:00:0b"),
			/* of another NIC, if it is not to be known */
			TEXT(cases[i].owner == UNKNOWN ? "lo" : "enp1s0", "link.mac",
			     "02:00:00:00:00:0a"),
			TEXT("pf/vf3", "vf.mac", macs[cases[i].owner]),
			NUMBER("pf/vf3", "vf.max_tx_rate_mbps", cases[i].limit),
		};
		const struct hl_finding *found;

		make_disk(graph, &row, 900);
		ADD_FACTS(graph, rows);
		found = match_one(graph, "vf-rate-limited");
		assert_state(found, cases[i].state);
		assert_true(!found || has_text(found->text, "pf/vf3 may send 1000 Mbit/s"));
	}
}

/* ---- vf-inactive-standby ---- */

static void a_failover_pair_must_run_on_its_vf(void **state)
{
	static const struct {
		const char *active;
		bool has_vf;
		int state;
	} cases[] = {
		{ "eth0nsby", true, HL_CONFIRMED },
		{ "eth0nsby", false, HL_SUSPECTED },
		{ "ens19", true, SILENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct fact_row rows[] = {
			TEXT("eth0", "link.kind", "net_failover"),
			TEXT("eth0", "link.standby", "eth0nsby"),
			TEXT("eth0", "link.active_slave", cases[i].active),
			TEXT("eth0", "link.primary", "ens19"),
		};

		add_fact_rows(graph, rows, cases[i].has_vf ? 4 : 3);
		assert_state(match_one(graph, "vf-inactive-standby"), cases[i].state);
	}
}

static void a_flow_by_virtio_beside_a_vf_is_suspected(void **state)
{
	static const struct {
		const char *device, *vf_driver;
		int state;
	} cases[] = {
		{ "ens18", "iavf", HL_SUSPECTED },
		{ "ens18", "e1000", SILENT },
		{ "ens19", "iavf", SILENT }, /* it leaves by the VF */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct run_row row = reads_of(500);
		const struct fact_row rows[] = {
			TEXT("disk", "route.device", cases[i].device),
			TEXT("ens18", "link.driver", "virtio_net"),
			TEXT("ens19", "link.driver", cases[i].vf_driver),
		};

		make_disk(graph, &row, 0);
		ADD_FACTS(graph, rows);
		assert_state(match_one(graph, "vf-inactive-standby"), cases[i].state);
	}
}

/* ---- iscsi-depth-limited ---- */

static void a_session_takes_only_so_many_commands(void **state)
{
	static const struct {
		double asked, seen; /* 0 = not known */
		double can_queue, disk, target;
		int state;
	} cases[] = {
		{ 512, 112, 113, 0, 0, HL_CONFIRMED },   { 512, 31, 113, 32, 0, HL_CONFIRMED },
		{ 512, 31, 113, 128, 32, HL_CONFIRMED }, { 512, 0, 113, 0, 0, HL_SUSPECTED },
		{ 512, 250, 113, 0, 0, HL_SUSPECTED }, /* a scheduler's queue in it */
		{ 512, 60, 113, 0, 0, SILENT },        /* not full */
		{ 64, 60, 113, 0, 0, SILENT },         /* not asked for */
		{ 512, 112, 0, 0, 0, SILENT },         /* not known */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct run_row row = reads_of(500);
		const struct fact_row rows[] = {
			NUMBER(SESSION, "iscsi.can_queue", or_unknown(cases[i].can_queue)),
			NUMBER("sdb", "block.queue_depth", or_unknown(cases[i].disk)),
			NUMBER(IQN, "target.queued_commands", or_unknown(cases[i].target)),
		};
		const struct hl_finding *found;

		row.iodepth = cases[i].asked;
		row.device_depth = cases[i].seen;
		make_disk(graph, &row, 900);
		ADD_FACTS(graph, rows);
		found = match_one(graph, "iscsi-depth-limited");
		assert_state(found, cases[i].state);
		assert_true(!found || has_text(found->text, "asks for 512 I/Os at once"));
	}
}

static void commands_of_several_sessions_add_up(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct run_row row = reads_of(500);
	static const struct fact_row rows[] = {
		TEXT("dm-0", "block.below", "sdb sdc"),
		TEXT("sdc", "block.session", "iqn.x:pvc@10.0.1.2:3260"),
		NUMBER("iqn.x:pvc@10.0.1.2:3260", "iscsi.sid", 2),
		NUMBER("iqn.x:pvc@10.0.1.2:3260", "iscsi.can_queue", 113),
		NUMBER(SESSION, "iscsi.can_queue", 113),
	};
	struct hl_hop *hop;

	(void)state;
	row.iodepth = 256;
	hop = make_disk(graph, &row, 900);
	put_on(graph, hop, "/dev/dm-0");
	ADD_FACTS(graph, rows);
	assert_null(match_one(graph, "iscsi-depth-limited"));
	hop->measurements[0]->workload.iodepth = 512;
	assert_true(
		has_text(match_one(graph, "iscsi-depth-limited")->text, "its 2 sessions take 226"));
}

/* ---- iscsi-segment-small ---- */

static void writes_that_wait_for_leave_are_told(void **state)
{
	static const struct {
		double bs, depth, lat_us, rtt_us; /* 0 = not known */
		const char *initial_r2t, *immediate;
		double first, max_burst, max_xmit;
		int state;
		const char *text;
	} cases[] = {
		/* 128 KiB, 8 KiB unasked, one R2T of a round trip of 400 us */
		{ 131072, 1, 1000, 400, "yes", "yes", 65536, 262144, 8192, HL_CONFIRMED,
		  "sends 8 KiB unasked; for the rest it waits for 1 round trip, 40 %" },
		/* 1 MiB in bursts of 256 KiB behind 64 KiB: four of them */
		{ 1048576, 1, 4000, 400, "no", "yes", 65536, 262144, 262144, HL_CONFIRMED,
		  "sends 64 KiB unasked; for the rest it waits for 4 round trips, 40 %" },
		{ 131072, 32, 10000, 4000, "yes", "no", 65536, 262144, 8192, HL_SUSPECTED,
		  "sends 0 B unasked" },
		{ 131072, 1, 1000, 0, "yes", "yes", 65536, 262144, 8192, HL_SUSPECTED, "1 round" },
		{ 131072, 1, 1000, 0, "no", "yes", 65536, 262144, 262144, SILENT, NULL },
		{ 131072, 1, 9000, 400, "yes", "yes", 65536, 262144, 8192, SILENT, NULL },
		{ 8192, 1, 1000, 400, "yes", "yes", 65536, 262144, 8192, SILENT, NULL },
		{ 131072, 1, 1000, 400, "no", "yes", 262144, 1048576, 262144, SILENT, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct run_row row = { .name = "w",
				       .rw = HL_RW_WRITE,
				       .bs = cases[i].bs,
				       .iodepth = cases[i].depth,
				       .iops = 1e6 / cases[i].lat_us * cases[i].depth,
				       .lat = cases[i].lat_us * US };
		const struct fact_row rows[] = {
			TEXT(SESSION, "iscsi.initial_r2t", cases[i].initial_r2t),
			TEXT(SESSION, "iscsi.immediate_data", cases[i].immediate),
			NUMBER(SESSION, "iscsi.first_burst", cases[i].first),
			NUMBER(SESSION, "iscsi.max_burst", cases[i].max_burst),
			NUMBER(SESSION, "iscsi.max_xmit", cases[i].max_xmit),
			NUMBER("disk/w", "tcp.initiator_rtt_us", or_unknown(cases[i].rtt_us)),
		};
		const struct hl_finding *found;

		make_disk(graph, &row, 0);
		ADD_FACTS(graph, rows);
		found = match_one(graph, "iscsi-segment-small");
		if (found && cases[i].state != (int)found->state)
			fail_msg("case %zu: %s", i, found->text);
		assert_state(found, cases[i].state);
		assert_true(!found || has_text(found->text, cases[i].text));
	}
}

static void a_session_alone_is_suspected_by_its_parameters(void **state)
{
	static const struct {
		const char *initial_r2t;
		double xmit;
		int state;
	} cases[] = {
		{ "yes", 8192, HL_SUSPECTED },
		{ "no", 8192, SILENT },
		{ "yes", 262144, SILENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct fact_row rows[] = {
			NUMBER(SESSION, "iscsi.sid", 1),
			TEXT(SESSION, "iscsi.initial_r2t", cases[i].initial_r2t),
			TEXT(SESSION, "iscsi.immediate_data", "yes"),
			NUMBER(SESSION, "iscsi.first_burst", 65536),
			NUMBER(SESSION, "iscsi.max_burst", 262144),
			NUMBER(SESSION, "iscsi.max_xmit", cases[i].xmit),
		};

		ADD_FACTS(graph, rows);
		assert_state(match_one(graph, "iscsi-segment-small"), cases[i].state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_line_at_its_end_is_confirmed),
		cmocka_unit_test(a_link_that_negotiated_down_is_told),
		cmocka_unit_test(a_virtual_nic_has_no_speed_that_counts),
		cmocka_unit_test(a_qdisc_of_this_end_s_nic_holds_writes),
		cmocka_unit_test(ends_with_different_mtus_are_told),
		cmocka_unit_test(what_is_below_must_take_as_much),
		cmocka_unit_test(lost_segments_are_told_by_their_share),
		cmocka_unit_test(a_vf_limit_counts_for_the_end_that_sends),
		cmocka_unit_test(a_failover_pair_must_run_on_its_vf),
		cmocka_unit_test(a_flow_by_virtio_beside_a_vf_is_suspected),
		cmocka_unit_test(a_session_takes_only_so_many_commands),
		cmocka_unit_test(commands_of_several_sessions_add_up),
		cmocka_unit_test(writes_that_wait_for_leave_are_told),
		cmocka_unit_test(a_session_alone_is_suspected_by_its_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
