/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lines of ethtool's output mean: a row of a table each. See ethtool_text.h.
 *
 * Surprising: statistics are the driver's own, and each driver has other names for what it had to
 * drop for want of a free receive buffer. They are counted from 0 when the driver was loaded.
 */
#include "ethtool_text.h"
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PATTERNS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define UNKNOWN_SPEED 65535 /* and what 32 bits have for -1, as old versions print it */

enum kind { NUMBER, TEXT, BOOLEAN, SPEED, ADDRESS, BOTH };

struct row {
	enum ethtool_section section;
	enum ethtool_block block;
	const char *name; /* without case; '-' and ' ' alike */
	const char *key;
	enum kind kind;
	const char *second_key; /* of BOTH: the figure behind "TX:" in the same line */
};

static const struct row rows[] = {
	{ ETHTOOL_SETTINGS, 0, "Speed", "link.speed_mbps", SPEED, NULL },
	{ ETHTOOL_SETTINGS, 0, "Duplex", "link.duplex", TEXT, NULL },
	{ ETHTOOL_SETTINGS, 0, "Auto-negotiation", "link.autoneg", BOOLEAN, NULL },
	{ ETHTOOL_SETTINGS, 0, "Port", "link.port", TEXT, NULL },
	{ ETHTOOL_SETTINGS, 0, "Link detected", "link.is_up", BOOLEAN, NULL },
	{ ETHTOOL_DRIVER, 0, "driver", "link.driver", TEXT, NULL },
	{ ETHTOOL_DRIVER, 0, "version", "link.driver_version", TEXT, NULL },
	{ ETHTOOL_DRIVER, 0, "firmware-version", "link.firmware", TEXT, NULL },
	{ ETHTOOL_DRIVER, 0, "bus-info", "link.pci_address", ADDRESS, NULL },
	{ ETHTOOL_FEATURES, 0, "rx-checksumming", "link.rx_checksum", BOOLEAN, NULL },
	{ ETHTOOL_FEATURES, 0, "tx-checksumming", "link.tx_checksum", BOOLEAN, NULL },
	{ ETHTOOL_FEATURES, 0, "scatter-gather", "link.scatter_gather", BOOLEAN, NULL },
	{ ETHTOOL_FEATURES, 0, "tcp-segmentation-offload", "link.tso", BOOLEAN, NULL },
	{ ETHTOOL_FEATURES, 0, "generic-segmentation-offload", "link.gso", BOOLEAN, NULL },
	{ ETHTOOL_FEATURES, 0, "generic-receive-offload", "link.gro", BOOLEAN, NULL },
	{ ETHTOOL_FEATURES, 0, "large-receive-offload", "link.lro", BOOLEAN, NULL },
	{ ETHTOOL_FEATURES, 0, "rx-gro-hw", "link.gro_hw", BOOLEAN, NULL },
	{ ETHTOOL_RINGS, ETHTOOL_CURRENT, "RX", "link.ring_rx", NUMBER, NULL },
	{ ETHTOOL_RINGS, ETHTOOL_CURRENT, "TX", "link.ring_tx", NUMBER, NULL },
	{ ETHTOOL_RINGS, ETHTOOL_MAXIMUMS, "RX", "link.ring_rx_max", NUMBER, NULL },
	{ ETHTOOL_RINGS, ETHTOOL_MAXIMUMS, "TX", "link.ring_tx_max", NUMBER, NULL },
	{ ETHTOOL_CHANNELS, ETHTOOL_CURRENT, "RX", "link.channels_rx", NUMBER, NULL },
	{ ETHTOOL_CHANNELS, ETHTOOL_CURRENT, "TX", "link.channels_tx", NUMBER, NULL },
	{ ETHTOOL_CHANNELS, ETHTOOL_CURRENT, "Combined", "link.channels_combined", NUMBER, NULL },
	{ ETHTOOL_CHANNELS, ETHTOOL_MAXIMUMS, "RX", "link.channels_rx_max", NUMBER, NULL },
	{ ETHTOOL_CHANNELS, ETHTOOL_MAXIMUMS, "TX", "link.channels_tx_max", NUMBER, NULL },
	{ ETHTOOL_CHANNELS, ETHTOOL_MAXIMUMS, "Combined", "link.channels_combined_max", NUMBER,
	  NULL },
	{ ETHTOOL_COALESCE, 0, "rx-usecs", "link.rx_usecs", NUMBER, NULL },
	{ ETHTOOL_COALESCE, 0, "rx-frames", "link.rx_frames", NUMBER, NULL },
	{ ETHTOOL_COALESCE, 0, "tx-usecs", "link.tx_usecs", NUMBER, NULL },
	{ ETHTOOL_COALESCE, 0, "tx-frames", "link.tx_frames", NUMBER, NULL },
	{ ETHTOOL_COALESCE, 0, "Adaptive RX", "link.adaptive_rx", BOTH, "link.adaptive_tx" },
	{ ETHTOOL_PAUSE, 0, "Autonegotiate", "link.pause_autoneg", BOOLEAN, NULL },
	{ ETHTOOL_PAUSE, 0, "RX", "link.pause_rx", BOOLEAN, NULL },
	{ ETHTOOL_PAUSE, 0, "TX", "link.pause_tx", BOOLEAN, NULL },
	{ ETHTOOL_MODULE, 0, "Identifier", "link.module_type", TEXT, NULL },
	{ ETHTOOL_MODULE, 0, "Vendor name", "link.module_vendor", TEXT, NULL },
	{ ETHTOOL_MODULE, 0, "Vendor PN", "link.module_part", TEXT, NULL },
	{ ETHTOOL_MODULE, 0, "Module temperature", "link.module_temperature_c", NUMBER, NULL },
};

/* What several lines give together. */
static const struct {
	const char *key;
	const char *const *names; /* glob(7) patterns of the statistics that add up; NULL */
	const char *list;         /* of link modes, of which the fastest counts; NULL */
} gathered[ETHTOOL_NR_GATHERED] = {
	/* e1000e, igb, ixgbe; i40e; ice; mlx5; bnxt; virtio_net */
	{ "link.ring_drops",
	  PATTERNS("rx_missed_errors", "rx_no_dma_resources", "port.rx_discards", "port.rx_dropped",
		   "rx_dropped.nic", "rx_out_of_buffer", "rx_discards_phy", "rx_total_discard_pkts",
		   "rx_queue_[0-9]*_drops", "rx_drops"),
	  NULL },
	{ "link.spoof_drops", PATTERNS("spoofed_packets", "Spoofed packets*"), NULL },
	{ "link.crc_errors",
	  PATTERNS("rx_crc_errors", "port.rx_crc_errors", "rx_crc_errors.nic", "rx_crc_errors_phy"),
	  NULL },
	{ "link.pause_frames_rx",
	  PATTERNS("rx_flow_control_xoff", "l2_flow_control_xoff", "port.link_xoff_rx",
		   "link_xoff_rx.nic", "rx_pause_ctrl_phy", "rx_pause_frames"),
	  NULL },
	{ "link.supported_mbps", NULL, "Supported link modes" },
	{ "link.advertised_mbps", NULL, "Advertised link modes" },
	{ "link.partner_mbps", NULL, "Link partner advertised link modes" },
};

/* ---- how a value is taken ---- */

static bool is_same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		char x = *a == ' ' ? '-' : (char)tolower((unsigned char)*a);
		char y = *b == ' ' ? '-' : (char)tolower((unsigned char)*b);

		if (x != y)
			return false;
	}
	return *a == *b;
}

static void add_boolean(struct hl_graph *graph, const struct hl_origin *origin, const char *key,
			const char *value)
{
	int is_on = saved_boolean(value);

	if (is_on >= 0)
		hl_graph_add_boolean(graph, origin, key, is_on);
}

/* "25000Mb/s"; "Unknown!" is none, and 65535 or 4294967295 is what -1 was printed as. */
static void add_speed(struct hl_graph *graph, const struct hl_origin *origin, const char *key,
		      const char *value)
{
	char *unit;
	double speed = strtod(value, &unit);

	if (unit == value || !(speed > 0) || speed == UNKNOWN_SPEED || speed >= UINT32_MAX)
		return;
	if (!strncasecmp(unit, "Gb/s", 4))
		speed *= 1000;
	else if (strncasecmp(unit, "Mb/s", 4) != 0)
		return;
	hl_graph_add_number(graph, origin, key, speed);
}

/* "0000:63:00.0"; a virtio, USB or platform device has something else there. */
static bool is_pci_address(const char *value)
{
	return !fnmatch("[0-9a-f][0-9a-f]*:[0-9a-f][0-9a-f]:[0-9a-f][0-9a-f].[0-7]", value, 0);
}

static bool is_said(const char *value)
{
	return *value && strncasecmp(value, "Unknown", 7) != 0 && strcasecmp(value, "n/a") != 0 &&
	       strcasecmp(value, "Not reported") != 0;
}

/* "0x03 (SFP)": what the code means. */
static const char *meaning_of(struct hl_graph *graph, const char *value)
{
	const char *open = strncmp(value, "0x", 2) ? NULL : strchr(value, '(');

	return open ? hl_arena_strndup(graph->arena, open + 1, strcspn(open + 1, ")")) : value;
}

/* "off  TX: on" */
static void add_both(struct hl_graph *graph, const struct hl_origin *origin, const struct row *row,
		     const char *value)
{
	const char *second = strstr(value, "TX:");

	add_boolean(graph, origin, row->key, value);
	if (second)
		add_boolean(graph, origin, row->second_key, second + 3 + strspn(second + 3, " \t"));
}

static void add_value(struct hl_graph *graph, const struct hl_origin *origin, const struct row *row,
		      const char *value)
{
	switch (row->kind) {
	case NUMBER:
		hl_graph_add_number(graph, origin, row->key, saved_number(value));
		return;
	case BOOLEAN:
		add_boolean(graph, origin, row->key, value);
		return;
	case SPEED:
		add_speed(graph, origin, row->key, value);
		return;
	case BOTH:
		add_both(graph, origin, row, value);
		return;
	case ADDRESS:
		if (is_pci_address(value))
			hl_graph_add_string(graph, origin, row->key, value);
		return;
	case TEXT:
		if (is_said(value))
			hl_graph_add_string(graph, origin, row->key, meaning_of(graph, value));
		return;
	}
}

void ethtool_add(struct hl_graph *graph, const struct hl_origin *origin,
		 enum ethtool_section section, enum ethtool_block block,
		 const struct saved_pair *pair)
{
	if (section == ETHTOOL_OFFLOADS)
		section = ETHTOOL_FEATURES;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];

		if (row->section == section && row->block == block &&
		    is_same_name(row->name, pair->name))
			add_value(graph, origin, row, pair->value);
	}
}

/* ---- gathering ---- */

static bool has_name(const char *name, const char *const *patterns)
{
	for (; patterns && *patterns; patterns++) {
		if (!fnmatch(*patterns, name, 0))
			return true;
	}
	return false;
}

void ethtool_count(struct ethtool_gathered *sums, const struct saved_pair *pair, unsigned line)
{
	double value = saved_number(pair->value);

	for (size_t i = 0; i < ETHTOOL_NR_GATHERED; i++) {
		if (!(value >= 0) || !has_name(pair->name, gathered[i].names))
			continue;
		sums->line[i] = sums->line[i] ? sums->line[i] : line;
		sums->value[i] += value;
	}
}

int ethtool_list(const struct saved_pair *pair)
{
	for (int i = 0; i < ETHTOOL_NR_GATHERED; i++) {
		if (gathered[i].list && is_same_name(gathered[i].list, pair->name))
			return i;
	}
	return -1;
}

void ethtool_take_modes(struct ethtool_gathered *modes, int list, const char *text, unsigned line)
{
	while (*text) {
		size_t digits = strspn(text, "0123456789");
		double speed = digits ? strtod(text, NULL) : NAN;

		if (speed > modes->value[list] && !strncmp(text + digits, "base", 4)) {
			modes->value[list] = speed;
			modes->line[list] = line;
		}
		text += strcspn(text, " \t");
		text += strspn(text, " \t");
	}
}

void ethtool_add_gathered(struct hl_graph *graph, const struct hl_origin *origin, const char *file,
			  struct ethtool_gathered *all)
{
	for (size_t i = 0; i < ETHTOOL_NR_GATHERED; i++) {
		struct hl_origin where = *origin;

		if (!all->line[i])
			continue;
		where.source = hl_arena_printf(graph->arena, "%s:%u", file, all->line[i]);
		hl_graph_add_number(graph, &where, gathered[i].key, all->value[i]);
	}
	*all = (struct ethtool_gathered){ 0 };
}
