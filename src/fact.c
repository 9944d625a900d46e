/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of fact keys: see hoploss/fact.h. A row a key, sorted by key.
 */
#include "hoploss/fact.h"
#include <stdlib.h>
#include <string.h>

static const struct hl_fact_key keys[] = {
	{ "drive.firmware", "firmware", NULL },
	{ "drive.model", "model", NULL },
	{ "iscsi.connection_state", "connection", NULL },
	{ "iscsi.disks", "disks", NULL },
	{ "iscsi.first_burst", "FirstBurstLength", "bytes" },
	{ "iscsi.immediate_data", "ImmediateData", NULL },
	{ "iscsi.initial_r2t", "InitialR2T", NULL },
	{ "iscsi.max_burst", "MaxBurstLength", "bytes" },
	{ "iscsi.max_recv", "MaxRecvDataSegmentLength", "bytes" },
	{ "iscsi.max_xmit", "MaxXmitDataSegmentLength", "bytes" },
	{ "iscsi.session_state", "session state", NULL },
	{ "iscsi.sid", "session", NULL },
	{ "link.driver", "driver", NULL },
	{ "link.duplex", "duplex", NULL },
	{ "link.is_up", "link is up", NULL },
	{ "link.mtu", "MTU", "bytes" },
	{ "link.speed_mbps", "link speed", "Mbit/s" },
	{ "model.depth_asked", "depth asked for, run mean", NULL },
	{ "model.device_depth", "depth in device, run mean", NULL },
	{ "model.read_fit_error_pct", "read fit, worst error", "%" },
	{ "model.read_fit_is_mixed", "read fit mixes patterns", NULL },
	{ "model.read_time_per_io_high_ns", "time per read, high", "ns" },
	{ "model.read_time_per_io_low_ns", "time per read, low", "ns" },
	{ "model.read_time_per_io_ns", "time per read", "ns" },
	{ "model.read_time_per_kib_ns", "time per KiB of a read", "ns" },
	{ "model.write_fit_error_pct", "write fit, worst error", "%" },
	{ "model.write_fit_is_mixed", "write fit mixes patterns", NULL },
	{ "model.write_time_per_io_high_ns", "time per write, high", "ns" },
	{ "model.write_time_per_io_low_ns", "time per write, low", "ns" },
	{ "model.write_time_per_io_ns", "time per write", "ns" },
	{ "model.write_time_per_kib_ns", "time per KiB of a write", "ns" },
	{ "passthrough.address", "PCI device passed through", NULL },
	{ "passthrough.mapping", "mapping passed through", NULL },
	{ "pcie.aer_correctable", "PCIe correctable errors", NULL },
	{ "pcie.cap_speed_gts", "PCIe link speed, can", "GT/s" },
	{ "pcie.cap_width", "PCIe link width, can", "lanes" },
	{ "pcie.is_downgraded", "PCIe link below what it can", NULL },
	{ "pcie.speed_gts", "PCIe link speed, now", "GT/s" },
	{ "pcie.width", "PCIe link width, now", "lanes" },
	{ "run.cpu_pct", "generator's CPU, of a core a job", "%" },
	{ "run.depth_asked", "depth asked for", NULL },
	{ "run.read_bw", "bandwidth of reads", "bytes/s" },
	{ "run.read_clat_mean_ns", "completion latency of reads", "ns" },
	{ "run.read_iops", "reads a second", "IOPS" },
	{ "run.read_lat_mean_ns", "mean latency of reads", "ns" },
	{ "run.read_lat_min_ns", "least latency of reads", "ns" },
	{ "run.read_lat_p1_ns", "latency of reads, p1", "ns" },
	{ "run.read_lat_p50_ns", "latency of reads, p50", "ns" },
	{ "run.read_lat_p99_ns", "latency of reads, p99", "ns" },
	{ "run.read_slat_mean_ns", "submission latency of reads", "ns" },
	{ "run.size", "bytes that the job works on", "bytes" },
	{ "run.sync_mean_ns", "mean latency of syncs", "ns" },
	{ "run.trim_bw", "bandwidth of trims", "bytes/s" },
	{ "run.trim_clat_mean_ns", "completion latency of trims", "ns" },
	{ "run.trim_iops", "trims a second", "IOPS" },
	{ "run.trim_lat_mean_ns", "mean latency of trims", "ns" },
	{ "run.trim_lat_min_ns", "least latency of trims", "ns" },
	{ "run.trim_lat_p1_ns", "latency of trims, p1", "ns" },
	{ "run.trim_lat_p50_ns", "latency of trims, p50", "ns" },
	{ "run.trim_lat_p99_ns", "latency of trims, p99", "ns" },
	{ "run.trim_slat_mean_ns", "submission latency of trims", "ns" },
	{ "run.write_bw", "bandwidth of writes", "bytes/s" },
	{ "run.write_clat_mean_ns", "completion latency of writes", "ns" },
	{ "run.write_iops", "writes a second", "IOPS" },
	{ "run.write_lat_mean_ns", "mean latency of writes", "ns" },
	{ "run.write_lat_min_ns", "least latency of writes", "ns" },
	{ "run.write_lat_p1_ns", "latency of writes, p1", "ns" },
	{ "run.write_lat_p50_ns", "latency of writes, p50", "ns" },
	{ "run.write_lat_p99_ns", "latency of writes, p99", "ns" },
	{ "run.write_slat_mean_ns", "submission latency of writes", "ns" },
	{ "smart.available_spare_pct", "spare left", "%" },
	{ "smart.crc_errors", "CRC errors on the cable", NULL },
	{ "smart.critical_temp_time_min", "time above critical temperature", "min" },
	{ "smart.critical_warning", "critical warning", NULL },
	{ "smart.data_units_read", "data units read", "x 512,000 bytes" },
	{ "smart.data_units_written", "data units written", "x 512,000 bytes" },
	{ "smart.err_log_entries", "error log entries", NULL },
	{ "smart.grown_defects", "grown defects", NULL },
	{ "smart.health_passed", "health self-assessment passed", NULL },
	{ "smart.media_errors", "media errors", NULL },
	{ "smart.offline_uncorrectable", "uncorrectable sectors", NULL },
	{ "smart.pending", "pending sectors", NULL },
	{ "smart.percentage_used", "life used", "%" },
	{ "smart.power_on_hours", "powered on", "h" },
	{ "smart.reallocated", "reallocated sectors", NULL },
	{ "smart.temperature_c", "temperature", "C" },
	{ "smart.thm_temp1_total_time_s", "light throttling, total", "s" },
	{ "smart.thm_temp1_trans_count", "light throttling, times", NULL },
	{ "smart.thm_temp2_total_time_s", "heavy throttling, total", "s" },
	{ "smart.thm_temp2_trans_count", "heavy throttling, times", NULL },
	{ "smart.warning_temp_time_min", "time above warning temperature", "min" },
	{ "vdisk.bus", "virtual disk bus", NULL },
	{ "vdisk.cache", "virtual disk cache mode", NULL },
	{ "vdisk.io", "virtual disk I/O mode", NULL },
	{ "vdisk.iothread", "virtual disk I/O thread", NULL },
	{ "vdisk.queues", "virtual disk queues", NULL },
	{ "vf.link_state", "VF link state", NULL },
	{ "vf.mac", "VF MAC", NULL },
	{ "vf.spoofchk", "VF spoof check", NULL },
	{ "vf.trust", "VF trust", NULL },
	{ "vm.cores", "cores", NULL },
	{ "vm.iothreads", "I/O threads", NULL },
	{ "vm.scsihw", "SCSI controller", NULL },
	{ "vm.sockets", "sockets", NULL },
	{ "vm.vcpus", "vCPUs", NULL },
	{ "vnic.host_address", "virtual NIC host PCI address", NULL },
	{ "vnic.model", "virtual NIC model", NULL },
	{ "vnic.queues", "virtual NIC queues", NULL },
	{ "vnic.type", "virtual NIC type", NULL },
	{ "zpool.errors", "pool errors", NULL },
	{ "zpool.state", "pool state", NULL },
};

#define NR_KEYS (sizeof(keys) / sizeof(*keys))

static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct hl_fact_key *)row)->key);
}

const struct hl_fact_key *hl_fact_key_find(const char *key)
{
	return bsearch(key, keys, NR_KEYS, sizeof(*keys), compare);
}

const struct hl_fact_key *hl_fact_key_at(size_t index)
{
	return index < NR_KEYS ? &keys[index] : NULL;
}
