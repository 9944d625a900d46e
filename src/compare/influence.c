/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a change of the system can act on: a table. Sources: zfsprops(7) and zpoolconcepts(7) for
 * pools, the kernel's Documentation for block devices, ip-link(8) and ethtool(8) for links,
 * qemu-system(1) for guests. Weights only order what was changed at the same time.
 */
#include "influence.h"
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define READS  (ON_RANDOM_READ | ON_SEQUENTIAL_READ)
#define WRITES (ON_RANDOM_WRITE | ON_SEQUENTIAL_WRITE)
#define ALL    (READS | WRITES)

static const struct influence influences[] = {
	{ "primarycache", LIST("zfs.primarycache"), LIST("primarycache", "arc off"), READS, 10 },
	{ "rate limit", LIST("link.qdisc", "link.qdisc_rate", "route.qdisc*"),
	  LIST("tbf", "htb", "qdisc", "shaping", "shaper"), ALL, 9 },
	{ "rate limit of a VF", LIST("vf.max_tx_rate_mbps", "vf.min_tx_rate_mbps"),
	  LIST("max_tx_rate"), ALL, 9 },
	{ "limit of the virtual disk or NIC", LIST("vdisk.limit*", "vnic.limit*", "vm.cpu_limit"),
	  LIST("mbps", "iops limit"), ALL, 9 },
	{ "sync", LIST("zfs.sync", "zfs.logbias"), LIST("sync", "logbias"), WRITES, 9 },
	{ "PCIe link",
	  LIST("pcie.speed_gts", "pcie.width", "pcie.limit*", "pcie.is_downgraded",
	       "pcie.shared_uplink", "pcie.mps", "pcie.mrrs", "pcie.parent", "drive.link*"),
	  LIST("slot", "riser"), ALL, 9 },
	{ "pool layout",
	  LIST("zpool.layout", "zpool.vdevs", "zpool.data_disks", "zpool.vdev_data_disks",
	       "zpool.parity", "zpool.devices", "zpool.ashift"),
	  LIST("raidz", "raidz1", "raidz2", "raidz3", "draid", "mirror", "stripe", "single",
	       "layout"),
	  ALL, 8 },
	{ "block size of the volume", LIST("zfs.volblocksize", "zfs.recordsize"),
	  LIST("volblocksize", "recordsize"), ALL, 8 },
	{ "portal or NIC",
	  LIST("iscsi.nic", "iscsi.iface", "iscsi.transport", "route.device", "route.is_local",
	       "link.driver", "link.speed_mbps", "link.duplex", "link.kind", "link.active_slave",
	       "link.pf", "link.below", "link.mode"),
	  LIST("nic", "vf", "sr-iov", "sriov", "10g", "25g", "100g"), ALL, 8 },
	{ "deduplication", LIST("zfs.dedup"), LIST("dedup", "deduplication"), ALL, 7 },
	{ "drive",
	  LIST("drive.model", "drive.firmware", "drive.serial", "drive.lba_bytes",
	       "nvme.write_cache_is_on"),
	  LIST("firmware", "drive", "ssd", "nvme"), ALL, 7 },
	{ "MTU", LIST("link.mtu", "vnic.mtu", "route.mtu"), LIST("mtu", "jumbo"), ALL, 7 },
	{ "log device", LIST("zpool.slog*", "zpool.has_slog"), LIST("slog", "zil", "log device"),
	  WRITES, 6 },
	{ "scrub or resilver", LIST("zpool.is_scrubbing", "zpool.is_resilvering"),
	  LIST("scrub", "resilver"), ALL, 6 },
	{ "ARC size", LIST("arc.max_size", "arc.min_size", "zfs_module.zfs_arc_*"),
	  LIST("arc", "arc_max", "zfs_arc_max"), READS, 6 },
	{ "iSCSI session",
	  LIST("iscsi.queue_depth", "iscsi.cmds_max", "iscsi.nr_sessions", "iscsi.can_queue",
	       "iscsi.*_digest", "iscsi.first_burst", "iscsi.max_*", "iscsi.initial_r2t",
	       "iscsi.immediate_data"),
	  LIST("iscsi", "queue_depth", "cmds_max"), ALL, 6 },
	{ "iSCSI target", LIST("target.*"), LIST("target", "lio", "scst", "tgt"), ALL, 6 },
	{ "VM definition", LIST("vm.*", "vdisk.*", "vnic.*", "passthrough.*", "mapping.*"),
	  LIST("iothread", "iothreads", "vcpus", "cpu type", "io_uring", "virtio"), ALL, 6 },
	{ "compression", LIST("zfs.compression", "zfs.checksum", "zfs.encryption"),
	  LIST("compression", "lz4", "zstd"), ALL, 5 },
	{ "scheduler and queue",
	  LIST("block.scheduler", "block.nr_requests", "block.max_io_size", "block.queue_depth",
	       "block.read_ahead", "block.write_cache", "block.wbt_lat_ns", "block.nomerges",
	       "block.rq_affinity", "block.has_direct_io"),
	  LIST("scheduler", "nr_requests", "read_ahead", "readahead"), ALL, 5 },
	{ "NIC queues and offloads",
	  LIST("link.channels*", "link.ring_rx", "link.ring_tx", "link.tso", "link.gso", "link.gro",
	       "link.lro", "link.*_checksum", "link.*_usecs", "link.*_frames", "link.adaptive*",
	       "link.pause*", "link.irq*"),
	  LIST("queues", "multiqueue", "ring", "tso", "gro", "coalesce"), ALL, 5 },
	{ "TCP", LIST("tcp.*_congestion", "tcp.*_window_scale"),
	  LIST("tcp", "bbr", "cubic", "congestion"), ALL, 5 },
	{ "CPU",
	  LIST("cpu.governor", "cpu.mitigations", "cpu.model", "cpu.count", "cpu.online", "cpu.smt",
	       "cpu.may_boost", "cpu.max_hz", "cpu.isolated", "cpu.frequency_driver",
	       "cpu.energy_preference", "cpu.idle_driver"),
	  LIST("governor", "mitigations"), ALL, 5 },
	{ "IOMMU", LIST("iommu.mode"), LIST("iommu"), ALL, 5 },
	{ "kernel", LIST("system.kernel_release", "system.os"), LIST("kernel", "upgrade"), ALL, 5 },
	{ "special vdev", LIST("zpool.special*"), LIST("special"), ALL, 4 },
	{ "module parameters", LIST("zfs_module.*"), LIST("zfs_vdev", "zfetch"), ALL, 4 },
	{ "file system", LIST("mount.fs_type", "mount.options", "mount.device", "mount.volume"),
	  LIST("ext4", "xfs", "noatime", "mount"), ALL, 4 },
};

#define NR (sizeof(influences) / sizeof(*influences))

const struct influence *influence_at(size_t index)
{
	return index < NR ? &influences[index] : NULL;
}

const struct influence *influence_of_key(const char *key)
{
	for (size_t i = 0; i < NR; i++) {
		for (size_t k = 0; influences[i].keys[k]; k++) {
			if (!fnmatch(influences[i].keys[k], key, 0))
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
