/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fact_reader.h"

#define IQN "iqn.2005-10.org.example:vol"
#define SESSION(sid)                                                                               \
	"\t\t**********\n\t\tInterface:\n\t\t**********\n\t\tIface Name: default\n"                \
	"\t\tIface Transport: tcp\n\t\tIface Netdev: <empty>\n\t\tSID: " sid "\n"                  \
	"\t\tiSCSI Connection State: LOGGED IN\n\t\tiSCSI Session State: LOGGED_IN\n"
#define PARAMETERS(first)                                                                          \
	"\t\t************************\n\t\tNegotiated iSCSI params:\n"                             \
	"\t\t************************\n\t\tMaxRecvDataSegmentLength: 262144\n"                     \
	"\t\tMaxXmitDataSegmentLength: 8192\n\t\tFirstBurstLength: " first "\n"                    \
	"\t\tImmediateData: Yes\n\t\tInitialR2T: No\n\t\tMaxOutstandingR2T: 1\n"
#define DISKS                                                                                      \
	"\t\tAttached SCSI devices:\n\t\tHost Number: 2\tState: running\n"                         \
	"\t\tscsi2 Channel 00 Id 0 Lun: 0\n\t\tscsi2 Channel 00 Id 0 Lun: 1\n"                     \
	"\t\t\tAttached scsi disk sda\t\tState: running\n"                                         \
	"\t\tscsi2 Channel 00 Id 0 Lun: 2\n\t\t\tAttached scsi disk sdb\t\tState: running\n"

static void a_session_has_its_parameters_and_disks(void **state)
{
	struct import import = import_text("Target: " IQN " (non-flash)\n"
					   "\tCurrent Portal: 10.0.0.2:3260,1\n"
					   "\tPersistent Portal: 10.0.0.9:3260,1\n" SESSION("3")
						   PARAMETERS("65536") DISKS);
	const char *node = IQN "@10.0.0.2:3260";

	(void)state;
	assert_near(3, number_of(&import, node, "iscsi.sid"));
	assert_string_equal("LOGGED IN", text_of(&import, node, "iscsi.connection_state"));
	assert_near(8192, number_of(&import, node, "iscsi.max_xmit"));
	assert_near(65536, number_of(&import, node, "iscsi.first_burst"));
	assert_int_equal(1, boolean_of(&import, node, "iscsi.immediate_data"));
	assert_int_equal(0, boolean_of(&import, node, "iscsi.initial_r2t"));
	assert_string_equal("sda sdb", text_of(&import, node, "iscsi.disks"));
	assert_string_equal(node, text_of(&import, "sdb", "block.session"));
	assert_near(1, number_of(&import, "sda", "block.lun"));
	assert_near(2, number_of(&import, "sdb", "block.lun"));
	assert_null(fact_of(&import, node, "iscsi.nic"));
	import_free(&import);
}

static void portals_of_one_target_are_sessions_of_their_own(void **state)
{
	struct import import = import_text(
		"# iscsiadm -m session -P 3\n"
		"Target: " IQN "\n"
		"Current Portal: 10.0.0.2:3260,1 # the first\n" SESSION("1")
			PARAMETERS("1") "\n  Current Portal: [fe80::1]:3260,2\n" SESSION("2")
				PARAMETERS("2"));

	(void)state;
	assert_near(1, number_of(&import, IQN "@10.0.0.2:3260", "iscsi.first_burst"));
	assert_near(2, number_of(&import, IQN "@[fe80::1]:3260", "iscsi.first_burst"));
	import_free(&import);
}

static void a_second_session_to_a_portal_is_not_mixed_with_the_first(void **state)
{
	struct import import = import_text(
		"Target: " IQN "\n\tCurrent Portal: 10.0.0.2:3260,1\n" SESSION("1") DISKS
		"\n" SESSION("2") "\t\t\tAttached scsi disk sdx\t\tState: running\n");
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; i < import.graph->nr_facts; i++)
		nr += !strcmp(import.graph->facts[i]->key, "iscsi.disks");
	assert_int_equal(2, nr);
	assert_string_equal("sda sdb", text_of(&import, IQN "@10.0.0.2:3260", "iscsi.disks"));
	import_free(&import);
}

static void the_old_form_says_the_session_first(void **state)
{
	struct import import = import_text("iscsiadm version 2.0-742\n"
					   "************************************\n"
					   "Session (sid 4) using module tcp:\n"
					   "************************************\n"
					   "TargetName: " IQN "\n"
					   "Portal Group Tag: 1\n"
					   "Network Portal: 10.0.0.2:3260\n"
					   "iSCSI Connection State: LOGGED IN\n"
					   "MaxRecvDataSegmentLength: 65536\n"
					   "axBurstLength: 262144\n"
					   "Session (sid 5) using module tcp:\n"
					   "TargetName: " IQN "2\n"
					   "Network Portal: 10.0.0.3:3260\n");
	const char *node = IQN "@10.0.0.2:3260";

	(void)state;
	assert_near(4, number_of(&import, node, "iscsi.sid"));
	assert_near(65536, number_of(&import, node, "iscsi.max_recv"));
	assert_near(262144, number_of(&import, node, "iscsi.max_burst"));
	assert_null(fact_of(&import, node, "iscsi.session_state"));
	assert_near(5, number_of(&import, IQN "2@10.0.0.3:3260", "iscsi.sid"));
	import_free(&import);
}

static void the_flat_list_gives_the_sessions(void **state)
{
	struct import import = import_text("tcp: [1] 10.0.0.2:3260,1 " IQN " (non-flash)\n"
					   "iser: [22] [fe80::1]:3260,1 " IQN "2\n");

	(void)state;
	assert_near(1, number_of(&import, IQN "@10.0.0.2:3260", "iscsi.sid"));
	assert_near(22, number_of(&import, IQN "2@[fe80::1]:3260", "iscsi.sid"));
	import_free(&import);
}

static void a_record_of_a_node_gives_its_limits_and_no_password(void **state)
{
	struct import import = import_text("# BEGIN RECORD 2.1.8\n"
					   "node.name = " IQN "\n"
					   "node.session.auth.username = bob\n"
					   "node.session.auth.password = secret\n"
					   "node.session.cmds_max = 128\n"
					   "node.session.queue_depth = 32\n"
					   "node.session.iscsi.FirstBurstLength = 262144\n"
					   "node.conn[0].address = 10.0.0.2\n"
					   "node.conn[0].port = 3260\n"
					   "# END RECORD\n");
	const char *node = IQN "@10.0.0.2:3260";

	(void)state;
	assert_near(128, number_of(&import, node, "iscsi.cmds_max"));
	assert_near(32, number_of(&import, node, "iscsi.queue_depth"));
	assert_int_equal(2, import.graph->nr_facts);
	import_free(&import);
}

static void lines_that_a_mail_broke_are_joined(void **state)
{
	struct import import = import_text("> Target: " IQN "\n"
					   "> (non-flash)\n"
					   "> Current Portal: 10.0.0.2:3260,1\n"
					   "> Iface Initiatorname:\n"
					   "> iqn.1994-05.com.redhat:abcdef\n"
					   "> SID: 12\n"
					   "> MaxRecvDataSegmentLength:\n"
					   "> 262144\n"
					   "> Attached scsi disk sdb\n"
					   "> State: running\n"
					   "> That is all\n");
	const char *node = IQN "@10.0.0.2:3260";

	(void)state;
	assert_string_equal("iqn.1994-05.com.redhat:abcdef",
			    text_of(&import, node, "iscsi.initiator"));
	assert_near(12, number_of(&import, node, "iscsi.sid"));
	assert_near(262144, number_of(&import, node, "iscsi.max_recv"));
	assert_string_equal("sdb", text_of(&import, node, "iscsi.disks"));
	assert_int_equal(10, import.graph->inputs[0]->last_line);
	import_free(&import);
}

static void a_part_of_it_is_of_an_unknown_session(void **state)
{
	struct import import = import_text("Negotiated iSCSI params:\n"
					   "************************\n"
					   "FirstBurstLength: 65536\n"
					   "InitialR2T: Yes\n");

	(void)state;
	assert_near(65536, number_of(&import, "?@?", "iscsi.first_burst"));
	assert_int_equal(1, boolean_of(&import, "?@?", "iscsi.initial_r2t"));
	import_free(&import);
}

static void one_line_of_prose_is_no_session(void **state)
{
	static const char *const lines[] = { "SID: 5 of them\n", "HeaderDigest: what is it?\n",
					     "Current Portal: none\n" };

	(void)state;
	for (size_t i = 0; i < NR(lines); i++) {
		struct import import = import_text(lines[i]);

		assert_int_equal(0, import.graph->nr_facts);
		import_free(&import);
	}
}

static void what_is_not_known_is_no_fact(void **state)
{
	struct import import = import_text("Current Portal: 10.0.0.2:3260,1\n"
					   "Iface Netdev: &lt;empty&gt;\n"
					   "Iface Netdev: default\n"
					   "iSCSI Session State: Unknown\n"
					   "FirstBurstLength: many\n"
					   "ImmediateData: perhaps\n"
					   "SID: 7\n");

	(void)state;
	assert_near(7, number_of(&import, "?@10.0.0.2:3260", "iscsi.sid"));
	assert_int_equal(1, import.graph->nr_facts);
	import_free(&import);
}

static void each_cut_of_it_is_read_without_harm(void **state)
{
	static const char text[] = "Target: " IQN "\n\tCurrent Portal: 10.0.0.2:3260,1\n" SESSION(
		"1") PARAMETERS("1") DISKS "tcp: [1] 10.0.0.2:3260,1 " IQN "\nnode.conn[0].port = ";

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		struct import import = import_bytes(text, len);

		assert_true(import.graph->nr_facts < 30);
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_has_its_parameters_and_disks),
		cmocka_unit_test(portals_of_one_target_are_sessions_of_their_own),
		cmocka_unit_test(a_second_session_to_a_portal_is_not_mixed_with_the_first),
		cmocka_unit_test(the_old_form_says_the_session_first),
		cmocka_unit_test(the_flat_list_gives_the_sessions),
		cmocka_unit_test(a_record_of_a_node_gives_its_limits_and_no_password),
		cmocka_unit_test(lines_that_a_mail_broke_are_joined),
		cmocka_unit_test(a_part_of_it_is_of_an_unknown_session),
		cmocka_unit_test(one_line_of_prose_is_no_session),
		cmocka_unit_test(what_is_not_known_is_no_fact),
		cmocka_unit_test(each_cut_of_it_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
