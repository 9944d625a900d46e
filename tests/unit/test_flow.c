/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What TCP says of real flows on this machine: one into a small receive buffer, and one through a
 * shaper on the loopback of a network namespace of its own (skipped without root or tc).
 */
#include "hoploss/meter.h"
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

extern const struct hl_meter hl_meter_flow;

#define SECONDS 0.6

struct flow {
	int listener, sender;
	pid_t reader;
	unsigned port;
};

/* A child that reads all it gets; its receive buffer has that size, 0 = the usual. */
static struct flow make_flow(int buffer)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);
	struct flow flow = { .listener = socket(AF_INET, SOCK_STREAM, 0),
			     .sender = socket(AF_INET, SOCK_STREAM, 0) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (buffer)
		setsockopt(flow.listener, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
	assert_int_equal(0, bind(flow.listener, (struct sockaddr *)&address, len));
	assert_int_equal(0, listen(flow.listener, 1));
	assert_int_equal(0, getsockname(flow.listener, (struct sockaddr *)&address, &len));
	flow.port = ntohs(address.sin_port);
	flow.reader = fork();
	if (flow.reader == 0) {
		int fd = accept(flow.listener, NULL, NULL);
		static char bytes[65536];

		/* one that is slow, so that it is never the machine that holds the sender up */
		while (read(fd, bytes, buffer ? 2048 : sizeof(bytes)) > 0)
			usleep(buffer ? 500 : 0);
		_exit(0);
	}
	assert_int_equal(0, connect(flow.sender, (struct sockaddr *)&address, len));
	return flow;
}

static void end_flow(const struct flow *flow)
{
	close(flow->sender);
	close(flow->listener);
	kill(flow->reader, SIGKILL);
	waitpid(flow->reader, NULL, 0);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Sends for a while, as fast as it goes, and has the meter watch. */
static struct hl_graph *send_metered(const struct flow *flow)
{
	const struct hl_meter_target target = { .address = "127.0.0.1", .port = flow->port };
	const struct hl_origin origin = { .node = "flow/w" };
	struct hl_graph *graph = hl_graph_new();
	void *state = hl_meter_flow.begin(NULL, &target);
	static char bytes[65536];
	double start = now_s(), ticked = start;

	assert_non_null(state);
	hl_meter_flow.tick(state, NULL, NULL);
	while (now_s() < start + SECONDS) {
		assert_true(send(flow->sender, bytes, sizeof(bytes), MSG_NOSIGNAL) > 0);
		if (now_s() > ticked + 0.1) {
			hl_meter_flow.tick(state, NULL, NULL);
			ticked = now_s();
		}
	}
	hl_meter_flow.tick(state, NULL, NULL);
	hl_meter_flow.end(state, NULL, SECONDS, graph, &origin);
	return graph;
}

static double number_of(const struct hl_graph *graph, const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(graph, "flow/w", key);

	return fact ? fact->number : NAN;
}

static void a_small_receive_buffer_holds_the_sender_up(void **state)
{
	struct flow flow = make_flow(4096);
	HL_GRAPH struct hl_graph *graph = send_metered(&flow);

	(void)state;
	end_flow(&flow);
	assert_true(number_of(graph, "tcp.initiator_rwnd_limited_pct") > 50);
	assert_true(number_of(graph, "tcp.initiator_mss") > 500);
	assert_true(number_of(graph, "tcp.initiator_cwnd") > 0);
	assert_true(number_of(graph, "tcp.initiator_window_scale") <= 14);
	assert_true(hl_graph_find_fact(graph, "flow/w", "tcp.initiator_congestion")->string[0]);
	/* the other end is seen too, and sends nothing */
	assert_true(isnan(number_of(graph, "tcp.target_rwnd_limited_pct")));
}

static void a_shaper_holds_up_neither_window_nor_buffer(void **state)
{
	struct flow flow;
	struct hl_graph *graph;

	(void)state;
	if (unshare(CLONE_NEWNET) < 0 ||
	    system("ip link set lo mtu 1500 up && "
		   "tc qdisc add dev lo root tbf rate 80mbit burst 64kb latency 20ms") != 0)
		skip();
	flow = make_flow(0);
	graph = send_metered(&flow);
	end_flow(&flow);
	assert_true(number_of(graph, "tcp.initiator_rwnd_limited_pct") < 25);
	assert_true(number_of(graph, "tcp.initiator_rtt_us") > 200);
	assert_true(number_of(graph, "tcp.initiator_sndbuf_limited_pct") < 50);
	hl_graph_free(graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_receive_buffer_holds_the_sender_up),
		cmocka_unit_test(a_shaper_holds_up_neither_window_nor_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
