/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Double line spacing, as mailers and editors make it.
 */
#include "hoploss/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void double_line_spacing_is_closed_up(void **state)
{
	static const char spaced[] = "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\ng\n\nh\n\n\nz\n";
	struct hl_text *text = hl_text_new("t", spaced, strlen(spaced));

	(void)state;
	assert_int_equal(11, text->nr_lines);
	assert_int_equal('h', text->lines[7].start[0]);
	assert_int_equal(15, text->lines[7].number);
	hl_text_free(text);
}

static void paragraphs_stay_apart(void **state)
{
	static const char paragraphs[] = "a\n\nb\n\nc\n\nd\n\ne\nf\n\ng\n\nh\n\ni\n";
	struct hl_text *text = hl_text_new("t", paragraphs, strlen(paragraphs));

	(void)state;
	assert_int_equal(16, text->nr_lines);
	hl_text_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(double_line_spacing_is_closed_up),
		cmocka_unit_test(paragraphs_stay_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
