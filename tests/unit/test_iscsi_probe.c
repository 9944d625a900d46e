/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions, LIO and SCST in trees made by hand after the kernel's and SCST's documentation.
 */
#include "probe_tree.h"

extern const struct hl_probe hl_probe_iscsi;

#define IQN     "iqn.2005-10.org.example:pvc-1"
#define SESSION "/sys/devices/platform/host7/session1"
#define CLASS   SESSION "/iscsi_session/session1"
#define CONN    SESSION "/connection1:0/iscsi_connection/connection1:0"

static const struct tree_row initiator[] = {
	{ "/sys/class/iscsi_session/session1",
	  "-> ../../devices/platform/host7/session1/iscsi_session/session1" },
	{ CLASS "/targetname", IQN "\n" },
	{ CLASS "/initiatorname", "iqn.2005-10.org.example:worker\n" },
	{ CLASS "/state", "LOGGED_IN\n" },
	{ CLASS "/first_burst_len", "262144\n" },
	{ CLASS "/max_burst_len", "16776192\n" },
	{ CLASS "/immediate_data", "1\n" },
	{ CLASS "/initial_r2t", "0\n" },
	{ CLASS "/max_outstanding_r2t", "1\n" },
	{ CLASS "/recovery_tmo", "-1\n" },
	{ CLASS "/username", "bob\n" },
	{ CLASS "/password", "hunter2-secret\n" },
	{ CLASS "/device", "-> ../../../session1" },
	{ SESSION "/target7:0:0/7:0:0:1/block/sdc/size", "1\n" },
	{ SESSION "/target7:0:0/7:0:0:0/block/sdb/size", "1\n" },
	{ "/sys/class/iscsi_connection/connection1:0",
	  "-> ../../devices/platform/host7/session1/connection1:0/iscsi_connection/"
	  "connection1:0" },
	{ CONN "/address", "10.0.0.2\n" },
	{ CONN "/port", "3260\n" },
	{ CONN "/persistent_address", "storage.example\n" },
	{ CONN "/max_recv_dlength", "262144\n" },
	{ CONN "/max_xmit_dlength", "8192\n" },
	{ CONN "/header_digest", "0\n" },
	{ CONN "/data_digest", "1\n" },
	{ "/sys/class/iscsi_host/host7/ipaddress", "10.0.0.1\n" },
	{ "/sys/class/iscsi_host/host7/netdev", "(null)\n" },
	{ "/sys/class/iscsi_host/host7/password", "hunter2-secret\n" },
	{ "/sys/class/scsi_host/host7/can_queue", "113\n" },
};

#define LIO  "/sys/kernel/config/target/iscsi/" IQN
#define CORE "/sys/kernel/config/target/core"

static const struct tree_row lio[] = {
	{ "/sys/kernel/config/target/iscsi/discovery_auth/password", "hunter2-secret\n" },
	{ LIO "/tpgt_1/attrib/default_cmdsn_depth", "64\n" },
	{ LIO "/tpgt_1/param/InitialR2T", "Yes\n" },
	{ LIO "/tpgt_1/param/ImmediateData", "Yes\n" },
	{ LIO "/tpgt_1/param/MaxRecvDataSegmentLength", "8192\n" },
	{ LIO "/tpgt_1/auth/password", "hunter2-secret\n" },
	{ LIO "/tpgt_1/dynamic_sessions", "iqn.1993-08.org.debian:a\niqn.1993-08.org.debian:b\n" },
	{ LIO "/tpgt_1/acls/iqn.1993-08.org.debian:c/info",
	  "No active iSCSI Session for Initiator Endpoint: c\n" },
	{ LIO "/tpgt_1/acls/iqn.1993-08.org.debian:d/info", "InitiatorName: d\n" },
	{ LIO "/tpgt_1/acls/iqn.1993-08.org.debian:d/lun_0/8a1f",
	  "-> ../../../../../../../target/iscsi/" IQN "/tpgt_1/lun/lun_3" },
	{ LIO "/tpgt_1/acls/iqn.1993-08.org.debian:d/lun_3/8b1f",
	  "-> ../../../../../../../target/iscsi/" IQN "/tpgt_1/lun/lun_3" },
	{ LIO "/tpgt_1/acls/iqn.1993-08.org.debian:d/auth/password", "hunter2-secret\n" },
	{ LIO "/tpgt_1/lun/lun_0/5f2c3a", "-> ../../../../../../target/core/iblock_0/pvc" },
	{ LIO "/tpgt_1/lun/lun_0/alua_tg_pt_gp", "default\n" },
	{ LIO "/tpgt_1/lun/lun_3/71aa", "-> ../../../../../../target/core/fileio_12/file" },
	{ CORE "/iblock_0/pvc/udev_path", "/dev/zvol/tank/pvc-1\n" },
	{ CORE "/iblock_0/pvc/attrib/emulate_write_cache", "0\n" },
	{ CORE "/iblock_0/pvc/attrib/queue_depth", "128\n" },
	{ CORE "/fileio_12/file/udev_path", "/srv/file.img\n" },
	{ CORE "/fileio_12/file/attrib/emulate_write_cache", "1\n" },
	{ CORE "/fileio_12/file/info", "Status: ACTIVATED  Max Queue Depth: 0\n"
				       "  TCM FILEIO ID: 12  File: /srv/file.img  Mode: "
				       "Buffered-WCE\n" },
};

#define SCST "/sys/kernel/scst_tgt/targets/iscsi/" IQN
#define DEV  "/sys/kernel/scst_tgt/devices/pvc-1"

static const struct tree_row scst[] = {
	{ "/sys/kernel/scst_tgt/targets/iscsi/mgmt", "Usage\n" },
	{ SCST "/QueuedCommands", "32\n[key]\n" },
	{ SCST "/MaxBurstLength", "1048576\n" },
	{ SCST "/InitialR2T", "No\n" },
	{ SCST "/IncomingUser", "bob hunter2-secret\n[key]\n" },
	{ SCST "/sessions/iqn.1993-08.org.debian:a/luns", "-> ../../ini_groups/zone2/luns" },
	{ SCST "/ini_groups/security_group/luns/0/device",
	  "-> ../../../../../../../devices/pvc-1" },
	{ SCST "/ini_groups/security_group/luns/mgmt", "Usage\n" },
	{ SCST "/ini_groups/zone2/luns/0/device", "-> ../../../../../../../devices/pvc-2" },
	{ DEV "/filename", "/dev/zvol/tank/pvc-1\n[key]\n" },
	{ DEV "/handler", "-> ../../handlers/vdisk_blockio" },
	{ DEV "/threads_num", "32\n[key]\n" },
	{ DEV "/write_through", "0\n" },
	{ DEV "/usn", "hunter2-secret\n" },
	{ "/sys/kernel/scst_tgt/devices/pvc-2/filename", "/dev/zvol/tank/pvc-2\n" },
};

#define SID IQN "@10.0.0.2:3260"

static void a_session_has_what_iscsiadm_would_say(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	tree_make("initiator", initiator, NR_ROWS(initiator));
	graph = tree_decode(&hl_probe_iscsi, "initiator");
	assert_true(tree_number(graph, SID, "iscsi.sid") == 1);
	assert_string_equal("LOGGED_IN", tree_text(graph, SID, "iscsi.session_state"));
	assert_true(tree_number(graph, SID, "iscsi.first_burst") == 262144);
	assert_true(tree_number(graph, SID, "iscsi.max_xmit") == 8192);
	assert_true(tree_number(graph, SID, "iscsi.can_queue") == 113);
	assert_true(hl_graph_find_fact(graph, SID, "iscsi.immediate_data")->boolean);
	assert_false(hl_graph_find_fact(graph, SID, "iscsi.initial_r2t")->boolean);
	assert_string_equal("None", tree_text(graph, SID, "iscsi.header_digest"));
	assert_string_equal("CRC32C", tree_text(graph, SID, "iscsi.data_digest"));
	assert_string_equal("sdb sdc", tree_text(graph, SID, "iscsi.disks"));
	assert_string_equal("10.0.0.1", tree_text(graph, SID, "iscsi.initiator_address"));
	assert_null(hl_graph_find_fact(graph, SID, "iscsi.recovery_timeout_s"));
	assert_null(hl_graph_find_fact(graph, SID, "iscsi.nic"));
}

static void the_nic_of_a_session_is_where_the_route_leaves(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_machine *machine = hl_machine_open("initiator", NULL);
	const struct hl_origin mine = { .host = "nas", .node = "10.0.0.2", .source = "f:1" };
	const struct hl_origin other = { .host = "pve", .node = "10.0.0.2", .source = "f:2" };

	(void)state;
	hl_graph_add_string(graph, &other, "route.device", "wrong");
	hl_graph_add_string(graph, &mine, "route.device", "ens19");
	assert_int_equal(0, hl_probe_iscsi.decode(machine, &mine, graph, NULL));
	hl_machine_close(machine);
	assert_string_equal("ens19", tree_text(graph, SID, "iscsi.nic"));
}

static void lio_tells_backing_cache_depth_and_sessions(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	tree_make("lio", lio, NR_ROWS(lio));
	graph = tree_decode(&hl_probe_iscsi, "lio");
	assert_string_equal("LIO", tree_text(graph, IQN, "target.kind"));
	assert_true(tree_number(graph, IQN, "target.queued_commands") == 64);
	assert_true(tree_number(graph, IQN, "target.sessions") == 3);
	assert_true(tree_number(graph, IQN, "target.max_recv") == 8192);
	assert_true(hl_graph_find_fact(graph, IQN, "target.initial_r2t")->boolean);
	assert_string_equal("/dev/zvol/tank/pvc-1",
			    tree_text(graph, IQN "/lun0", "target.backing"));
	assert_string_equal("iblock", tree_text(graph, IQN "/lun0", "target.backstore"));
	assert_false(hl_graph_find_fact(graph, IQN "/lun0", "target.write_back")->boolean);
	assert_string_equal("fileio", tree_text(graph, IQN "/lun3", "target.backstore"));
	assert_true(hl_graph_find_fact(graph, IQN "/lun3", "target.is_buffered")->boolean);
	assert_null(hl_graph_find_fact(graph, "discovery_auth", "target.kind"));
	/* the ACL maps LUN 3 of the group to 0, and leaves 3 as it is */
	assert_string_equal("/srv/file.img", tree_text(graph, IQN "/lun0@iqn.1993-08.org.debian:d",
						       "target.backing"));
	assert_null(
		hl_graph_find_fact(graph, IQN "/lun3@iqn.1993-08.org.debian:d", "target.backing"));
}

static void scst_tells_them_of_the_first_group(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	tree_make("scst", scst, NR_ROWS(scst));
	graph = tree_decode(&hl_probe_iscsi, "scst");
	assert_string_equal("SCST", tree_text(graph, IQN, "target.kind"));
	assert_true(tree_number(graph, IQN, "target.queued_commands") == 32);
	assert_true(tree_number(graph, IQN, "target.sessions") == 1);
	assert_false(hl_graph_find_fact(graph, IQN, "target.initial_r2t")->boolean);
	assert_string_equal("/dev/zvol/tank/pvc-1",
			    tree_text(graph, IQN "/lun0", "target.backing"));
	assert_string_equal("vdisk_blockio", tree_text(graph, IQN "/lun0", "target.backstore"));
	assert_true(tree_number(graph, IQN "/lun0", "target.threads") == 32);
	assert_true(hl_graph_find_fact(graph, IQN "/lun0", "target.write_back")->boolean);
	assert_null(hl_graph_find_fact(graph, "mgmt", "target.kind"));
	/* but its session was admitted by the other */
	assert_string_equal(
		"/dev/zvol/tank/pvc-2",
		tree_text(graph, IQN "/lun0@iqn.1993-08.org.debian:a", "target.backing"));
}

/* The tree as it was recorded: alike, and not a byte of a password anywhere in it. */
static void what_is_recorded_decodes_alike_and_has_no_secret(void **state)
{
	static const char *const roots[] = { "initiator", "lio", "scst" };

	(void)state;
	for (size_t i = 0; i < NR_ROWS(roots); i++) {
		HL_FREE char *to = hl_printf("recorded-%s", roots[i]);
		HL_FREE char *search = hl_printf("grep -rq hunter2 %s %s.kept 2>/dev/null", to, to);
		HL_GRAPH struct hl_graph *live = tree_decode(&hl_probe_iscsi, roots[i]);
		HL_GRAPH struct hl_graph *replayed = tree_record(&hl_probe_iscsi, roots[i], to);

		assert_true(live->nr_facts > 8);
		assert_same_facts(live, replayed);
		assert_int_not_equal(0, system(search));
	}
}

static void without_sessions_and_targets_there_is_no_such_layer(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	tree_make("bare", NULL, 0);
	graph = tree_decode(&hl_probe_iscsi, "bare");
	assert_int_equal(0, graph->nr_facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_has_what_iscsiadm_would_say),
		cmocka_unit_test(the_nic_of_a_session_is_where_the_route_leaves),
		cmocka_unit_test(lio_tells_backing_cache_depth_and_sessions),
		cmocka_unit_test(scst_tells_them_of_the_first_group),
		cmocka_unit_test(what_is_recorded_decodes_alike_and_has_no_secret),
		cmocka_unit_test(without_sessions_and_targets_there_is_no_such_layer),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
