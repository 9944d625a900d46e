/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where packets leave, and what shapes them there: see hoploss/route.h.
 */
#include "hoploss/route.h"
#include "links.h"
#include "qdisc.h"
#include <errno.h>
#include <math.h>
#include <netlink/route/route.h>
#include <stdio.h>
#include <string.h>

static void close_socket(struct nl_sock **sock)
{
	nl_socket_free(*sock);
}

static void put_address(struct nl_addr **address)
{
	nl_addr_put(*address);
}

static void put_route(struct rtnl_route **route)
{
	rtnl_route_put(*route);
}

#define CLEANUP(function) __attribute__((cleanup(function)))

static int take_route(struct rtnl_route *found, struct hl_route *route, struct hl_error *err)
{
	struct rtnl_nexthop *hop = rtnl_route_nexthop_n(found, 0);
	struct nl_addr *source = rtnl_route_get_pref_src(found);
	int ifindex = hop ? rtnl_route_nh_get_ifindex(hop) : 0;
	struct qdisc qdisc;
	int rc;

	if (!ifindex)
		return hl_fail(err, ENETUNREACH, "a route without a device");
	route->is_local = rtnl_route_get_type(found) == RTN_LOCAL;
	if (source)
		nl_addr2str(source, route->source, sizeof(route->source));
	rc = hl_links_find(ifindex, route->device, &route->mtu, err);
	if (rc < 0)
		return rc;
	qdisc_find(ifindex, &qdisc);
	memcpy(route->qdisc, qdisc.kind, sizeof(route->qdisc));
	route->qdisc_rate = qdisc.rate;
	return 0;
}

int hl_route_find(const char *address, struct hl_route *ret_route, struct hl_error *err)
{
	CLEANUP(close_socket) struct nl_sock *sock = nl_socket_alloc();
	CLEANUP(put_address) struct nl_addr *to = NULL;
	CLEANUP(put_route) struct rtnl_route *found = NULL;
	struct hl_route route = { .mtu = NAN, .qdisc_rate = NAN };
	int rc;

	if (nl_addr_parse(address, AF_UNSPEC, &to) < 0)
		return hl_fail(err, EINVAL, "\"%s\" is no numeric address", address);
	rc = nl_connect(sock, NETLINK_ROUTE);
	if (rc == 0)
		rc = rtnl_route_lookup(sock, to, &found);
	if (rc < 0)
		return hl_fail(err, ENETUNREACH, "no route to %s: %s", address, nl_geterror(rc));
	rc = take_route(found, &route, err);
	if (rc == 0)
		*ret_route = route;
	return rc;
}
