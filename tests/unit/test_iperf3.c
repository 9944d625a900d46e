/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import_reader.h"
#include <errno.h>

/* ---- JSON ---- */

#define SUM(bytes, seconds, bits, more)                                                            \
	"{ 'start' : 0, 'end' : " #seconds ", 'seconds' : " #seconds ", 'bytes' : " #bytes         \
	", 'bits_per_second' : " #bits more " }"
#define START(how, protocol, reverse)                                                              \
	"'start' : { 'version' : 'iperf 3.12', 'system_info' : 'Linux', " how ",\n"                \
	"'test_start' : { 'protocol' : '" protocol "', 'num_streams' : 2, 'blksize' : 131072,\n"   \
	"'omit' : 0, 'duration' : 2, 'reverse' : " #reverse " } }"
#define CLIENT "'connecting_to' : { 'host' : 'h', 'port' : 1 }"
#define SERVER "'accepted_connection' : { 'host' : 'h', 'port' : 1 }"
#define CPU                                                                                        \
	"'cpu_utilization_percent' : { 'host_total' : 3, 'host_user' : 1, 'host_system' : 2,\n"    \
	"'remote_total' : 7, 'remote_user' : 3, 'remote_system' : 4 }"

static const struct hl_rate *rate_at(const struct import *import, size_t index, enum hl_dir dir)
{
	const struct hl_rate *rate = measurement(import, index)->dir[dir];

	assert_non_null(rate);
	return rate;
}

static void each_end_of_a_flow_has_its_figure(void **state)
{
	struct import import = import_json("{ " START(
		CLIENT, "TCP",
		0) ", 'intervals' : [],\n'end' : {\n"
		   "'sum_sent' : " SUM(2000, 2, 8000,
				       ", 'retransmits' : 3") ",\n"
							      "'sum_received' : " SUM(
								      1900, 2.5, 6080,
								      "") ",\n" CPU " } }\n");
	const struct hl_rate *sent = rate_at(&import, 0, HL_DIR_TX);
	const struct hl_rate *received = rate_at(&import, 1, HL_DIR_RX);

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(2, nr_measurements(&import));
	assert_string_equal("iperf3", measurement(&import, 0)->workload.name);
	assert_string_equal("iperf 3.12", measurement(&import, 0)->tool);
	assert_near(131072, measurement(&import, 0)->workload.bs);
	assert_near(2, measurement(&import, 0)->workload.runtime_s);
	assert_near(1, measurement(&import, 0)->cpu_user_pct);
	assert_near(4, measurement(&import, 1)->cpu_system_pct);
	assert_near(1000, sent->bw);
	assert_near(2000, sent->bytes);
	assert_near(2000, sent->runtime_ms);
	assert_near(3, sent->retransmits);
	assert_near(2, sent->streams);
	assert_string_equal("TCP", sent->protocol);
	assert_unknown(sent->jitter_ns);
	assert_string_equal("iperf3 at the far end", measurement(&import, 1)->workload.name);
	assert_near(760, received->bw);
	assert_unknown(received->retransmits);
	assert_null(measurement(&import, 0)->dir[HL_DIR_RX]);
	assert_null(measurement(&import, 1)->dir[HL_DIR_TX]);
	import_free(&import);
}

static void with_reverse_the_far_end_sends(void **state)
{
	struct import import = import_json("{ " START(
		CLIENT, "TCP", 1) ", 'intervals' : [],\n'end' : {\n"
				  "'sum_sent' : " SUM(2000, 2, 8000,
						      "") ",\n"
							  "'sum_received' : " SUM(1900, 2, 7600,
										  "") " } }\n");

	(void)state;
	assert_string_equal("iperf3 (reverse)", measurement(&import, 0)->workload.name);
	assert_near(950, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_near(1000, rate_at(&import, 1, HL_DIR_TX)->bw);
	import_free(&import);
}

static void a_server_knows_its_own_end(void **state)
{
	struct import import = import_json("[ { " START(
		SERVER, "TCP",
		0) ", 'intervals' : [], 'end' : {\n"
		   "'sum_sent' : " SUM(0, 2, 0, "") ", 'sum_received' : " SUM(
			   1900, 2, 7600,
			   "") " } },\n"
			       "{ " START(SERVER, "TCP",
					  1) ", 'intervals' : [], 'end' : {\n"
					     "'sum_sent' : " SUM(
						     2000, 2, 8000,
						     "") ", 'sum_received' : " SUM(0, 2, 0,
										   "") " } } ]\n");

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_near(950, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_null(measurement(&import, 0)->dir[HL_DIR_TX]);
	assert_near(1000, rate_at(&import, 1, HL_DIR_TX)->bw);
	assert_int_equal(2, measurement(&import, 1)->run);
	import_free(&import);
}

static void both_ways_at_once_are_both_directions(void **state)
{
	struct import import = import_json(
		"{ " START(
			CLIENT, "TCP",
			0) ", 'intervals' : [], 'end' : {\n"
			   "'sum_sent' : " SUM(
				   2000, 2, 8000,
				   ", 'retransmits' : 4") ",\n"
							  "'sum_received' : " SUM(
								  1900, 2, 7600,
								  "") ",\n"
								      "'sum_sent_bidir_reverse' "
								      ": " SUM(1000, 2, 4000,
									       ", 'retransmits' : "
									       "7") ",\n"
										    "'sum_received_"
										    "bidir_reverse'"
										    " : " SUM(
											    900, 2,
											    3600,
											    "") " }"
												" }"
												"\n");

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_near(1000, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(450, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_near(500, rate_at(&import, 1, HL_DIR_TX)->bw);
	assert_near(7, rate_at(&import, 1, HL_DIR_TX)->retransmits);
	assert_near(950, rate_at(&import, 1, HL_DIR_RX)->bw);
	import_free(&import);
}

static void udp_has_jitter_and_loss_where_it_is_received(void **state)
{
	struct import import = import_json("{ " START(
		CLIENT, "UDP", 0) ", 'intervals' : [], 'end' : {\n"
				  "'sum' : " SUM(2000, 2, 8000,
						 "") ",\n"
						     "'sum_sent' : " SUM(
							     2000, 2, 8000,
							     ", 'jitter_ms' : 0, 'lost_packets' : "
							     "0") ",\n"
								  "'sum_received' : " SUM(
									  1900, 2, 7600,
									  ", 'jitter_ms' : 0.025, "
									  "'lost_packets' : 12,\n"
									  "'packets' : 100") " } "
											     "}\n");

	(void)state;
	assert_unknown(rate_at(&import, 0, HL_DIR_TX)->jitter_ns);
	assert_unknown(rate_at(&import, 0, HL_DIR_TX)->lost);
	assert_near(25000, rate_at(&import, 1, HL_DIR_RX)->jitter_ns);
	assert_near(12, rate_at(&import, 1, HL_DIR_RX)->lost);
	import_free(&import);
	/* before 3.10 */
	import = import_json(
		"{ " START(CLIENT, "UDP",
			   0) ", 'intervals' : [], 'end' : {\n"
			      "'sum' : " SUM(2000, 2, 8000,
					     ", 'jitter_ms' : 0.5, 'lost_packets' : 3") " } }\n");
	assert_int_equal(1, nr_measurements(&import));
	assert_near(1000, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(3, rate_at(&import, 0, HL_DIR_TX)->lost);
	import_free(&import);
}

static void an_error_is_a_failed_measurement(void **state)
{
	struct import import = import_json(
		"{ 'start' : { 'version' : 'iperf 3.12', 'system_info' : 'Linux' },\n"
		"'intervals' : [], 'end' : { },\n"
		"'error' : 'unable to connect to server: Connection refused' }\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 0)->status);
	assert_string_equal("unable to connect to server: Connection refused",
			    measurement(&import, 0)->reason);
	assert_null(measurement(&import, 0)->dir[HL_DIR_TX]);
	import_free(&import);
}

static void a_test_without_its_end_has_the_mean_of_its_intervals(void **state)
{
	static const char text[] = "{ " START(
		CLIENT, "TCP",
		0) ", 'intervals' : [\n"
		   "{ 'sum' : { 'seconds' : 1, 'bytes' : 9000, 'omitted' : true } },\n"
		   "{ 'sum' : { 'seconds' : 1, 'bytes' : 1000, 'omitted' : false } },\n"
		   "{ 'sum' : { 'seconds' : 3, 'bytes' : 2000, 'omitted' : false } }\n";
	struct import import = import_json(text);

	(void)state;
	assert_int_equal(HL_STATUS_PARTIAL, measurement(&import, 0)->status);
	assert_near(750, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_non_null(strstr(import.graph->inputs[0]->reason, "f.txt:6: iperf3's JSON ends"));
	import_free(&import);
}

static void a_stream_of_events_is_one_test(void **state)
{
	static const char events[] =
		"{ 'event' : 'start', 'data' : { 'version' : 'iperf 3.17', 'system_info' : "
		"'L', " CLIENT
		", 'test_start' : { 'protocol' : 'TCP', 'num_streams' : 1, 'reverse' : 0 } } }\n"
		"{ 'event' : 'interval', 'data' : { 'sum' : { 'bits_per_second' : 5 } } }\n";
	HL_FREE char *good = hl_printf(
		"%s{ 'event' : 'end', 'data' : { 'sum_sent' : " SUM(2000, 2, 8000, "") " } }\n",
		events);
	HL_FREE char *bad = hl_printf("%s{ 'event' : 'error', 'data' : 'it broke' }\n", events);
	HL_FREE char *two = hl_printf("%s%s", bad, good);
	struct import import = import_json(good);

	(void)state;
	assert_int_equal(1, import.graph->nr_inputs);
	assert_near(1000, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_string_equal("iperf 3.17", measurement(&import, 0)->tool);
	import_free(&import);
	import = import_json(bad);
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 0)->status);
	assert_string_equal("it broke", measurement(&import, 0)->reason);
	import_free(&import);
	import = import_json(two);
	assert_int_equal(2, nr_measurements(&import));
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 0)->status);
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 1)->status);
	import_free(&import);
}

static void json_without_a_result_is_an_error(void **state)
{
	struct import import = import_json(
		"{ " START(CLIENT, "TCP", 0) ", 'intervals' : [], 'end' : {} }\n");

	(void)state;
	assert_int_equal(-ENODATA, import.rc);
	assert_non_null(strstr(import.err.text, "f.txt:1: iperf3's JSON has no result"));
	import_free(&import);
}

/* ---- text ---- */

#define HEAD  "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n"
#define DASH  "- - - - - - - - - - - - - - - - - - - - - - - - -\n"
#define LOCAL "[  5] local 10.0.0.1 port 55856 connected to 10.0.0.2 port 5200\n"

static void the_last_lines_of_text_count(void **state)
{
	struct import import = import_text(
		"$ iperf3 -c 10.0.0.2\r\nConnecting to host 10.0.0.2, port 5200\r\n" LOCAL HEAD
		"[  5]   0.00-1.00   sec  21.4 MBytes   179 Mbits/sec   56   6.03 MBytes  "
		"(omitted)\r\n"
		"[  5]   0.00-1.00   sec  45.0 MBytes   377 Mbits/sec    0   6.03 MBytes       "
		"\r\n" DASH HEAD
		"[  5]   0.00-10.00  sec   445 MBytes   373 Mbits/sec    7             sender\r\n"
		"[  5]   0.00-10.06  sec   448 MBytes   372 Mbits/sec                  receiver\r\n"
		"\r\niperf Done.\r\n");
	const struct hl_rate *sent = rate_at(&import, 0, HL_DIR_TX);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_int_equal(2, measurement(&import, 0)->line);
	assert_near(373e6 / 8, sent->bw);
	assert_near(445 * 1048576.0, sent->bytes);
	assert_near(10000, sent->runtime_ms);
	assert_near(7, sent->retransmits);
	assert_near(1, sent->streams);
	assert_string_equal("TCP", sent->protocol);
	assert_near(372e6 / 8, rate_at(&import, 1, HL_DIR_RX)->bw);
	assert_unknown(rate_at(&import, 1, HL_DIR_RX)->retransmits);
	assert_int_equal(2, import.graph->nr_inputs);
	assert_int_equal(12, import.graph->inputs[1]->last_line);
	import_free(&import);
}

static void of_several_streams_the_sum_is_taken(void **state)
{
	struct import import = import_text(
		"iperf 3.12\nConnecting to host h, port 1\n"
		"Starting Test: protocol: SCTP, 2 streams, 65536 byte blocks, omitting 1 seconds, "
		"30 second test, tos 0\n" HEAD
		"[  5]   0.00-30.00  sec   800 MBytes   804 MBytes/sec    1             sender\n"
		"[  5]   0.00-30.00  sec   810 MBytes   809 MBytes/sec                  receiver\n"
		"[  7]   0.00-30.00  sec   798 MBytes   797 MBytes/sec    2             sender\n"
		"[  7]   0.00-30.00  sec   802 MBytes   801 MBytes/sec                  receiver\n"
		"[SUM]   0.00-30.00  sec  1.56 GBytes  1601 MBytes/sec    3             sender\n"
		"[SUM]   0.00-30.00  sec  1.57 GBytes  1610 MBytes/sec                  "
		"receiver\n");
	const struct hl_measurement *at = measurement(&import, 0);

	(void)state;
	assert_near(1601 * 1048576.0, at->dir[HL_DIR_TX]->bw);
	assert_near(3, at->dir[HL_DIR_TX]->retransmits);
	assert_near(2, at->dir[HL_DIR_TX]->streams);
	assert_string_equal("SCTP", at->dir[HL_DIR_TX]->protocol);
	assert_string_equal("iperf 3.12", at->tool);
	assert_near(65536, at->workload.bs);
	assert_near(30, at->workload.runtime_s);
	assert_near(1610 * 1048576.0, rate_at(&import, 1, HL_DIR_RX)->bw);
	import_free(&import);
}

static void roles_tell_the_direction(void **state)
{
	struct import import = import_text(
		"Connecting to host h, port 1\n[ ID][Role] Interval   Transfer   Bitrate   Retr\n"
		"[  5][TX-C]   0.00-1.00   sec   107 MBytes   901 Mbits/sec    4             "
		"sender\n"
		"[  5][TX-C]   0.00-1.00   sec   103 MBytes   862 Mbits/sec                  "
		"receiver\n"
		"[  9][RX-C]   0.00-1.00   sec  1.00 GBytes  8.62 Gbits/sec    5             "
		"sender\n"
		"[  9][RX-C]   0.00-1.00   sec  1.00 GBytes  8.59 Gbits/sec                  "
		"receiver\n");

	(void)state;
	assert_string_equal("iperf3 (both ways)", measurement(&import, 0)->workload.name);
	assert_near(901e6 / 8, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(8.59e9 / 8, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_near(8.62e9 / 8, rate_at(&import, 1, HL_DIR_TX)->bw);
	assert_near(5, rate_at(&import, 1, HL_DIR_TX)->retransmits);
	assert_near(862e6 / 8, rate_at(&import, 1, HL_DIR_RX)->bw);
	import_free(&import);
}

static void a_log_of_a_server_is_cut_into_tests(void **state)
{
	struct import import = import_text(
		"-----------------------------------------------------------\n"
		"Server listening on 5201 (test #1)\n"
		"-----------------------------------------------------------\n"
		"Accepted connection from 10.0.0.1, port 3\n" LOCAL HEAD
		"[  5]   0.00-1.00   sec   809 MBytes  6.79 Gbits/sec                  \n" DASH HEAD
		"[  5] (sender statistics not available)\n"
		"[  5]   0.00-1.00   sec   810 MBytes  6.79 Gbits/sec                  receiver\n"
		"-----------------------------------------------------------\n"
		"Server listening on 5201 (test #2)\n"
		"-----------------------------------------------------------\n"
		"Accepted connection from 10.0.0.1, port 4\n" LOCAL HEAD
		"[  5]   0.00-2.00   sec   200 MBytes   839 Mbits/sec    9             sender\n");

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_near(6.79e9 / 8, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_string_equal("iperf3 (reverse)", measurement(&import, 1)->workload.name);
	assert_near(839e6 / 8, rate_at(&import, 1, HL_DIR_TX)->bw);
	assert_int_equal(2, measurement(&import, 1)->run);
	import_free(&import);
}

static void text_of_udp_gives_jitter_and_loss(void **state)
{
	struct import import = import_text(
		"Connecting to host h, port 1\nReverse mode, remote host h is sending\n"
		"[ ID] Interval           Transfer     Bitrate         Jitter    Lost/Total "
		"Datagrams\n"
		"[  5]   0.00-1.00   sec  11.9 MBytes   100 Mbits/sec  0.016 ms  0/382 (0%)  "
		"\n" DASH "[ ID] Interval           Transfer     Bitrate         Jitter    "
			  "Lost/Total Datagrams\n"
		"[  5]   0.00-1.00   sec  11.9 MBytes   100 Mbits/sec  0.000 ms  0/400 (0%)  "
		"sender\n"
		"[  5]   0.00-1.00   sec  11.4 MBytes  95.0 Mbits/sec  0.016 ms  18/382 (4.7%)  "
		"receiver\n");

	(void)state;
	assert_near(95e6 / 8, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_near(16000, rate_at(&import, 0, HL_DIR_RX)->jitter_ns);
	assert_near(18, rate_at(&import, 0, HL_DIR_RX)->lost);
	assert_string_equal("UDP", rate_at(&import, 0, HL_DIR_RX)->protocol);
	assert_unknown(rate_at(&import, 1, HL_DIR_TX)->jitter_ns);
	assert_unknown(rate_at(&import, 1, HL_DIR_TX)->retransmits);
	import_free(&import);
	/* as 3.1 prints it: no end is named */
	import = import_text(
		"Connecting to host h, port 1\n"
		"[ ID] Interval           Transfer     Bandwidth       Total Datagrams\n"
		"[  4]   0.00-1.00   sec   120 KBytes   983 Kbits/sec  15  \n" DASH
		"[ ID] Interval           Transfer     Bandwidth       Jitter    Lost/Total "
		"Datagrams\n"
		"[  4]   0.00-10.00  sec  1.25 MBytes  1.05 Mbits/sec  0.036 ms  2/159 (1.3%)  \n"
		"[  4] Sent 159 datagrams\n");
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	assert_near(1.05e6 / 8, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(2, rate_at(&import, 0, HL_DIR_TX)->lost);
	import_free(&import);
}

static void text_that_was_broken_off_has_the_mean_of_its_intervals(void **state)
{
	struct import import = import_text(
		"Connecting to host h, port 1\n" HEAD
		"[  5]   0.00-1.00   sec  90.0 MBytes   755 Mbits/sec    0   1 MBytes  (omitted)\n"
		"[  5]   0.00-1.00   sec  10.0 MBytes  83.9 Mbits/sec    0   1 MBytes\n"
		"[  5]   1.00-2.00   sec  30.0 MBytes   252 Mbits/sec    0   1 MBytes\n"
		"iperf3: error - control socket has closed unexpectedly\n");

	(void)state;
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 0)->status);
	assert_string_equal("control socket has closed unexpectedly",
			    measurement(&import, 0)->reason);
	assert_near(20 * 1048576.0, rate_at(&import, 0, HL_DIR_TX)->bw);
	import_free(&import);
}

static void an_error_alone_is_a_failed_measurement(void **state)
{
	struct import import = import_text(
		"iperf3: error - unable to connect to server: Connection refused\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 0)->status);
	import_free(&import);
}

static void text_that_looks_alike_is_left_alone(void **state)
{
	static const char *const cases[] = {
		"[  5] some list\n[SUM] of it\n",
		"bash: iperf3: command not found\n",
		"iperf3 is a tool\nConnecting to host h, port 1\n",
		"[   12.345678] kernel: message\n[  5]   0.00-1.00   sec  many\n",
		"[  5]   0.00-1.00   sec  1 MBytes\n[  x]   0.00-1.00   sec  1 MBytes  1 "
		"Mbits/sec\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.rc != -ENODATA || nr_measurements(&import))
			fail_msg("case %zu: %d", i, import.rc);
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_end_of_a_flow_has_its_figure),
		cmocka_unit_test(with_reverse_the_far_end_sends),
		cmocka_unit_test(a_server_knows_its_own_end),
		cmocka_unit_test(both_ways_at_once_are_both_directions),
		cmocka_unit_test(udp_has_jitter_and_loss_where_it_is_received),
		cmocka_unit_test(an_error_is_a_failed_measurement),
		cmocka_unit_test(a_test_without_its_end_has_the_mean_of_its_intervals),
		cmocka_unit_test(a_stream_of_events_is_one_test),
		cmocka_unit_test(json_without_a_result_is_an_error),
		cmocka_unit_test(the_last_lines_of_text_count),
		cmocka_unit_test(of_several_streams_the_sum_is_taken),
		cmocka_unit_test(roles_tell_the_direction),
		cmocka_unit_test(a_log_of_a_server_is_cut_into_tests),
		cmocka_unit_test(text_of_udp_gives_jitter_and_loss),
		cmocka_unit_test(text_that_was_broken_off_has_the_mean_of_its_intervals),
		cmocka_unit_test(an_error_alone_is_a_failed_measurement),
		cmocka_unit_test(text_that_looks_alike_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
