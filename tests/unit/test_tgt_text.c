/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tgtadm, targetcli and ip route get. */
#include "fact_reader.h"

#define IQN "iqn.2001-04.org.example:disk1"
#define TARGET                                                                                     \
	"Target 1: " IQN "\n"                                                                      \
	"    System information:\n        Driver: iscsi\n        State: ready\n"                   \
	"    I_T nexus information:\n"                                                             \
	"        I_T nexus: 3\n            Initiator: iqn.1993-08.org.debian:a alias: none\n"      \
	"            Connection: 0\n                IP Address: 10.0.0.1\n"                        \
	"        I_T nexus: 4\n            Initiator: iqn.1993-08.org.debian:b alias: none\n"      \
	"    LUN information:\n"                                                                   \
	"        LUN: 0\n            Type: controller\n            Backing store type: null\n"     \
	"            Backing store path: None\n            Backing store flags:\n"                 \
	"        LUN: 1\n            Type: disk\n            Size: 64 MB, Block size: 512\n"       \
	"            Backing store type: aio\n            Backing store path: /dev/loop7\n"        \
	"            Backing store flags:\n"                                                       \
	"    Account information:\n        bob\n"                                                  \
	"    ACL information:\n        ALL\n"

static void each_lun_has_its_backing_store(void **state)
{
	struct import import = import_text("# tgtadm --mode target --op show\n" TARGET
					   "Target 2: " IQN "2\n    System information:\n"
					   "        Driver: iscsi\n");

	(void)state;
	assert_string_equal("/dev/loop7", text_of(&import, IQN "/lun1", "target.backing"));
	assert_string_equal("aio", text_of(&import, IQN "/lun1", "target.backstore"));
	assert_null(fact_of(&import, IQN "/lun0", "target.backing"));
	assert_null(fact_of(&import, IQN "/lun0", "target.backstore"));
	assert_near(2, number_of(&import, IQN, "target.sessions"));
	assert_near(0, number_of(&import, IQN "2", "target.sessions"));
	assert_string_equal("tgtd", text_of(&import, IQN, "target.kind"));
	import_free(&import);
}

static void accounts_are_passed_over(void **state)
{
	struct import import = import_text(TARGET);

	(void)state;
	for (size_t i = 0; i < import.graph->nr_facts; i++)
		assert_true(!import.graph->facts[i]->string ||
			    strcmp(import.graph->facts[i]->string, "bob") != 0);
	import_free(&import);
}

#define TREE                                                                                       \
	"o- / ............................................................ [...]\n"                \
	"  o- backstores ................................................. [...]\n"                \
	"  | o- block ..................................... [Storage Objects: 1]\n"                \
	"  | | o- pvc ....... [/dev/zvol/tank/pvc (10.0GiB) write-thru activated]\n"               \
	"  | |   o- alua ........................................ [ALUA Groups: 1]\n"              \
	"  | o- fileio .................................... [Storage Objects: 1]\n"                \
	"  | | o- file ............. [/srv/file (1.0GiB) write-back deactivated]\n"                \
	"  o- iscsi ............................................... [Targets: 1]\n"                \
	"  | o- " IQN " ................................ [TPGs: 1]\n"                              \
	"  |   o- tpg1 ............................... [no-gen-acls, no-auth]\n"                   \
	"  |     o- acls ............................................. [ACLs: 1]\n"                \
	"  |     | o- iqn.1993-08.org.debian:a ............ [Mapped LUNs: 1]\n"                    \
	"  |     |   o- mapped_lun0 ..................... [lun0 block/pvc (rw)]\n"                 \
	"  |     o- luns ............................................. [LUNs: 2]\n"                \
	"  |     | o- lun0 .. [block/pvc (/dev/zvol/tank/pvc) (default_tg_pt_gp)]\n"               \
	"  |     | o- lun7 ............ [fileio/file (/srv/file) (default_tg_pt_gp)]\n"            \
	"  |     o- portals ....................................... [Portals: 1]\n"                \
	"  |       o- 0.0.0.0:3260 ........................................ [OK]\n"                \
	"  o- loopback ............................................ [Targets: 0]\n"

static void targetcli_s_tree_gives_the_same(void **state)
{
	struct import import = import_text("# targetcli ls\n" TREE "Thanks\n");

	(void)state;
	assert_string_equal("LIO", text_of(&import, IQN, "target.kind"));
	assert_string_equal("/dev/zvol/tank/pvc", text_of(&import, IQN "/lun0", "target.backing"));
	assert_string_equal("block", text_of(&import, IQN "/lun0", "target.backstore"));
	assert_int_equal(0, boolean_of(&import, IQN "/lun0", "target.write_back"));
	assert_string_equal("/srv/file", text_of(&import, IQN "/lun7", "target.backing"));
	assert_int_equal(1, boolean_of(&import, IQN "/lun7", "target.write_back"));
	assert_null(fact_of(&import, "iqn.1993-08.org.debian:a", "target.kind"));
	assert_int_equal(7, import.graph->nr_facts);
	import_free(&import);
}

static void a_route_says_where_packets_leave(void **state)
{
	struct import import = import_text(
		"$ ip route get 10.0.0.2\n"
		"10.0.0.2 via 10.1.0.1 dev ens19 src 10.1.0.7 uid 1000 \n    cache \n"
		"local 10.1.0.7 dev lo table local src 10.1.0.7 uid 0 \n    cache <local>\n");

	(void)state;
	assert_string_equal("ens19", text_of(&import, "10.0.0.2", "route.device"));
	assert_string_equal("10.1.0.7", text_of(&import, "10.0.0.2", "route.source"));
	assert_int_equal(0, boolean_of(&import, "10.0.0.2", "route.is_local"));
	assert_int_equal(1, boolean_of(&import, "10.1.0.7", "route.is_local"));
	import_free(&import);
}

static void a_table_of_routes_is_no_answer(void **state)
{
	static const char *const lines[] = {
		"default via 10.0.0.1 dev eth0 proto dhcp src 10.0.0.7 metric 100\n",
		"10.0.0.0/24 dev eth0 proto kernel scope link src 10.0.0.7\n",
		"10.0.0.9 dev eth0 src 10.0.0.7\n",
		"ace of dev is src of joy uid\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(lines); i++) {
		struct import import = import_text(lines[i]);

		assert_int_equal(0, import.graph->nr_facts);
		import_free(&import);
	}
}

static void each_cut_of_it_is_read_without_harm(void **state)
{
	static const char text[] = TREE TARGET "10.0.0.2 dev e src 10.1.0.7 uid 0\n cache";

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		struct import import = import_bytes(text, len);

		assert_true(import.graph->nr_facts < 20);
		import_free(&import);
	}
}

#define SAVED                                                                                      \
	"{ \"storage_objects\": [\n"                                                               \
	"  { \"attributes\": { \"block_size\": 512, \"emulate_write_cache\": 1 },\n"               \
	"    \"dev\": \"/dev/zvol/tank/pvc\", \"name\": \"pvc\", \"plugin\": \"block\" },\n"       \
	"  { \"dev\": \"/srv/f\", \"name\": \"f\", \"plugin\": \"fileio\", \"write_back\": false " \
	"} ],\n"                                                                                   \
	"  \"targets\": [ { \"fabric\": \"iscsi\", \"wwn\": \"" IQN "\", \"tpgs\": [ {\n"          \
	"    \"attributes\": { \"default_cmdsn_depth\": 64 },\n"                                   \
	"    \"luns\": [ { \"index\": 0, \"storage_object\": \"/backstores/block/pvc\" },\n"       \
	"      { \"index\": 3, \"storage_object\": \"/backstores/fileio/f\" },\n"                  \
	"      { \"index\": 4, \"storage_object\": \"/backstores/fileio/none\" } ],\n"             \
	"    \"node_acls\": [ { \"chap_userid\": \"bob\", \"chap_password\": \"bob\" } ],\n"       \
	"    \"parameters\": { \"FirstBurstLength\": \"65536\", \"InitialR2T\": \"No\" } } ] },\n" \
	"    { \"fabric\": \"loopback\", \"wwn\": \"naa.5\", \"tpgs\": [] } ] }\n"

static void a_saved_configuration_of_lio_is_read(void **state)
{
	struct import import = import_text("# cat /etc/target/saveconfig.json\n" SAVED);

	(void)state;
	assert_string_equal("LIO", text_of(&import, IQN, "target.kind"));
	assert_near(64, number_of(&import, IQN, "target.queued_commands"));
	assert_near(65536, number_of(&import, IQN, "target.first_burst"));
	assert_int_equal(0, boolean_of(&import, IQN, "target.initial_r2t"));
	assert_string_equal("/dev/zvol/tank/pvc", text_of(&import, IQN "/lun0", "target.backing"));
	assert_int_equal(1, boolean_of(&import, IQN "/lun0", "target.write_back"));
	assert_string_equal("fileio", text_of(&import, IQN "/lun3", "target.backstore"));
	assert_int_equal(0, boolean_of(&import, IQN "/lun3", "target.write_back"));
	assert_null(fact_of(&import, IQN "/lun4", "target.backstore"));
	assert_null(fact_of(&import, "naa.5", "target.kind"));
	for (size_t i = 0; i < import.graph->nr_facts; i++)
		assert_true(!import.graph->facts[i]->string ||
			    strcmp(import.graph->facts[i]->string, "bob") != 0);
	import_free(&import);
}

#define SCST                                                                                       \
	"# Automatically generated by SCST Configurator v3.7\n"                                    \
	"HANDLER vdisk_blockio {\n\tDEVICE pvc {\n\t\tfilename \"/dev/zvol/tank/pvc\"\n"           \
	"\t\tthreads_num 32\n\t\twrite_through 0 # as is\n\t}\n}\n\n"                              \
	"HANDLER vdisk_fileio {\n\tDEVICE f {\n\t\tfilename /srv/f\n\t\twrite_through 1\n\t}\n}\n" \
	"TARGET_DRIVER copy_manager {\n\tTARGET copy_manager_tgt {\n\t\tLUN 0 pvc\n\t}\n}\n"       \
	"TARGET_DRIVER iscsi {\n\tenabled 1\n\tTARGET " IQN " {\n\t\tQueuedCommands 64\n"          \
	"\t\tImmediateData Yes\n\t\tIncomingUser \"bob bob\"\n\t\tGROUP a {\n\t\t\tLUN 0 f {\n"    \
	"\t\t\t\tread_only 0\n\t\t\t}\n\t\t\tLUN 1 none\n\t\t\tINITIATOR *\n\t\t}\n\t}\n}\n"

static void a_saved_configuration_of_scst_is_read(void **state)
{
	struct import import = import_text(SCST "Thanks.\n");

	(void)state;
	assert_string_equal("SCST", text_of(&import, IQN, "target.kind"));
	assert_near(64, number_of(&import, IQN, "target.queued_commands"));
	assert_int_equal(1, boolean_of(&import, IQN, "target.immediate_data"));
	assert_string_equal("/srv/f", text_of(&import, IQN "/lun0", "target.backing"));
	assert_string_equal("vdisk_fileio", text_of(&import, IQN "/lun0", "target.backstore"));
	assert_int_equal(0, boolean_of(&import, IQN "/lun0", "target.write_back"));
	assert_null(fact_of(&import, IQN "/lun0", "target.threads"));
	assert_null(fact_of(&import, IQN "/lun1", "target.backstore"));
	assert_null(fact_of(&import, "copy_manager_tgt", "target.kind"));
	import_free(&import);
}

static void each_cut_of_a_configuration_is_read_without_harm(void **state)
{
	static const char *const texts[] = { SAVED, SCST };

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		for (size_t len = 0; len < strlen(texts[i]); len += 3) {
			struct import import = import_bytes(texts[i], len);

			assert_true(import.graph->nr_facts < 20);
			import_free(&import);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_lun_has_its_backing_store),
		cmocka_unit_test(accounts_are_passed_over),
		cmocka_unit_test(targetcli_s_tree_gives_the_same),
		cmocka_unit_test(a_route_says_where_packets_leave),
		cmocka_unit_test(a_table_of_routes_is_no_answer),
		cmocka_unit_test(each_cut_of_it_is_read_without_harm),
		cmocka_unit_test(a_saved_configuration_of_lio_is_read),
		cmocka_unit_test(a_saved_configuration_of_scst_is_read),
		cmocka_unit_test(each_cut_of_a_configuration_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
