/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NICs: what the kernel says of each link, its VFs, its driver and its interrupts, and what it
 * stands on.
 *
 * Source: rtnetlink and ethtool (kept as ip, tc and ethtool print it, and read by their formats);
 * the rest from sysfs, Documentation/ABI/testing/sysfs-class-net and sysfs-bus-pci, and
 * /proc/irq. Surprising: a virtio NIC's PCI function is the parent of its device; both halves of a
 * net_failover pair hang on one such device, and that tells them.
 */
#include "net_link.h"
#include "ethtool_live.h"
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include "links.h"
#include "qdisc.h"
#include "sysfs.h"
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLASS    "/sys/class/net"
#define MAX_NICS 512 /* a hypervisor has one for each virtual NIC */

/* ---- live ---- */

/* One text of ethtool a NIC; what a NIC does not know is not in it. */
static void keep_ethtool(struct hl_capture *capture, struct ethtool_live *live, const char *nic)
{
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	ethtool_live_print(live, nic, file);
	ethtool_driver_print(ethtool_live_fd(live), nic, file);
	ethtool_statistics_print(ethtool_live_fd(live), nic, file);
	fclose(file);
	if (len)
		hl_capture_keep(capture, "ethtool.txt", nic, text, len, NULL);
}

/* A kernel that has no ethtool by netlink: the tool itself, if there is one. */
static void run_ethtool(struct hl_capture *capture, const char *nic)
{
	const char *const words[] = { "ethtool", nic, NULL };

	hl_capture_command(capture, "ethtool.txt", nic, words, NULL);
}

static void keep_nics(struct hl_capture *capture, char **names, size_t nr)
{
	struct ethtool_live *live = NULL;

	ethtool_live_open(&live, NULL);
	for (size_t i = 0; i < nr && i < MAX_NICS; i++) {
		if (!strcmp(names[i], "lo"))
			continue;
		if (live)
			keep_ethtool(capture, live, names[i]);
		else
			run_ethtool(capture, names[i]);
	}
	ethtool_live_close(live);
}

static void keep_qdiscs(struct hl_capture *capture)
{
	HL_FREE char *text = NULL;
	size_t len;

	if (qdisc_text(&text, &len, NULL) == 0 && len)
		hl_capture_keep(capture, "tc-qdisc.txt", NULL, text, len, NULL);
}

static bool is_loopback_only(char *const *names, size_t nr)
{
	return nr == 1 && !strcmp(names[0], "lo");
}

static int link_decode(struct hl_machine *recorded, const struct hl_origin *origin,
		       struct hl_graph *graph, struct hl_error *err);

static int link_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *unused = hl_graph_new();
	const struct hl_origin origin = { .host = NULL };
	HL_FREE char *json = NULL;
	char **names;
	size_t len, nr;
	int rc = hl_links_json(&json, &len, err);

	if (rc == 0)
		rc = hl_capture_keep(capture, "ip-link.json", NULL, json, len, err);
	keep_qdiscs(capture);
	if (hl_machine_list(capture->machine, CLASS, &names, &nr, NULL) < 0)
		return rc;
	keep_nics(capture, names, nr);
	if (rc == 0 && is_loopback_only(names, nr))
		rc = hl_fail(err, ENOENT, "no NIC but lo");
	hl_machine_free_names(names, nr);
	/* what decoding reads is what is recorded */
	link_decode(capture->machine, &origin, unused, NULL);
	return rc;
}

/* ---- decoding ---- */

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* ip and ethtool were read before; what they said is not said again. */
static bool is_said(const struct net_link *link, const char *key)
{
	for (size_t i = 0; i < link->graph->nr_facts; i++) {
		const struct hl_fact *fact = link->graph->facts[i];

		if (!strcmp(fact->key, key) && is_same_text(fact->node, link->name) &&
		    is_same_text(fact->host, link->host))
			return true;
	}
	return false;
}

void net_link_add_text(const struct net_link *link, const char *node, const char *key,
		       const char *value, const char *path)
{
	const struct hl_origin origin = { .host = link->host,
					  .node = node ? node : link->name,
					  .source = path };

	if (value && *value && (node || !is_said(link, key)))
		hl_graph_add_string(link->graph, &origin, key, value);
}

void net_link_add_number(const struct net_link *link, const char *key, double value,
			 const char *path)
{
	const struct hl_origin origin = { .host = link->host, .node = link->name, .source = path };

	if (value >= 0 && !is_said(link, key))
		hl_graph_add_number(link->graph, &origin, key, value);
}

/* "../../devices/pci0000:00/0000:00:03.0/virtio2/net/eth0" to "/sys/devices/…/0000:00:03.0". */
static char *find_function(const char *target)
{
	const char *devices = strstr(target, "/devices/"), *end = NULL;

	for (const char *at = devices; at; at = strchr(at + 1, '/')) {
		size_t len = strcspn(at + 1, "/");
		HL_FREE char *part = hl_strndup(at + 1, len);

		if (!fnmatch("????:??:??.?", part, 0) || !fnmatch("?????:??:??.?", part, 0))
			end = at + 1 + len;
	}
	return end ? hl_printf("/sys%.*s", (int)(end - devices), devices) : NULL;
}

static void decode_function(const struct net_link *link)
{
	static const struct {
		const char *file, *key;
	} numbers[] = {
		{ "numa_node", "link.numa_node" },
		{ "sriov_numvfs", "link.nr_vfs" },
		{ "sriov_totalvfs", "link.nr_vfs_max" },
	};
	HL_FREE char *driver_path = hl_printf("%s/driver", link->function);
	HL_FREE char *driver = hl_sysfs_link(link->machine, driver_path);
	HL_FREE char *pf_path = hl_printf("%s/physfn/net", link->function);
	HL_FREE char *pf = hl_sysfs_names(link->machine, pf_path);

	net_link_add_text(link, NULL, "link.pci_address", strrchr(link->function, '/') + 1,
			  link->function);
	/* of a virtio NIC the function's driver is that of the bus */
	if (driver && strncmp(driver, "virtio", 6) != 0)
		net_link_add_text(link, NULL, "link.driver", driver, driver_path);
	net_link_add_text(link, NULL, "link.pf", pf, pf_path);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		HL_FREE char *path = hl_printf("%s/%s", link->function, numbers[i].file);

		net_link_add_number(link, numbers[i].key, hl_sysfs_number(link->machine, path),
				    path);
	}
}

/* Which PCI function each VF is. */
static void decode_vfs(const struct net_link *link)
{
	char **names;
	size_t nr;

	if (hl_machine_list(link->machine, link->function, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", link->function, names[i]);
		HL_FREE char *node = NULL, *address = NULL;

		if (strncmp(names[i], "virtfn", 6) != 0)
			continue;
		node = hl_printf("%s/vf%s", link->name, names[i] + 6);
		address = hl_sysfs_link(link->machine, path);
		net_link_add_text(link, node, "vf.pci_address", address, path);
	}
	hl_machine_free_names(names, nr);
}

static void decode_bond(const struct net_link *link)
{
	static const struct {
		const char *file, *key;
		bool is_word; /* only the first: "active-backup 1" */
	} files[] = {
		{ "mode", "link.mode", true },
		{ "active_slave", "link.active_slave", false },
		{ "slaves", "link.below", false },
		{ "xmit_hash_policy", "link.hash_policy", true },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		HL_FREE char *path = hl_printf(CLASS "/%s/bonding/%s", link->name, files[i].file);
		HL_FREE char *text = hl_sysfs_text(link->machine, path);

		if (text && files[i].is_word)
			text[strcspn(text, " ")] = '\0';
		net_link_add_text(link, NULL, files[i].key, text, path);
	}
}

static void decode_nic(struct net_link *link)
{
	HL_FREE char *path = hl_printf(CLASS "/%s", link->name);
	HL_FREE char *speed = hl_printf(CLASS "/%s/speed", link->name);
	HL_FREE char *mtu = hl_printf(CLASS "/%s/mtu", link->name);
	HL_FREE char *target = NULL;

	if (hl_machine_readlink(link->machine, path, &target, NULL) < 0)
		return; /* bonding_masters is a file */
	net_link_add_number(link, "link.mtu", hl_sysfs_number(link->machine, mtu), mtu);
	net_link_add_number(link, "link.speed_mbps", hl_sysfs_number(link->machine, speed), speed);
	decode_bond(link);
	net_link_failover(link);
	link->function = find_function(target);
	if (!link->function)
		return;
	decode_function(link);
	decode_vfs(link);
	net_link_interrupts(link);
	free(link->function);
}

static int link_decode(struct hl_machine *recorded, const struct hl_origin *origin,
		       struct hl_graph *graph, struct hl_error *err)
{
	char **names;
	size_t nr;

	(void)err;
	if (hl_machine_list(recorded, CLASS, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr && i < MAX_NICS; i++) {
		struct net_link link = {
			.machine = recorded, .graph = graph, .host = origin->host, .name = names[i]
		};

		if (strcmp(names[i], "lo") != 0)
			decode_nic(&link);
	}
	hl_machine_free_names(names, nr);
	return 0;
}

const struct hl_probe hl_probe_link = {
	.name = "link",
	.summary = "NICs, their VFs, drivers, offloads, rings and interrupts",
	.layer = HL_LAYER_WIRE,
	.acquire = link_acquire,
	.decode = link_decode,
};
