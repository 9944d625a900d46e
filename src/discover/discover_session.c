/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An iSCSI disk: the kernel's disk, the same LUN over the network, the same over loopback on its
 * target's host, and what backs it there.
 */
#include "discovery.h"
#include "hoploss/guest.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct lun {
	const char *host, *device;
	const struct hl_fact *session;
	const char *iqn, *portal;
	const char *number; /* NULL = not known */
	const struct hl_fact *number_fact;
	const char *url;
	const char *target_host; /* NULL = nobody says what backs it */
	const struct hl_fact *backing;
};

/* ---- which LUN it is ---- */

static void find_number(struct discovery *discovery, struct lun *lun)
{
	const struct hl_fact *fact = find_fact(discovery, lun->host, lun->device, "block.lun");
	const struct hl_fact *links = find_fact(discovery, lun->host, lun->device, "block.links");
	const char *at = links && links->type == HL_FACT_STRING
				 ? strstr(links->string, "disk/by-path/ip-")
				 : NULL;

	lun->number_fact = fact;
	if (fact && fact->type == HL_FACT_NUMBER) {
		lun->number = hl_arena_printf(discovery->arena, "%.0f", fact->number);
		return;
	}
	at = at ? strstr(at, "-lun-") : NULL;
	if (!at)
		return;
	lun->number = hl_arena_strndup(discovery->arena, at + 5, strspn(at + 5, "0123456789"));
	lun->number_fact = links;
}

static bool is_same_lun(const struct hl_fact *a, const struct hl_fact *b)
{
	return !strcmp(a->node, b->node) && a->host && b->host && !strcmp(a->host, b->host) &&
	       !strcmp(a->string, b->string);
}

/* The fact of that LUN; of any number, if start ends in "/lun", where there is but one. */
static const struct hl_fact *find_one(const struct discovery *discovery, const char *start,
				      bool is_whole)
{
	const struct hl_fact *only = NULL;
	size_t len = strlen(start);

	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (strcmp(fact->key, "target.backing") || fact->type != HL_FACT_STRING ||
		    !fact->node || strncmp(fact->node, start, len) != 0 ||
		    (is_whole ? fact->node[len] != '\0' : strchr(fact->node + len, '@') != NULL))
			continue;
		if (only && !is_same_lun(only, fact))
			return NULL;
		only = only ? only : fact;
	}
	return only;
}

/* What the session's initiator gets, where that is another than the others get. */
static void find_backing(struct discovery *discovery, struct lun *lun)
{
	const char *any = hl_arena_printf(discovery->arena, "%s/lun", lun->iqn);
	const char *initiator = find_text(discovery, lun->host, lun->session->string,
					  "iscsi.initiator");

	if (lun->number && initiator)
		lun->backing = find_one(
			discovery,
			hl_arena_printf(discovery->arena, "%s%s@%s", any, lun->number, initiator),
			true);
	if (!lun->backing)
		lun->backing = find_one(
			discovery,
			lun->number ? hl_arena_printf(discovery->arena, "%s%s", any, lun->number)
				    : any,
			lun->number != NULL);
	if (!lun->backing)
		return;
	lun->target_host = lun->backing->host;
	if (!lun->number)
		lun->number = lun->backing->node + strlen(any);
}

static const char *url_of(struct discovery *discovery, const struct lun *lun)
{
	size_t len = strlen(lun->portal);
	const char *port = len > 5 ? lun->portal + len - 5 : "";

	return hl_arena_printf(discovery->arena, "iscsi://%.*s/%s/%s",
			       (int)(strcmp(port, ":3260") ? len : len - 5), lun->portal, lun->iqn,
			       lun->number ? lun->number : "LUN");
}

/* ---- the network between ---- */

static const struct hl_fact *find_bridge_nics(const struct discovery *discovery, const char *host,
					      const char *bridge)
{
	return find_fact(discovery, host, bridge, "link.below");
}

/* What the guest's NIC is on the machine below: a port of a bridge, or a function of a card. */
static bool note_vnic(struct discovery *discovery, struct found *hop, const struct hl_host *guest,
		      const char *mac)
{
	const struct hl_fact *part = find_part(discovery, guest, "vnic.mac", mac);
	const char *node = part ? part->node : NULL;
	const struct hl_fact *bridge, *address, *nics, *physfn, *card;

	if (!part)
		return false;
	note(discovery, hop, part, "it is %s on %s", node, guest->on);
	bridge = find_fact(discovery, guest->on, node, "vnic.bridge");
	address = find_fact(discovery, guest->on, node, "vnic.host_address");
	if (bridge && bridge->type == HL_FACT_STRING) {
		note(discovery, hop, bridge, "a port of bridge %s", bridge->string);
		nics = find_bridge_nics(discovery, guest->on, bridge->string);
		if (nics && nics->type == HL_FACT_STRING)
			note(discovery, hop, nics, "which has %s", nics->string);
	}
	if (!address || address->type != HL_FACT_STRING)
		return false;
	note(discovery, hop, address, "the PCI function %s", address->string);
	physfn = find_fact(discovery, guest->on, address->string, "pcie.physfn");
	if (physfn && physfn->type == HL_FACT_STRING) {
		note(discovery, hop, physfn, "a VF of %s", physfn->string);
		for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
			card = discovery->graph->facts[i];
			if (!strcmp(card->key, "link.pci_address") && card->host &&
			    !strcmp(card->host, guest->on) && card->type == HL_FACT_STRING &&
			    !strcmp(card->string, physfn->string))
				note(discovery, hop, card, "whose PF is %s", card->node);
		}
	}
	return true;
}

/* The VF with the MAC of the guest's NIC, wherever the definition of the machine is. */
static bool note_vf(struct discovery *discovery, struct found *hop, const struct hl_host *guest,
		    const char *mac)
{
	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (!strcmp(fact->key, "vf.mac") && fact->host && !strcmp(fact->host, guest->on) &&
		    fact->type == HL_FACT_STRING && !strcasecmp(fact->string, mac)) {
			note(discovery, hop, fact, "it is %s on %s", fact->node, guest->on);
			return true;
		}
	}
	return false;
}

/* By the definition of the machine, where the guest does not tell its driver. */
static bool is_virtio(const struct discovery *discovery, const struct hl_host *guest,
		      const char *mac)
{
	const struct hl_fact *part = guest && guest->on && guest->vm && mac
					     ? find_part(discovery, guest, "vnic.mac", mac)
					     : NULL;
	const char *model = part ? find_text(discovery, guest->on, part->node, "vnic.model") : NULL;

	return model && !strcmp(model, "virtio");
}

/* Says which NIC carries the session; names the hop after what kind of NIC it is. */
static void note_nic(struct discovery *discovery, const struct lun *lun, struct found *hop)
{
	const struct hl_fact *nic = find_fact(discovery, lun->host, lun->session->string,
					      "iscsi.nic");
	const struct hl_host *guest = hl_guest_host(discovery->graph, lun->host);
	const char *driver, *mac;
	bool is_vf = false;

	if (!nic || nic->type != HL_FACT_STRING) {
		note(discovery, hop, NULL, "not known: by which NIC of %s the session leaves",
		     lun->host);
		return;
	}
	driver = find_text(discovery, lun->host, nic->string, "link.driver");
	mac = find_text(discovery, lun->host, nic->string, "link.mac");
	note(discovery, hop, nic, "the session leaves by %s%s%s", nic->string,
	     driver ? ", driver " : "", driver ? driver : "");
	if (guest && guest->on && guest->vm && mac)
		is_vf = note_vnic(discovery, hop, guest, mac) ||
			note_vf(discovery, hop, guest, mac);
	if (is_vf)
		hop->name = "vf";
	else if ((driver && !strcmp(driver, "virtio_net")) || is_virtio(discovery, guest, mac))
		hop->name = "virtio";
}

static const struct hl_fact *guest_fact(const struct discovery *discovery, const char *host)
{
	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (!strcmp(fact->key, "system.is_guest") && fact->host &&
		    !strcmp(fact->host, host) && fact->type == HL_FACT_BOOLEAN && fact->boolean)
			return fact;
	}
	return NULL;
}

/* Two ends on one machine have no wire between them. */
static void set_layer(struct discovery *discovery, const struct lun *lun, struct found *hop)
{
	const char *near_end = find_bottom(discovery, lun->host);
	const char *far_end = lun->target_host ? find_bottom(discovery, lun->target_host) : NULL;

	hop->layer = HL_LAYER_WIRE;
	if (far_end && !strcmp(near_end, far_end)) {
		hop->layer = HL_LAYER_VNIC;
		note(discovery, hop, NULL, "both ends run on %s: no wire between them", near_end);
	} else if (guest_fact(discovery, near_end) || !far_end || guest_fact(discovery, far_end)) {
		ask(discovery, hop, "layer = vnic",
		    "if both ends run on one machine (not known: that was not captured)");
	}
}

static void add_network(struct discovery *discovery, const struct lun *lun)
{
	struct found *hop = add_hop(discovery, "network", HL_LAYER_WIRE, lun->host);
	const struct hl_fact *initiator = find_fact(discovery, lun->host, lun->session->string,
						    "iscsi.initiator");

	add_target(discovery, hop, lun->url);
	note(discovery, hop, lun->session, "%s is a disk of the session with %s", lun->device,
	     lun->portal);
	if (lun->number_fact)
		note(discovery, hop, lun->number_fact, "LUN %s", lun->number);
	note_nic(discovery, lun, hop);
	set_layer(discovery, lun, hop);
	if (initiator && initiator->type == HL_FACT_STRING)
		offer(discovery, hop,
		      hl_arena_printf(discovery->arena, "initiator = %s", initiator->string),
		      "if the target admits by name: what the kernel's session calls itself");
	if (!lun->number) {
		hop->is_open = true;
		ask(discovery, hop, "LUN", "the number of the LUN: the session has several");
	}
}

/* ---- the target ---- */

static void add_loopback(struct discovery *discovery, const struct lun *lun)
{
	struct found *hop = add_hop(discovery, "loopback", HL_LAYER_TARGET, lun->target_host);
	const struct hl_fact *initiator = find_fact(discovery, lun->host, lun->session->string,
						    "iscsi.initiator");

	add_target(discovery, hop, lun->url);
	note(discovery, hop, lun->backing, "%s serves %s", lun->target_host, lun->backing->node);
	if (initiator && initiator->type == HL_FACT_STRING)
		offer(discovery, hop,
		      hl_arena_printf(discovery->arena, "initiator = %s", initiator->string),
		      "if the target admits by name: what the kernel's session calls itself");
}

void take_session(struct discovery *discovery, const char *host, const char *device,
		  const struct hl_fact *session)
{
	const char *at = strrchr(session->string, '@');
	struct lun lun = { .host = host, .device = device, .session = session };
	struct found *hop = add_hop(discovery, "initiator", HL_LAYER_INITIATOR, host);

	add_target(discovery, hop, find_stable(discovery, host, device));
	note(discovery, hop, session, "%s is a disk of session %s", device, session->string);
	if (!at)
		return;
	lun.iqn = hl_arena_strndup(discovery->arena, session->string,
				   (size_t)(at - session->string));
	lun.portal = at + 1;
	find_number(discovery, &lun);
	find_backing(discovery, &lun);
	lun.url = url_of(discovery, &lun);
	add_network(discovery, &lun);
	if (lun.backing && lun.target_host) {
		add_loopback(discovery, &lun);
		take_source(discovery, lun.target_host, lun.backing);
		return;
	}
	add_open(discovery, "loopback", HL_LAYER_TARGET, lun.url,
		 print(discovery, "the host that serves %s", lun.iqn));
	add_open(discovery, "zvol", HL_LAYER_POOL, "/dev/zvol/POOL/VOLUME",
		 print(discovery, "what backs LUN %s of %s there: no captured host tells",
		       lun.number ? lun.number : "?", lun.iqn));
	add_open(discovery, "raw", HL_LAYER_DRIVE, "/dev/disk/by-id/NAME", "the drives under it");
}
