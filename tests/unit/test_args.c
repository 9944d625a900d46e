/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command line is cut up by its table, and every mistake in it is named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/args.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static enum hl_exit run_nothing(const struct hl_args *args)
{
	(void)args;
	return HL_EXIT_OK;
}

static const struct hl_option options[] = {
	{ .name = "hop", .arg = "NAME=FILE", .help = "a hop", .may_repeat = true },
	{ .name = "out", .letter = 'o', .arg = "DIR", .help = "where to" },
	{ .name = "quick", .help = "a switch" },
	{ 0 },
};

static const struct hl_command command = {
	.name = "walk",
	.summary = "walks",
	.options = options,
	.max_operands = 2,
	.run = run_nothing,
};

/* Words parted by blanks, "_" for an empty one. */
static int parse(const char *line, char *buffer, struct hl_args **ret_args, struct hl_error *err)
{
	char *words[16];
	int nr = 0;

	strcpy(buffer, line);
	for (char *word = strtok(buffer, " "); word; word = strtok(NULL, " ")) {
		if (!strcmp(word, "_"))
			*word = '\0';
		words[nr++] = word;
	}
	return hl_args_parse(&command, nr, words, ret_args, err);
}

static void options_and_operands_keep_their_order(void **unused)
{
	HL_ARGS struct hl_args *args = NULL;
	char buffer[128], seen[128] = "";
	const char *name, *value;

	(void)unused;
	assert_int_equal(parse("a --hop x=1 --quick b --hop=y=2 -o d", buffer, &args, NULL), 0);
	for (size_t i = 0; hl_args_each(args, i, &name, &value); i++)
		sprintf(seen + strlen(seen), "%s:%s|", name ? name : "", value ? value : "");
	assert_string_equal(seen, ":a|hop:x=1|quick:|:b|hop:y=2|out:d|");
	assert_string_equal(hl_args_value(args, "hop", 1), "y=2");
	assert_null(hl_args_value(args, "hop", 2));
	assert_int_equal(hl_args_nr_operands(args), 2);
	assert_string_equal(hl_args_operand(args, 1), "b");
	assert_true(hl_args_has(args, "quick"));
	assert_false(hl_args_json(args));
}

static void two_dashes_end_the_options(void **unused)
{
	HL_ARGS struct hl_args *args = NULL;
	char buffer[128];

	(void)unused;
	assert_int_equal(parse("--json -- --quick -o", buffer, &args, NULL), 0);
	assert_true(hl_args_json(args));
	assert_false(hl_args_has(args, "quick"));
	assert_string_equal(hl_args_operand(args, 0), "--quick");
	assert_string_equal(hl_args_operand(args, 1), "-o");
}

static void a_lone_dash_and_an_empty_word_are_operands(void **unused)
{
	HL_ARGS struct hl_args *args = NULL;
	char buffer[128];

	(void)unused;
	assert_int_equal(parse("- _", buffer, &args, NULL), 0);
	assert_string_equal(hl_args_operand(args, 0), "-");
	assert_string_equal(hl_args_operand(args, 1), "");
}

static void an_empty_value_is_a_value(void **unused)
{
	HL_ARGS struct hl_args *args = NULL;
	char buffer[128];

	(void)unused;
	assert_int_equal(parse("--out=", buffer, &args, NULL), 0);
	assert_string_equal(hl_args_value(args, "out", 0), "");
}

static void help_is_given_whatever_else_is_wrong_with_the_operands(void **unused)
{
	HL_ARGS struct hl_args *args = NULL;
	char buffer[128];

	(void)unused;
	assert_int_equal(parse("a b c -h", buffer, &args, NULL), 0);
	assert_true(hl_args_has(args, "help"));
}

static void every_mistake_is_named(void **unused)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{ "--quik", "walk has no option --quik; did you mean --quick?" },
		{ "--qui=3", "walk has no option --qui; did you mean --quick?" },
		{ "--zzzzzz", "walk has no option --zzzzzz" },
		{ "-z", "walk has no option -z" },
		{ "-od", "walk has no option -od" },
		{ "---", "walk has no option ---" },
		{ "--=x", "walk has no option --" },
		{ "--quick=yes", "--quick takes no value" },
		{ "--out", "--out needs a value: --out DIR" },
		{ "--out --quick", "--out needs a value: --out DIR" },
		{ "--out a -o b", "--out is given twice" },
		{ "--quick --quick", "--quick is given twice" },
		{ "a b c", "walk: one word too many: c" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hl_args *args = NULL;
		struct hl_error err = { 0 };
		char buffer[128];

		assert_int_equal(parse(cases[i].line, buffer, &args, &err), -EINVAL);
		assert_string_equal(err.text, cases[i].text);
		assert_null(args);
	}
}

static void a_full_name_is_wanted(void **unused)
{
	HL_ARGS struct hl_args *args = NULL;
	char buffer[128];

	(void)unused;
	assert_int_equal(parse("--js", buffer, &args, NULL), -EINVAL);
}

static void what_is_behind_two_dashes_is_kept_as_it_is(void **unused)
{
	static char quick[] = "--quick", dashes[] = "--", name[] = "-name=x", json[] = "--json";
	char *const words[] = { quick, dashes, name, dashes, json };
	struct hl_command taking = command;
	HL_ARGS struct hl_args *args = NULL;
	const char *const *rest;
	size_t nr;

	(void)unused;
	taking.takes_rest = true;
	assert_int_equal(hl_args_parse(&taking, 5, words, &args, NULL), 0);
	rest = hl_args_rest(args, &nr);
	assert_int_equal(nr, 3);
	assert_string_equal(rest[0], "-name=x");
	assert_string_equal(rest[2], "--json");
	assert_true(hl_args_has(args, "quick"));
	assert_false(hl_args_json(args));
	assert_int_equal(hl_args_nr_operands(args), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_operands_keep_their_order),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_lone_dash_and_an_empty_word_are_operands),
		cmocka_unit_test(an_empty_value_is_a_value),
		cmocka_unit_test(help_is_given_whatever_else_is_wrong_with_the_operands),
		cmocka_unit_test(every_mistake_is_named),
		cmocka_unit_test(a_full_name_is_wanted),
		cmocka_unit_test(what_is_behind_two_dashes_is_kept_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
