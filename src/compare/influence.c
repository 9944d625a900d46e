/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a change of the system can act on: a table. Sources: zfsprops(7) and zpoolconcepts(7) for
 * pools, the kernel's Documentation for block devices, ip-link(8) and ethtool(8) for links,
 * qemu-system(1) for guests. Weights only order what was changed at the same time.
 */
#include "influence.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define READS  (ON_RANDOM_READ | ON_SEQUENTIAL_READ)
#define WRITES (ON_RANDOM_WRITE | ON_SEQUENTIAL_WRITE)
#define ALL    (READS | WRITES)

static const struct influence influences[] = {
	{ "primarycache", LIST("zfs.primarycache"), LIST("primarycache", "arc off"), READS, 10 },
	{ "pool layout", LIST("zpool.layout", "zpool.vdevs"),
	  LIST("raidz", "raidz1", "raidz2", "raidz3", "draid", "mirror", "stripe", "single",
	       "layout"),
	  ALL, 8 },
	{ "block size of the volume", LIST("zfs.volblocksize", "zfs.recordsize"),
	  LIST("volblocksize", "recordsize"), ALL, 8 },
	{ "sync", LIST("zfs.sync", "zfs.logbias"), LIST("sync", "logbias"), WRITES, 9 },
	{ "log device", LIST("zpool.slog*", "zpool.has_slog"), LIST("slog", "zil", "log device"),
	  WRITES, 6 },
	{ "special vdev", LIST("zpool.special*", "zpool.has_special"), LIST("special"), ALL, 4 },
	{ "compression", LIST("zfs.compression"), LIST("compression", "lz4", "zstd"), ALL, 5 },
	{ "deduplication", LIST("zfs.dedup"), LIST("dedup", "deduplication"), ALL, 7 },
	{ "ARC size", LIST("arc.c_max", "arc.size_max"), LIST("arc", "arc_max", "zfs_arc_max"),
	  READS, 6 },
	{ "module parameters", LIST("zfs.param*", "zfs.module*"), LIST("zfs_vdev", "zfetch"), ALL,
	  4 },
	{ "PCIe link", LIST("pcie.speed_gts", "pcie.width", "pcie.limit*"), LIST("slot", "riser"),
	  ALL, 9 },
	{ "drive", LIST("drive.model", "drive.firmware", "drive.serial"),
	  LIST("firmware", "drive", "ssd", "nvme"), ALL, 7 },
	{ "scheduler and queue",
	  LIST("block.scheduler", "block.nr_requests", "block.max_sectors*", "block.read_ahead*",
	       "block.write_cache"),
	  LIST("scheduler", "nr_requests", "read_ahead", "readahead"), ALL, 5 },
	{ "iSCSI session", LIST("iscsi.*"), LIST("iscsi", "queue_depth", "cmds_max"), ALL, 6 },
	{ "portal or NIC", LIST("iscsi.nic", "link.driver", "link.speed_mbps"),
	  LIST("nic", "vf", "sr-iov", "sriov", "10g", "25g", "100g"), ALL, 8 },
	{ "MTU", LIST("link.mtu", "vnic.mtu"), LIST("mtu", "jumbo"), ALL, 7 },
	{ "rate limit of a VF", LIST("vf.max_tx_rate", "vf.min_tx_rate"), LIST("max_tx_rate"), ALL,
	  9 },
	{ "NIC queues and offloads",
	  LIST("link.channels*", "link.ring*", "link.offload*", "link.coalesce*", "vnic.queues"),
	  LIST("queues", "multiqueue", "ring", "tso", "gro", "coalesce"), ALL, 5 },
	{ "VM definition", LIST("vm.*", "vdisk.*", "vnic.*", "passthrough.*"),
	  LIST("iothread", "iothreads", "vcpus", "cpu type", "io_uring", "virtio"), ALL, 6 },
	{ "CPU", LIST("cpu.governor", "cpu.mitigations", "cpu.model"),
	  LIST("governor", "mitigations"), ALL, 5 },
	{ "kernel", LIST("system.kernel*", "system.release"), LIST("kernel", "upgrade"), ALL, 5 },
	{ "file system", LIST("mount.*"), LIST("ext4", "xfs", "noatime", "mount"), ALL, 4 },
};

#define NR (sizeof(influences) / sizeof(*influences))

const struct influence *influence_at(size_t index)
{
	return index < NR ? &influences[index] : NULL;
}

static bool fits(const char *pattern, const char *key)
{
	size_t len = strlen(pattern);

	return pattern[len - 1] == '*' ? !strncmp(pattern, key, len - 1) : !strcmp(pattern, key);
}

const struct influence *influence_of_key(const char *key)
{
	for (size_t i = 0; i < NR; i++) {
		for (size_t k = 0; influences[i].keys[k]; k++) {
			if (fits(influences[i].keys[k], key))
				return &influences[i];
		}
	}
	return NULL;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A whole word of the note, case ignored. */
static bool has_word(const char *note, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = note; (at = strcasestr(at, word)); at++) {
		if ((at == note || !is_word(at[-1])) && !is_word(at[len]))
			return true;
	}
	return false;
}

bool influence_is_noted(const struct influence *influence, const char *note)
{
	for (size_t i = 0; note && influence->words[i]; i++) {
		if (has_word(note, influence->words[i]))
			return true;
	}
	return false;
}

unsigned influence_kind(const struct hl_change *change)
{
	bool is_write = change->dir == HL_DIR_WRITE;

	if (hl_rw_is_random(change->workload.rw))
		return is_write ? ON_RANDOM_WRITE : ON_RANDOM_READ;
	return is_write ? ON_SEQUENTIAL_WRITE : ON_SEQUENTIAL_READ;
}
