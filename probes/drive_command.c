/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that people paste with what they printed, and the device in them: see drive.h. JSON and
 * most of smartctl's text do not say which device they are about.
 */
#include "drive.h"
#include <ctype.h>
#include <string.h>

#define MAX_PROMPT  80
#define MAX_ABOVE   3 /* lines between a command and what it printed */
#define MAX_HEADING 4 /* words */

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

/* ---- headings ---- */

static bool is_ornament(char c)
{
	return c && strchr("#=*-_:<>[](){}`|~\"' \t.,", c);
}

/* "sda", "nvme0", "nvme0n1": how the kernel calls a drive */
static bool is_kernel_name(const char *word, size_t len)
{
	if (len >= 3 && len <= 4 && (!memcmp(word, "sd", 2) || !memcmp(word, "hd", 2)))
		return islower((unsigned char)word[2]) &&
		       (len == 3 || islower((unsigned char)word[3]));
	return len >= 5 && !memcmp(word, "nvme", 4) && isdigit((unsigned char)word[4]);
}

const char *hl_drive_headline(struct hl_line line, size_t *ret_len)
{
	const char *at = line.start, *end = line.start + line.len, *device = NULL;
	size_t nr = 0;

	while (at < end) {
		const char *word = at;

		for (; at < end && !is_ornament(*at); at++)
			;
		if (at == word) {
			at++;
			continue;
		}
		if (++nr > MAX_HEADING)
			return NULL;
		if (device ||
		    (strncmp(word, "/dev/", 5) != 0 && !is_kernel_name(word, (size_t)(at - word))))
			continue;
		device = word;
		*ret_len = (size_t)(at - word);
	}
	return device;
}

/* ---- what stands above an output ---- */

static bool is_between(struct hl_line line)
{
	line = hl_line_trim(line);
	return !line.len || hl_line_starts(line, "```") || hl_line_starts(line, "[sudo] ");
}

/* A command or a heading; the device in it, if any. */
static bool is_above(struct hl_line line, const char *tool, const char **ret_device,
		     size_t *ret_len)
{
	*ret_device = NULL;
	if (hl_drive_is_command(line, tool)) {
		*ret_device = hl_drive_device(line, ret_len);
		return true;
	}
	*ret_device = hl_drive_headline(line, ret_len);
	return *ret_device;
}

size_t hl_drive_skip_command(const struct hl_text *text, size_t at, const char *tool)
{
	size_t next = at + 1, len;
	const char *device;

	if (!is_above(text->lines[at], tool, &device, &len))
		return at;
	while (next < text->nr_lines && next <= at + MAX_ABOVE && is_between(text->lines[next]))
		next++;
	return next < text->nr_lines ? next : at;
}

bool hl_drive_take_command(struct hl_drive *drive, const struct hl_text *slice, size_t at,
			   const char *tool)
{
	const char *device;
	size_t len;

	if (at > MAX_ABOVE || !is_above(slice->lines[at], tool, &device, &len))
		return false;
	if (device)
		hl_drive_name(drive, device, len);
	return true;
}

/* ---- prompts ---- */

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
