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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_lun_has_its_backing_store),
		cmocka_unit_test(accounts_are_passed_over),
		cmocka_unit_test(targetcli_s_tree_gives_the_same),
		cmocka_unit_test(a_route_says_where_packets_leave),
		cmocka_unit_test(a_table_of_routes_is_no_answer),
		cmocka_unit_test(each_cut_of_it_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
