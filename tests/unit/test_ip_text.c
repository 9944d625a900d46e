/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ip(8), as text and as JSON, and tc(8). */
#include "fact_reader.h"

#define HEAD(index, name, flags, more) index ": " name ": <" flags "> mtu 1500 qdisc mq " more "\n"

static void a_link_gives_mtu_state_and_queueing(void **state)
{
	struct import import = import_text(
		"2: eth0: <BROADCAST,MULTICAST,PROMISC,UP,LOWER_UP> mtu 9000 qdisc mq state UP "
		"mode "
		"DEFAULT group default qlen 1000\n"
		"    link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n");

	(void)state;
	assert_near(9000, number_of(&import, "eth0", "link.mtu"));
	assert_string_equal("mq", text_of(&import, "eth0", "link.qdisc"));
	assert_string_equal("UP", text_of(&import, "eth0", "link.operstate"));
	assert_string_equal("02:00:5e:00:53:01", text_of(&import, "eth0", "link.mac"));
	assert_int_equal(1, boolean_of(&import, "eth0", "link.is_up"));
	assert_int_equal(1, boolean_of(&import, "eth0", "link.is_promiscuous"));
	import_free(&import);
}

static void a_link_is_up_when_it_has_a_carrier(void **state)
{
	static const struct {
		const char *flags;
		int is_up;
	} cases[] = {
		{ "BROADCAST,MULTICAST,UP,LOWER_UP", 1 },
		{ "NO-CARRIER,BROADCAST,MULTICAST,UP", 0 },
		{ "BROADCAST,MULTICAST", 0 },
		{ "NO-CARRIER,BROADCAST,MULTICAST,UP,M-DOWN", 0 },
		{ "BROADCAST,MULTICAST,UP", -1 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = hl_printf("2: eth0: <%s> mtu 1500 qdisc mq\n", cases[i].flags);
		struct import import = import_text(text);

		assert_int_equal(cases[i].is_up, boolean_of(&import, "eth0", "link.is_up"));
		import_free(&import);
	}
}

static void vfs_are_read_in_the_new_form_and_the_old(void **state)
{
	struct import import = import_text(
		HEAD("4", "ens1f0", "BROADCAST,UP,LOWER_UP",
		     "state UP") "    link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n"
				 "    vf 0     link/ether 02:00:5e:00:53:02 brd ff:ff:ff:ff:ff:ff, "
				 "vlan 100, qos 3, "
				 "max_tx_rate 2000Mbps, min_tx_rate 100Mbps, spoof checking off, "
				 "link-state enable, "
				 "trust on, query_rss off\n"
				 "    vf 1 MAC 02:00:5e:00:53:03, vlan 5, tx rate 1000 (Mbps), "
				 "spoof checking on, "
				 "link-state auto\n"
				 "    vf 10     link/ether 00:00:00:00:00:00 brd "
				 "ff:ff:ff:ff:ff:ff, vlan protocol "
				 "802.1ad, spoof checking on, link-state disable, trust off\n"
				 "    altname enp1s0f0\n");

	(void)state;
	assert_near(3, number_of(&import, "ens1f0", "link.nr_vfs"));
	assert_string_equal("02:00:5e:00:53:02", text_of(&import, "ens1f0/vf0", "vf.mac"));
	assert_near(100, number_of(&import, "ens1f0/vf0", "vf.vlan"));
	assert_near(2000, number_of(&import, "ens1f0/vf0", "vf.max_tx_rate_mbps"));
	assert_near(100, number_of(&import, "ens1f0/vf0", "vf.min_tx_rate_mbps"));
	assert_int_equal(0, boolean_of(&import, "ens1f0/vf0", "vf.spoofchk"));
	assert_int_equal(1, boolean_of(&import, "ens1f0/vf0", "vf.trust"));
	assert_string_equal("enable", text_of(&import, "ens1f0/vf0", "vf.link_state"));
	assert_string_equal("02:00:5e:00:53:03", text_of(&import, "ens1f0/vf1", "vf.mac"));
	assert_near(5, number_of(&import, "ens1f0/vf1", "vf.vlan"));
	assert_near(1000, number_of(&import, "ens1f0/vf1", "vf.max_tx_rate_mbps"));
	assert_int_equal(-1, boolean_of(&import, "ens1f0/vf1", "vf.trust"));
	assert_null(fact_of(&import, "ens1f0/vf10", "vf.vlan"));
	assert_int_equal(0, boolean_of(&import, "ens1f0/vf10", "vf.trust"));
	assert_string_equal("disable", text_of(&import, "ens1f0/vf10", "vf.link_state"));
	assert_string_equal("f.txt:4", fact_of(&import, "ens1f0/vf1", "vf.mac")->source);
	import_free(&import);
}

static void lines_that_a_mail_broke_are_joined(void **state)
{
	struct import import = import_text(
		"> 4: ens1f0: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc mq\n"
		"> state UP mode DEFAULT group default\n"
		"> qlen 1000\n"
		"> link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n"
		"> vf 0 MAC 02:00:5e:00:53:02, spoof checking\n"
		"> on, link-state\n"
		"> auto, trust\n"
		"> on\n"
		"> 5: ens1f1: <BROADCAST> mtu 1500 qdisc noop state DOWN\n"
		">\n"
		"> Any ideas?\n");

	(void)state;
	assert_string_equal("UP", text_of(&import, "ens1f0", "link.operstate"));
	assert_int_equal(1, boolean_of(&import, "ens1f0/vf0", "vf.spoofchk"));
	assert_string_equal("auto", text_of(&import, "ens1f0/vf0", "vf.link_state"));
	assert_int_equal(1, boolean_of(&import, "ens1f0/vf0", "vf.trust"));
	assert_string_equal("DOWN", text_of(&import, "ens1f1", "link.operstate"));
	import_free(&import);
}

static void brackets_of_a_page_s_source_are_flags_too(void **state)
{
	struct import import = import_text(
		"5: eth5: &lt;BROADCAST,UP,LOWER_UP&gt; mtu 9000 state UP\n"
		"link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n"
		"vf 0 MAC 02:00:5e:00:53:02, trust off\n");

	(void)state;
	assert_int_equal(1, boolean_of(&import, "eth5", "link.is_up"));
	assert_near(9000, number_of(&import, "eth5", "link.mtu"));
	assert_int_equal(0, boolean_of(&import, "eth5/vf0", "vf.trust"));
	import_free(&import);
}

static void one_line_a_link_is_read_too(void **state)
{
	struct import import = import_text(
		"2: eth0: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP \\    link/ether "
		"02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n"
		"2: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0\\       valid_lft\n"
		"3: eth1: <BROADCAST> mtu 1400 qdisc noop state DOWN \\    link/ether "
		"02:00:5e:00:53:02 brd ff:ff:ff:ff:ff:ff\n");

	(void)state;
	assert_string_equal("02:00:5e:00:53:01", text_of(&import, "eth0", "link.mac"));
	assert_string_equal("02:00:5e:00:53:02", text_of(&import, "eth1", "link.mac"));
	assert_near(1400, number_of(&import, "eth1", "link.mtu"));
	import_free(&import);
}

static void counters_belong_to_the_nic_or_the_vf_above_them(void **state)
{
	struct import import = import_text(
		HEAD("4", "eth0", "BROADCAST,UP,LOWER_UP",
		     "state UP") "    link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n"
				 "    RX: bytes  packets  errors  dropped missed  mcast\n"
				 "    1000 10 1 2 3 4\n"
				 "    RX errors: length crc frame fifo overrun\n"
				 "               0 7 0 0 0\n"
				 "    TX: bytes  packets  errors  dropped carrier collsns\n"
				 "    1000 10 5 6 0 0\n"
				 "    vf 0     link/ether 02:00:5e:00:53:02 brd ff:ff:ff:ff:ff:ff, "
				 "spoof checking on\n"
				 "    RX: bytes  packets  mcast   bcast   dropped\n"
				 "    900 9 0 0 8\n"
				 "    TX: bytes  packets   dropped\n"
				 "    900 9 11\n" HEAD("5", "eth1", "BROADCAST,UP,LOWER_UP",
						       "state UP"));

	(void)state;
	assert_near(1, number_of(&import, "eth0", "link.rx_errors"));
	assert_near(2, number_of(&import, "eth0", "link.rx_dropped"));
	assert_near(3, number_of(&import, "eth0", "link.rx_missed"));
	assert_near(7, number_of(&import, "eth0", "link.crc_errors"));
	assert_near(5, number_of(&import, "eth0", "link.tx_errors"));
	assert_near(6, number_of(&import, "eth0", "link.tx_dropped"));
	assert_near(8, number_of(&import, "eth0/vf0", "vf.rx_dropped"));
	assert_near(11, number_of(&import, "eth0/vf0", "vf.tx_dropped"));
	assert_int_equal(1, boolean_of(&import, "eth1", "link.is_up"));
	import_free(&import);
}

static void what_is_below_is_the_way_out(void **state)
{
	struct import import = import_text(
		HEAD("2", "eno1", "BROADCAST,SLAVE,UP,LOWER_UP", "master bond0 state UP") HEAD(
			"3", "eno2", "BROADCAST,SLAVE,UP,LOWER_UP", "master bond0 state UP")
			HEAD("4", "bond0", "BROADCAST,MASTER,UP,LOWER_UP", "master vmbr0 state UP")
				HEAD("5", "vmbr0", "BROADCAST,UP,LOWER_UP",
				     "state UP") HEAD("6", "tap100i0", "BROADCAST,UP,LOWER_UP",
						      "master vmbr0 state UNKNOWN")
					HEAD("7", "vmbr0.50@vmbr0", "BROADCAST,UP,LOWER_UP",
					     "state UP") HEAD("8", "veth0@if2",
							      "BROADCAST,UP,LOWER_UP", "state UP")
						HEAD("9", "veth1@veth2", "BROADCAST,UP,LOWER_UP",
						     "state UP"));

	(void)state;
	assert_string_equal("eno1 eno2", text_of(&import, "bond0", "link.below"));
	assert_string_equal("bond0", text_of(&import, "vmbr0", "link.below"));
	assert_string_equal("vmbr0", text_of(&import, "vmbr0.50", "link.below"));
	assert_null(fact_of(&import, "veth0", "link.below"));
	assert_null(fact_of(&import, "veth1", "link.below"));
	import_free(&import);
}

static void details_give_kind_mode_and_device(void **state)
{
	struct import import = import_text(HEAD(
		"4", "bond0", "BROADCAST,MASTER,UP,LOWER_UP",
		"state UP") "    link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff promiscuity 0\n"
			    "    bond mode active-backup active_slave eno2 miimon 100 addrgenmode "
			    "eui64\n" HEAD(
				    "5", "bond0.7@bond0", "BROADCAST,UP,LOWER_UP",
				    "state UP") "    link/ether 02:00:5e:00:53:01 brd "
						"ff:ff:ff:ff:ff:ff promiscuity 0\n"
						"    vlan protocol 802.1Q id 7 <REORDER_HDR> "
						"addrgenmode eui64\n" HEAD(
							"6", "eno2", "BROADCAST,UP,LOWER_UP",
							"master bond0 state UP") "    link/ether "
										 "02:00:5e:00:53:"
										 "02 brd "
										 "ff:ff:ff:ff:ff:"
										 "ff\n"
										 "    bond_slave "
										 "state ACTIVE "
										 "mii_status UP "
										 "numtxqueues 8 "
										 "parentbus pci "
										 "parentdev "
										 "0000:01:00.0\n");

	(void)state;
	assert_string_equal("bond", text_of(&import, "bond0", "link.kind"));
	assert_string_equal("active-backup", text_of(&import, "bond0", "link.mode"));
	assert_string_equal("eno2", text_of(&import, "bond0", "link.active_slave"));
	assert_string_equal("vlan", text_of(&import, "bond0.7", "link.kind"));
	assert_near(7, number_of(&import, "bond0.7", "link.vlan"));
	assert_string_equal("bond0", text_of(&import, "bond0.7", "link.below"));
	assert_string_equal("0000:01:00.0", text_of(&import, "eno2", "link.pci_address"));
	assert_string_equal("UP", text_of(&import, "eno2", "link.operstate"));
	import_free(&import);
}

static void json_gives_the_same(void **state)
{
	struct import import = import_json(
		"[{'ifindex':2,'ifname':'eno1','flags':['BROADCAST','SLAVE','UP','LOWER_UP'],"
		"'mtu':9000,'qdisc':'mq','master':'bond0','operstate':'UP','link_type':'ether',"
		"'address':'02:00:5e:00:53:01','parentbus':'pci','parentdev':'0000:01:00.0',\n"
		"'stats64':{'rx':{'errors':1,'dropped':2},'tx':{'errors':3,'dropped':4}},\n"
		"'vfinfo_list':[{'vf':0,'link_type':'ether','address':'02:00:5e:00:53:02',"
		"'vlan_list':[{'vlan':7}],'rate':{'max_tx':500,'min_tx':0},'spoofchk':true,"
		"'link_state':'auto','trust':false},\n"
		"{'vf':1,'mac':'02:00:5e:00:53:03','vlan':9,'tx_rate':100}]},\n"
		"{'ifindex':3,'ifname':'bond0','flags':['BROADCAST','MASTER','NO-CARRIER','UP'],"
		"'mtu':9000,'linkinfo':{'info_kind':'bond','info_data':{'mode':'802.3ad'}}}]\n");

	(void)state;
	assert_near(9000, number_of(&import, "eno1", "link.mtu"));
	assert_int_equal(1, boolean_of(&import, "eno1", "link.is_up"));
	assert_int_equal(0, boolean_of(&import, "bond0", "link.is_up"));
	assert_string_equal("eno1", text_of(&import, "bond0", "link.below"));
	assert_string_equal("802.3ad", text_of(&import, "bond0", "link.mode"));
	assert_string_equal("0000:01:00.0", text_of(&import, "eno1", "link.pci_address"));
	assert_near(2, number_of(&import, "eno1", "link.rx_dropped"));
	assert_near(7, number_of(&import, "eno1/vf0", "vf.vlan"));
	assert_near(500, number_of(&import, "eno1/vf0", "vf.max_tx_rate_mbps"));
	assert_int_equal(1, boolean_of(&import, "eno1/vf0", "vf.spoofchk"));
	assert_int_equal(0, boolean_of(&import, "eno1/vf0", "vf.trust"));
	assert_string_equal("02:00:5e:00:53:03", text_of(&import, "eno1/vf1", "vf.mac"));
	assert_near(9, number_of(&import, "eno1/vf1", "vf.vlan"));
	assert_near(100, number_of(&import, "eno1/vf1", "vf.max_tx_rate_mbps"));
	import_free(&import);
}

static void json_that_ends_early_is_used_as_far_as_it_goes(void **state)
{
	struct import import = import_json(
		"[{'ifindex':2,'ifname':'eno1','flags':['UP'],'mtu':9000},\n"
		"{'ifindex':3,'ifname':'eno2',\n'mtu':15");

	(void)state;
	assert_near(9000, number_of(&import, "eno1", "link.mtu"));
	assert_non_null(import.graph->inputs[0]->reason);
	import_free(&import);
}

static void a_root_qdisc_tells_what_it_lets_through(void **state)
{
	struct import import = import_text(
		"# tc -s qdisc show\n"
		"qdisc noqueue 0: dev lo root refcnt 2\n"
		" Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)\n"
		"qdisc tbf 8001: dev veth0 root refcnt 2 rate 300Mbit burst 128Kb lat 50ms\n"
		"qdisc mq 0: dev eth0 root\n"
		"qdisc fq_codel 0: dev eth0 parent :1 limit 10240p\n"
		"# tc class show dev eth1\n"
		"class htb 1:1 root rate 80Mbit ceil 1Gbit burst 1600b\n"
		"class htb 1:10 parent 1:1 prio 0 rate 8Kbit ceil 500Mbit burst 1600b\n"
		"qdisc is a word\n");

	(void)state;
	assert_string_equal("noqueue", text_of(&import, "lo", "link.qdisc"));
	assert_string_equal("tbf", text_of(&import, "veth0", "link.qdisc"));
	assert_near(37.5e6, number_of(&import, "veth0", "link.qdisc_rate"));
	assert_string_equal("mq", text_of(&import, "eth0", "link.qdisc"));
	assert_null(fact_of(&import, "eth0", "link.qdisc_rate"));
	assert_near(125e6, number_of(&import, "eth1", "link.qdisc_rate"));
	import_free(&import);
}

static void a_word_that_a_mail_broke_ends_nothing(void **state)
{
	struct import import = import_text(
		"7: eth1: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP qlen 1000\n"
		"    link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff promiscuity 0 addrgenmode "
		"none n\n"
		"umtxqueues 112 gso_max_size 65536 gso_max_segs 65535\n"
		"    vf 0     link/ether 02:00:5e:00:53:02 brd ff:ff:ff:ff:ff:ff, trust on\n");

	(void)state;
	assert_string_equal("02:00:5e:00:53:02",
			    hl_graph_find_fact(import.graph, "eth1/vf0", "vf.mac")->string);
	import_free(&import);
}

static void each_cut_of_it_is_read_without_harm(void **state)
{
	static const char text[] =
		"4: a: <UP> mtu 15 qdisc mq state UP\n  RX: bytes errors\n  1 "
		"2\n  vf 0 MAC 1, trust on\n"
		"    RX errors: crc\n 5\n  RX: , 7\n6: , <UP\n6: b@c: <UP,X> mtu";

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
		cmocka_unit_test(a_link_gives_mtu_state_and_queueing),
		cmocka_unit_test(a_link_is_up_when_it_has_a_carrier),
		cmocka_unit_test(vfs_are_read_in_the_new_form_and_the_old),
		cmocka_unit_test(lines_that_a_mail_broke_are_joined),
		cmocka_unit_test(brackets_of_a_page_s_source_are_flags_too),
		cmocka_unit_test(one_line_a_link_is_read_too),
		cmocka_unit_test(counters_belong_to_the_nic_or_the_vf_above_them),
		cmocka_unit_test(what_is_below_is_the_way_out),
		cmocka_unit_test(details_give_kind_mode_and_device),
		cmocka_unit_test(json_gives_the_same),
		cmocka_unit_test(json_that_ends_early_is_used_as_far_as_it_goes),
		cmocka_unit_test(a_root_qdisc_tells_what_it_lets_through),
		cmocka_unit_test(a_word_that_a_mail_broke_ends_nothing),
		cmocka_unit_test(each_cut_of_it_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
