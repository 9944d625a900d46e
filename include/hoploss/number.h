/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One strict reader per kind of number. The whole text must be the number: no blanks, no sign where
 * none can be, no overflow, no locale. -EINVAL = not a number, -ERANGE = does not fit.
 * ret_value is untouched on failure.
 */
#ifndef HOPLOSS_NUMBER_H
#define HOPLOSS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

int hl_number_u64(const char *text, size_t len, uint64_t *ret_value);
int hl_number_i64(const char *text, size_t len, int64_t *ret_value);
int hl_number_hex(const char *text, size_t len, uint64_t *ret_value);  /* with or without 0x */
int hl_number_double(const char *text, size_t len, double *ret_value); /* decimal, finite */

#endif
