/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Root queueing disciplines: see qdisc.h.
 *
 * Source: rtnetlink(7), tc(8). What hangs below a root that shapes nothing is not looked at.
 */
#include "qdisc.h"
#include "hoploss/alloc.h"
#include "links.h"
#include <errno.h>
#include <math.h>
#include <netlink/route/class.h>
#include <netlink/route/qdisc.h>
#include <netlink/route/qdisc/htb.h>
#include <netlink/route/qdisc/tbf.h>
#include <stdio.h>
#include <string.h>

static void close_socket(struct nl_sock **sock)
{
	nl_socket_free(*sock);
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

/* The largest ceiling of a class directly below an htb root: what all traffic together may have. */
static double rate_of_htb(struct nl_sock *sock, int ifindex)
{
	CLEANUP(free_cache) struct nl_cache *classes = NULL;
	double most = NAN;

	if (rtnl_class_alloc_cache(sock, ifindex, &classes) < 0)
		return NAN;
	for (struct nl_object *object = nl_cache_get_first(classes); object;
	     object = nl_cache_get_next(object)) {
		uint64_t ceiling;

		if (rtnl_htb_get_ceil64((struct rtnl_class *)object, &ceiling) == 0)
			most = fmax(most, (double)ceiling);
	}
	return most;
}

static struct qdisc read_qdisc(struct nl_sock *sock, struct nl_object *object)
{
	struct rtnl_tc *tc = (struct rtnl_tc *)object;
	struct qdisc qdisc = { .rate = NAN };

	snprintf(qdisc.kind, sizeof(qdisc.kind), "%s", rtnl_tc_get_kind(tc));
	if (!strcmp(qdisc.kind, "tbf"))
		qdisc.rate = rate_of_tbf(object);
	else if (!strcmp(qdisc.kind, "htb"))
		qdisc.rate = rate_of_htb(sock, rtnl_tc_get_ifindex(tc));
	return qdisc;
}

static bool is_root(struct nl_object *object)
{
	return rtnl_tc_get_parent((struct rtnl_tc *)object) == TC_H_ROOT;
}

void qdisc_find(int ifindex, struct qdisc *ret_qdisc)
{
	CLEANUP(close_socket) struct nl_sock *sock = nl_socket_alloc();
	CLEANUP(free_cache) struct nl_cache *qdiscs = NULL;

	*ret_qdisc = (struct qdisc){ .rate = NAN };
	if (nl_connect(sock, NETLINK_ROUTE) < 0 || rtnl_qdisc_alloc_cache(sock, &qdiscs) < 0)
		return;
	for (struct nl_object *object = nl_cache_get_first(qdiscs); object;
	     object = nl_cache_get_next(object)) {
		if (rtnl_tc_get_ifindex((struct rtnl_tc *)object) == ifindex && is_root(object))
			*ret_qdisc = read_qdisc(sock, object);
	}
}

static void print_qdisc(struct nl_sock *sock, struct nl_object *object, FILE *file)
{
	struct rtnl_tc *tc = (struct rtnl_tc *)object;
	struct qdisc qdisc = read_qdisc(sock, object);
	char name[16] = "";
	double mtu;

	if (hl_links_find(rtnl_tc_get_ifindex(tc), name, &mtu, NULL) < 0)
		return;
	fprintf(file, "qdisc %s %x: dev %s root refcnt 2", qdisc.kind, rtnl_tc_get_handle(tc) >> 16,
		name);
	/* of htb tc says it of the class */
	if (!isnan(qdisc.rate) && strcmp(qdisc.kind, "htb") != 0)
		fprintf(file, " rate %.0fbit", qdisc.rate * 8);
	fputc('\n', file);
	if (!isnan(qdisc.rate) && !strcmp(qdisc.kind, "htb"))
		fprintf(file, "class htb %x:1 dev %s root rate %.0fbit ceil %.0fbit\n",
			rtnl_tc_get_handle(tc) >> 16, name, qdisc.rate * 8, qdisc.rate * 8);
}

int qdisc_text(char **ret_text, size_t *ret_len, struct hl_error *err)
{
	CLEANUP(close_socket) struct nl_sock *sock = nl_socket_alloc();
	CLEANUP(free_cache) struct nl_cache *qdiscs = NULL;
	int rc = nl_connect(sock, NETLINK_ROUTE);
	char *text = NULL;
	size_t len;
	FILE *file;

	if (rc == 0)
		rc = rtnl_qdisc_alloc_cache(sock, &qdiscs);
	if (rc < 0)
		return hl_fail(err, EOPNOTSUPP, "list the qdiscs: %s", nl_geterror(rc));
	file = open_memstream(&text, &len);
	for (struct nl_object *object = nl_cache_get_first(qdiscs); object;
	     object = nl_cache_get_next(object)) {
		if (is_root(object))
			print_qdisc(sock, object, file);
	}
	fclose(file);
	*ret_text = text;
	*ret_len = len;
	return 0;
}
