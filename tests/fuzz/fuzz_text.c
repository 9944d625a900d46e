/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes give lines that follow each other in one buffer, clean of what text.h takes away. */
#include "hoploss/text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_right)
{
	if (!is_right)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hl_text *text = hl_text_new("fuzz", (const char *)data, size);
	struct hl_text slice = hl_text_slice(text, size / 7, size / 3);
	size_t len, slice_len;
	const char *at = hl_text_bytes(text, &len);
	const char *end = at + len;
	unsigned number = 0; /* lines that a mail broke are joined: some are left out */

	hl_text_bytes(&slice, &slice_len);
	check(slice_len <= len);
	for (size_t i = 0; i < text->nr_lines; i++) {
		const struct hl_line *line = &text->lines[i];

		check(line->start == at && line->number > number);
		number = line->number;
		check(!memchr(at, '\n', line->len) && !memchr(at, '\r', line->len));
		check(!memchr(at, '\0', line->len) && !hl_line_has(*line, "\u00a0"));
		check(hl_line_trim(*line).len <= line->len);
		at += line->len;
		check(*at++ == '\n');
	}
	check(at == end);
	hl_text_free(text);
	return 0;
}
