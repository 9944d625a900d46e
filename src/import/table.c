/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats that are built in. The order decides where two of them claim the same lines.
 */
#include "formats.h"

const struct hl_format *const hl_formats[] = {
	&hl_format_fio_json,
	&hl_format_iperf3_json,
	&hl_format_fio_text,
	&hl_format_fio_terse,
	&hl_format_iperf3_text,
	&hl_format_csv_table,
	&hl_format_lspci,
	&hl_format_smartctl,
	&hl_format_nvme_smart_log,
	&hl_format_nvme_id_ctrl,
	&hl_format_nvme_id_ns,
	&hl_format_nvme_error_log,
	&hl_format_nvme_self_test_log,
	&hl_format_nvme_list,
	&hl_format_iscsiadm,
	&hl_format_zpool_status,
	&hl_format_zpool_list,
	&hl_format_zpool_iostat,
	&hl_format_zfs_get,
	&hl_format_zfs_list,
	&hl_format_arc,
	&hl_format_ethtool,
	&hl_format_ip_json,
	&hl_format_ip_link,
	&hl_format_lsblk,
	&hl_format_lsblk_json,
	&hl_format_libvirt,
	&hl_format_proxmox,
	&hl_format_dmesg,
	&hl_format_iostat,
	&hl_format_mount,
	&hl_format_uname,
	&hl_format_df,
	&hl_format_fio_job_file,
	&hl_format_json,
	NULL,
};
