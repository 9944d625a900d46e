/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Datasheets: what a drive promises, with the conditions under which it does.
 *
 * Source: the .conf files (INI) of probes/specs/, compiled in; --spec also takes a file. Rates on a
 * sheet are decimal; here they are bytes/s.
 */
#ifndef HOPLOSS_SPEC_H
#define HOPLOSS_SPEC_H

#include "hoploss/error.h"
#include "hoploss/workload.h"
#include <stdbool.h>
#include <stddef.h>

struct hl_spec_figure { /* one promise */
	enum hl_rw rw;
	double bs; /* bytes */
	double iodepth, numjobs;
	const char *state; /* "fresh" or "steady" */
	double bw;         /* bytes/s, NAN when promised as IOPS only */
	double iops;       /* NAN when promised as bandwidth only */
	double latency_ns; /* NAN */
	double tolerance_pct;
};

struct hl_spec {
	const char *name;             /* "KCD61LUL7T68" */
	const char *vendor, *product; /* "KIOXIA", "CD6-R 7.68 TB U.2" */
	const char *models; /* patterns (fnmatch) of the model string it is chosen by, by blanks */
	const char *medium; /* "nvme", "ssd" (SATA), "hdd" */
	double capacity;    /* bytes */
	double link_speed_gts, link_width; /* PCIe of the drive, NAN otherwise */
	double link_gbps;                  /* SATA or SAS, NAN otherwise */
	double rpm;                        /* hard disks */
	double seek_ms;                    /* average read seek of a hard disk, NAN */
	double cache_bytes;                /* the drive's own DRAM cache, NAN */
	double dwpd, tbw_bytes;
	double temperature_warn_c, temperature_critical_c;
	const struct hl_spec_figure *figures;
	size_t nr_figures;
	const char *source; /* document the figures were taken from */
	const char *note;   /* "6 GB/s to its owner"; NULL */
	const char *text;   /* the file as it was, to be kept in a bundle */
	size_t text_len;
};

/*
 * By name (built in, case ignored) or, with a '/' or ".conf" in it, from a file.
 * -ENOENT: err lists near names. -EBADMSG: err names file and line.
 */
int hl_spec_load(const char *name_or_file, struct hl_spec **ret_spec, struct hl_error *err);
int hl_spec_parse(const char *name, const char *bytes, size_t len, struct hl_spec **ret_spec,
		  struct hl_error *err);
void hl_spec_free(struct hl_spec *spec); /* NULL allowed */

/* The patterns of its models fit that model string. */
bool hl_spec_is_model(const struct hl_spec *spec, const char *model);

/* Built-in ones, sorted by name: 0 .. n-1, then NULL. */
const char *hl_spec_name_at(size_t index);

/*
 * What the sheet promises for this kind of I/O in bytes/s, NAN when it says nothing: pure reads or
 * writes only; sequential from 64 KiB up; random at the block size of a figure up to twice that
 * (then bounded by the sequential figure); and at a depth of at least a quarter of the figure's,
 * for no sheet of "QD 32" promises anything at depth 1.
 */
double hl_spec_bw(const struct hl_spec *spec, const struct hl_workload *workload, enum hl_dir dir);
/*
 * Random I/O per second that one such drive can give from its medium, at best; NAN unknown. The
 * highest figure of the sheet; for a hard disk at least 2.5 reads, or 8 writes, per average seek
 * and half a turn: what sorting a deep queue, or a cache full of writes, is known to gain.
 */
double hl_spec_random_iops(const struct hl_spec *spec, enum hl_dir dir);

#endif
