/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_iscsiadm;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&hl_format_iscsiadm, data, size);
	return 0;
}
