/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-cli's output as text and as JSON: one reader for each kind of it.
 */
#ifndef PROBES_NVME_TEXT_H
#define PROBES_NVME_TEXT_H

#include "hoploss/format.h"

enum hl_nvme_output {
	HL_NVME_SMART_LOG,
	HL_NVME_ID_CTRL,
	HL_NVME_ID_NS,
	HL_NVME_ERROR_LOG,
	HL_NVME_SELF_TEST_LOG,
	HL_NVME_LIST,
	HL_NR_NVME_OUTPUTS,
};

/* Lines of that output, with the command above it, that begin at at; 0 = none do. */
size_t hl_nvme_claim_text(const struct hl_text *text, size_t at, enum hl_nvme_output output);
int hl_nvme_read_text(const struct hl_text *slice, struct hl_reading *reading,
		      enum hl_nvme_output output, struct hl_error *err);

#endif
