/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_proxmox, hl_format_proxmox_mapping;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&hl_format_proxmox, data, size);
	fuzz_format(&hl_format_proxmox_mapping, data, size);
	return 0;
}
