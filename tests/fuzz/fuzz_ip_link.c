/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_ip_link, hl_format_ip_json, hl_format_ip_route,
	hl_format_tc;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&hl_format_ip_link, data, size);
	fuzz_format(&hl_format_ip_json, data, size);
	fuzz_format(&hl_format_ip_route, data, size);
	fuzz_format(&hl_format_tc, data, size);
	return 0;
}
