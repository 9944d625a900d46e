/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Web pages: see drive_page.h. Lines keep their numbers, for as many empty ones stand before them.
 */
#include "drive_page.h"
#include "hoploss/alloc.h"
#include "markup.h"
#include <string.h>

#define MAX_LINES 2000 /* of one document */

/* "{&quot;a&quot;: …", or an opening bracket above such a line */
static bool begins(const struct hl_text *text, size_t at)
{
	struct hl_line line = hl_line_trim(text->lines[at]);
	bool is_bracket = line.len && (line.start[0] == '{' || line.start[0] == '[');

	if (hl_line_has(line, "&quot;"))
		return memchr(line.start, '{', line.len) || is_bracket;
	return is_bracket && at + 1 < text->nr_lines && hl_line_has(text->lines[at + 1], "&quot;");
}

struct hl_text *hl_drive_page_text(const struct hl_text *text, size_t at, size_t *ret_at)
{
	size_t nr = text->nr_lines - at, len = 0, meant_len = 0, skip;
	struct hl_text slice = hl_text_slice(text, at, nr < MAX_LINES ? nr : MAX_LINES);
	HL_FREE char *meant = NULL;
	HL_FREE char *padded = NULL;
	const char *bytes;

	if (!begins(text, at))
		return NULL;
	bytes = hl_text_bytes(&slice, &len);
	meant = markup_unescape(bytes, len, &meant_len);
	skip = text->lines[at].number - 1;
	padded = hl_alloc(skip + meant_len + 1);
	memset(padded, '\n', skip);
	memcpy(padded + skip, meant, meant_len);
	*ret_at = skip;
	return hl_text_new(text->name, padded, skip + meant_len);
}
