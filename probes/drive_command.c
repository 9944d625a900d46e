/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that people paste with what they printed, and the device in them: see drive.h. JSON and
 * most of smartctl's text do not say which device they are about.
 */
#include "drive.h"
#include <ctype.h>
#include <string.h>

#define MAX_PROMPT 80

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

bool hl_drive_is_command(struct hl_line line, const char *tool)
{
	size_t len = strlen(tool);
	const char *at = line.start, *end = line.start + line.len;

	while ((at = memmem(at, (size_t)(end - at), tool, len))) {
		bool is_begin = at == line.start || !is_word_char(at[-1]);

		at += len;
		if (is_begin && at < end && *at == ' ')
			return true;
	}
	return false;
}

const char *hl_drive_device(struct hl_line line, size_t *ret_len)
{
	static const char prefix[] = "/dev/";
	const char *at = memmem(line.start, line.len, prefix, strlen(prefix));
	const char *end = line.start + line.len, *stop;

	if (!at)
		return NULL;
	for (stop = at + strlen(prefix); stop < end && (is_word_char(*stop) || *stop == '/');
	     stop++)
		;
	*ret_len = (size_t)(stop - at);
	return at;
}

/* "ID# ATTRIBUTE_NAME", "# 1  Short offline  Completed": smartctl's own. */
static bool is_of_table(struct hl_line line)
{
	unsigned i = 1;

	while (i < line.len && line.start[i] == ' ')
		i++;
	return hl_line_starts(line, "ID# ") ||
	       (hl_line_starts(line, "#") && i < line.len && isdigit((unsigned char)line.start[i]));
}

/* "user@host:~$ ", "[root@host ~]# ", "host# ": a sign and a blank behind at most one blank. */
bool hl_drive_is_prompt(struct hl_line line)
{
	unsigned nr_blanks = 0;

	line = hl_line_trim(line);
	if (is_of_table(line))
		return false;
	for (unsigned i = 0; i < line.len && i < MAX_PROMPT; i++) {
		bool is_sign = strchr("$#%>", line.start[i]) && line.start[i];
		bool is_last = i + 1 == line.len || line.start[i + 1] == ' ';

		if (is_sign && is_last && i + 1 < line.len && line.start[i + 1] == ' ')
			return i == 0 || memchr(line.start, '@', i) || memchr(line.start, '~', i) ||
			       memchr(line.start, '\\', i) || !nr_blanks;
		nr_blanks += line.start[i] == ' ';
		if (nr_blanks > 1)
			return false;
	}
	return false;
}
