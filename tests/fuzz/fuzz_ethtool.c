/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_ethtool;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&hl_format_ethtool, data, size);
	return 0;
}
