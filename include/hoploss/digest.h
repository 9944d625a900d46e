/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a block holds, in so few bytes that two hosts can compare it: SHA-256 (FIPS 180-4) by
 * nettle, behind src/digest.c, the only file that includes it.
 */
#ifndef HOPLOSS_DIGEST_H
#define HOPLOSS_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#define HL_DIGEST_TEXT 65 /* hexadecimal, with the NUL */

void hl_digest(const void *bytes, size_t len, char ret_hex[HL_DIGEST_TEXT]);
bool hl_digest_is_zero(const void *bytes, size_t len); /* nothing but zeros? */

#endif
