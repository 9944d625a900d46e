/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a certificate, built once for all formats.
 */
#ifndef HOPLOSS_REPORTS_COLUMNS_CHECKS_H
#define HOPLOSS_REPORTS_COLUMNS_CHECKS_H

#include "grid.h"
#include "hoploss/acceptance.h"

/* All checks of one drive: failed ones first, then what could not be told. */
struct hl_grid *hl_columns_checks(struct hl_arena *arena, const struct hl_acceptance *device);
/* A row a drive; NULL for one alone. */
struct hl_grid *hl_columns_drives(struct hl_arena *arena, const struct hl_acceptance_set *set);
/* What identifies one drive: "serial S1, 0000:01:00.0, slot 4, datasheet X (by model)". */
const char *hl_columns_drive(struct hl_arena *arena, const struct hl_acceptance *device);

#endif
