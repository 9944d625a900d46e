/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output of common tools that is recognised and named, so that the user learns what was in a pasted
 * text, but not read here. Once a decoder reads one of them, its row leaves this file.
 *
 * Each is known by how its first line looks (glob(7) patterns on the line without its
 * indentation); it goes on to the next empty line, and behind that if a known line follows. JSON is
 * known by its keys.
 */
#include "formats.h"
#include "hoploss/json_extent.h"
#include <fnmatch.h>
#include <string.h>

#define MAX_LINE 256 /* of which is looked at */
#define MAX_SEEK 30  /* lines in which "has" must come */

struct other {
	const char *const *begins;
	const char *const *more; /* begin a paragraph that belongs to it, as those of begins do */
	const char *const *has;  /* one of its lines is like one of these */
	const char *const *keys; /* of JSON: it has one of them; empty = whatever it has */
	bool is_strict;          /* every line is like one of begins or more */
};

#define PATTERNS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void copy_line(struct hl_line line, char text[MAX_LINE])
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t len = trimmed.len < MAX_LINE - 1 ? trimmed.len : MAX_LINE - 1;

	memcpy(text, trimmed.start, len);
	text[len] = '\0';
}

static bool is_like(const char *text, const char *const *patterns)
{
	for (; patterns && *patterns; patterns++) {
		const char first = **patterns;

		if (!strchr("*?[\\", first) && first != *text)
			continue;
		if (!fnmatch(*patterns, text, 0))
			return true;
	}
	return false;
}

static bool is_known(const struct other *other, struct hl_line line)
{
	char text[MAX_LINE];

	copy_line(line, text);
	return is_like(text, other->begins) || is_like(text, other->more);
}

static bool is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

/* The end of what begins at at. */
static size_t find_end(const struct other *other, const struct hl_text *text, size_t at)
{
	size_t end = at + 1;

	for (size_t i = end; i < text->nr_lines; i++) {
		bool is_behind_blank = i > end;

		if (is_blank(text->lines[i]))
			continue;
		if ((is_behind_blank || other->is_strict) && !is_known(other, text->lines[i]))
			break;
		end = i + 1;
	}
	return end;
}

/* The first of the next lines that "has" asks for; at itself if it asks for none. */
static bool find_needed(const struct other *other, const struct hl_text *text, size_t at,
			size_t *ret_found)
{
	char line[MAX_LINE];

	for (size_t i = at; i < text->nr_lines && i < at + MAX_SEEK; i++) {
		copy_line(text->lines[i], line);
		if (!other->has || is_like(line, other->has)) {
			*ret_found = i;
			return true;
		}
	}
	return false;
}

static size_t claim_json(const struct other *other, const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	if (!*other->keys)
		return nr;
	for (const char *const *key = other->keys; nr && *key; key++) {
		if (hl_json_mentions(&slice, *key))
			return nr;
	}
	return 0;
}

static size_t claim_other(const struct other *other, const struct hl_text *text, size_t at)
{
	struct hl_line first = hl_line_trim(text->lines[at]);
	char line[MAX_LINE];
	size_t needed, end;

	if (other->keys && first.len && (first.start[0] == '{' || first.start[0] == '['))
		return claim_json(other, text, at);
	copy_line(first, line);
	if (!line[0] || !is_like(line, other->begins) || !find_needed(other, text, at, &needed))
		return 0;
	end = find_end(other, text, at);
	return needed < end ? end - at : 0;
}

/* A format that only claims. */
#define OTHER(id, its_name, its_summary, ...)                                                      \
	static const struct other id##_other = { __VA_ARGS__ };                                    \
                                                                                                   \
	static size_t id##_claim(const struct hl_text *text, size_t at)                            \
	{                                                                                          \
		return claim_other(&id##_other, text, at);                                         \
	}                                                                                          \
	const struct hl_format hl_format_##id = {                                                  \
		.name = its_name,                                                                  \
		.summary = its_summary,                                                            \
		.claim = id##_claim,                                                               \
	}

#define VALUE ": *"

OTHER(dmesg, "dmesg", "the kernel's log", .begins = PATTERNS("[[]*[0-9].[0-9]*[0-9][]] *"),
      .is_strict = true);

OTHER(fio_job_file, "fio-job-file", "a job file of fio", .begins = PATTERNS("[[]*[]]"),
      .more = PATTERNS("[[]*[]]", "#*", ";*"),
      .has = PATTERNS("rw=*", "readwrite=*", "ioengine=*", "blocksize=*", "bs=*", "iodepth=*"));

static const char *const no_keys[] = { NULL };

OTHER(json, "json", "JSON of another tool", .keys = no_keys);
