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
	NULL,
};
