/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filling a struct hl_error: see hoploss/error.h.
 */
#include "hoploss/error.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void replace_controls(char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f)
			*text = '?';
	}
}

/* Marks a cut text with "...", never in the middle of a UTF-8 sequence. */
static void mark_cut(char *text, size_t size)
{
	size_t end = size - sizeof("...");

	while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	memcpy(text + end, "...", sizeof("..."));
}

int hl_fail(struct hl_error *err, int code, const char *format, ...)
{
	va_list args;
	int len;

	assert(code > 0);
	if (!err)
		return -code;
	err->code = code;
	va_start(args, format);
	len = vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	if (len >= (int)sizeof(err->text))
		mark_cut(err->text, sizeof(err->text));
	replace_controls(err->text);
	return -code;
}
