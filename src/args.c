/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsing of options and operands by the tables of struct hl_command: see hoploss/args.h.
 */
#include "hoploss/args.h"
#include "hoploss/alloc.h"
#include "hoploss/near.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct given {
	const struct hl_option *option; /* NULL = an operand */
	const char *value;              /* NULL for a switch */
};

struct hl_args {
	const struct hl_command *command;
	struct given *given;
	size_t nr_given;
	char *const *rest;
	size_t nr_rest;
};

struct words { /* what is left to read */
	char *const *next;
	int nr_left;
	bool is_past_options; /* "--" was seen */
};

const struct hl_option hl_common_options[] = {
	{ .name = "json", .help = "print JSON instead of text" },
	{ .name = "help", .letter = 'h', .help = "print this help and exit" },
	{ 0 },
};

void hl_args_free(struct hl_args *args)
{
	if (args)
		free(args->given);
	free(args);
}

static void add_given(struct hl_args *args, const struct hl_option *option, const char *value)
{
	args->given = hl_grow(args->given, args->nr_given + 1, sizeof(*args->given));
	args->given[args->nr_given++] = (struct given){ option, value };
}

static bool is_named(const struct hl_option *option, const char *word, size_t len)
{
	if (word[1] != '-')
		return option->letter && len == 2 && word[1] == option->letter;
	return strlen(option->name) == len - 2 && !memcmp(option->name, word + 2, len - 2);
}

/* The option that the first len characters of word name, dashes and all. */
static const struct hl_option *find_option(const struct hl_command *command, const char *word,
					   size_t len)
{
	const struct hl_option *tables[] = { command->options, hl_common_options };

	for (size_t i = 0; i < 2; i++) {
		for (const struct hl_option *o = tables[i]; o && o->name; o++) {
			if (is_named(o, word, len))
				return o;
		}
	}
	return NULL;
}

static int fail_unknown(const struct hl_command *command, const char *word, size_t len,
			struct hl_error *err)
{
	const struct hl_option *tables[] = { command->options, hl_common_options };
	HL_FREE char *wanted = hl_strndup(word, len);
	struct hl_near near;

	hl_near_start(&near, wanted[1] == '-' ? wanted + 2 : wanted + 1);
	for (size_t i = 0; i < 2; i++) {
		for (const struct hl_option *o = tables[i]; o && o->name; o++)
			hl_near_offer(&near, o->name);
	}
	if (!near.nr_names)
		return hl_fail(err, EINVAL, "%s has no option %s", command->name, wanted);
	return hl_fail(err, EINVAL, "%s has no option %s; did you mean --%s?", command->name,
		       wanted, near.names[0]);
}

static char *take_word(struct words *words)
{
	words->nr_left--;
	return *words->next++;
}

static int read_option(struct hl_args *args, struct words *words, struct hl_error *err)
{
	const char *word = take_word(words);
	const char *value = word[1] == '-' ? strchr(word, '=') : NULL;
	size_t len = value ? (size_t)(value - word) : strlen(word);
	const struct hl_option *option = find_option(args->command, word, len);

	if (!option)
		return fail_unknown(args->command, word, len, err);
	if (!option->may_repeat && hl_args_has(args, option->name))
		return hl_fail(err, EINVAL, "--%s is given twice", option->name);
	if (value)
		value++;
	if (!option->arg && value)
		return hl_fail(err, EINVAL, "--%s takes no value", option->name);
	if (option->arg && !value) {
		bool has_next = words->nr_left && strncmp(*words->next, "--", 2) != 0;

		if (!has_next)
			return hl_fail(err, EINVAL, "--%s needs a value: --%s %s", option->name,
				       option->name, option->arg);
		value = take_word(words);
	}
	if (option->arg && !strcmp(option->arg, "DIR") && !strcmp(value, "-"))
		return hl_fail(err, EINVAL,
			       "--%s -: a directory is made, which stdout cannot be (./- is one)",
			       option->name);
	add_given(args, option, value);
	return 0;
}

static int read_word(struct hl_args *args, struct words *words, struct hl_error *err)
{
	const char *word = *words->next;

	if (!words->is_past_options && !strcmp(word, "--")) {
		words->is_past_options = true;
		take_word(words);
		if (args->command->takes_rest) {
			args->rest = words->next;
			args->nr_rest = (size_t)words->nr_left;
			words->nr_left = 0;
		}
		return 0;
	}
	if (!words->is_past_options && word[0] == '-' && word[1])
		return read_option(args, words, err);
	add_given(args, NULL, take_word(words));
	return 0;
}

static int check_operands(const struct hl_args *args, struct hl_error *err)
{
	int max = args->command->max_operands;

	if (max < 0 || hl_args_nr_operands(args) <= (size_t)max)
		return 0;
	return hl_fail(err, EINVAL, "%s: one word too many: %s", args->command->name,
		       hl_args_operand(args, (size_t)max));
}

int hl_args_parse(const struct hl_command *command, int argc, char *const *argv,
		  struct hl_args **ret_args, struct hl_error *err)
{
	HL_ARGS struct hl_args *args = hl_alloc(sizeof(*args));
	struct words words = { .next = argv, .nr_left = argc };
	int r = 0;

	args->command = command;
	while (words.nr_left > 0 && r == 0)
		r = read_word(args, &words, err);
	if (r == 0 && !hl_args_has(args, "help"))
		r = check_operands(args, err);
	if (r < 0)
		return r;
	*ret_args = args;
	args = NULL;
	return 0;
}

const struct hl_command *hl_args_command(const struct hl_args *args)
{
	return args->command;
}

bool hl_args_each(const struct hl_args *args, size_t index, const char **ret_name,
		  const char **ret_value)
{
	if (index >= args->nr_given)
		return false;
	*ret_name = args->given[index].option ? args->given[index].option->name : NULL;
	*ret_value = args->given[index].value;
	return true;
}

/* The index-th of those given under name; NULL = operands. */
static const struct given *find_given(const struct hl_args *args, const char *name, size_t index)
{
	for (size_t i = 0; i < args->nr_given; i++) {
		const struct hl_option *option = args->given[i].option;
		bool is_match = name ? option && !strcmp(option->name, name) : !option;

		if (is_match && index-- == 0)
			return &args->given[i];
	}
	return NULL;
}

const char *hl_args_value(const struct hl_args *args, const char *name, size_t index)
{
	const struct given *given = find_given(args, name, index);

	return given ? given->value : NULL;
}

bool hl_args_has(const struct hl_args *args, const char *name)
{
	return find_given(args, name, 0);
}

size_t hl_args_nr_operands(const struct hl_args *args)
{
	size_t nr = 0;

	for (size_t i = 0; i < args->nr_given; i++)
		nr += !args->given[i].option;
	return nr;
}

const char *hl_args_operand(const struct hl_args *args, size_t index)
{
	const struct given *given = find_given(args, NULL, index);

	return given ? given->value : NULL;
}

bool hl_args_json(const struct hl_args *args)
{
	return hl_args_has(args, "json");
}

const char *const *hl_args_rest(const struct hl_args *args, size_t *ret_nr)
{
	*ret_nr = args->nr_rest;
	return (const char *const *)args->rest;
}
