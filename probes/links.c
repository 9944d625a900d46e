/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Links of this network namespace: see links.h. The names of members are those of iproute2's JSON
 * (ip-link(8)), so that one decoder reads both.
 *
 * Surprising: the kernel tells of VFs only who asks for them, which libnl always does, and of the
 * mode of an embedded switch only in a dump of bridge ports. A link below in another namespace has
 * an index of that namespace: it is left out.
 */
#include "links.h"
#include "hoploss/alloc.h"
#include "hoploss/json.h"
#include <errno.h>
#include <linux/if_link.h>
#include <math.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netlink/route/link.h>
#include <netlink/route/link/bridge.h>
#include <netlink/route/link/sriov.h>
#include <netlink/route/link/vlan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOWER_UP (1U << 16) /* IFF_LOWER_UP of linux/if.h, which does not go with net/if.h */

static void close_socket(struct nl_sock **sock)
{
	nl_socket_free(*sock);
}

static void free_cache(struct nl_cache **cache)
{
	nl_cache_free(*cache);
}

static void put_link(struct rtnl_link **link)
{
	rtnl_link_put(*link);
}

#define CLEANUP(function) __attribute__((cleanup(function)))

static const struct {
	unsigned flag;
	const char *name;
} flags[] = {
	{ IFF_LOOPBACK, "LOOPBACK" },
	{ IFF_BROADCAST, "BROADCAST" },
	{ IFF_POINTOPOINT, "POINTOPOINT" },
	{ IFF_MULTICAST, "MULTICAST" },
	{ IFF_NOARP, "NOARP" },
	{ IFF_ALLMULTI, "ALLMULTI" },
	{ IFF_PROMISC, "PROMISC" },
	{ IFF_MASTER, "MASTER" },
	{ IFF_SLAVE, "SLAVE" },
	{ IFF_UP, "UP" },
	{ LOWER_UP, "LOWER_UP" },
};

static const struct counter {
	const char *name;
	rtnl_link_stat_id_t id;
} rx_counters[] = {
	{ "bytes", RTNL_LINK_RX_BYTES },
	{ "packets", RTNL_LINK_RX_PACKETS },
	{ "errors", RTNL_LINK_RX_ERRORS },
	{ "dropped", RTNL_LINK_RX_DROPPED },
	{ "over_errors", RTNL_LINK_RX_OVER_ERR },
	{ "crc_errors", RTNL_LINK_RX_CRC_ERR },
	{ "missed_errors", RTNL_LINK_RX_MISSED_ERR },
}, tx_counters[] = {
	{ "bytes", RTNL_LINK_TX_BYTES },
	{ "packets", RTNL_LINK_TX_PACKETS },
	{ "errors", RTNL_LINK_TX_ERRORS },
	{ "dropped", RTNL_LINK_TX_DROPPED },
	{ "carrier_errors", RTNL_LINK_TX_CARRIER_ERR },
};

static void put_flags(struct hl_json_out *out, struct rtnl_link *link)
{
	unsigned set = rtnl_link_get_flags(link);

	hl_json_array(out, "flags");
	if (set & IFF_UP && !(set & IFF_RUNNING))
		hl_json_put_string(out, NULL, "NO-CARRIER");
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (set & flags[i].flag)
			hl_json_put_string(out, NULL, flags[i].name);
	}
	hl_json_close(out);
}

static void put_counters(struct hl_json_out *out, const char *key, struct rtnl_link *link,
			 const struct counter *counters, size_t nr)
{
	hl_json_object(out, key);
	for (size_t i = 0; i < nr; i++)
		hl_json_put_number(out, counters[i].name,
				   (double)rtnl_link_get_stat(link, counters[i].id));
	hl_json_close(out);
}

static void put_name(struct hl_json_out *out, const char *key, struct nl_cache *links, int ifindex)
{
	CLEANUP(put_link)
	struct rtnl_link *link = ifindex > 0 ? rtnl_link_get(links, ifindex) : NULL;

	if (link)
		hl_json_put_string(out, key, rtnl_link_get_name(link));
}

/* ---- VFs ---- */

static void put_vlans(struct hl_json_out *out, struct rtnl_link_vf *vf)
{
	nl_vf_vlans_t *vlans;

	if (rtnl_link_vf_get_vlans(vf, &vlans) < 0)
		return;
	hl_json_array(out, "vlan_list");
	for (int i = 0; i < vlans->size; i++) {
		hl_json_object(out, NULL);
		if (vlans->vlans[i].vf_vlan)
			hl_json_put_number(out, "vlan", vlans->vlans[i].vf_vlan);
		if (vlans->vlans[i].vf_vlan_qos)
			hl_json_put_number(out, "qos", vlans->vlans[i].vf_vlan_qos);
		hl_json_close(out);
	}
	hl_json_close(out);
	rtnl_link_vf_vlan_put(vlans);
}

static void put_rate(struct hl_json_out *out, struct rtnl_link_vf *vf)
{
	struct nl_vf_rate rate;

	if (rtnl_link_vf_get_rate(vf, &rate) < 0)
		return;
	hl_json_object(out, "rate");
	hl_json_put_number(out, "max_tx",
			   rate.api == RTNL_LINK_VF_RATE_API_NEW ? rate.max_tx_rate : rate.rate);
	if (rate.api == RTNL_LINK_VF_RATE_API_NEW)
		hl_json_put_number(out, "min_tx", rate.min_tx_rate);
	hl_json_close(out);
}

/* A driver that does not support a switch reports it as -1. */
static void put_switch(struct hl_json_out *out, const char *key, struct rtnl_link_vf *vf,
		       int (*get)(struct rtnl_link_vf *vf, uint32_t *value))
{
	uint32_t value;

	if (get(vf, &value) == 0 && value <= 1)
		hl_json_put_boolean(out, key, value);
}

static void put_vf(struct hl_json_out *out, struct rtnl_link_vf *vf, uint32_t index)
{
	static const char *const states[] = { "auto", "enable", "disable" };
	struct nl_addr *address = NULL;
	uint32_t state;
	char text[64];

	hl_json_object(out, NULL);
	hl_json_put_number(out, "vf", index);
	if (rtnl_link_vf_get_addr(vf, &address) == 0)
		hl_json_put_string(out, "address", nl_addr2str(address, text, sizeof(text)));
	put_vlans(out, vf);
	put_rate(out, vf);
	put_switch(out, "spoofchk", vf, rtnl_link_vf_get_spoofchk);
	if (rtnl_link_vf_get_linkstate(vf, &state) == 0 && state < sizeof(states) / sizeof(*states))
		hl_json_put_string(out, "link_state", states[state]);
	put_switch(out, "trust", vf, rtnl_link_vf_get_trust);
	hl_json_close(out);
}

static void put_vfs(struct hl_json_out *out, struct rtnl_link *link)
{
	uint32_t nr;

	if (rtnl_link_get_num_vf(link, &nr) < 0 || !nr)
		return;
	hl_json_array(out, "vfinfo_list");
	for (uint32_t i = 0; i < nr; i++) {
		struct rtnl_link_vf *vf = rtnl_link_vf_get(link, i);

		if (!vf)
			continue;
		put_vf(out, vf, i);
		rtnl_link_vf_put(vf);
	}
	hl_json_close(out);
}

/* ---- links ---- */

static void put_kind(struct hl_json_out *out, struct rtnl_link *link)
{
	const char *kind = rtnl_link_get_type(link);

	if (!kind)
		return;
	hl_json_object(out, "linkinfo");
	hl_json_put_string(out, "info_kind", kind);
	if (rtnl_link_is_vlan(link)) {
		hl_json_object(out, "info_data");
		hl_json_put_number(out, "id", rtnl_link_vlan_get_id(link));
		hl_json_close(out);
	}
	hl_json_close(out);
}

/* Of an embedded switch: does it carry frames between its VFs, or send them all out? */
static void put_switch_mode(struct hl_json_out *out, struct nl_cache *ports, int ifindex)
{
	CLEANUP(put_link) struct rtnl_link *port = ports ? rtnl_link_get(ports, ifindex) : NULL;
	uint16_t mode;
	char text[16];

	if (port && rtnl_link_bridge_get_hwmode(port, &mode) == 0)
		hl_json_put_string(out, "hwmode",
				   rtnl_link_bridge_hwmode2str(mode, text, sizeof(text)));
}

static void put_link_of(struct hl_json_out *out, struct nl_cache *links, struct nl_cache *ports,
			struct rtnl_link *link)
{
	struct nl_addr *address = rtnl_link_get_addr(link);
	bool is_loopback = rtnl_link_get_arptype(link) == ARPHRD_LOOPBACK;
	char text[64];
	int foreign;

	hl_json_object(out, NULL);
	hl_json_put_number(out, "ifindex", rtnl_link_get_ifindex(link));
	if (rtnl_link_get_link_netnsid(link, &foreign) < 0)
		put_name(out, "link", links, rtnl_link_get_link(link));
	hl_json_put_string(out, "ifname", rtnl_link_get_name(link));
	put_flags(out, link);
	hl_json_put_number(out, "mtu", rtnl_link_get_mtu(link));
	hl_json_put_string(out, "qdisc", rtnl_link_get_qdisc(link));
	put_name(out, "master", links, rtnl_link_get_master(link));
	rtnl_link_operstate2str(rtnl_link_get_operstate(link), text, sizeof(text));
	for (char *c = text; *c; c++)
		*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
	hl_json_put_string(out, "operstate", text);
	hl_json_put_string(out, "link_type", is_loopback ? "loopback" : "ether");
	if (address)
		hl_json_put_string(out, "address", nl_addr2str(address, text, sizeof(text)));
	put_kind(out, link);
	hl_json_put_number(out, "num_tx_queues", rtnl_link_get_num_tx_queues(link));
	hl_json_put_number(out, "num_rx_queues", rtnl_link_get_num_rx_queues(link));
	put_switch_mode(out, ports, rtnl_link_get_ifindex(link));
	hl_json_object(out, "stats64");
	put_counters(out, "rx", link, rx_counters, sizeof(rx_counters) / sizeof(*rx_counters));
	put_counters(out, "tx", link, tx_counters, sizeof(tx_counters) / sizeof(*tx_counters));
	hl_json_close(out);
	put_vfs(out, link);
	hl_json_close(out);
}

static int put_links(FILE *file, struct nl_cache *links, struct nl_cache *ports)
{
	struct hl_json_out *out = hl_json_out_new(file);

	hl_json_array(out, NULL);
	for (struct nl_object *object = nl_cache_get_first(links); object;
	     object = nl_cache_get_next(object))
		put_link_of(out, links, ports, (struct rtnl_link *)object);
	hl_json_close(out);
	return hl_json_out_free(out);
}

int hl_links_json(char **ret_json, size_t *ret_len, struct hl_error *err)
{
	CLEANUP(close_socket) struct nl_sock *sock = nl_socket_alloc();
	CLEANUP(free_cache) struct nl_cache *links = NULL, *ports = NULL;
	HL_FREE char *json = NULL;
	size_t len;
	FILE *file;
	int rc = nl_connect(sock, NETLINK_ROUTE);

	if (rc == 0)
		rc = rtnl_link_alloc_cache(sock, AF_UNSPEC, &links);
	if (rc < 0)
		return hl_fail(err, EOPNOTSUPP, "list the network links: %s", nl_geterror(rc));
	if (rtnl_link_alloc_cache(sock, AF_BRIDGE, &ports) < 0)
		ports = NULL;
	file = open_memstream(&json, &len);
	rc = put_links(file, links, ports);
	if (fclose(file) != 0 || rc < 0)
		return hl_fail(err, EIO, "write the list of links");
	*ret_json = json;
	*ret_len = len;
	json = NULL;
	return 0;
}

int hl_links_find(int ifindex, char *ret_name, double *ret_mtu, struct hl_error *err)
{
	CLEANUP(close_socket) struct nl_sock *sock = nl_socket_alloc();
	CLEANUP(put_link) struct rtnl_link *link = NULL;
	int rc = nl_connect(sock, NETLINK_ROUTE);

	if (rc == 0)
		rc = rtnl_link_get_kernel(sock, ifindex, NULL, &link);
	if (rc < 0)
		return hl_fail(err, ENODEV, "link %d: %s", ifindex, nl_geterror(rc));
	snprintf(ret_name, IFNAMSIZ, "%s", rtnl_link_get_name(link));
	*ret_mtu = rtnl_link_get_mtu(link);
	return 0;
}
