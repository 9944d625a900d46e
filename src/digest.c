/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Digests of blocks: see hoploss/digest.h.
 */
#include "hoploss/digest.h"
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void hl_digest(const void *bytes, size_t len, char ret_hex[HL_DIGEST_TEXT])
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, len, bytes);
	sha256_digest(&context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(ret_hex + 2 * i, 3, "%02x", digest[i]);
}

bool hl_digest_is_zero(const void *bytes, size_t len)
{
	const char *at = bytes;

	return len == 0 || (at[0] == 0 && !memcmp(at, at + 1, len - 1));
}
