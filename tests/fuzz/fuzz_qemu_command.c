/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../probes/qemu.h"
#include "format_fuzzer.h"

extern const struct hl_format hl_format_qemu_command;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len;

	fuzz_format(&hl_format_qemu_command, data, size);
	free(qemu_keep((const char *)data, size, &len));
	return 0;
}
