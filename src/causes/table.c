/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of causes, in the order in which they are matched and listed.
 */
#include "hoploss/cause.h"

extern const struct hl_cause hl_cause_generator_bound;
extern const struct hl_cause hl_cause_readahead_or_page_cache;
extern const struct hl_cause hl_cause_faster_than_medium;
extern const struct hl_cause hl_cause_rate_capped;
extern const struct hl_cause hl_cause_sync_latency_bound;
extern const struct hl_cause hl_cause_cgroup_throttled;
extern const struct hl_cause hl_cause_link_shaped;
extern const struct hl_cause hl_cause_target_cpu_bound;
extern const struct hl_cause hl_cause_vhost_thread_saturated;
extern const struct hl_cause hl_cause_tcp_window_limited;
extern const struct hl_cause hl_cause_ethernet_ceiling;
extern const struct hl_cause hl_cause_mtu_mismatch;
extern const struct hl_cause hl_cause_tcp_loss;
extern const struct hl_cause hl_cause_vf_rate_limited;
extern const struct hl_cause hl_cause_vf_inactive_standby;
extern const struct hl_cause hl_cause_iscsi_depth_limited;
extern const struct hl_cause hl_cause_iscsi_segment_small;
extern const struct hl_cause hl_cause_drive_slower_than_peers;
extern const struct hl_cause hl_cause_pcie_link_downgraded;
extern const struct hl_cause hl_cause_pcie_shared_uplink;
extern const struct hl_cause hl_cause_pcie_aer_errors;
extern const struct hl_cause hl_cause_nvme_thermal_throttle;
extern const struct hl_cause hl_cause_nvme_worn;
extern const struct hl_cause hl_cause_nvme_lba_format_slow;
extern const struct hl_cause hl_cause_zfs_pool_ill;
extern const struct hl_cause hl_cause_zfs_served_from_arc;
extern const struct hl_cause hl_cause_zfs_volblocksize_rmw;
extern const struct hl_cause hl_cause_zfs_sync_no_slog;
extern const struct hl_cause hl_cause_zfs_primarycache_metadata;
extern const struct hl_cause hl_cause_zfs_raidz_small_block;
extern const struct hl_cause hl_cause_block_max_sectors_split;
extern const struct hl_cause hl_cause_block_readahead_limited;
extern const struct hl_cause hl_cause_virtio_single_queue;
extern const struct hl_cause hl_cause_iothread_missing;
extern const struct hl_cause hl_cause_numa_remote;
extern const struct hl_cause hl_cause_cpu_steal;
extern const struct hl_cause hl_cause_cpu_governor;
extern const struct hl_cause hl_cause_serial_stage;
extern const struct hl_cause hl_cause_depth_limited;

const struct hl_cause *const hl_causes[] = {
	&hl_cause_generator_bound,
	&hl_cause_readahead_or_page_cache,
	&hl_cause_faster_than_medium,
	&hl_cause_drive_slower_than_peers,
	&hl_cause_pcie_link_downgraded,
	&hl_cause_pcie_shared_uplink,
	&hl_cause_pcie_aer_errors,
	&hl_cause_nvme_thermal_throttle,
	&hl_cause_nvme_worn,
	&hl_cause_nvme_lba_format_slow,
	&hl_cause_rate_capped,
	&hl_cause_sync_latency_bound,
	&hl_cause_cgroup_throttled,
	&hl_cause_link_shaped,
	&hl_cause_target_cpu_bound,
	&hl_cause_vhost_thread_saturated,
	&hl_cause_tcp_window_limited,
	&hl_cause_ethernet_ceiling,
	&hl_cause_mtu_mismatch,
	&hl_cause_tcp_loss,
	&hl_cause_vf_rate_limited,
	&hl_cause_vf_inactive_standby,
	&hl_cause_iscsi_depth_limited,
	&hl_cause_iscsi_segment_small,
	&hl_cause_zfs_pool_ill,
	&hl_cause_zfs_served_from_arc,
	&hl_cause_zfs_volblocksize_rmw,
	&hl_cause_zfs_sync_no_slog,
	&hl_cause_zfs_primarycache_metadata,
	&hl_cause_zfs_raidz_small_block,
	&hl_cause_block_max_sectors_split,
	&hl_cause_block_readahead_limited,
	&hl_cause_virtio_single_queue,
	&hl_cause_iothread_missing,
	&hl_cause_numa_remote,
	&hl_cause_cpu_steal,
	&hl_cause_cpu_governor,
	&hl_cause_serial_stage,
	&hl_cause_depth_limited,
	NULL,
};
