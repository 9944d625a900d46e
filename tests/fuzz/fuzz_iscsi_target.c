/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_tgtadm, hl_format_targetcli, hl_format_target_saveconfig,
	hl_format_scst_conf;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&hl_format_tgtadm, data, size);
	fuzz_format(&hl_format_targetcli, data, size);
	fuzz_format(&hl_format_target_saveconfig, data, size);
	fuzz_format(&hl_format_scst_conf, data, size);
	return 0;
}
