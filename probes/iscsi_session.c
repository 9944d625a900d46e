/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iSCSI sessions of the kernel's initiator: see iscsi_probe.h.
 *
 * Source: the classes iscsi_session, iscsi_connection and iscsi_host of sysfs, as
 * drivers/scsi/scsi_transport_iscsi.c shows them, and scsi_host. Surprising: can_queue is what the
 * session takes at once, 15 less than the cmds_max that was configured: those are for management.
 */
#include "attribute.h"
#include "hoploss/alloc.h"
#include "hoploss/route.h"
#include "iscsi_probe.h"
#include "sysfs.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SESSIONS "/sys/class/iscsi_session"

/* username, password and their _in twins stand beside these. */
static const struct attribute session_attributes[] = {
	{ "state", "iscsi.session_state", ATTRIBUTE_TEXT },
	{ "initiatorname", "iscsi.initiator", ATTRIBUTE_TEXT },
	{ "ifacename", "iscsi.iface", ATTRIBUTE_TEXT },
	{ "first_burst_len", "iscsi.first_burst", ATTRIBUTE_NUMBER },
	{ "max_burst_len", "iscsi.max_burst", ATTRIBUTE_NUMBER },
	{ "immediate_data", "iscsi.immediate_data", ATTRIBUTE_FLAG },
	{ "initial_r2t", "iscsi.initial_r2t", ATTRIBUTE_FLAG },
	{ "max_outstanding_r2t", "iscsi.max_outstanding_r2t", ATTRIBUTE_NUMBER },
	{ "recovery_tmo", "iscsi.recovery_timeout_s", ATTRIBUTE_NUMBER },
};

static const struct attribute connection_attributes[] = {
	{ "state", "iscsi.connection_state", ATTRIBUTE_TEXT },
	{ "max_recv_dlength", "iscsi.max_recv", ATTRIBUTE_NUMBER },
	{ "max_xmit_dlength", "iscsi.max_xmit", ATTRIBUTE_NUMBER },
};

static const struct attribute host_attributes[] = {
	{ "ipaddress", "iscsi.initiator_address", ATTRIBUTE_TEXT },
};

static const struct attribute scsi_attributes[] = {
	{ "can_queue", "iscsi.can_queue", ATTRIBUTE_NUMBER },
	{ "proc_name", "iscsi.transport", ATTRIBUTE_TEXT },
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

/* The kernel's address of the other end, without brackets; to be freed. */
static char *address_of(struct hl_machine *machine, const char *number)
{
	HL_FREE char *connection = hl_printf("/sys/class/iscsi_connection/connection%s:0", number);
	char *address = attribute_text(machine, connection, "address");

	return address ? address : attribute_text(machine, connection, "persistent_address");
}

/* "10.0.0.2:3260" or "[fe80::1]:3260", to be freed; NULL. */
static char *portal_of(struct hl_machine *machine, const char *number)
{
	HL_FREE char *connection = hl_printf("/sys/class/iscsi_connection/connection%s:0", number);
	HL_FREE char *address = address_of(machine, number);
	HL_FREE char *port = attribute_text(machine, connection, "port");
	HL_FREE char *asked = attribute_text(machine, connection, "persistent_port");

	if (!address || !(port || asked))
		return NULL;
	return hl_printf(strchr(address, ':') ? "[%s]:%s" : "%s:%s", address, port ? port : asked);
}

static int compare_disks(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void append(char **list, const char *name)
{
	char *longer = hl_printf("%s%s%s", *list ? *list : "", *list ? " " : "", name);

	free(*list);
	*list = longer;
}

/* Disks below "…/targetH:C:I/H:C:I:L/block". */
static void append_disks(struct hl_machine *machine, const char *target, char **disks)
{
	char **luns;
	size_t nr;

	if (hl_machine_list(machine, target, &luns, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = NULL;
		HL_FREE char *name = NULL;

		if (!isdigit((unsigned char)luns[i][0]))
			continue;
		path = hl_printf("%s/%s/block", target, luns[i]);
		name = hl_sysfs_names(machine, path);
		if (name)
			append(disks, name);
	}
	hl_machine_free_names(luns, nr);
}

static char *sorted(char *disks)
{
	char *names[512], *rest = disks, *name, *list = NULL;
	size_t nr = 0;

	while (nr < NR(names) && (name = strsep(&rest, " ")))
		names[nr++] = name;
	qsort(names, nr, sizeof(*names), compare_disks);
	for (size_t i = 0; i < nr; i++)
		append(&list, names[i]);
	return list;
}

static void add_disks(const struct iscsi_place *place, const struct hl_origin *origin,
		      const char *session)
{
	HL_FREE char *device = hl_printf("%s/device", session);
	HL_FREE char *disks = NULL, *list = NULL;
	struct hl_origin where = *origin;
	char **names;
	size_t nr;

	if (hl_machine_list(place->machine, device, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *target = hl_printf("%s/%s", device, names[i]);

		if (!strncmp(names[i], "target", 6))
			append_disks(place->machine, target, &disks);
	}
	hl_machine_free_names(names, nr);
	if (!disks)
		return;
	list = sorted(disks);
	where.source = device;
	hl_graph_add_string(place->graph, &where, "iscsi.disks", list);
}

/* "../../devices/platform/host7/session1/iscsi_session/session1": host7 */
static char *host_of(struct hl_machine *machine, const char *session)
{
	HL_FREE char *target = NULL;
	const char *host = NULL;

	if (hl_machine_readlink(machine, session, &target, NULL) < 0)
		return NULL;
	for (const char *at = strstr(target, "/host"); at; at = strstr(at + 1, "/host"))
		host = isdigit((unsigned char)at[5]) ? at + 1 : host;
	return host ? hl_strndup(host, strcspn(host, "/")) : NULL;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The kernel's answer to where packets to address leave, which was read before. */
static const struct hl_fact *route_to(const struct iscsi_place *place, const char *address)
{
	for (size_t i = 0; address && i < place->graph->nr_facts; i++) {
		const struct hl_fact *fact = place->graph->facts[i];

		if (!strcmp(fact->key, "route.device") && is_same_text(fact->node, address) &&
		    is_same_text(fact->host, place->host))
			return fact;
	}
	return NULL;
}

static void add_nic(const struct iscsi_place *place, const struct hl_origin *origin,
		    const char *number, const char *host)
{
	HL_FREE char *address = address_of(place->machine, number);
	const struct hl_fact *route = route_to(place, address);
	HL_FREE char *bound = host ? attribute_text(place->machine, host, "netdev") : NULL;
	struct hl_origin where = *origin;

	if (bound && strcmp(bound, "default") != 0) {
		where.source = host;
		hl_graph_add_string(place->graph, &where, "iscsi.nic", bound);
	} else if (route && route->string) {
		where.source = route->source;
		hl_graph_add_string(place->graph, &where, "iscsi.nic", route->string);
	}
}

/* The kernel's 0 and 1, as iscsiadm names them. */
static void add_digests(const struct iscsi_place *place, const struct hl_origin *origin,
			const char *connection)
{
	static const char *const files[] = { "header_digest", "data_digest" };
	static const char *const keys[] = { "iscsi.header_digest", "iscsi.data_digest" };

	for (size_t i = 0; i < NR(files); i++) {
		HL_FREE char *path = hl_printf("%s/%s", connection, files[i]);
		HL_FREE char *text = attribute_text(place->machine, connection, files[i]);
		struct hl_origin where = *origin;

		where.source = path;
		if (text)
			hl_graph_add_string(place->graph, &where, keys[i],
					    !strcmp(text, "0")   ? "None"
					    : !strcmp(text, "1") ? "CRC32C"
								 : text);
	}
}

static void decode_session(const struct iscsi_place *place, const char *name)
{
	const char *number = name + strlen("session");
	HL_FREE char *session = hl_printf(SESSIONS "/%s", name);
	HL_FREE char *connection = hl_printf("/sys/class/iscsi_connection/connection%s:0", number);
	HL_FREE char *target = attribute_text(place->machine, session, "targetname");
	HL_FREE char *portal = portal_of(place->machine, number);
	HL_FREE char *node = hl_printf("%s@%s", target ? target : "?", portal ? portal : "?");
	HL_FREE char *host = host_of(place->machine, session);
	HL_FREE char *iscsi_host = host ? hl_printf("/sys/class/iscsi_host/%s", host) : NULL;
	HL_FREE char *scsi_host = host ? hl_printf("/sys/class/scsi_host/%s", host) : NULL;
	const struct hl_origin origin = { .host = place->host, .node = node, .source = session };

	hl_graph_add_number(place->graph, &origin, "iscsi.sid", strtod(number, NULL));
	attribute_add_facts(place->machine, place->graph, &origin, session, session_attributes,
			    NR(session_attributes));
	attribute_add_facts(place->machine, place->graph, &origin, connection,
			    connection_attributes, NR(connection_attributes));
	add_digests(place, &origin, connection);
	if (host) {
		attribute_add_facts(place->machine, place->graph, &origin, iscsi_host,
				    host_attributes, NR(host_attributes));
		attribute_add_facts(place->machine, place->graph, &origin, scsi_host,
				    scsi_attributes, NR(scsi_attributes));
	}
	add_nic(place, &origin, number, iscsi_host);
	add_disks(place, &origin, session);
}

static bool is_session(const char *name)
{
	return !strncmp(name, "session", 7) && isdigit((unsigned char)name[7]);
}

size_t iscsi_sessions_decode(const struct iscsi_place *place)
{
	char **names;
	size_t nr, nr_sessions = 0;

	if (hl_machine_list(place->machine, SESSIONS, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		if (!is_session(names[i]))
			continue;
		decode_session(place, names[i]);
		nr_sessions++;
	}
	hl_machine_free_names(names, nr);
	return nr_sessions;
}

/* ---- live ---- */

static void keep_route(struct hl_capture *capture, const char *address)
{
	HL_FREE char *text = NULL;
	struct hl_route route;

	if (hl_route_find(address, &route, NULL) < 0)
		return;
	text = hl_printf("%s%s dev %s%s%s uid 0\n", route.is_local ? "local " : "", address,
			 route.device, route.source[0] ? " src " : "", route.source);
	hl_capture_keep(capture, "ip-route-get.txt", address, text, strlen(text), NULL);
}

void iscsi_routes_keep(struct hl_capture *capture)
{
	char **names;
	size_t nr;

	if (hl_machine_list(capture->machine, SESSIONS, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *address = is_session(names[i])
						? address_of(capture->machine, names[i] + 7)
						: NULL;

		if (address)
			keep_route(capture, address);
	}
	hl_machine_free_names(names, nr);
}
