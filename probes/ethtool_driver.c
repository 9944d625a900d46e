/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Driver and statistics of a NIC: see ethtool_live.h.
 *
 * Source: SIOCETHTOOL of netdevice(7), ETHTOOL_GDRVINFO and ETHTOOL_GSTATS of linux/ethtool.h;
 * netlink has neither firmware version nor a driver's own counters. Reading counters asks some
 * drivers' firmware, so it is done once, before and after a run, and not while it lasts.
 */
#include "ethtool_live.h"
#include "hoploss/alloc.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#define MAX_COUNTERS 65536

/* The rest are packets and bytes of thousands of queues. */
static const char *const kept[] = {
	"*drop*",   "*err*",           "*miss*",  "*discard*", "*spoof*",   "*Spoof*",
	"*no_dma*", "*out_of_buffer*", "*pause*", "*xoff*",    "*timeout*", NULL,
};

static int ask(int fd, const char *nic, void *question)
{
	struct ifreq request = { .ifr_data = question };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", nic);
	return ioctl(fd, SIOCETHTOOL, &request);
}

void ethtool_driver_print(int fd, const char *nic, FILE *file)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	if (ask(fd, nic, &info) < 0)
		return;
	fprintf(file,
		"driver: %.*s\nversion: %.*s\nfirmware-version: %.*s\nexpansion-rom-version: \n"
		"bus-info: %.*s\n",
		(int)sizeof(info.driver), info.driver, (int)sizeof(info.version), info.version,
		(int)sizeof(info.fw_version), info.fw_version, (int)sizeof(info.bus_info),
		info.bus_info);
}

static unsigned nr_counters(int fd, const char *nic)
{
	HL_FREE struct ethtool_sset_info *info = hl_alloc(sizeof(*info) + sizeof(info->data[0]));

	info->cmd = ETHTOOL_GSSET_INFO;
	info->sset_mask = 1ULL << ETH_SS_STATS;
	if (ask(fd, nic, info) < 0 || !info->sset_mask || info->data[0] > MAX_COUNTERS)
		return 0;
	return info->data[0];
}

static bool is_kept(const char *name)
{
	for (const char *const *pattern = kept; *pattern; pattern++) {
		if (!fnmatch(*pattern, name, 0))
			return true;
	}
	return false;
}

void ethtool_statistics_print(int fd, const char *nic, FILE *file)
{
	unsigned nr = nr_counters(fd, nic);
	HL_FREE struct ethtool_gstrings *names = hl_alloc(sizeof(*names) +
							  (size_t)nr * ETH_GSTRING_LEN);
	HL_FREE struct ethtool_stats *values = hl_alloc(sizeof(*values) +
							(size_t)nr * sizeof(values->data[0]));

	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = values->n_stats = nr;
	values->cmd = ETHTOOL_GSTATS;
	if (!nr || ask(fd, nic, names) < 0 || ask(fd, nic, values) < 0)
		return;
	if (names->len < nr)
		nr = names->len;
	if (values->n_stats < nr)
		nr = values->n_stats;
	fputs("NIC statistics:\n", file);
	for (unsigned i = 0; i < nr; i++) {
		char name[ETH_GSTRING_LEN + 1] = "";

		memcpy(name, names->data + (size_t)i * ETH_GSTRING_LEN, ETH_GSTRING_LEN);
		if (is_kept(name))
			fprintf(file, "     %s: %" PRIu64 "\n", name, (uint64_t)values->data[i]);
	}
}
