/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import_reader.h"
#include <errno.h>

/* ---- JSON ---- */

#define CLIENT "'connecting_to' : { 'host' : 'h', 'port' : 1 }"
#define SERVER "'accepted_connection' : { 'host' : 'h', 'port' : 1 }"
#define SENT                                                                                       \
	"'sum_sent' : { 'seconds' : 2, 'bytes' : 2000, 'bits_per_second' : 8000,\n"                \
	"'retransmits' : 3 }"
#define RECEIVED   "'sum_received' : { 'seconds' : 2.5, 'bytes' : 1900, 'bits_per_second' : 6080 }"
#define SENT_0     "'sum_sent' : { 'seconds' : 2, 'bytes' : 0, 'bits_per_second' : 0 }"
#define RECEIVED_0 "'sum_received' : { 'seconds' : 2, 'bytes' : 0, 'bits_per_second' : 0 }"
#define SENT_BACK                                                                                  \
	"'sum_sent_bidir_reverse' : { 'seconds' : 2, 'bytes' : 1000, 'bits_per_second' : 4000,\n"  \
	"'retransmits' : 7 }"
#define RECEIVED_BACK                                                                              \
	"'sum_received_bidir_reverse' : { 'seconds' : 2, 'bytes' : 900, 'bits_per_second' : 3600 " \
	"}"

/* The JSON of a test up to its intervals. */
static char *start_of(const char *how, const char *protocol, int reverse)
{
	return hl_printf("{ 'start' : { 'version' : 'iperf 3.12', 'system_info' : 'Linux', %s,\n"
			 "'test_start' : { 'protocol' : '%s', 'num_streams' : 2, 'omit' : 0,\n"
			 "'blksize' : 131072, 'duration' : 2, 'reverse' : %d } },\n'intervals' : [",
			 how, protocol, reverse);
}

static struct import import_test(const char *how, const char *protocol, int reverse,
				 const char *end)
{
	HL_FREE char *start = start_of(how, protocol, reverse);
	HL_FREE char *text = hl_printf("%s ],\n'end' : { %s } }\n", start, end);

	return import_json(text);
}

static const struct hl_rate *rate_at(const struct import *import, size_t index, enum hl_dir dir)
{
	const struct hl_rate *rate = measurement(import, index)->dir[dir];

	assert_non_null(rate);
	return rate;
}

static void each_end_of_a_flow_has_its_figure(void **state)
{
	struct import import = import_test(
		CLIENT, "TCP", 0,
		SENT ",\n" RECEIVED ",\n'cpu_utilization_percent' : { 'host_total' : 3,\n"
		     "'host_user' : 1, 'host_system' : 2, 'remote_total' : 7,\n"
		     "'remote_user' : 3, 'remote_system' : 4 }");
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
	struct import import = import_test(CLIENT, "TCP", 1, SENT "," RECEIVED);

	(void)state;
	assert_string_equal("iperf3 (reverse)", measurement(&import, 0)->workload.name);
	assert_near(760, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_near(1000, rate_at(&import, 1, HL_DIR_TX)->bw);
	import_free(&import);
}

static void a_server_knows_its_own_end(void **state)
{
	struct import import = import_test(SERVER, "TCP", 0, SENT_0 "," RECEIVED);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_near(760, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_null(measurement(&import, 0)->dir[HL_DIR_TX]);
	import_free(&import);
	import = import_test(SERVER, "TCP", 1, SENT "," RECEIVED_0);
	assert_int_equal(1, nr_measurements(&import));
	assert_near(1000, rate_at(&import, 0, HL_DIR_TX)->bw);
	import_free(&import);
}

static void several_tests_in_an_array_are_runs(void **state)
{
	HL_FREE char *start = start_of(CLIENT, "TCP", 0);
	HL_FREE char *text = hl_printf("[ %s ], 'end' : { %s } },\n%s ], 'end' : { %s } } ]\n",
				       start, SENT, start, SENT);
	struct import import = import_json(text);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_int_equal(2, measurement(&import, 1)->run);
	import_free(&import);
}

static void both_ways_at_once_are_both_directions(void **state)
{
	struct import import = import_test(CLIENT, "TCP", 0,
					   SENT "," RECEIVED "," SENT_BACK "," RECEIVED_BACK);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_near(1000, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(450, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_near(500, rate_at(&import, 1, HL_DIR_TX)->bw);
	assert_near(7, rate_at(&import, 1, HL_DIR_TX)->retransmits);
	assert_near(760, rate_at(&import, 1, HL_DIR_RX)->bw);
	import_free(&import);
}

static void udp_has_jitter_and_loss_where_it_is_received(void **state)
{
	struct import import = import_test(
		CLIENT, "UDP", 0,
		"'sum' : { 'seconds' : 2, 'bytes' : 2000, 'bits_per_second' : 8000 },\n"
		"'sum_sent' : { 'seconds' : 2, 'bytes' : 2000, 'bits_per_second' : 8000,\n"
		"  'jitter_ms' : 0, 'lost_packets' : 0 },\n"
		"'sum_received' : { 'seconds' : 2, 'bytes' : 1900, 'bits_per_second' : 7600,\n"
		"  'jitter_ms' : 0.025, 'lost_packets' : 12, 'packets' : 100 }");

	(void)state;
	assert_unknown(rate_at(&import, 0, HL_DIR_TX)->jitter_ns);
	assert_unknown(rate_at(&import, 0, HL_DIR_TX)->lost);
	assert_near(25000, rate_at(&import, 1, HL_DIR_RX)->jitter_ns);
	assert_near(12, rate_at(&import, 1, HL_DIR_RX)->lost);
	import_free(&import);
	/* before 3.10 */
	import = import_test(CLIENT, "UDP", 0,
			     "'sum' : { 'seconds' : 2, 'bytes' : 2000, 'bits_per_second' : 8000,\n"
			     "  'jitter_ms' : 0.5, 'lost_packets' : 3 }");
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
	HL_FREE char *start = start_of(CLIENT, "TCP", 0);
	HL_FREE char *text = hl_printf(
		"%s\n{ 'sum' : { 'seconds' : 1, 'bytes' : 9000, 'omitted' : true } },\n"
		"{ 'sum' : { 'seconds' : 1, 'bytes' : 1000, 'omitted' : false } },\n"
		"{ 'sum' : { 'seconds' : 3, 'bytes' : 2000, 'omitted' : false } }\n",
		start);
	struct import import = import_json(text);

	(void)state;
	assert_int_equal(HL_STATUS_PARTIAL, measurement(&import, 0)->status);
	assert_near(750, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_non_null(strstr(import.graph->inputs[0]->reason, "f.txt:7: iperf3's JSON ends"));
	import_free(&import);
}

static void a_stream_of_events_is_one_test(void **state)
{
	static const char events[] =
		"{ 'event' : 'start', 'data' : { 'version' : 'iperf 3.17', 'system_info' : "
		"'L', " CLIENT
		", 'test_start' : { 'protocol' : 'TCP', 'num_streams' : 1, 'reverse' : 0 } } }\n"
		"{ 'event' : 'interval', 'data' : { 'sum' : { 'bits_per_second' : 5 } } }\n";
	static const char end[] =
		"{ 'event' : 'end', 'data' : { 'sum_sent' : { 'seconds' : 2, 'bytes' : 2000, "
		"'bits_per_second' : 8000 } } }\n";
	static const char error[] = "{ 'event' : 'error', 'data' : 'it broke' }\n";
	HL_FREE char *good = hl_printf("%s%s", events, end);
	HL_FREE char *bad = hl_printf("%s%s", events, error);
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
	struct import import = import_test(CLIENT, "TCP", 0, "");

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
		"[SUM]   0.00-30.00  sec  1.56 GBytes  1602 MBytes/sec    3             sender\n"
		"[SUM]   0.00-30.00  sec  1.57 GBytes  1610 MBytes/sec                  "
		"receiver\n");
	const struct hl_measurement *at = measurement(&import, 0);

	(void)state;
	assert_near(1602 * 1048576.0, at->dir[HL_DIR_TX]->bw); /* the streams are rounded */
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

static void roles_of_a_server_are_its_own(void **state)
{
	struct import import = import_text("Accepted connection from 10.0.0.1, port 3\n[ ID][Role] "
					   "Interval  Transfer  Bitrate\n"
					   "[  5][RX-S]   0.00-1.00   sec   103 MBytes   862 "
					   "Mbits/sec                  receiver\n"
					   "[ 11][TX-S]   0.00-1.00   sec  1.00 GBytes  8.59 "
					   "Gbits/sec    2             sender\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_string_equal("iperf3 (both ways)", measurement(&import, 0)->workload.name);
	assert_near(862e6 / 8, rate_at(&import, 0, HL_DIR_RX)->bw);
	assert_near(8.59e9 / 8, rate_at(&import, 0, HL_DIR_TX)->bw);
	import_free(&import);
	/* the one flow of a client's test */
	import = import_text("Accepted connection from 10.0.0.1, port 3\n[ ID][Role] Interval  "
			     "Transfer  Bitrate\n"
			     "[  5][RX-S]   0.00-1.00   sec   103 MBytes   862 Mbits/sec           "
			     "    receiver\n");
	assert_string_equal("iperf3", measurement(&import, 0)->workload.name);
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

#define ENDS(bw)                                                                                   \
	"[ ID] Interval           Transfer     Bitrate         Retr\n"                             \
	"[  5]   0.00-10.00  sec  1.10 GBytes   " bw " Mbits/sec   29             sender\n"        \
	"[  5]   0.00-10.04  sec  1.09 GBytes   936 Mbits/sec                  receiver\n"

static void tests_that_follow_at_once_are_not_added_up(void **state)
{
	struct import import = import_text(DASH ENDS("942") DASH ENDS(
		"500") "\niperf Done.\n"
		       "[SUM]   0.00-10.00  sec  1.10 GBytes   300 Mbits/sec "
		       "   2             sender\n");

	(void)state;
	assert_int_equal(5, nr_measurements(&import));
	assert_near(942e6 / 8, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(936e6 / 8, rate_at(&import, 1, HL_DIR_RX)->bw);
	assert_near(500e6 / 8, rate_at(&import, 2, HL_DIR_TX)->bw);
	assert_near(300e6 / 8, rate_at(&import, 4, HL_DIR_TX)->bw);
	assert_unknown(rate_at(&import, 4, HL_DIR_TX)->streams);
	import_free(&import);
}

static void a_command_ends_the_test_before_it(void **state)
{
	struct import import = import_text(
		"Connecting to host h, port 1\n" HEAD
		"[  5]   0.00-1.00   sec  10.0 MBytes  83.9 Mbits/sec    0   1 MBytes\n"
		"root@h:~# iperf3 -c h\n"
		"iperf3: error - unable to connect to server: Connection refused\n");

	(void)state;
	assert_int_equal(HL_STATUS_PARTIAL, measurement(&import, 0)->status);
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 1)->status);
	assert_null(measurement(&import, 1)->dir[HL_DIR_TX]);
	import_free(&import);
}

static void a_mail_may_wrap_the_word_that_names_the_end(void **state)
{
	struct import import = import_text(
		"> Connecting to host h, port 1\n"
		"> [ ID] Interval           Transfer     Bitrate         Retr\n"
		"> [  5]   0.00-10.00  sec  1.10 GBytes   942 Mbits/sec   29\n"
		"> sender [  5]   0.00-10.04  sec  1.10 GBytes   936 Mbits/sec\n"
		">  receiver\n");

	(void)state;
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	assert_near(942e6 / 8, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(29, rate_at(&import, 0, HL_DIR_TX)->retransmits);
	assert_near(936e6 / 8, rate_at(&import, 1, HL_DIR_RX)->bw);
	import_free(&import);
	import = import_text("[  5]   0.00-10.00  sec  1.10 GBytes   942 Mbits/sec   29\nsender\n"
			     "[  5]   0.00-10.04  sec  1.10 GBytes   936 Mbits/sec\nreceiver\n");
	assert_int_equal(2, nr_measurements(&import));
	assert_near(936e6 / 8, rate_at(&import, 1, HL_DIR_RX)->bw);
	import_free(&import);
}

/* Each line with that in front. */
static void check_in_front(const char *front)
{
	static const char *const lines[] = {
		"Accepted connection from 10.0.0.4, port 51110",
		"[  5] local 10.0.0.3 port 5201 connected to 10.0.0.4 port 51122",
		"[ ID] Interval           Transfer     Bitrate",
		"[  5]   0.00-1.00   sec   109 MBytes   913 Mbits/sec",
		"- - - - - - - - - - - - - - - - - - - - - - - - -",
		"[ ID] Interval           Transfer     Bitrate",
		"[  5]   0.00-2.04   sec   221 MBytes   927 Mbits/sec                  receiver",
	};
	HL_FREE char *text = hl_strdup("");
	struct import import;

	for (size_t i = 0; i < NR(lines); i++) {
		char *longer = hl_printf("%s%s%s\n", text, front, lines[i]);

		free(text);
		text = longer;
	}
	import = import_text(text);
	if (nr_measurements(&import) != 1 || measurement(&import, 0)->status != HL_STATUS_IMPORTED)
		fail_msg("'%s' in front", front);
	assert_near(927e6 / 8, rate_at(&import, 0, HL_DIR_RX)->bw);
	import_free(&import);
}

static void a_title_a_time_or_a_log_may_stand_in_front(void **state)
{
	static const char *const fronts[] = {
		"",
		"eth0:  ",
		"5201:  ",
		"Tue Mar  5 12:00:00 2024 ",
		"2024-03-05T12:00:00+01:00 ",
		"Nov 12 10:11:12 node3 iperf3[811]: ",
		"# ",
		"| ",
	};

	(void)state;
	for (size_t i = 0; i < NR(fronts); i++)
		check_in_front(fronts[i]);
}

static void the_last_lines_of_one_end_need_not_name_it(void **state)
{
	struct import import = import_text(
		DASH "[ ID][Role] Interval           Transfer     Bitrate         Retr\n"
		     "[  5][TX-S]   0.00-10.00  sec  11.1 GBytes  9.52 Gbits/sec    0\n"
		     "[  7][RX-S]   0.00-10.00  sec  11.0 GBytes  9.40 Gbits/sec\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	assert_near(9.52e9 / 8, rate_at(&import, 0, HL_DIR_TX)->bw);
	assert_near(9.40e9 / 8, rate_at(&import, 0, HL_DIR_RX)->bw);
	import_free(&import);
}

static void two_tests_that_agree_within_a_hundredth_are_two(void **state)
{
	struct import import = import_text(ENDS("942") "\nAgain:\n\n\n" ENDS("940"));

	(void)state;
	assert_int_equal(4, nr_measurements(&import));
	import_free(&import);
	import = import_text(ENDS("942") "\nAgain:\n\n\n" ENDS("942"));
	assert_int_equal(2, nr_measurements(&import));
	import_free(&import);
}

static void negative_figures_are_unknown(void **state)
{
	struct import import = import_text(
		"{\"start\":{\"version\":\"iperf "
		"3.17\",\"test_start\":{\"protocol\":\"TCP\",\"num_streams\":1}},"
		"\"intervals\":[],\"end\":{\"sum_sent\":{\"seconds\":2,\"bytes\":-2000,\"bits_per_"
		"second\":8000,"
		"\"retransmits\":-1}}}");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_true(measurement(&import, 0)->dir[HL_DIR_TX]->bw == 1000);
	assert_true(isnan(measurement(&import, 0)->dir[HL_DIR_TX]->bytes));
	assert_true(isnan(measurement(&import, 0)->dir[HL_DIR_TX]->retransmits));
	import_free(&import);
}

static void text_that_looks_alike_is_left_alone(void **state)
{
	static const char *const cases[] = {
		"[  5] some list\n[SUM] of it\n",
		"bash: iperf3: command not found\n",
		/* iperf 2 */
		("[ ID] Interval       Transfer     Bandwidth\n"
		 "[  3]  0.0- 1.0 sec   100 MBytes   839 Mbits/sec\n"
		 "[  3]  0.0-10.0 sec  1.09 GBytes   938 Mbits/sec\n"
		 "[  3] 0.0000-10.0123 sec  1.09 GBytes   938 Mbits/sec\n"),
		"iperf3 is a tool\nConnecting to host h, port 1\n",
		"[   12.345678] kernel: message\n[  5]   0.00-1.00   sec  many\n",
		"I saw [  5]   0.00-1.00   sec  1 MBytes  1 Mbits/sec\n",
		("[  5]   0.00-1.00   sec  1 MBytes\n[  x]   0.00-1.00   sec  1 MBytes  1 "
		 "Mbits/sec\n"),
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.rc > 0 || nr_measurements(&import))
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
		cmocka_unit_test(several_tests_in_an_array_are_runs),
		cmocka_unit_test(both_ways_at_once_are_both_directions),
		cmocka_unit_test(udp_has_jitter_and_loss_where_it_is_received),
		cmocka_unit_test(an_error_is_a_failed_measurement),
		cmocka_unit_test(a_test_without_its_end_has_the_mean_of_its_intervals),
		cmocka_unit_test(a_stream_of_events_is_one_test),
		cmocka_unit_test(json_without_a_result_is_an_error),
		cmocka_unit_test(the_last_lines_of_text_count),
		cmocka_unit_test(of_several_streams_the_sum_is_taken),
		cmocka_unit_test(roles_tell_the_direction),
		cmocka_unit_test(roles_of_a_server_are_its_own),
		cmocka_unit_test(a_log_of_a_server_is_cut_into_tests),
		cmocka_unit_test(text_of_udp_gives_jitter_and_loss),
		cmocka_unit_test(text_that_was_broken_off_has_the_mean_of_its_intervals),
		cmocka_unit_test(an_error_alone_is_a_failed_measurement),
		cmocka_unit_test(tests_that_follow_at_once_are_not_added_up),
		cmocka_unit_test(a_command_ends_the_test_before_it),
		cmocka_unit_test(a_mail_may_wrap_the_word_that_names_the_end),
		cmocka_unit_test(a_title_a_time_or_a_log_may_stand_in_front),
		cmocka_unit_test(the_last_lines_of_one_end_need_not_name_it),
		cmocka_unit_test(two_tests_that_agree_within_a_hundredth_are_two),
		cmocka_unit_test(negative_figures_are_unknown),
		cmocka_unit_test(text_that_looks_alike_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
