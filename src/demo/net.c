/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two network namespaces and the lines between them: virtual Ethernet pairs, one of them shaped at
 * the end that sends when the LUN is read.
 *
 * Source: rtnetlink(7), veth(4), tc-tbf(8); linux/pkt_sched.h. The addresses are those set aside
 * for documentation (RFC 5737): they are in nobody's way, and say in a report that this is no real
 * network.
 */
#include "demo.h"
#include "hoploss/alloc.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <math.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PREFIX_LEN 24
#define BURST      (128u << 10) /* bytes: two of the largest packets that TCP hands down */
#define LATENCY_S  0.05         /* that a packet may wait in the shaper */

const struct wire demo_wires[2] = {
	{ "shaped", "192.0.2.1", "192.0.2.2", 1500 },
	{ "unshaped", "198.51.100.1", "198.51.100.2", 65535 }, /* as lo */
};

/* ---- messages ---- */

struct message {
	struct nlmsghdr header;
	char body[1024];
};

static void *end_of(struct message *message)
{
	return (char *)message + NLMSG_ALIGN(message->header.nlmsg_len);
}

static void begin(struct message *message, uint16_t type, uint16_t flags, const void *fixed,
		  size_t len)
{
	*message = (struct message){
		.header = { .nlmsg_len = (uint32_t)NLMSG_LENGTH(len),
			    .nlmsg_type = type,
			    .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | NLM_F_ACK | flags) },
	};
	memcpy(message->body, fixed, len);
}

static struct rtattr *put(struct message *message, uint16_t type, const void *data, size_t len)
{
	struct rtattr *attribute = end_of(message);

	attribute->rta_type = type;
	attribute->rta_len = (uint16_t)RTA_LENGTH(len);
	if (len)
		memcpy(RTA_DATA(attribute), data, len);
	message->header.nlmsg_len = NLMSG_ALIGN(message->header.nlmsg_len) +
				    (uint32_t)RTA_ALIGN(attribute->rta_len);
	return attribute;
}

static void put_text(struct message *message, uint16_t type, const char *text)
{
	put(message, type, text, strlen(text) + 1);
}

static void put_u32(struct message *message, uint16_t type, uint32_t number)
{
	put(message, type, &number, sizeof(number));
}

static void end_nest(struct message *message, struct rtattr *nest)
{
	nest->rta_len = (uint16_t)((char *)end_of(message) - (char *)nest);
}

/* Sends it; the kernel answers with 0 or an error. */
static int ask(int sock, struct message *message)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char rest[2048];
	} answer;
	ssize_t nr;

	if (send(sock, message, message->header.nlmsg_len, 0) < 0)
		return -errno;
	nr = recv(sock, &answer, sizeof(answer), 0);
	if (nr < 0)
		return -errno;
	if (nr < (ssize_t)NLMSG_LENGTH(sizeof(answer.error)) ||
	    answer.header.nlmsg_type != NLMSG_ERROR)
		return -EPROTO;
	return answer.error.error;
}

/* ---- devices ---- */

static int set_up(int sock, const char *name)
{
	const struct ifinfomsg link = {
		.ifi_index = (int)if_nametoindex(name),
		.ifi_flags = IFF_UP,
		.ifi_change = IFF_UP,
	};
	struct message message;

	begin(&message, RTM_NEWLINK, 0, &link, sizeof(link));
	return ask(sock, &message);
}

/* One end here, the other in the namespace peer_ns, both of one name. */
static int add_veth(int sock, const struct wire *wire, int peer_ns)
{
	const struct ifinfomsg none = { 0 };
	struct message message;
	struct rtattr *info, *data, *peer;

	begin(&message, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &none, sizeof(none));
	put_text(&message, IFLA_IFNAME, wire->name);
	put_u32(&message, IFLA_MTU, wire->mtu);
	info = put(&message, IFLA_LINKINFO, NULL, 0);
	put_text(&message, IFLA_INFO_KIND, "veth");
	data = put(&message, IFLA_INFO_DATA, NULL, 0);
	peer = put(&message, VETH_INFO_PEER, &none, sizeof(none));
	put_text(&message, IFLA_IFNAME, wire->name);
	put_u32(&message, IFLA_MTU, wire->mtu);
	put_u32(&message, IFLA_NET_NS_FD, (uint32_t)peer_ns);
	end_nest(&message, peer);
	end_nest(&message, data);
	end_nest(&message, info);
	return ask(sock, &message);
}

static int add_address(int sock, const char *name, const char *address)
{
	const struct ifaddrmsg head = {
		.ifa_family = AF_INET,
		.ifa_prefixlen = PREFIX_LEN,
		.ifa_index = if_nametoindex(name),
	};
	struct message message;
	struct in_addr number;

	inet_pton(AF_INET, address, &number);
	begin(&message, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, &head, sizeof(head));
	put(&message, IFA_LOCAL, &number, sizeof(number));
	put(&message, IFA_ADDRESS, &number, sizeof(number));
	return ask(sock, &message);
}

static int add_shaper(int sock, const char *name, double rate)
{
	const struct tcmsg head = {
		.tcm_family = AF_UNSPEC,
		.tcm_ifindex = (int)if_nametoindex(name),
		.tcm_parent = TC_H_ROOT,
	};
	const struct tc_tbf_qopt shape = {
		.rate = { .rate = (uint32_t)rate, .linklayer = TC_LINKLAYER_ETHERNET },
		.limit = (uint32_t)(rate * LATENCY_S) + BURST,
	};
	struct message message;
	struct rtattr *options;

	begin(&message, RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL, &head, sizeof(head));
	put_text(&message, TCA_KIND, "tbf");
	options = put(&message, TCA_OPTIONS, NULL, 0);
	put(&message, TCA_TBF_PARMS, &shape, sizeof(shape));
	put_u32(&message, TCA_TBF_BURST, BURST);
	end_nest(&message, options);
	return ask(sock, &message);
}

/* ---- namespaces ---- */

static int enter(int ns, struct hl_error *err)
{
	if (setns(ns, CLONE_NEWNET) < 0)
		return hl_fail(err, errno, "network namespace: %s", strerror(errno));
	return 0;
}

/* A socket speaks to the namespace that it was made in. */
static int new_namespace(int *ret_ns, int *ret_sock, struct hl_error *err)
{
	if (unshare(CLONE_NEWNET) < 0)
		return hl_fail(err, errno, "new network namespace: %s", strerror(errno));
	*ret_ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	*ret_sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (*ret_ns < 0 || *ret_sock < 0)
		return hl_fail(err, errno, "rtnetlink: %s", strerror(errno));
	return set_up(*ret_sock, "lo") < 0 ? hl_fail(err, EIO, "lo does not come up") : 0;
}

static int finish_end(int sock, const char *name, const char *address, struct hl_error *err)
{
	int rc = add_address(sock, name, address);

	if (rc == 0)
		rc = set_up(sock, name);
	return rc < 0 ? hl_fail(err, -rc, "line %s, address %s: %s", name, address, strerror(-rc))
		      : 0;
}

int net_make(double rate, struct net *ret_net, struct hl_error *err)
{
	HL_CLOSE int near = -1, far = -1; /* sockets: of the target's end, of the other */
	struct net net = { -1, -1 };
	int rc = new_namespace(&net.initiator, &far, err);

	if (rc == 0)
		rc = new_namespace(&net.target, &near, err);
	for (size_t i = 0; rc == 0 && i < sizeof(demo_wires) / sizeof(*demo_wires); i++) {
		const struct wire *wire = &demo_wires[i];

		rc = add_veth(near, wire, net.initiator);
		if (rc < 0)
			return hl_fail(err, -rc, "line %s: %s", wire->name, strerror(-rc));
		rc = finish_end(near, wire->name, wire->target_address, err);
		if (rc == 0)
			rc = enter(net.initiator, err);
		if (rc == 0)
			rc = finish_end(far, wire->name, wire->initiator_address, err);
		if (rc == 0)
			rc = enter(net.target, err);
	}
	if (rc == 0 && !isnan(rate)) {
		rc = add_shaper(near, demo_wires[0].name, rate);
		if (rc < 0)
			return hl_fail(err, -rc, "shaping with tbf: %s", strerror(-rc));
	}
	if (rc == 0)
		*ret_net = net;
	return rc;
}
