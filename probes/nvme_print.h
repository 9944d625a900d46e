/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages of an NVMe controller in the words of nvme-cli, so that what is recorded can be read by
 * anybody, and by the same decoder as a file that a person saved.
 */
#ifndef PROBES_NVME_PRINT_H
#define PROBES_NVME_PRINT_H

#include "nvme_device.h"
#include "nvme_text.h"

/* As "nvme … -o json" prints; to be freed. nr: entries of the error log. NULL: it has no JSON. */
char *hl_nvme_print_json(enum hl_nvme_output output, const unsigned char *page, unsigned nr);
/* As "nvme get-feature" prints; to be freed. */
char *hl_nvme_print_feature(enum hl_nvme_feature feature, uint32_t value);

/* Number of size bytes, at most 16, least significant first. */
double hl_nvme_page_number(const unsigned char *page, size_t at, size_t size);

#endif
