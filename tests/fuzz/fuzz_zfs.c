/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_zpool_status, hl_format_zpool_list, hl_format_zpool_iostat,
	hl_format_zfs_get, hl_format_zfs_list, hl_format_arcstats, hl_format_arc_summary,
	hl_format_arcstat, hl_format_zfs_json;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&hl_format_zpool_status, data, size);
	fuzz_format(&hl_format_zpool_list, data, size);
	fuzz_format(&hl_format_zpool_iostat, data, size);
	fuzz_format(&hl_format_zfs_get, data, size);
	fuzz_format(&hl_format_zfs_list, data, size);
	fuzz_format(&hl_format_arcstats, data, size);
	fuzz_format(&hl_format_arc_summary, data, size);
	fuzz_format(&hl_format_arcstat, data, size);
	fuzz_format(&hl_format_zfs_json, data, size);
	return 0;
}
