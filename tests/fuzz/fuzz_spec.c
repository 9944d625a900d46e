/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/spec.h"
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hl_workload workload = {
		.rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 32, .numjobs = 1
	};
	struct hl_spec *spec = NULL;

	if (hl_spec_parse("fuzz", (const char *)data, size, &spec, NULL))
		return 0;
	hl_spec_bw(spec, &workload, HL_DIR_READ);
	hl_spec_random_iops(spec, HL_DIR_WRITE);
	hl_spec_free(spec);
	return 0;
}
