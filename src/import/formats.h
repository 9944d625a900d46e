/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats of this directory: each stands at the bottom of its own file.
 */
#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include "hoploss/format.h"

extern const struct hl_format hl_format_csv_table;
extern const struct hl_format hl_format_test_record;
extern const struct hl_format hl_format_fio_json;
extern const struct hl_format hl_format_fio_terse;
extern const struct hl_format hl_format_fio_text;
extern const struct hl_format hl_format_iperf3_json;
extern const struct hl_format hl_format_iperf3_text;

/* of probes/ */
extern const struct hl_format hl_format_lspci;
extern const struct hl_format hl_format_lspci_tree;
extern const struct hl_format hl_format_arc_summary;
extern const struct hl_format hl_format_arcstat;
extern const struct hl_format hl_format_arcstats;
extern const struct hl_format hl_format_df;
extern const struct hl_format hl_format_iostat;
extern const struct hl_format hl_format_lsblk;
extern const struct hl_format hl_format_lsblk_json;
extern const struct hl_format hl_format_lsblk_pairs;
extern const struct hl_format hl_format_mount;
extern const struct hl_format hl_format_uname;
extern const struct hl_format hl_format_zfs_get;
extern const struct hl_format hl_format_zfs_json;
extern const struct hl_format hl_format_zfs_list;
extern const struct hl_format hl_format_zpool_iostat;
extern const struct hl_format hl_format_zpool_list;
extern const struct hl_format hl_format_zpool_status;
extern const struct hl_format hl_format_libvirt;
extern const struct hl_format hl_format_proxmox;
extern const struct hl_format hl_format_proxmox_mapping;
extern const struct hl_format hl_format_qemu_command;
extern const struct hl_format hl_format_virsh_domstats;
extern const struct hl_format hl_format_smartctl;
extern const struct hl_format hl_format_nvme_smart_log;
extern const struct hl_format hl_format_nvme_id_ctrl;
extern const struct hl_format hl_format_nvme_id_ns;
extern const struct hl_format hl_format_nvme_error_log;
extern const struct hl_format hl_format_nvme_self_test_log;
extern const struct hl_format hl_format_nvme_list;
extern const struct hl_format hl_format_nvme_feature;
extern const struct hl_format hl_format_sensors_json;

/* of others.c: named, not read */
extern const struct hl_format hl_format_iscsiadm;
extern const struct hl_format hl_format_scst_conf;
extern const struct hl_format hl_format_target_saveconfig;
extern const struct hl_format hl_format_targetcli;
extern const struct hl_format hl_format_tgtadm;
extern const struct hl_format hl_format_ethtool;
extern const struct hl_format hl_format_ip_json;
extern const struct hl_format hl_format_ip_link;
extern const struct hl_format hl_format_ip_route;
extern const struct hl_format hl_format_tc;
extern const struct hl_format hl_format_dmesg;
extern const struct hl_format hl_format_fio_job_file;
extern const struct hl_format hl_format_json;

#endif
