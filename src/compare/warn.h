/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warnings of a comparison. Used in src/compare.
 */
#ifndef COMPARE_WARN_H
#define COMPARE_WARN_H

#include "hoploss/comparison.h"

void comparison_warn(struct hl_comparison *comparison, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
