/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Base64 (RFC 4648, part 4) by nettle, behind src/base64.c, the only file that includes it.
 */
#ifndef HOPLOSS_BASE64_H
#define HOPLOSS_BASE64_H

#include <stddef.h>

char *hl_base64_encode(const char *bytes, size_t len); /* to be freed */
/* Bytes, NUL-terminated, to be freed. -EBADMSG: no base64, or cut short. */
int hl_base64_decode(const char *text, char **ret_bytes, size_t *ret_len);

#endif
