/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of facts of iSCSI sessions and targets; sorted.
 */
#include "facts.h"

static const struct hl_fact_key keys[] = {
	{ "iscsi.can_queue", "commands in flight that a session takes", NULL },
	{ "iscsi.cmds_max", "commands in flight at most", NULL },
	{ "iscsi.connection_state", "connection", NULL },
	{ "iscsi.data_digest", "DataDigest", NULL },
	{ "iscsi.disks", "disks", NULL },
	{ "iscsi.first_burst", "FirstBurstLength", "bytes" },
	{ "iscsi.header_digest", "HeaderDigest", NULL },
	{ "iscsi.iface", "iSCSI interface", NULL },
	{ "iscsi.immediate_data", "ImmediateData", NULL },
	{ "iscsi.initial_r2t", "InitialR2T", NULL },
	{ "iscsi.initiator", "initiator", NULL },
	{ "iscsi.initiator_address", "initiator's address", NULL },
	{ "iscsi.max_burst", "MaxBurstLength", "bytes" },
	{ "iscsi.max_outstanding_r2t", "MaxOutstandingR2T", NULL },
	{ "iscsi.max_recv", "MaxRecvDataSegmentLength", "bytes" },
	{ "iscsi.max_xmit", "MaxXmitDataSegmentLength", "bytes" },
	{ "iscsi.nic", "NIC of the session", NULL },
	{ "iscsi.nr_sessions", "sessions configured", NULL },
	{ "iscsi.queue_depth", "queue_depth of a LUN", NULL },
	{ "iscsi.recovery_timeout_s", "recovery timeout", "s" },
	{ "iscsi.session_state", "session state", NULL },
	{ "iscsi.sid", "session", NULL },
	{ "iscsi.transport", "iSCSI transport", NULL },
	{ "target.backing", "backing store", NULL },
	{ "target.backstore", "kind of backing store", NULL },
	{ "target.block_size", "block size of a LUN", "bytes" },
	{ "target.first_burst", "FirstBurstLength offered", "bytes" },
	{ "target.has_direct_io", "backing store with direct I/O", NULL },
	{ "target.immediate_data", "ImmediateData offered", NULL },
	{ "target.initial_r2t", "InitialR2T wanted", NULL },
	{ "target.is_buffered", "backing store through the page cache", NULL },
	{ "target.kind", "target software", NULL },
	{ "target.max_burst", "MaxBurstLength offered", "bytes" },
	{ "target.max_outstanding_r2t", "MaxOutstandingR2T offered", NULL },
	{ "target.max_recv", "MaxRecvDataSegmentLength of the target", "bytes" },
	{ "target.max_xmit", "MaxXmitDataSegmentLength of the target", "bytes" },
	{ "target.nv_cache", "write cache taken as safe", NULL },
	{ "target.queue_depth", "queue depth of a backing store", NULL },
	{ "target.queued_commands", "commands in flight of a session, target", NULL },
	{ "target.sessions", "sessions of a target", NULL },
	{ "target.threads", "threads of a LUN", NULL },
	{ "target.threads_pool", "threads are of", NULL },
	{ "target.write_back", "write-back cache", NULL },
};

const struct fact_table fact_iscsi_table = {
	.keys = keys,
	.nr_keys = sizeof(keys) / sizeof(*keys),
};
