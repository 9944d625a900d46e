/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --help from the command tables. Always 80 columns, so that what is quoted in a mail reads the
 * same everywhere.
 */
#include "hoploss/usage.h"
#include "hoploss/alloc.h"
#include "hoploss/args.h"
#include "hoploss/escape.h"
#include <string.h>

#define WIDTH       80
#define HELP_COLUMN 26

const char hl_summary[] = "say where a storage path loses its bandwidth";

const struct hl_exit_status hl_exit_statuses[] = {
	{ HL_EXIT_OK, "nothing found, or PASS" },
	{ HL_EXIT_FINDINGS, "findings, or FAIL" },
	{ HL_EXIT_USAGE, "the command line is wrong" },
	{ HL_EXIT_UNABLE, "could not do the job: nothing readable, or the report not written" },
	{ HL_EXIT_INCOMPLETE, "done, but incomplete: some inputs were unusable or a job in them "
			      "failed (comes before 1)" },
	{ 0 },
};

const struct hl_command *hl_command_find(const char *name)
{
	for (size_t i = 0; hl_commands[i]; i++) {
		if (!strcmp(hl_commands[i]->name, name))
			return hl_commands[i];
	}
	return NULL;
}

/* One paragraph, filled; the cursor stands at column "at", later lines start at indent. */
static void print_filled(FILE *out, const char *text, size_t len, size_t at, size_t indent)
{
	const char *end = text + len;
	bool is_first = true;

	for (const char *word = text; word < end;) {
		size_t word_len = strcspn(word, " \n");
		size_t width;

		if (word_len > (size_t)(end - word))
			word_len = (size_t)(end - word);
		width = hl_escape_columns_part(word, word_len, HL_ESCAPE_TEXT);
		if (!is_first && at + 1 + width > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!is_first) {
			fputc(' ', out);
			at++;
		}
		hl_escape_put_part(out, word, word_len, HL_ESCAPE_TEXT, 0);
		at += width;
		is_first = false;
		word += word_len;
		word += strspn(word, " \n");
	}
	fputc('\n', out);
}

/* Paragraphs are parted by an empty line. */
void hl_usage_paragraphs(FILE *out, const char *text)
{
	while (*text) {
		const char *gap = strstr(text, "\n\n");
		size_t len = gap ? (size_t)(gap - text) : strlen(text);

		fputc('\n', out);
		print_filled(out, text, len, 0, 0);
		text += len;
		text += strspn(text, "\n");
	}
}

void hl_usage_row(FILE *out, const char *left, const char *right)
{
	size_t width = 2;

	fputs("  ", out);
	width += hl_escape_put(out, left, HL_ESCAPE_TEXT, 0);
	if (width + 2 > HELP_COLUMN)
		fprintf(out, "\n%*s", HELP_COLUMN, "");
	else
		fprintf(out, "%*s", (int)(HELP_COLUMN - width), "");
	print_filled(out, right, strlen(right), HELP_COLUMN, HELP_COLUMN);
}

static void print_options(FILE *out, const struct hl_option *options)
{
	for (const struct hl_option *o = options; o && o->name; o++) {
		HL_FREE char *letter = o->letter ? hl_printf("-%c, ", o->letter) : hl_strdup("");
		HL_FREE char *left = hl_printf("%s--%s%s%s", letter, o->name, o->arg ? " " : "",
					       o->arg ? o->arg : "");

		hl_usage_row(out, left, o->help);
	}
}

static void print_examples(FILE *out, const struct hl_example *examples)
{
	if (!examples)
		return;
	fprintf(out, "\nexamples:\n");
	for (const struct hl_example *e = examples; e->line; e++) {
		fprintf(out, "  %s\n      ", e->line);
		print_filled(out, e->what, strlen(e->what), 6, 6);
	}
}

static void print_exit_statuses(FILE *out)
{
	fprintf(out, "\nexit status:\n");
	for (const struct hl_exit_status *e = hl_exit_statuses; e->meaning; e++) {
		fprintf(out, "  %d   ", e->code);
		print_filled(out, e->meaning, strlen(e->meaning), 6, 6);
	}
}

void hl_usage_line(const struct hl_command *command, FILE *out)
{
	HL_FREE char *usage = hl_printf("usage: hoploss %s %s", command->name,
					command->usage ? command->usage : "");

	print_filled(out, usage, strlen(usage), 0, 8);
}

void hl_usage_command(const struct hl_command *command, FILE *out)
{
	HL_FREE char *title = hl_printf("hoploss %s: %s", command->name, command->summary);

	print_filled(out, title, strlen(title), 0, 8);
	fputc('\n', out);
	hl_usage_line(command, out);
	if (command->details)
		hl_usage_paragraphs(out, command->details);
	fprintf(out, "\noptions:\n");
	print_options(out, command->options);
	print_options(out, hl_common_options);
	print_examples(out, command->examples);
	print_exit_statuses(out);
}

void hl_usage_overview(FILE *out)
{
	fprintf(out, "hoploss: %s\n\nusage: hoploss COMMAND [OPTION]... [WORD]...\n\ncommands:\n",
		hl_summary);
	for (size_t i = 0; hl_commands[i]; i++)
		hl_usage_row(out, hl_commands[i]->name, hl_commands[i]->summary);
	fprintf(out, "\n\"hoploss help COMMAND\" or \"hoploss COMMAND --help\" says more.\n");
	print_exit_statuses(out);
}
