/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units: what is stored (bytes, bytes per second, nanoseconds), how it is read from other tools'
 * output, and how it is printed for people.
 *
 * Inside hoploss a rate is bytes/s, a latency ns, a size bytes. Unknown is NAN, never 0 or -1.
 */
#ifndef HOPLOSS_UNIT_H
#define HOPLOSS_UNIT_H

#include <stddef.h>

#define HL_KIB 1024.0
#define HL_MIB 1048576.0
#define HL_GIB 1073741824.0

/* Enough for any text that the functions below print. */
#define HL_UNIT_TEXT 48

/*
 * Each prints value into text (HL_UNIT_TEXT bytes), "not measured" for NAN, and returns text.
 * Three significant digits or so, as fio prints.
 */
char *hl_unit_rate(char *text, double bytes_per_s);       /* "863 MiB/s" */
char *hl_unit_rate_both(char *text, double bytes_per_s);  /* "863 MiB/s (905 MB/s)" */
char *hl_unit_rate_sheet(char *text, double bytes_per_s); /* "905 MB/s (863 MiB/s)" */
char *hl_unit_size_sheet(char *text, double bytes);       /* "7.68 TB", as datasheets count */
char *hl_unit_time(char *text, double ns);                /* "322 us", "4.53 ms", "1.20 s" */
char *hl_unit_size(char *text, double bytes);             /* "128 KiB", "10 GiB" */
char *hl_unit_count(char *text, double count);            /* "28.2k", "1.83M" */
char *hl_unit_percent(char *text, double percent);        /* "14.6 %" */

/*
 * Readers for what fio, iperf3 and people write. Case of the prefix follows the field: in "KiB/s",
 * "MB/s", "Mbit/s", "kB/s". old_kilo = 1024 reads "KB/s" of fio 2.x as KiB/s, else 1000.
 * The whole text must be used. -EINVAL when it is no such quantity; ret untouched.
 */
int hl_unit_read_rate(const char *text, size_t len, double old_kilo, double *ret_bytes_per_s);
int hl_unit_read_size(const char *text, size_t len, double old_kilo, double *ret_bytes);
int hl_unit_read_count(const char *text, size_t len, double *ret_count); /* "28.2k" "1203.4K" */
int hl_unit_read_time(const char *text, size_t len, double *ret_ns);     /* "30s" "5m" "1h30m" */

#endif
