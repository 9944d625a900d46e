/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of fio's JSON, with single quotes (see json_of).
 */
#ifndef FIO_JSON_PARTS_H
#define FIO_JSON_PARTS_H

/* One side of a job as fio 3 prints it. */
#define SIDE3                                                                                      \
	"{ 'io_bytes' : 1474560, 'io_kbytes' : 1440, 'bw_bytes' : 10884, 'bw' : 10,\n"             \
	"  'iops' : 2.66, 'runtime' : 135476, 'total_ios' : 360, 'short_ios' : 0,\n"               \
	"  'slat_ns' : { 'min' : 0, 'max' : 0, 'mean' : 0.0, 'stddev' : 0.0, 'N' : 0 },\n"         \
	"  'clat_ns' : { 'min' : 100, 'max' : 9000, 'mean' : 500.5, 'stddev' : 7.0,\n"             \
	"    'percentile' : { '1.000000' : 110, '50.000000' : 400, '99.000000' : 800,\n"           \
	"      '99.900000' : 900 } },\n"                                                           \
	"  'lat_ns' : { 'min' : 200, 'max' : 9100, 'mean' : 600.5, 'stddev' : 8.0 } }"
#define NO_SIDE                                                                                    \
	"{ 'io_bytes' : 0, 'bw_bytes' : 0, 'bw' : 0, 'iops' : 0.0, 'runtime' : 0,\n"               \
	"  'total_ios' : 0, 'clat_ns' : { 'min' : 0, 'max' : 0, 'mean' : 0.0 } }"
/* A job's writes: 4 KiB or 8 KiB in 5 ms. */
#define WROTE    "'write' : { 'io_bytes' : 4096, 'bw' : 1, 'runtime' : 5, 'total_ios' : 9 }"
#define WROTE_8K "'write' : { 'io_bytes' : 8192, 'bw' : 1, 'runtime' : 5, 'total_ios' : 9 }"

#endif
