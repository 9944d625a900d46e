/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What "ip -j link" and "ip -j address" print (ip(8)), with -d or -s or without. A live capture
 * keeps its links in this form too.
 */
#include "hoploss/format.h"
#include "hoploss/json_extent.h"
#include "nic.h"
#include <errno.h>
#include <math.h>
#include <string.h>

static size_t ip_json_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	return nr && hl_json_mentions(&slice, "ifindex") && hl_json_mentions(&slice, "ifname") ? nr
											       : 0;
}

static double number_at(const struct hl_json *object, const char *dotted)
{
	return hl_json_number_like(hl_json_path(object, dotted));
}

static const char *string_at(struct nics *nics, const struct hl_json *object, const char *dotted)
{
	return hl_arena_strdup(nics->graph->arena, hl_json_string(hl_json_path(object, dotted)));
}

static bool has_flag(const struct hl_json *link, const char *flag)
{
	const struct hl_json *flags = hl_json_get(link, "flags");

	for (size_t i = 0; i < hl_json_length(flags); i++) {
		const char *name = hl_json_string(hl_json_at(flags, i));

		if (name && !strcmp(name, flag))
			return true;
	}
	return false;
}

static int is_running(const struct hl_json *link)
{
	if (!hl_json_is_array(hl_json_get(link, "flags")))
		return -1;
	if (!has_flag(link, "UP") || has_flag(link, "NO-CARRIER") || has_flag(link, "M-DOWN"))
		return 0;
	return has_flag(link, "LOWER_UP") ? 1 : -1;
}

/* Before iproute2 4.20 the address is "mac", and a VF has one VLAN instead of a list. */
static void read_vf(struct nics *nics, const struct hl_json *object)
{
	const struct hl_json *vlan = hl_json_at(hl_json_get(object, "vlan_list"), 0);
	struct nic_vf *vf = nic_add_vf(nics, number_at(object, "vf"));

	vf->mac = string_at(nics, object, "address");
	if (!vf->mac)
		vf->mac = string_at(nics, object, "mac");
	vf->link_state = string_at(nics, object, "link_state");
	vf->spoofchk = hl_json_boolean(hl_json_get(object, "spoofchk"));
	vf->trust = hl_json_boolean(hl_json_get(object, "trust"));
	vf->vlan = number_at(vlan ? vlan : object, "vlan");
	vf->max_tx_mbps = number_at(object, "rate.max_tx");
	if (isnan(vf->max_tx_mbps))
		vf->max_tx_mbps = number_at(object, "tx_rate");
	vf->min_tx_mbps = number_at(object, "rate.min_tx");
	vf->rx_dropped = number_at(object, "stats.rx.dropped");
	vf->tx_dropped = number_at(object, "stats.tx.dropped");
}

static void read_counters(struct nic *nic, const struct hl_json *stats)
{
	nic->rx_errors = number_at(stats, "rx.errors");
	nic->rx_dropped = number_at(stats, "rx.dropped");
	nic->rx_missed = number_at(stats, "rx.missed_errors");
	nic->rx_crc = number_at(stats, "rx.crc_errors");
	nic->tx_errors = number_at(stats, "tx.errors");
	nic->tx_dropped = number_at(stats, "tx.dropped");
}

static void read_link(struct nics *nics, const struct hl_json *link)
{
	const char *name = hl_json_string(hl_json_get(link, "ifname"));
	const struct hl_json *stats = hl_json_get(link, "stats64");
	const struct hl_json *vfs = hl_json_get(link, "vfinfo_list");
	const char *type = hl_json_string(hl_json_get(link, "link_type"));
	struct nic *nic;

	if (!name || !*name)
		return;
	nic = nic_add(nics, name, strlen(name));
	nic->is_running = is_running(link);
	nic->is_promiscuous = has_flag(link, "PROMISC");
	nic->mtu = number_at(link, "mtu");
	nic->qdisc = string_at(nics, link, "qdisc");
	nic->operstate = string_at(nics, link, "operstate");
	nic->master = string_at(nics, link, "master");
	nic->lower = string_at(nics, link, "link");
	nic->parent = string_at(nics, link, "parentdev");
	nic->hwmode = string_at(nics, link, "hwmode");
	nic->kind = string_at(nics, link, "linkinfo.info_kind");
	nic->active_slave = string_at(nics, link, "linkinfo.info_data.active_slave");
	if (nic->kind && !strcmp(nic->kind, "bond"))
		nic->mode = string_at(nics, link, "linkinfo.info_data.mode");
	if (nic->kind && !strcmp(nic->kind, "vlan"))
		nic->vlan = number_at(link, "linkinfo.info_data.id");
	if (!type || strcmp(type, "loopback") != 0)
		nic->mac = string_at(nics, link, "address");
	read_counters(nic, stats ? stats : hl_json_get(link, "stats"));
	for (size_t i = 0; i < hl_json_length(vfs); i++)
		read_vf(nics, hl_json_at(vfs, i));
}

static int ip_json_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	struct nics nics = { .graph = reading->graph };
	bool is_cut = false;
	size_t cursor = 0;
	int rc;

	for (;;) {
		HL_JSON struct hl_json *root = NULL;
		struct hl_json_piece piece;

		rc = hl_json_piece_next(slice, &cursor, &piece, err);
		if (rc < 0)
			break;
		root = piece.root;
		is_cut |= piece.is_cut;
		if (hl_json_is_object(root))
			read_link(&nics, root);
		for (size_t i = 0; i < hl_json_length(root); i++)
			read_link(&nics, hl_json_at(root, i));
	}
	nic_add_facts(&nics, reading->host, hl_arena_strdup(reading->graph->arena, slice->name));
	if (rc != -ENODATA)
		return rc;
	if (is_cut)
		return hl_fail(err, EBADMSG, "%s: the JSON is cut short", slice->name);
	return nics.nr ? 0 : hl_fail(err, ENODATA, "%s: no link in it", slice->name);
}

const struct hl_format hl_format_ip_json = {
	.name = "ip-link-json",
	.summary = "ip -j link and ip -j address, with -d or -s",
	.claim = ip_json_claim,
	.read = ip_json_read,
};
