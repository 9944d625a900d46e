/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fact_reader.h"

#define SETTINGS(nic, speed)                                                                       \
	"Settings for " nic ":\n"                                                                  \
	"\tSupported ports: [ FIBRE ]\n"                                                           \
	"\tSupported link modes:   1000baseT/Full\n"                                               \
	"\t                        10000baseT/Full\n"                                              \
	"\tAdvertised link modes:  1000baseT/Full\n"                                               \
	"\tSpeed: " speed "\n"                                                                     \
	"\tDuplex: Full\n"                                                                         \
	"\tCurrent message level: 0x00000007 (7)\n"                                                \
	"\t                       drv probe link\n"                                                \
	"\tLink detected: yes\n"

#define DRIVER(name, address)                                                                      \
	"driver: " name "\nversion: 6.1.0\nfirmware-version: \nexpansion-rom-version: \n"          \
	"bus-info: " address "\nsupports-statistics: yes\n"

static void settings_give_speed_modes_and_state(void **state)
{
	struct import import = import_text(SETTINGS("eth0", "10000Mb/s"));

	(void)state;
	assert_near(10000, number_of(&import, "eth0", "link.speed_mbps"));
	assert_near(10000, number_of(&import, "eth0", "link.supported_mbps"));
	assert_near(1000, number_of(&import, "eth0", "link.advertised_mbps"));
	assert_string_equal("Full", text_of(&import, "eth0", "link.duplex"));
	assert_int_equal(1, boolean_of(&import, "eth0", "link.is_up"));
	assert_string_equal("f.txt:6", fact_of(&import, "eth0", "link.speed_mbps")->source);
	import_free(&import);
}

static void what_is_unknown_to_ethtool_is_no_fact(void **state)
{
	static const char *const speeds[] = { "Unknown!",  "Unknown! (65535)",
					      "65535Mb/s", "4294967295Mb/s",
					      "",          "fast" };

	(void)state;
	for (size_t i = 0; i < NR(speeds); i++) {
		HL_FREE char *text = hl_printf("Settings for eth0:\n\tSpeed: %s\n"
					       "\tDuplex: Unknown! (255)\n"
					       "\tLink detected: no (No cable)\n",
					       speeds[i]);
		struct import import = import_text(text);

		assert_null(fact_of(&import, "eth0", "link.speed_mbps"));
		assert_null(fact_of(&import, "eth0", "link.duplex"));
		assert_int_equal(0, boolean_of(&import, "eth0", "link.is_up"));
		import_free(&import);
	}
}

static void a_driver_belongs_to_the_nic_of_its_command(void **state)
{
	struct import import = import_text("[root@host ~]# ethtool -i ens1f0 | head\n" DRIVER(
		"ice", "0000:63:00.0") "\nroot@host:~# /sbin/ethtool --driver "
				       "ens1f1\n" DRIVER("ixgbe", "0000:63:00.1"));

	(void)state;
	assert_string_equal("ice", text_of(&import, "ens1f0", "link.driver"));
	assert_string_equal("0000:63:00.0", text_of(&import, "ens1f0", "link.pci_address"));
	assert_string_equal("ixgbe", text_of(&import, "ens1f1", "link.driver"));
	assert_null(fact_of(&import, "ens1f0", "link.firmware"));
	import_free(&import);
}

static void without_a_command_it_belongs_to_the_nic_before_or_after(void **state)
{
	struct import before = import_text(
		SETTINGS("eth0", "1000Mb/s") DRIVER("igb", "0000:01:00.0")
			SETTINGS("eth1", "1000Mb/s") DRIVER("e1000e", "0000:02:00.0"));
	struct import after = import_text(
		DRIVER("igb", "0000:01:00.0") "\n" SETTINGS("eth0", "1000Mb/s"));
	struct import alone = import_text(DRIVER("virtio_net", "virtio0"));

	(void)state;
	assert_string_equal("igb", text_of(&before, "eth0", "link.driver"));
	assert_string_equal("e1000e", text_of(&before, "eth1", "link.driver"));
	assert_string_equal("igb", text_of(&after, "eth0", "link.driver"));
	assert_string_equal("virtio_net", text_of(&alone, "f", "link.driver"));
	assert_null(fact_of(&alone, "f", "link.pci_address"));
	import_free(&before);
	import_free(&after);
	import_free(&alone);
}

static void a_second_driver_in_a_row_is_of_a_nic_that_nothing_names(void **state)
{
	struct import import = import_text(SETTINGS("eth0", "1000Mb/s") DRIVER(
		"igb", "0000:01:00.0") DRIVER("ice", "0000:02:00.0") DRIVER("tg3", "0000:03:00.0"));

	(void)state;
	assert_string_equal("igb", text_of(&import, "eth0", "link.driver"));
	assert_string_equal("ice", text_of(&import, "f", "link.driver"));
	assert_string_equal("tg3", text_of(&import, "f 2", "link.driver"));
	import_free(&import);
}

static void so_is_one_behind_something_else(void **state)
{
	struct import import = import_text(DRIVER("igb", "0000:01:00.0") "And the other:\n" DRIVER(
		"ice", "0000:02:00.0") "which counts\nNIC statistics:\n     rx_bytes: 1\n"
				       "     rx_missed_errors: 7\n");

	(void)state;
	assert_string_equal("igb", text_of(&import, "f", "link.driver"));
	assert_string_equal("ice", text_of(&import, "f 2", "link.driver"));
	import_free(&import);
}

static void rings_and_channels_tell_what_is_from_what_could_be(void **state)
{
	struct import import = import_text("Ring parameters for eth0:\n"
					   "Pre-set maximums:\n"
					   "RX:\t\t4096\nRX Mini:\tn/a\nTX:\t\t4096\n"
					   "Current hardware settings:\n"
					   "RX:\t\t512\nRX Mini:\tn/a\nTX:\t\t256\n"
					   "TX Push:\toff\n\n"
					   "Channel parameters for eth0:\n"
					   "Pre-set maximums:\n"
					   "RX:\t\tn/a\nTX:\t\tn/a\nOther:\t\t1\nCombined:\t8\n"
					   "Current hardware settings:\n"
					   "RX:\t\tn/a\nTX:\t\tn/a\nOther:\t\t1\nCombined:\t2\n");

	(void)state;
	assert_near(4096, number_of(&import, "eth0", "link.ring_rx_max"));
	assert_near(512, number_of(&import, "eth0", "link.ring_rx"));
	assert_near(256, number_of(&import, "eth0", "link.ring_tx"));
	assert_near(8, number_of(&import, "eth0", "link.channels_combined_max"));
	assert_near(2, number_of(&import, "eth0", "link.channels_combined"));
	assert_null(fact_of(&import, "eth0", "link.channels_rx"));
	import_free(&import);
}

static void features_coalescing_and_pause_are_read(void **state)
{
	struct import import = import_text("Features for eth0:\n"
					   "rx-checksumming: on [fixed]\n"
					   "tcp-segmentation-offload: off\n"
					   "\ttx-tcp-segmentation: off [requested on]\n"
					   "generic-receive-offload: on\n\n"
					   "Coalesce parameters for eth0:\n"
					   "Adaptive RX: on  TX: off\n"
					   "stats-block-usecs: n/a\n\n"
					   "rx-usecs: 30\nrx-frames: n/a\n\n"
					   "tx-usecs: 5\n\n"
					   "Pause parameters for eth0:\n"
					   "Autonegotiate:\ton\nRX:\t\toff\nTX:\t\ton\n");

	(void)state;
	assert_int_equal(1, boolean_of(&import, "eth0", "link.rx_checksum"));
	assert_int_equal(0, boolean_of(&import, "eth0", "link.tso"));
	assert_int_equal(1, boolean_of(&import, "eth0", "link.gro"));
	assert_int_equal(1, boolean_of(&import, "eth0", "link.adaptive_rx"));
	assert_int_equal(0, boolean_of(&import, "eth0", "link.adaptive_tx"));
	assert_near(30, number_of(&import, "eth0", "link.rx_usecs"));
	assert_near(5, number_of(&import, "eth0", "link.tx_usecs"));
	assert_null(fact_of(&import, "eth0", "link.rx_frames"));
	assert_int_equal(0, boolean_of(&import, "eth0", "link.pause_rx"));
	assert_int_equal(1, boolean_of(&import, "eth0", "link.pause_tx"));
	import_free(&import);
}

static void offloads_of_old_versions_are_features(void **state)
{
	struct import import = import_text("Offload parameters for eth0:\n"
					   "Cannot get device flags: Operation not supported\n"
					   "rx-checksumming: on\n"
					   "tcp segmentation offload: on\n"
					   "generic segmentation offload: off\n");

	(void)state;
	assert_int_equal(1, boolean_of(&import, "eth0", "link.tso"));
	assert_int_equal(0, boolean_of(&import, "eth0", "link.gso"));
	import_free(&import);
}

static void statistics_of_a_kind_add_up(void **state)
{
	struct import import = import_text("$ sudo ethtool -S eth0\n"
					   "NIC statistics:\n"
					   "     rx_packets: 123\n"
					   "     rx_queue_0_drops: 5\n"
					   "     rx_queue_1_drops: 7\n"
					   "     rx-0.rx_packets: 99\n"
					   "     port.rx_crc_errors: 2\n\n"
					   "rx_queue_2_drops: 100\n");

	(void)state;
	assert_near(12, number_of(&import, "eth0", "link.ring_drops"));
	assert_near(2, number_of(&import, "eth0", "link.crc_errors"));
	assert_null(fact_of(&import, "eth0", "link.spoof_drops"));
	assert_string_equal("f.txt:4", fact_of(&import, "eth0", "link.ring_drops")->source);
	import_free(&import);
}

static void a_module_has_no_link(void **state)
{
	struct import import = import_text(
		"\tIdentifier                                : 0x03 (SFP)\n"
		"\tConnector                                 : 0x07 (LC)\n"
		"\tVendor name                               : ACME\n"
		"\tVendor PN                                 : X-1\n"
		"\tModule temperature                        : 35.12 degrees C / 95.21 degrees "
		"F\n");

	(void)state;
	assert_string_equal("SFP", text_of(&import, "f", "link.module_type"));
	assert_string_equal("ACME", text_of(&import, "f", "link.module_vendor"));
	assert_near(35.12, number_of(&import, "f", "link.module_temperature_c"));
	assert_null(fact_of(&import, "f", "link.is_up"));
	import_free(&import);
}

static void quotes_lost_tabs_and_what_follows_do_no_harm(void **state)
{
	struct import import = import_text("> # ethtool eth0\n"
					   "> Settings for eth0:\n"
					   "> Supported link modes:   1000baseT/Full\n"
					   "> 25000baseCR/Full\n"
					   "> Speed: 25000Mb/s\n"
					   "> Link detected: yes\n"
					   "> That is all.\n"
					   "> Speed: of light\n");

	(void)state;
	assert_near(25000, number_of(&import, "eth0", "link.supported_mbps"));
	assert_near(25000, number_of(&import, "eth0", "link.speed_mbps"));
	assert_int_equal(3, import.graph->nr_facts);
	import_free(&import);
}

static void a_line_that_a_mail_broke_ends_nothing(void **state)
{
	struct import import = import_text("Settings for eth0:\n"
					   "\tSupported pause frame use: Symmetric\n"
					   "Receive-only\n"
					   "\tSpeed: 10000Mb/s\n"
					   "driver: i40e\n"
					   "firmware-version: 6.01\n"
					   "0x80003554 1.1747.0\n"
					   "bus-info: 0000:3b:00.0\n"
					   "It is\nslow.\n");

	(void)state;
	assert_near(10000, number_of(&import, "eth0", "link.speed_mbps"));
	assert_string_equal("0000:3b:00.0", text_of(&import, "eth0", "link.pci_address"));
	assert_int_equal(8, import.graph->inputs[0]->last_line);
	import_free(&import);
}

static void prose_and_commands_alone_are_not_taken(void **state)
{
	static const char *const texts[] = {
		"# ethtool -i eth0\nI could not run it.\n",
		"Settings for the switch are:\n Speed: 10\n",
		"ethtool says nothing\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		struct import import = import_text(texts[i]);

		assert_int_equal(0, import.graph->nr_facts);
		assert_true(import.rc < 0);
		import_free(&import);
	}
}

static void each_cut_of_it_is_read_without_harm(void **state)
{
	static const char text[] = "# ethtool -i eth0\n" DRIVER("ice", "0000:63:00.0")
		SETTINGS("eth0", "1000Mb/s") "NIC statistics:\n     rx_missed_errors: 5\n";

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
		cmocka_unit_test(settings_give_speed_modes_and_state),
		cmocka_unit_test(what_is_unknown_to_ethtool_is_no_fact),
		cmocka_unit_test(a_driver_belongs_to_the_nic_of_its_command),
		cmocka_unit_test(without_a_command_it_belongs_to_the_nic_before_or_after),
		cmocka_unit_test(a_second_driver_in_a_row_is_of_a_nic_that_nothing_names),
		cmocka_unit_test(so_is_one_behind_something_else),
		cmocka_unit_test(rings_and_channels_tell_what_is_from_what_could_be),
		cmocka_unit_test(features_coalescing_and_pause_are_read),
		cmocka_unit_test(offloads_of_old_versions_are_features),
		cmocka_unit_test(statistics_of_a_kind_add_up),
		cmocka_unit_test(a_module_has_no_link),
		cmocka_unit_test(quotes_lost_tabs_and_what_follows_do_no_harm),
		cmocka_unit_test(a_line_that_a_mail_broke_ends_nothing),
		cmocka_unit_test(prose_and_commands_alone_are_not_taken),
		cmocka_unit_test(each_cut_of_it_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
