/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion for bash, from the command tables. Names that the program knows (causes, specs,
 * suites) are asked of the program at the time of completing, so the file never ages.
 *
 * Surprising: bash cuts words at '=' (COMP_WORDBREAKS), so "--color=al" arrives as three words.
 */
#include "hoploss/args.h"
#include "hoploss/usage.h"
#include <string.h>

/* How the things are found that hl_option.values names in capitals. */
static const struct {
	const char *values, *find;
} lookups[] = {
	{ "FILE", "_hoploss_paths -f" },         { "DIR", "_hoploss_paths -d" },
	{ "BUNDLE", "_hoploss_paths -d" },       { "COMMAND", "_hoploss_names help" },
	{ "CAUSE", "_hoploss_names causes" },    { "SPEC", "_hoploss_names specs" },
	{ "SUITE", "_hoploss_names workloads" },
};

static const char head[] =
	"# Completion of hoploss(1) for bash. Made by \"hoploss help --completion bash\".\n"
	"\n"
	"_hoploss_paths()\n"
	"{\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\tmapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\")\n"
	"}\n"
	"\n"
	"_hoploss_words()\n"
	"{\n"
	"\tmapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$cur\")\n"
	"}\n"
	"\n"
	"# what the program itself lists, each under \"name\" or \"id\"\n"
	"_hoploss_names()\n"
	"{\n"
	"\t_hoploss_words \"$(hoploss \"$1\" --json 2>/dev/null |\n"
	"\t\tsed -n 's/^\\t\\t\\t\"\\(name\\|id\\)\": \"\\([^\"]*\\)\".*/\\2/p')\"\n"
	"}\n"
	"\n"
	"_hoploss()\n"
	"{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\n"
	"\tCOMPREPLY=()\n"
	"\tif [ \"$cur\" = = ]; then\n"
	"\t\tcur=\n"
	"\telif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
	"\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\tfi\n"
	"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n";

static void put_lookup(FILE *out, const char *values)
{
	for (size_t i = 0; i < sizeof(lookups) / sizeof(lookups[0]); i++) {
		if (!strcmp(lookups[i].values, values)) {
			fputs(lookups[i].find, out);
			return;
		}
	}
	fprintf(out, "_hoploss_words %s", values);
}

static void put_option_names(FILE *out, const struct hl_option *options)
{
	for (const struct hl_option *o = options; o && o->name; o++)
		fprintf(out, " --%s", o->name);
}

static void put_command(FILE *out, const struct hl_command *command)
{
	fprintf(out, "\t%s)\n\t\tcase $prev in\n", command->name);
	for (const struct hl_option *o = command->options; o && o->name; o++) {
		if (!o->arg)
			continue;
		fprintf(out, "\t\t--%s)\n\t\t\t", o->name);
		put_lookup(out, o->values ? o->values : "");
		fputs("\n\t\t\treturn\n\t\t\t;;\n", out);
	}
	fputs("\t\tesac\n\t\tcase $cur in\n\t\t-*)\n\t\t\t_hoploss_words", out);
	put_option_names(out, command->options);
	put_option_names(out, hl_common_options);
	fputs("\n\t\t\t;;\n\t\t*)\n\t\t\t", out);
	put_lookup(out, command->operand_values ? command->operand_values : "");
	fputs("\n\t\t\t;;\n\t\tesac\n\t\t;;\n", out);
}

void hl_completion_bash(FILE *out)
{
	fputs(head, out);
	fputs("\t\t_hoploss_words", out);
	for (size_t i = 0; hl_commands[i]; i++)
		fprintf(out, " %s", hl_commands[i]->name);
	fputs("\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n", out);
	for (size_t i = 0; hl_commands[i]; i++)
		put_command(out, hl_commands[i]);
	fputs("\tesac\n}\n\ncomplete -F _hoploss hoploss\n", out);
}
