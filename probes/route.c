/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where packets leave, and what shapes them there: see hoploss/route.h.
 */
#include "hoploss/route.h"
#include "links.h"
#include <errno.h>
#include <math.h>
#include <netlink/route/class.h>
#include <netlink/route/qdisc.h>
#include <netlink/route/qdisc/htb.h>
#include <netlink/route/qdisc/tbf.h>
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

static void free_cache(struct nl_cache **cache)
{
	nl_cache_free(*cache);
}

#define CLEANUP(function) __attribute__((cleanup(function)))

static double rate_of_tbf(struct nl_object *object)
{
	int rate = rtnl_qdisc_tbf_get_rate((struct rtnl_qdisc *)object);

	return rate > 0 ? rate : NAN;
}

/* The root of the device decides; what hangs below a root that shapes nothing is not looked at. */
static void find_qdisc(struct nl_sock *sock, int ifindex, struct hl_route *route)
{
	CLEANUP(free_cache) struct nl_cache *qdiscs = NULL;

	if (rtnl_qdisc_alloc_cache(sock, &qdiscs) < 0)
		return;
	for (struct nl_object *object = nl_cache_get_first(qdiscs); object;
	     object = nl_cache_get_next(object)) {
		const struct rtnl_tc *tc = (struct rtnl_tc *)object;

		if (rtnl_tc_get_ifindex((struct rtnl_tc *)tc) != ifindex ||
		    rtnl_tc_get_parent((struct rtnl_tc *)tc) != TC_H_ROOT)
			continue;
		snprintf(route->qdisc, sizeof(route->qdisc), "%s",
			 rtnl_tc_get_kind((struct rtnl_tc *)tc));
		if (!strcmp(route->qdisc, "tbf"))
			route->qdisc_rate = rate_of_tbf(object);
	}
}

/* The largest ceiling of a class directly below an htb root: what all traffic together may have. */
static void find_htb_rate(struct nl_sock *sock, int ifindex, struct hl_route *route)
{
	CLEANUP(free_cache) struct nl_cache *classes = NULL;
	double most = NAN;

	if (strcmp(route->qdisc, "htb") || rtnl_class_alloc_cache(sock, ifindex, &classes) < 0)
		return;
	for (struct nl_object *object = nl_cache_get_first(classes); object;
	     object = nl_cache_get_next(object)) {
		uint64_t ceiling;

		if (rtnl_htb_get_ceil64((struct rtnl_class *)object, &ceiling) == 0)
			most = fmax(most, (double)ceiling);
	}
	route->qdisc_rate = most;
}

static int take_route(struct nl_sock *sock, struct rtnl_route *found, struct hl_route *route,
		      struct hl_error *err)
{
	struct rtnl_nexthop *hop = rtnl_route_nexthop_n(found, 0);
	struct nl_addr *source = rtnl_route_get_pref_src(found);
	int ifindex = hop ? rtnl_route_nh_get_ifindex(hop) : 0;
	int rc;

	if (!ifindex)
		return hl_fail(err, ENETUNREACH, "a route without a device");
	route->is_local = rtnl_route_get_type(found) == RTN_LOCAL;
	if (source)
		nl_addr2str(source, route->source, sizeof(route->source));
	rc = hl_links_find(ifindex, route->device, &route->mtu, err);
	if (rc < 0)
		return rc;
	find_qdisc(sock, ifindex, route);
	find_htb_rate(sock, ifindex, route);
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
	rc = take_route(sock, found, &route, err);
	if (rc == 0)
		*ret_route = route;
	return rc;
}
