/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "format_fuzzer.h"

extern const struct hl_format hl_format_nvme_smart_log, hl_format_nvme_id_ctrl,
	hl_format_nvme_id_ns, hl_format_nvme_error_log, hl_format_nvme_self_test_log,
	hl_format_nvme_list, hl_format_nvme_feature;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct hl_format *const formats[] = {
		&hl_format_nvme_smart_log, &hl_format_nvme_id_ctrl, &hl_format_nvme_id_ns,
		&hl_format_nvme_error_log, &hl_format_nvme_list,    &hl_format_nvme_self_test_log,
		&hl_format_nvme_feature,
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		fuzz_format(formats[i], data, size);
	return 0;
}
