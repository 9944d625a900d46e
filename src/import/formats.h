/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats of this directory: each stands at the bottom of its own file.
 */
#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include "hoploss/format.h"

extern const struct hl_format hl_format_csv_table;
extern const struct hl_format hl_format_fio_json;
extern const struct hl_format hl_format_fio_terse;
extern const struct hl_format hl_format_fio_text;
extern const struct hl_format hl_format_iperf3_json;
extern const struct hl_format hl_format_iperf3_text;

#endif
