/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Base64: see hoploss/base64.h.
 */
#include "hoploss/base64.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <nettle/base64.h>
#include <stdint.h>
#include <string.h>

char *hl_base64_encode(const char *bytes, size_t len)
{
	char *text = hl_alloc(BASE64_ENCODE_RAW_LENGTH(len) + 1);

	base64_encode_raw(text, len, (const uint8_t *)bytes);
	return text;
}

int hl_base64_decode(const char *text, char **ret_bytes, size_t *ret_len)
{
	size_t text_len = strlen(text), len = BASE64_DECODE_LENGTH(text_len);
	HL_FREE char *bytes = hl_alloc(len + 1);
	struct base64_decode_ctx context;

	base64_decode_init(&context);
	if (!base64_decode_update(&context, &len, (uint8_t *)bytes, text_len, text) ||
	    !base64_decode_final(&context))
		return -EBADMSG;
	*ret_bytes = bytes;
	*ret_len = len;
	bytes = NULL;
	return 0;
}
