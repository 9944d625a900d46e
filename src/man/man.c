/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manual page, in roff with the man macros (man(7), groff_man(7)), from the command tables.
 * Only ASCII goes out: other characters are written as \[uXXXX].
 */
#include "hoploss/args.h"
#include "hoploss/usage.h"
#include "hoploss/version.h"
#include <stdbool.h>
#include <string.h>

static const char description[] =
	"Every hop of a storage path, from the drive to the application, takes its share of the "
	"bandwidth. hoploss keeps the budget: how much each layer takes, which one binds, what "
	"the evidence for the cause is, and what mending it would give. Every diagnosis is a "
	"replay of recorded input: the same bundle gives the same report, byte for byte.\n\n"
	"The report goes to standard output, all else to standard error. Rates are shown in MiB/s, "
	"with MB/s beside them where a datasheet is compared; in JSON they are bytes per second, "
	"latencies are nanoseconds and sizes bytes, and a key is absent when its value is unknown.";

static const struct {
	const char *name, *meaning;
} environment[] = {
	{ "NO_COLOR", "when set and not empty, no colour unless --color=always" },
	{ "TERM", "\"dumb\" means no colour" },
};

/* Takes one UTF-8 sequence off text; a stray byte gives U+FFFD. */
static unsigned take_character(const char **text)
{
	const unsigned char *t = (const unsigned char *)*text;
	int nr_more = t[0] >= 0xf0 ? 3 : t[0] >= 0xe0 ? 2 : t[0] >= 0xc0 ? 1 : 0;
	unsigned code = t[0] & (0x3f >> nr_more);

	(*text)++;
	for (int i = 1; i <= nr_more; i++) {
		if ((t[i] & 0xc0) != 0x80)
			return 0xfffd;
		code = code << 6 | (t[i] & 0x3f);
		(*text)++;
	}
	return nr_more ? code : 0xfffd;
}

/* len bytes of text, safe at the start of a line; in code and in "--name" a hyphen is a minus. */
static void put(FILE *out, const char *text, size_t len, bool is_code)
{
	const char *end = text + len;
	char last = '\0';

	if (len && (*text == '.' || *text == '\''))
		fputs("\\&", out);
	while (text < end) {
		char c = *text;

		if ((unsigned char)c >= 0x80) {
			fprintf(out, "\\[u%04X]", take_character(&text));
		} else {
			bool is_minus = c == '-' && (is_code || last == '-' || text[1] == '-');

			if (c == '\\')
				fputs("\\e", out);
			else
				fprintf(out, is_minus ? "\\%c" : "%c", c == '\n' ? ' ' : c);
			text++;
		}
		last = c;
	}
}

static void put_text(FILE *out, const char *text)
{
	put(out, text, strlen(text), false);
	fputc('\n', out);
}

static void put_code(FILE *out, const char *macro, const char *text)
{
	fprintf(out, "%s ", macro);
	put(out, text, strlen(text), true);
	fputc('\n', out);
}

static void put_paragraphs(FILE *out, const char *text)
{
	while (*text) {
		const char *gap = strstr(text, "\n\n");
		size_t len = gap ? (size_t)(gap - text) : strlen(text);

		fputs(".PP\n", out);
		put(out, text, len, false);
		fputc('\n', out);
		text += len;
		text += strspn(text, "\n");
	}
}

static void put_options(FILE *out, const struct hl_option *options)
{
	for (const struct hl_option *o = options; o && o->name; o++) {
		fputs(".TP\n", out);
		if (o->letter)
			fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
		fputs("\\fB\\-\\-", out);
		put(out, o->name, strlen(o->name), true);
		fputs("\\fR", out);
		if (o->arg) {
			fputs(" \\fI", out);
			put(out, o->arg, strlen(o->arg), true);
			fputs("\\fR", out);
		}
		fputc('\n', out);
		put_text(out, o->help);
	}
}

static void put_command(FILE *out, const struct hl_command *command)
{
	const char *usage = command->usage ? command->usage : "";

	put_code(out, ".SS", command->name);
	put_text(out, command->summary);
	fputs(".PP\n.nh\n.ad l\n\\fBhoploss ", out);
	put(out, command->name, strlen(command->name), true);
	fputs("\\fR ", out);
	put(out, usage, strlen(usage), true);
	fputs("\n.ad\n.hy\n", out);
	if (command->details)
		put_paragraphs(out, command->details);
	put_options(out, command->options);
}

static void put_examples(FILE *out, const struct hl_example *examples)
{
	for (const struct hl_example *e = examples; e && e->line; e++) {
		fputs(".TP\n", out);
		put_code(out, ".B", e->line);
		put_text(out, e->what);
	}
}

static void put_tail(FILE *out)
{
	fputs(".SH EXAMPLES\n", out);
	for (size_t i = 0; hl_commands[i]; i++)
		put_examples(out, hl_commands[i]->examples);
	fputs(".SH EXIT STATUS\n", out);
	for (const struct hl_exit_status *e = hl_exit_statuses; e->meaning; e++) {
		fprintf(out, ".TP\n.B %d\n", (int)e->code);
		put_text(out, e->meaning);
	}
	fputs(".SH ENVIRONMENT\n", out);
	for (size_t i = 0; i < sizeof(environment) / sizeof(environment[0]); i++) {
		fputs(".TP\n", out);
		put_code(out, ".B", environment[i].name);
		put_text(out, environment[i].meaning);
	}
	fputs(".SH SEE ALSO\n.BR fio (1),\n.BR iperf3 (1)\n", out);
}

void hl_man_write(FILE *out)
{
	fputs(".\\\" Made by \"hoploss help --man\" from the command tables.\n", out);
	fprintf(out, ".TH HOPLOSS 1 \"\" \"hoploss %s\" \"User Commands\"\n", HL_VERSION);
	fputs(".SH NAME\nhoploss \\- ", out);
	put_text(out, hl_summary);
	fputs(".SH SYNOPSIS\n\\fBhoploss\\fR \\fICOMMAND\\fR "
	      "[\\fIOPTION\\fR]... [\\fIWORD\\fR]...\n.SH DESCRIPTION\n",
	      out);
	put_paragraphs(out, description);
	fputs(".SH COMMANDS\n", out);
	for (size_t i = 0; hl_commands[i]; i++)
		put_command(out, hl_commands[i]);
	fputs(".SH OPTIONS OF EVERY COMMAND\n", out);
	put_options(out, hl_common_options);
	put_tail(out);
}
