/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_lsblk, hl_format_lsblk_json, hl_format_lsblk_pairs,
	hl_format_mount, hl_format_df, hl_format_iostat, hl_format_uname;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&hl_format_lsblk, data, size);
	fuzz_format(&hl_format_lsblk_json, data, size);
	fuzz_format(&hl_format_lsblk_pairs, data, size);
	fuzz_format(&hl_format_mount, data, size);
	fuzz_format(&hl_format_df, data, size);
	fuzz_format(&hl_format_iostat, data, size);
	fuzz_format(&hl_format_uname, data, size);
	return 0;
}
