/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settings of a NIC by the ethtool family of generic netlink: see ethtool_live.h.
 *
 * Source: Documentation/networking/ethtool-netlink.rst, linux/ethtool_netlink.h. Surprising: of
 * link modes the mask is what is supported and the values are what is advertised; the features that
 * ethtool shows are sums of several of the kernel's.
 */
#include "ethtool_live.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <fnmatch.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ATTRIBUTES 64

struct ethtool_live {
	struct nl_sock *sock;
	int family;
};

/* One answer on its way: where it is printed, and by whom. */
struct answer {
	const char *nic;
	FILE *file;
	void (*print)(struct nlattr **attributes, const struct answer *answer);
	const struct section *section;
};

/* ---- figures ---- */

enum kind { FIGURE, SWITCH, SWITCHES, HEADING };

struct row {
	int attribute;
	enum kind kind;
	const char *name;
	int second; /* of SWITCHES: attribute of what stands behind "TX:" in the same line */
};

struct section {
	const char *title;
	int command, header;
	const struct row *rows; /* until a NULL name */
};

static const struct row ring_rows[] = {
	{ 0, HEADING, "Pre-set maximums", 0 },
	{ ETHTOOL_A_RINGS_RX_MAX, FIGURE, "RX", 0 },
	{ ETHTOOL_A_RINGS_TX_MAX, FIGURE, "TX", 0 },
	{ 0, HEADING, "Current hardware settings", 0 },
	{ ETHTOOL_A_RINGS_RX, FIGURE, "RX", 0 },
	{ ETHTOOL_A_RINGS_TX, FIGURE, "TX", 0 },
	{ 0, 0, NULL, 0 },
};

static const struct row channel_rows[] = {
	{ 0, HEADING, "Pre-set maximums", 0 },
	{ ETHTOOL_A_CHANNELS_RX_MAX, FIGURE, "RX", 0 },
	{ ETHTOOL_A_CHANNELS_TX_MAX, FIGURE, "TX", 0 },
	{ ETHTOOL_A_CHANNELS_COMBINED_MAX, FIGURE, "Combined", 0 },
	{ 0, HEADING, "Current hardware settings", 0 },
	{ ETHTOOL_A_CHANNELS_RX_COUNT, FIGURE, "RX", 0 },
	{ ETHTOOL_A_CHANNELS_TX_COUNT, FIGURE, "TX", 0 },
	{ ETHTOOL_A_CHANNELS_COMBINED_COUNT, FIGURE, "Combined", 0 },
	{ 0, 0, NULL, 0 },
};

static const struct row coalesce_rows[] = {
	{ ETHTOOL_A_COALESCE_USE_ADAPTIVE_RX, SWITCHES, "Adaptive RX",
	  ETHTOOL_A_COALESCE_USE_ADAPTIVE_TX },
	{ ETHTOOL_A_COALESCE_RX_USECS, FIGURE, "rx-usecs", 0 },
	{ ETHTOOL_A_COALESCE_RX_MAX_FRAMES, FIGURE, "rx-frames", 0 },
	{ ETHTOOL_A_COALESCE_TX_USECS, FIGURE, "tx-usecs", 0 },
	{ ETHTOOL_A_COALESCE_TX_MAX_FRAMES, FIGURE, "tx-frames", 0 },
	{ 0, 0, NULL, 0 },
};

static const struct row pause_rows[] = {
	{ ETHTOOL_A_PAUSE_AUTONEG, SWITCH, "Autonegotiate", 0 },
	{ ETHTOOL_A_PAUSE_RX, SWITCH, "RX", 0 },
	{ ETHTOOL_A_PAUSE_TX, SWITCH, "TX", 0 },
	{ 0, 0, NULL, 0 },
};

static const struct section sections[] = {
	{ "Ring parameters", ETHTOOL_MSG_RINGS_GET, ETHTOOL_A_RINGS_HEADER, ring_rows },
	{ "Channel parameters", ETHTOOL_MSG_CHANNELS_GET, ETHTOOL_A_CHANNELS_HEADER, channel_rows },
	{ "Coalesce parameters", ETHTOOL_MSG_COALESCE_GET, ETHTOOL_A_COALESCE_HEADER,
	  coalesce_rows },
	{ "Pause parameters", ETHTOOL_MSG_PAUSE_GET, ETHTOOL_A_PAUSE_HEADER, pause_rows },
};

static const char *on_off(const struct nlattr *attribute)
{
	return nla_get_u8(attribute) ? "on" : "off";
}

static void print_rows(struct nlattr **attributes, const struct answer *answer)
{
	fprintf(answer->file, "%s for %s:\n", answer->section->title, answer->nic);
	for (const struct row *row = answer->section->rows; row->name; row++) {
		const struct nlattr *attribute = attributes[row->attribute];

		if (row->kind == HEADING)
			fprintf(answer->file, "%s:\n", row->name);
		else if (attribute && row->kind == FIGURE)
			fprintf(answer->file, "%s: %u\n", row->name, nla_get_u32(attribute));
		else if (attribute)
			fprintf(answer->file, "%s: %s", row->name, on_off(attribute));
		if (attribute && row->kind == SWITCHES && attributes[row->second])
			fprintf(answer->file, "  TX: %s", on_off(attributes[row->second]));
		if (attribute && (row->kind == SWITCH || row->kind == SWITCHES))
			fputs("\n", answer->file);
	}
}

/* ---- bit sets ---- */

/* Calls take with each bit's name and whether it is set. */
static void walk_bits(const struct nlattr *bitset,
		      void (*take)(void *context, const char *name, bool is_set), void *context)
{
	struct nlattr *bits = bitset ? nla_find(nla_data(bitset), nla_len(bitset),
						ETHTOOL_A_BITSET_BITS)
				     : NULL;
	struct nlattr *bit;
	int rest;

	if (!bits)
		return;
	nla_for_each_nested(bit, bits, rest)
	{
		struct nlattr *parts[ETHTOOL_A_BITSET_BIT_MAX + 1];

		if (nla_parse_nested(parts, ETHTOOL_A_BITSET_BIT_MAX, bit, NULL) == 0 &&
		    parts[ETHTOOL_A_BITSET_BIT_NAME])
			take(context, nla_get_string(parts[ETHTOOL_A_BITSET_BIT_NAME]),
			     parts[ETHTOOL_A_BITSET_BIT_VALUE] != NULL);
	}
}

struct modes {
	FILE *file;
	bool is_all; /* not only those that are set */
};

static void print_mode(void *context, const char *name, bool is_set)
{
	const struct modes *modes = context;

	if ((modes->is_all || is_set) && strstr(name, "base"))
		fprintf(modes->file, " %s", name);
}

static void print_modes(const char *title, const struct nlattr *bitset, bool is_all, FILE *file)
{
	struct modes modes = { file, is_all };

	fprintf(file, "\t%s:", title);
	walk_bits(bitset, print_mode, &modes);
	fputs("\n", file);
}

static void print_link_modes(struct nlattr **attributes, const struct answer *answer)
{
	static const char *const duplexes[] = { "Half", "Full" };
	const struct nlattr *autoneg = attributes[ETHTOOL_A_LINKMODES_AUTONEG];
	const struct nlattr *ours = attributes[ETHTOOL_A_LINKMODES_OURS];
	const struct nlattr *speed = attributes[ETHTOOL_A_LINKMODES_SPEED];
	const struct nlattr *duplex = attributes[ETHTOOL_A_LINKMODES_DUPLEX];

	fprintf(answer->file, "Settings for %s:\n", answer->nic);
	print_modes("Supported link modes", ours, true, answer->file);
	print_modes("Advertised link modes", ours, false, answer->file);
	if (attributes[ETHTOOL_A_LINKMODES_PEER])
		print_modes("Link partner advertised link modes",
			    attributes[ETHTOOL_A_LINKMODES_PEER], true, answer->file);
	if (speed && nla_get_u32(speed) != (uint32_t)SPEED_UNKNOWN)
		fprintf(answer->file, "\tSpeed: %uMb/s\n", nla_get_u32(speed));
	if (duplex && nla_get_u8(duplex) <= DUPLEX_FULL)
		fprintf(answer->file, "\tDuplex: %s\n", duplexes[nla_get_u8(duplex)]);
	if (autoneg)
		fprintf(answer->file, "\tAuto-negotiation: %s\n", on_off(autoneg));
}

static void print_port(struct nlattr **attributes, const struct answer *answer)
{
	static const char *const ports[] = {
		"Twisted Pair", "AUI", "MII", "FIBRE", "BNC", "Direct Attach Copper",
	};
	const struct nlattr *attribute = attributes[ETHTOOL_A_LINKINFO_PORT];
	const char *port = NULL;

	if (attribute && nla_get_u8(attribute) < sizeof(ports) / sizeof(*ports))
		port = ports[nla_get_u8(attribute)];
	else if (attribute)
		port = nla_get_u8(attribute) == PORT_NONE ? "None" : "Other";
	if (port)
		fprintf(answer->file, "Settings for %s:\n\tPort: %s\n", answer->nic, port);
}

static void print_link_state(struct nlattr **attributes, const struct answer *answer)
{
	const struct nlattr *state = attributes[ETHTOOL_A_LINKSTATE_LINK];

	if (state)
		fprintf(answer->file, "Settings for %s:\n\tLink detected: %s\n", answer->nic,
			nla_get_u8(state) ? "yes" : "no");
}

/* ---- features ---- */

static const struct {
	const char *name;    /* ethtool's */
	const char *pattern; /* the kernel's */
} features[] = {
	{ "rx-checksumming", "rx-checksum" },
	{ "tx-checksumming", "tx-checksum-*" },
	{ "scatter-gather", "tx-scatter-gather" },
	{ "tcp-segmentation-offload", "tx-tcp*-segmentation" },
	{ "generic-segmentation-offload", "tx-generic-segmentation" },
	{ "generic-receive-offload", "rx-gro" },
	{ "large-receive-offload", "rx-lro" },
	{ "rx-gro-hw", "rx-gro-hw" },
};

#define NR_FEATURES (sizeof(features) / sizeof(*features))

static void take_feature(void *context, const char *name, bool is_set)
{
	bool *is_on = context;

	(void)is_set; /* without a mask, a bit that is there is set */
	for (size_t i = 0; i < NR_FEATURES; i++)
		is_on[i] |= !fnmatch(features[i].pattern, name, 0);
}

static void print_features(struct nlattr **attributes, const struct answer *answer)
{
	bool is_on[NR_FEATURES] = { false };

	walk_bits(attributes[ETHTOOL_A_FEATURES_ACTIVE], take_feature, is_on);
	fprintf(answer->file, "Features for %s:\n", answer->nic);
	for (size_t i = 0; i < NR_FEATURES; i++)
		fprintf(answer->file, "%s: %s\n", features[i].name, is_on[i] ? "on" : "off");
}

/* ---- asking ---- */

static int take_answer(struct nl_msg *message, void *context)
{
	const struct answer *answer = context;
	struct nlattr *attributes[MAX_ATTRIBUTES + 1];

	if (genlmsg_parse(nlmsg_hdr(message), 0, attributes, MAX_ATTRIBUTES, NULL) < 0)
		return NL_SKIP;
	answer->print(attributes, answer);
	return NL_OK;
}

/* What this NIC or kernel does not know gives no answer. */
static void ask(struct ethtool_live *live, int command, int header, struct answer *answer)
{
	struct nl_msg *message = nlmsg_alloc();
	struct nlattr *nest;

	if (!message)
		return;
	genlmsg_put(message, NL_AUTO_PORT, NL_AUTO_SEQ, live->family, 0, 0, (uint8_t)command,
		    ETHTOOL_GENL_VERSION);
	nest = nla_nest_start(message, header | NLA_F_NESTED);
	if (nest) {
		nla_put_string(message, ETHTOOL_A_HEADER_DEV_NAME, answer->nic);
		nla_nest_end(message, nest);
		nl_socket_modify_cb(live->sock, NL_CB_VALID, NL_CB_CUSTOM, take_answer, answer);
		/* one answer comes, or one error */
		if (nl_send_auto(live->sock, message) >= 0)
			nl_recvmsgs_default(live->sock);
	}
	nlmsg_free(message);
}

int ethtool_live_open(struct ethtool_live **ret_live, struct hl_error *err)
{
	struct ethtool_live *live = hl_alloc(sizeof(*live));
	int rc = -NLE_NOMEM;

	live->sock = nl_socket_alloc();
	if (live->sock)
		rc = genl_connect(live->sock);
	if (rc == 0)
		rc = live->family = genl_ctrl_resolve(live->sock, ETHTOOL_GENL_NAME);
	if (rc >= 0)
		nl_socket_disable_auto_ack(live->sock);
	if (rc < 0) {
		ethtool_live_close(live);
		return hl_fail(err, EOPNOTSUPP, "ethtool by netlink: %s", nl_geterror(rc));
	}
	*ret_live = live;
	return 0;
}

void ethtool_live_close(struct ethtool_live *live)
{
	if (live && live->sock)
		nl_socket_free(live->sock);
	free(live);
}

int ethtool_live_fd(const struct ethtool_live *live)
{
	return nl_socket_get_fd(live->sock);
}

void ethtool_live_print(struct ethtool_live *live, const char *nic, FILE *file)
{
	struct answer answer = { .nic = nic, .file = file, .print = print_link_modes };

	ask(live, ETHTOOL_MSG_LINKMODES_GET, ETHTOOL_A_LINKMODES_HEADER, &answer);
	answer.print = print_port;
	ask(live, ETHTOOL_MSG_LINKINFO_GET, ETHTOOL_A_LINKINFO_HEADER, &answer);
	answer.print = print_link_state;
	ask(live, ETHTOOL_MSG_LINKSTATE_GET, ETHTOOL_A_LINKSTATE_HEADER, &answer);
	answer.print = print_features;
	ask(live, ETHTOOL_MSG_FEATURES_GET, ETHTOOL_A_FEATURES_HEADER, &answer);
	answer.print = print_rows;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		answer.section = &sections[i];
		ask(live, sections[i].command, sections[i].header, &answer);
	}
}
