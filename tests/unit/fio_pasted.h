/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happens to a text on its way from a terminal into a file: each returns a new one.
 */
#ifndef FIO_PASTED_H
#define FIO_PASTED_H

#include "hoploss/alloc.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct paste { /* a text that grows */
	char *text;
	size_t len;
	FILE *file;
};

static void paste_open(struct paste *paste)
{
	paste->file = open_memstream(&paste->text, &paste->len);
}

static char *paste_close(struct paste *paste)
{
	fclose(paste->file);
	return paste->text;
}

/* Each line, without its newline, through put. */
static char *each_line(const char *text, void (*put)(FILE *file, const char *line, size_t len))
{
	struct paste paste;

	paste_open(&paste);
	while (*text) {
		size_t len = strcspn(text, "\n");

		put(paste.file, text, len);
		text += len + (text[len] == '\n');
	}
	return paste_close(&paste);
}

static size_t indentation(const char *line, size_t len)
{
	size_t n = 0;

	while (n < len && line[n] == ' ')
		n++;
	return n;
}

static void put_crlf(FILE *file, const char *line, size_t len)
{
	fprintf(file, "%.*s\r\n", (int)len, line);
}

static void put_quoted(FILE *file, const char *line, size_t len)
{
	fprintf(file, "> %.*s\n", (int)len, line);
}

static void put_doubled(FILE *file, const char *line, size_t len)
{
	fprintf(file, "%.*s\n\n", (int)len, line);
}

static void put_unindented(FILE *file, const char *line, size_t len)
{
	size_t skip = indentation(line, len);

	fprintf(file, "%.*s\n", (int)(len - skip), line + skip);
}

static void put_indented(FILE *file, const char *line, size_t len)
{
	fprintf(file, "\t\t          %.*s   \n", (int)len, line);
}

static void put_collapsed(FILE *file, const char *line, size_t len)
{
	size_t skip = indentation(line, len);

	for (size_t i = skip; i < len; i++) {
		if (line[i] != ' ' || line[i - 1] != ' ')
			fputc(line[i], file);
	}
	fputc('\n', file);
}

static void put_escaped(FILE *file, const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool is_blank = line[i] == ' ' && i + 1 < len && line[i + 1] == ' ';

		if (line[i] == '<')
			fputs("&lt;", file);
		else if (line[i] == '>')
			fputs("&gt;", file);
		else
			fputs(is_blank ? "&nbsp;" : (char[]){ line[i], '\0' }, file);
	}
	fputs("<br>\n", file);
}

/* A mailer breaks at blanks, so that no line is longer than 72. */
static void put_wrapped(FILE *file, const char *line, size_t len)
{
	while (len > 72) {
		size_t cut = 72;

		while (cut > indentation(line, len) && line[cut] != ' ')
			cut--;
		if (cut == indentation(line, len))
			break;
		fprintf(file, "%.*s\n", (int)cut, line);
		line += cut + 1;
		len -= cut + 1;
	}
	fprintf(file, "%.*s\n", (int)len, line);
}

/* A terminal breaks anywhere. */
static void put_broken(FILE *file, const char *line, size_t len)
{
	for (; len > 80; line += 80, len -= 80)
		fprintf(file, "%.80s\n", line);
	fprintf(file, "%.*s\n", (int)len, line);
}

static char *between_prose(const char *text)
{
	return hl_printf("Hello,\n\nread is slow here: see below (with fio).\n\n%s\n\nThanks.\n",
			 text);
}

static const struct {
	const char *name;
	void (*put)(FILE *file, const char *line, size_t len);
} pastes[] = {
	{ "CR LF", put_crlf },
	{ "quoted", put_quoted },
	{ "an empty line after each", put_doubled },
	{ "indentation lost", put_unindented },
	{ "indented deeply", put_indented },
	{ "blanks collapsed", put_collapsed },
	{ "HTML", put_escaped },
	{ "broken by a mailer", put_wrapped },
	{ "broken by a terminal", put_broken },
};

#endif
