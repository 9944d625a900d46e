/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of module parameters: see probes/zfs_module.h. Numbers are as zfs(4) has them.
 */
#include "zfs_module.h"

#define PARAMETER(name)                                                                            \
	{                                                                                          \
#name, "zfs_module." #name                                                         \
	}

const struct hl_zfs_parameter hl_zfs_parameters[] = {
	PARAMETER(zfs_arc_max),
	PARAMETER(zfs_arc_min),
	PARAMETER(zfs_compressed_arc_enabled),
	PARAMETER(zfs_prefetch_disable),
	PARAMETER(zfetch_max_distance),
	PARAMETER(zfetch_min_distance),
	PARAMETER(zfetch_max_streams),
	PARAMETER(zvol_threads),
	PARAMETER(zvol_request_sync),
	PARAMETER(zvol_use_blk_mq),
	PARAMETER(zvol_blk_mq_threads),
	PARAMETER(zvol_blk_mq_queue_depth),
	PARAMETER(zvol_blk_mq_blocks_per_thread),
	PARAMETER(zvol_prefetch_bytes),
	PARAMETER(zfs_vdev_max_active),
	PARAMETER(zfs_vdev_def_queue_depth),
	PARAMETER(zfs_vdev_sync_read_max_active),
	PARAMETER(zfs_vdev_sync_write_max_active),
	PARAMETER(zfs_vdev_async_read_max_active),
	PARAMETER(zfs_vdev_async_write_max_active),
	PARAMETER(zfs_vdev_scrub_max_active),
	PARAMETER(zfs_vdev_aggregation_limit),
	PARAMETER(zfs_vdev_aggregation_limit_non_rotating),
	PARAMETER(zfs_dirty_data_max),
	PARAMETER(zfs_delay_min_dirty_percent),
	PARAMETER(zfs_txg_timeout),
	PARAMETER(zfs_sync_taskq_batch_pct),
	PARAMETER(zio_taskq_batch_pct),
	PARAMETER(zil_slog_bulk),
	PARAMETER(zil_maxblocksize),
	PARAMETER(zil_nocacheflush),
	PARAMETER(zfs_nocacheflush),
	PARAMETER(zfs_immediate_write_sz),
	PARAMETER(zfs_dio_enabled),
	PARAMETER(l2arc_noprefetch),
	PARAMETER(l2arc_write_max),
	{ NULL, NULL },
};

const struct hl_zfs_parameter *hl_zfs_parameter_find(struct hl_word name)
{
	for (const struct hl_zfs_parameter *parameter = hl_zfs_parameters; parameter->name;
	     parameter++) {
		if (hl_word_is(name, parameter->name))
			return parameter;
	}
	return NULL;
}
