/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a comparison, built once for all formats. NULL when there is nothing to show.
 */
#ifndef HOPLOSS_REPORTS_COLUMNS_CHANGES_H
#define HOPLOSS_REPORTS_COLUMNS_CHANGES_H

#include "grid.h"
#include "hoploss/comparison.h"

/* From one state to another: what every workload did. */
struct hl_grid *hl_columns_changes(const struct hl_comparison *comparison, size_t from, size_t to);
/* From that state to the next. */
struct hl_grid *hl_columns_changed_facts(const struct hl_comparison *comparison, size_t from);
/* The index-th advice: "iops-r, iops-mixed: set … back"; each once. NULL = no more. */
const char *hl_columns_advice(const struct hl_comparison *comparison, size_t index);
struct hl_grid *hl_columns_sriov(const struct hl_comparison *comparison);

#endif
