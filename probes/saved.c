/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved output of tools: see saved.h.
 */
#include "saved.h"
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include <fnmatch.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define MAX_LINE   256 /* of which is looked at */
#define MAX_PROMPT 5   /* words, with the tool's */
#define MAX_BROKEN 2   /* lines that the end of one may have become */

static void copy(char *to, size_t size, const char *from, size_t len)
{
	struct hl_line line = { .start = from, .len = (unsigned)len };

	line = hl_line_trim(line);
	if (line.len >= size)
		line.len = (unsigned)size - 1;
	memcpy(to, line.start, line.len);
	to[line.len] = '\0';
}

static bool is_gap(char c)
{
	return c == ' ' || c == '\t';
}

bool saved_pair_read(struct hl_line line, bool is_last, struct saved_pair *ret_pair)
{
	const char *found = NULL;
	size_t before;

	line = hl_line_trim(line);
	for (size_t i = 1; i < line.len && (is_last || !found); i++) {
		if (line.start[i] == ':' && (i + 1 == line.len || is_gap(line.start[i + 1])))
			found = line.start + i;
	}
	if (!found)
		return false;
	before = (size_t)(found - line.start);
	copy(ret_pair->name, sizeof(ret_pair->name), line.start, before);
	copy(ret_pair->value, sizeof(ret_pair->value), found + 1, line.len - before - 1);
	return ret_pair->name[0] != '\0';
}

/* Tabs and runs of blanks as one blank. */
static void copy_collapsed(char *to, size_t size, struct hl_line line)
{
	size_t used = 0;

	for (size_t i = 0; i < line.len && used < size - 1; i++) {
		bool is_in_gap = is_gap(line.start[i]);

		if (!is_in_gap || (used && to[used - 1] != ' '))
			to[used++] = is_in_gap ? ' ' : line.start[i];
	}
	to[used] = '\0';
}

bool saved_is_like(struct hl_line line, const char *const *patterns)
{
	char text[MAX_LINE];

	copy_collapsed(text, sizeof(text), hl_line_trim(line));
	for (; patterns && *patterns; patterns++) {
		const char first = **patterns;

		/* most lines differ in the first character, and fnmatch is slow */
		if (!strchr("*?[\\", first) && first != *text)
			continue;
		if (!fnmatch(*patterns, text, 0))
			return true;
	}
	return false;
}

bool saved_is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

bool saved_is_broken_off(const struct hl_text *text, size_t at,
			 bool (*knows)(const void *context, struct hl_line line),
			 const void *context)
{
	struct saved_pair pair;

	if (saved_pair_read(text->lines[at], false, &pair))
		return false;
	for (size_t i = at + 1; i < text->nr_lines && i <= at + MAX_BROKEN; i++) {
		if (saved_is_blank(text->lines[i]))
			return false;
		if (knows(context, text->lines[i]))
			return true;
	}
	return false;
}

/* "root@host:~#", "[root@host ~]$", "sudo", "%": what may stand before a command. */
static bool may_precede(const char *word, size_t len)
{
	return (len == 4 && !memcmp(word, "sudo", 4)) || strchr("#$%>", word[len - 1]);
}

static bool is_tool(const char *word, size_t len, const char *tool)
{
	size_t tool_len = strlen(tool);

	if (len < tool_len || memcmp(word + len - tool_len, tool, tool_len) != 0)
		return false;
	/* alone, with its path, or glued to the prompt */
	return len == tool_len || strchr("/#$%>", word[len - tool_len - 1]);
}

static size_t word_len(const char *at, const char *end)
{
	size_t len = 0;

	while (at + len < end && !is_gap(at[len]))
		len++;
	return len;
}

static size_t args_len(const char *at, const char *end)
{
	size_t len = 0;

	while (at + len < end && !strchr("|;&", at[len]))
		len++;
	return len;
}

bool saved_is_command(struct hl_line line, const char *tool, char *ret_args, size_t size)
{
	const char *at, *end;
	bool may_follow = true;

	line = hl_line_trim(line);
	at = line.start;
	end = line.start + line.len;
	for (int word = 0; word < MAX_PROMPT && at < end; word++) {
		size_t len = word_len(at, end);

		if (may_follow && is_tool(at, len, tool)) {
			if (ret_args)
				copy(ret_args, size, at + len, args_len(at + len, end));
			return true;
		}
		may_follow = may_precede(at, len);
		for (at += len; at < end && is_gap(*at);)
			at++;
	}
	return false;
}

static size_t last_of(const struct hl_text *text)
{
	size_t at = text->nr_lines;

	while (at && saved_is_blank(text->lines[at - 1]))
		at--;
	return at;
}

struct hl_line saved_last_line(const struct hl_text *text)
{
	size_t nr = last_of(text);

	return nr ? hl_line_trim(text->lines[nr - 1]) : (struct hl_line){ .len = 0 };
}

static void drop_last_word(struct hl_line *line)
{
	while (line->len && is_gap(line->start[line->len - 1]))
		line->len--;
	while (line->len && !is_gap(line->start[line->len - 1]))
		line->len--;
}

struct hl_text saved_drop_end(const struct hl_text *text, bool is_value, struct hl_line **ret_lines)
{
	struct hl_text rest = *text;
	struct hl_line *lines, *last;
	const char *colon;

	rest.nr_lines = last_of(text);
	*ret_lines = lines = hl_alloc((rest.nr_lines + 1) * sizeof(*lines));
	rest.lines = lines;
	if (!rest.nr_lines)
		return rest;
	memcpy(lines, text->lines, rest.nr_lines * sizeof(*lines));
	last = &lines[rest.nr_lines - 1];
	colon = is_value ? memchr(last->start, ':', last->len) : NULL;
	if (colon)
		last->len = (unsigned)(colon + 1 - last->start);
	else
		drop_last_word(last);
	return rest;
}

double saved_number(const char *value)
{
	size_t len = strcspn(value, " \t,%");
	double number;

	return hl_number_double(value, len, &number) < 0 ? NAN : number;
}

int saved_boolean(const char *value)
{
	static const struct {
		const char *word;
		int value;
	} words[] = {
		{ "on", 1 },  { "yes", 1 }, { "true", 1 },  { "enabled", 1 },
		{ "off", 0 }, { "no", 0 },  { "false", 0 }, { "disabled", 0 },
	};
	size_t len = strcspn(value, " \t,[(");

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strlen(words[i].word) == len && !strncasecmp(value, words[i].word, len))
			return words[i].value;
	}
	return -1;
}
