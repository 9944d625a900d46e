/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What TCP itself says of the flows to a portal or a peer while a slot runs: round-trip time,
 * retransmits, and what kept the sender from sending (receive window, send buffer, or nothing but
 * the network).
 *
 * Source: sock_diag(7) with INET_DIAG_INFO, struct tcp_info of linux/tcp.h, by libnl's core.
 * Surprising: the figures that explain a slow read are those of the end that sends, which is the
 * target's; both ends are seen where both are in this network namespace. Sockets close with the
 * slot, so what was seen last counts. Windows and rates of several flows are added up.
 */
#include "hoploss/meter.h"
#include "tcp_info.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <math.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <stdlib.h>
#include <string.h>

#define TCP_ESTABLISHED_BIT (1 << 1) /* states are numbered as in linux/tcp_states.h */
#define MAX_SOCKETS         1024

struct seen {
	uint64_t cookie;
	bool is_server; /* its local end is the portal */
	struct tcp_counters first, last;
	char congestion[16]; /* control: "cubic"; "" = not said */
};

struct flow {
	struct nl_sock *sock;
	unsigned char address[16];
	int family;
	size_t address_len;
	uint16_t port; /* network order */
	struct seen *sockets;
	size_t nr_sockets;
};

static struct seen *socket_of(struct flow *flow, uint64_t cookie, bool is_server,
			      const struct tcp_counters *info)
{
	for (size_t i = 0; i < flow->nr_sockets; i++) {
		if (flow->sockets[i].cookie == cookie)
			return &flow->sockets[i];
	}
	if (flow->nr_sockets == MAX_SOCKETS)
		return NULL;
	flow->sockets = hl_grow(flow->sockets, flow->nr_sockets + 1, sizeof(*flow->sockets));
	flow->sockets[flow->nr_sockets] = (struct seen){ .cookie = cookie,
							 .is_server = is_server,
							 .first = *info };
	return &flow->sockets[flow->nr_sockets++];
}

static bool is_end(const struct flow *flow, const __be32 *address, uint16_t port)
{
	return port == flow->port && !memcmp(address, flow->address, flow->address_len);
}

static int take_socket(struct nl_msg *message, void *context)
{
	struct flow *flow = context;
	struct nlmsghdr *header = nlmsg_hdr(message);
	const struct inet_diag_msg *diag = nlmsg_data(header);
	const struct nlattr *attribute;
	struct tcp_counters info;
	bool is_server, is_client;
	struct seen *seen;
	uint64_t cookie;

	if (!nlmsg_valid_hdr(header, sizeof(*diag)))
		return NL_SKIP;
	is_server = is_end(flow, diag->id.idiag_src, diag->id.idiag_sport);
	is_client = is_end(flow, diag->id.idiag_dst, diag->id.idiag_dport);
	attribute = nlmsg_find_attr(header, sizeof(*diag), INET_DIAG_INFO);
	if (!attribute || (!is_server && !is_client))
		return NL_SKIP;
	info = tcp_info_decode(nla_data(attribute), (size_t)nla_len(attribute));
	memcpy(&cookie, diag->id.idiag_cookie, sizeof(cookie));
	seen = socket_of(flow, cookie, is_server, &info);
	if (!seen)
		return NL_OK;
	seen->last = info;
	attribute = nlmsg_find_attr(header, sizeof(*diag), INET_DIAG_CONG);
	if (attribute)
		nla_strlcpy(seen->congestion, attribute, sizeof(seen->congestion));
	return NL_OK;
}

static void flow_tick(void *state, struct hl_machine *machine, struct hl_meter_points *points)
{
	struct flow *flow = state;
	struct inet_diag_req_v2 request = {
		.sdiag_family = (uint8_t)flow->family,
		.sdiag_protocol = IPPROTO_TCP,
		.idiag_ext = 1 << (INET_DIAG_INFO - 1) | 1 << (INET_DIAG_CONG - 1),
		.idiag_states = TCP_ESTABLISHED_BIT,
	};

	(void)machine;
	(void)points;
	if (nl_send_simple(flow->sock, SOCK_DIAG_BY_FAMILY, NLM_F_DUMP, &request,
			   sizeof(request)) >= 0)
		nl_recvmsgs_default(flow->sock);
}

static bool parse_end(struct flow *flow, const struct hl_meter_target *target)
{
	flow->port = htons((uint16_t)target->port);
	flow->family = strchr(target->address, ':') ? AF_INET6 : AF_INET;
	flow->address_len = flow->family == AF_INET6 ? 16 : 4;
	return inet_pton(flow->family, target->address, flow->address) == 1;
}

static void flow_free(struct flow *flow)
{
	if (flow->sock)
		nl_socket_free(flow->sock);
	free(flow->sockets);
	free(flow);
}

static void *flow_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct flow *flow;

	(void)machine;
	if (!target->address)
		return NULL;
	flow = hl_alloc(sizeof(*flow));
	flow->sock = nl_socket_alloc();
	if (!flow->sock || !parse_end(flow, target) ||
	    nl_connect(flow->sock, NETLINK_SOCK_DIAG) < 0) {
		flow_free(flow);
		return NULL;
	}
	nl_socket_modify_cb(flow->sock, NL_CB_VALID, NL_CB_CUSTOM, take_socket, flow);
	return flow;
}

/* Sums over the sockets of one side. */
static struct tcp_counters sum_of_side(const struct flow *flow, bool is_server, double *ret_nr)
{
	struct tcp_counters sum = { 0 };

	*ret_nr = 0;
	for (size_t i = 0; i < flow->nr_sockets; i++) {
		const struct tcp_counters *first = &flow->sockets[i].first;
		const struct tcp_counters *last = &flow->sockets[i].last;

		if (flow->sockets[i].is_server != is_server)
			continue;
		++*ret_nr;
		sum.rtt_us += last->rtt_us;
		sum.retransmits += last->retransmits - first->retransmits;
		sum.delivery_rate += last->delivery_rate;
		sum.busy_us += last->busy_us - first->busy_us;
		sum.rwnd_us += last->rwnd_us - first->rwnd_us;
		sum.sndbuf_us += last->sndbuf_us - first->sndbuf_us;
		sum.segments += last->segments - first->segments;
		sum.cwnd_bytes += last->cwnd_bytes;
		sum.mss += last->mss;
		sum.window_scale += last->window_scale;
		sum.pacing_rate += last->pacing_rate;
	}
	return sum;
}

static const char *congestion_of(const struct flow *flow, bool is_server)
{
	for (size_t i = 0; i < flow->nr_sockets; i++) {
		if (flow->sockets[i].is_server == is_server && flow->sockets[i].congestion[0])
			return flow->sockets[i].congestion;
	}
	return NULL;
}

static void add_side(struct hl_graph *graph, const struct flow *flow, bool is_server,
		     const struct hl_origin *origin, const char *const *keys)
{
	double nr;
	const struct tcp_counters sum = sum_of_side(flow, is_server, &nr);
	const double values[] = {
		sum.rtt_us / nr,
		sum.retransmits,
		sum.delivery_rate,
		sum.busy_us > 0 ? sum.rwnd_us / sum.busy_us * 100 : NAN,
		sum.busy_us > 0 ? sum.sndbuf_us / sum.busy_us * 100 : NAN,
		sum.segments > 0 ? sum.retransmits / sum.segments * 100 : NAN,
		sum.cwnd_bytes,
		sum.mss / nr,
		sum.window_scale / nr,
		sum.pacing_rate,
	};
	const size_t nr_values = sizeof(values) / sizeof(*values);

	for (size_t i = 0; nr > 0 && i < nr_values; i++)
		hl_graph_add_number(graph, origin, keys[i], values[i]);
	hl_graph_add_string(graph, origin, keys[nr_values], congestion_of(flow, is_server));
}

static void flow_end(void *state, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	static const char *const client_keys[] = {
		"tcp.initiator_rtt_us",
		"tcp.initiator_retransmits",
		"tcp.initiator_delivery_rate",
		"tcp.initiator_rwnd_limited_pct",
		"tcp.initiator_sndbuf_limited_pct",
		"tcp.initiator_retransmit_pct",
		"tcp.initiator_cwnd",
		"tcp.initiator_mss",
		"tcp.initiator_window_scale",
		"tcp.initiator_pacing_rate",
		"tcp.initiator_congestion",
	};
	static const char *const server_keys[] = {
		"tcp.target_rtt_us",
		"tcp.target_retransmits",
		"tcp.target_delivery_rate",
		"tcp.target_rwnd_limited_pct",
		"tcp.target_sndbuf_limited_pct",
		"tcp.target_retransmit_pct",
		"tcp.target_cwnd",
		"tcp.target_mss",
		"tcp.target_window_scale",
		"tcp.target_pacing_rate",
		"tcp.target_congestion",
	};
	struct flow *flow = state;
	struct hl_origin where = *origin;

	(void)machine;
	(void)seconds;
	where.source = "sock_diag INET_DIAG_INFO";
	add_side(graph, flow, false, &where, client_keys);
	add_side(graph, flow, true, &where, server_keys);
	flow_free(flow);
}

const struct hl_meter hl_meter_flow = {
	.name = "flow",
	.summary = "TCP's own view of the flows to a portal",
	.begin = flow_begin,
	.tick = flow_tick,
	.end = flow_end,
};
