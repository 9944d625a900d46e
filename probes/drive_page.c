/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Members without braces: see drive_page.h.
 */
#include "drive_page.h"
#include "hoploss/alloc.h"
#include "hoploss/json_extent.h"
#include <string.h>

#define MAX_LINES 2000 /* of one document */

/* bytes, behind that many empty lines. */
static struct hl_text *padded_text(const char *name, size_t skip, const char *bytes, size_t len)
{
	HL_FREE char *padded = hl_alloc(skip + len + 1);

	memset(padded, '\n', skip);
	memcpy(padded + skip, bytes, len);
	return hl_text_new(name, padded, skip + len);
}

/* "key" : value */
static bool is_member(struct hl_line line)
{
	const char *end;

	line = hl_line_trim(line);
	if (!line.len || line.start[0] != '"')
		return false;
	end = memchr(line.start + 1, '"', line.len - 1);
	for (; end && ++end < line.start + line.len;) {
		if (*end == ':')
			return true;
		if (*end != ' ' && *end != '\t')
			return false;
	}
	return false;
}

/* Lines of the members that begin at at. */
static size_t nr_of_members(const struct hl_text *text, size_t at)
{
	size_t end = at;

	while (end < text->nr_lines && end < at + MAX_LINES && is_member(text->lines[end])) {
		size_t nr = hl_json_extent(text, end);

		end += nr ? nr : 1;
	}
	return end - at;
}

static struct hl_text *embrace(const struct hl_text *text, size_t at, size_t skip)
{
	struct hl_text slice = hl_text_slice(text, at, nr_of_members(text, at));
	size_t len = 0;
	const char *bytes = hl_text_bytes(&slice, &len);
	HL_FREE char *meant = NULL;

	while (len && (bytes[len - 1] == '\n' || bytes[len - 1] == ' '))
		len--;
	meant = hl_printf("{%.*s}\n", (int)len, bytes);
	return padded_text(text->name, skip, meant, strlen(meant));
}

/* In the middle of something larger: looked at once, where that begins. */
static bool is_inside(const struct hl_text *text, size_t at)
{
	struct hl_line above;

	if (!at)
		return false;
	above = hl_line_trim(text->lines[at - 1]);
	return above.len && (strchr("{}[]", above.start[0]) || is_member(above));
}

struct hl_text *hl_drive_page_text(const struct hl_text *text, size_t at, size_t skip)
{
	if (is_inside(text, at) || !is_member(text->lines[at]))
		return NULL;
	return embrace(text, at, skip);
}
