/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/quoted_printable.h"
#include "hoploss/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ENCODED                                                                                    \
	"  read: IOPS=3D10.0k, BW=3D39.1MiB/s (41.0MB/s)(391MiB/10000msec)\n"                      \
	"     | 50.00th=3D[  255], 60.00th=3D[=\n"                                                 \
	"  293],\n"                                                                                \
	"  cpu          : usr=3D2.35%, sys=3D28.40%, minf=3D9=\n"                                  \
	"7\n"

static void check_line(const char *in, const char *expected, bool is_going_on)
{
	char line[128];
	bool goes_on;
	size_t len = strlen(in);

	memcpy(line, in, len);
	len = hl_qp_decode(line, len, &goes_on);
	if (len != strlen(expected) || memcmp(line, expected, len) != 0)
		fail_msg("\"%s\": \"%.*s\"", in, (int)len, line);
	assert_int_equal(is_going_on, goes_on);
}

static void a_line_is_decoded(void **state)
{
	(void)state;
	check_line("", "", false);
	check_line("plain", "plain", false);
	check_line("usr=3D2.35%", "usr=2.35%", false);
	check_line("a=20", "a ", false);
	check_line("a=C2=A0b=E2=80=93", "a\u00a0b\u2013", false);
	check_line("a=", "a", true);
	check_line("a= \t", "a", true);
	check_line("=", "", true);
	check_line("x=3D=", "x=", true);
}

static void what_no_encoder_writes_is_left_alone(void **state)
{
	static const char *const lines[] = {
		"IOPS=10.0k, BW=3D",    ">=64=0.0%", "usr=3d2.35%", "a=0A", "a=00",
		"total=3D1, short=0,0", "a=3",       "a=G0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		check_line(lines[i], lines[i], false);
}

static void it_takes_several_lines_to_believe_it(void **state)
{
	(void)state;
	assert_true(hl_qp_is_in(ENCODED, strlen(ENCODED)));
	assert_false(hl_qp_is_in("a=3D1, b=3D2, c=3D3\nd=3D4\n", 27));
	assert_false(hl_qp_is_in("", 0));
}

static void blanks_at_the_ends_and_broken_lines_show_it_too(void **state)
{
	static const char in[] =
		"[  5]   0.00-1.00   sec  12.5 MBytes   105 Mbits/sec                 =20\r\n"
		"[  5]   0.00-10.00  sec   134 MBytes   112 Mbits/sec                  recei=\r\n"
		"ver\n"
		"=20\n"
		" =20\n";
	static const char plain[] = "a =20\nb =20\n==========\n-l =20x\nmin=20, max=20\n";

	(void)state;
	assert_true(hl_qp_is_in(in, strlen(in)));
	assert_true(hl_qp_is_in("=09a: 1\n=09b: 2\n=09=09c: 3\n", 25));
	assert_false(hl_qp_is_in(plain, strlen(plain)));
}

static void broken_lines_are_joined_and_keep_their_numbers(void **state)
{
	struct hl_text *text = hl_text_new("t", ENCODED "last\n", strlen(ENCODED "last\n"));
	static const char expected[] =
		"  read: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(391MiB/10000msec)\n"
		"     | 50.00th=[  255], 60.00th=[  293],\n"
		"  cpu          : usr=2.35%, sys=28.40%, minf=97\n"
		"last\n";
	static const unsigned numbers[] = { 1, 2, 4, 6 };
	size_t len;
	const char *bytes = hl_text_bytes(text, &len);

	(void)state;
	assert_int_equal(strlen(expected), len);
	assert_memory_equal(expected, bytes, len);
	assert_int_equal(4, text->nr_lines);
	for (size_t i = 0; i < text->nr_lines; i++)
		assert_int_equal(numbers[i], text->lines[i].number);
	hl_text_free(text);
}

static void an_encoded_quote_is_unquoted(void **state)
{
	static const char in[] = "> a=3D1=\r\n0\r\n> b=3D2\r\n> c=3D3\r\n> =20\r\n> d=3D4=";
	struct hl_text *text = hl_text_new("t", in, strlen(in));
	size_t len;
	const char *bytes = hl_text_bytes(text, &len);

	(void)state;
	assert_int_equal(strlen("a=10\nb=2\nc=3\n \nd=4\n"), len);
	assert_memory_equal("a=10\nb=2\nc=3\n \nd=4\n", bytes, len);
	hl_text_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_decoded),
		cmocka_unit_test(what_no_encoder_writes_is_left_alone),
		cmocka_unit_test(it_takes_several_lines_to_believe_it),
		cmocka_unit_test(blanks_at_the_ends_and_broken_lines_show_it_too),
		cmocka_unit_test(broken_lines_are_joined_and_keep_their_numbers),
		cmocka_unit_test(an_encoded_quote_is_unquoted),
	};

	return cmocka_run_group_tests_name("quoted_printable", tests, NULL, NULL);
}
