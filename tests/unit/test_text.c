/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct text_case {
	const char *in;
	size_t in_len;   /* 0 = strlen */
	const char *out; /* each line ended by \n */
};

static void check_cleaning(const struct text_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		size_t in_len = cases[i].in_len ? cases[i].in_len : strlen(cases[i].in);
		struct hl_text *text = hl_text_new("t", cases[i].in, in_len);
		size_t len;
		const char *bytes = hl_text_bytes(text, &len);

		if (len != strlen(cases[i].out) || memcmp(bytes, cases[i].out, len) != 0)
			fail_msg("case %zu: \"%.*s\"", i, (int)len, bytes);
		for (size_t k = 0; k < text->nr_lines; k++) {
			assert_int_equal(k + 1, text->lines[k].number);
			assert_int_equal('\n', text->lines[k].start[text->lines[k].len]);
		}
		hl_text_free(text);
	}
}

static void line_ends_of_all_systems_are_cut(void **state)
{
	static const struct text_case cases[] = {
		{ "", 0, "" },
		{ "a", 0, "a\n" },
		{ "a\n", 0, "a\n" },
		{ "a\n\nb", 0, "a\n\nb\n" },
		{ "\n", 0, "\n" },
		{ "a\r\nb\r\n", 0, "a\nb\n" },
		{ "a\r\r\nb\n", 0, "a\nb\n" },
		{ "a\rb\rc", 0, "a\nb\nc\n" },
		{ "\r\n\r\n", 0, "\n\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void progress_bars_keep_what_the_terminal_showed_last(void **state)
{
	static const struct text_case cases[] = {
		{ "Jobs: 1 [10%]\rJobs: 1 [20%]\rread: IOPS=5\nx\n", 0, "read: IOPS=5\nx\n" },
		{ "Jobs: 1 [10%]\rJobs: 1 [20%]\r\nx\n", 0, "Jobs: 1 [20%]\nx\n" },
		{ "Jobs: 1\r\r\n", 0, "Jobs: 1\n" },
		{ "a\n\rb\n\rc\n", 0, "a\nb\nc\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void byte_order_marks_nuls_and_escapes_go_away(void **state)
{
	static const struct text_case cases[] = {
		{ "\xef\xbb\xbf"
		  "fio-3.33\n",
		  0, "fio-3.33\n" },
		{ "a\0b\0\nc", 6, "ab\nc\n" },
		{ "\0\0\0", 3, "\n" },
		{ "\xc2\0\xa0x", 4, " x\n" },
		{ "\xc2\x1b[m\xa0x", 0, " x\n" },
		{ "\x1b[0;32mok\x1b[0m\n\x1b"
		  "7x\n",
		  0, "ok\nx\n" },
		{ "a\x1b[12", 0, "a\n" },
		{ "a\x1b", 0, "a\n" },
		{ "\u00a0 read\u00a0: x\n", 0, "  read : x\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void utf16_of_a_windows_redirect_becomes_utf8(void **state)
{
	static const struct text_case cases[] = {
		{ "\xff\xfe"
		  "a\0\r\0\n\0b\0",
		  10, "a\nb\n" },
		{ "\xfe\xff"
		  "\0a\0\n\0b",
		  8, "a\nb\n" },
		{ "\xff\xfe"
		  "\xb5\0\xac\x20\x3d\xd8\x00\xde",
		  10, "\u00b5\u20ac\U0001f600\n" },
		{ "\xff\xfe"
		  "\x3d\xd8"
		  "a\0",
		  6,
		  "\ufffd"
		  "a\n" },
		{ "\xff\xfe"
		  "\x3d\xd8\x00\xe0",
		  6, "\ufffd\ue000\n" },
		{ "\xff\xfe"
		  "\x3d\xd8",
		  4, "\ufffd\n" },
		{ "\xff\xfe"
		  "a\0b",
		  5, "a\n" },
		{ "\xff\xfe", 2, "" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void mail_quotes_are_taken_away_and_greater_equal_is_not(void **state)
{
	static const struct text_case cases[] = {
		{ "Hello,\n> read : io=1\n>    slat\n>\n> end\nbye\n", 0,
		  "Hello,\nread : io=1\n   slat\n\nend\nbye\n" },
		{ "> > read: x\n> >   slat\n>> clat\n> On Monday\n", 0,
		  "read: x\n  slat\nclat\nOn Monday\n" },
		{ ">read: x\n>  slat\n>clat\n", 0, "read: x\n slat\nclat\n" },
		{ "> submit : 4=0.1%,\n>=64=0.0%\n> complete\n", 0,
		  "submit : 4=0.1%,\n>=64=0.0%\ncomplete\n" },
		{ "> > lat : 2=0.1%\n> >=64=0.0%\n", 0, "lat : 2=0.1%\n>=64=0.0%\n" },
		{ ">=64=0.0%\n", 0, ">=64=0.0%\n" },
		{ "     >=64=0.0%\n", 0, "     >=64=0.0%\n" },
		{ "a\n>=2=0.1%\n>=64=0.0%\nb\n", 0, "a\n>=2=0.1%\n>=64=0.0%\nb\n" },
		{ "<disk type='file'\n>\n", 0, "<disk type='file'\n>\n" },
		{ "echo x\n>file\n", 0, "echo x\n>file\n" },
		{ "> 3;fio-3.33;j\n", 0, "3;fio-3.33;j\n" },
		{ "    > read: x\n    >   slat\n", 0, "read: x\n  slat\n" },
		{ "> a\r\n>\r\n> b\r\n", 0, "a\n\nb\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void a_no_break_space_that_a_mail_broke_is_a_blank(void **state)
{
	static const struct text_case cases[] = {
		{ "a=3D1\nb=3D2\nc=3D3=C2=A0d\n", 0, "a=1\nb=2\nc=3 d\n" },
		{ "a=3D1\nb=3D2\nc=3D3=C2=\n=A0d\n", 0, "a=1\nb=2\nc=3 d\n" },
		{ "a=3D1\nb=3D2\nc=3D3=C2=\n", 0, "a=1\nb=2\nc=3\xc2\n" },
		{ "a=3D1\nb=3D2\nc=3D3=C2=\nd", 0,
		  "a=1\nb=2\nc=3\xc2"
		  "d\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void slices_point_into_their_text(void **state)
{
	static const char bytes[] = "one\r\ntwo\nthree\n";
	struct hl_text *text = hl_text_new("file.txt", bytes, strlen(bytes));
	struct hl_text slice = hl_text_slice(text, 1, 2);
	size_t len;

	(void)state;
	assert_int_equal(2, slice.nr_lines);
	assert_int_equal(2, slice.lines[0].number);
	assert_string_equal("file.txt", slice.name);
	assert_memory_equal("two\nthree\n", hl_text_bytes(&slice, &len), 10);
	assert_int_equal(10, len);
	slice = hl_text_slice(text, 2, 100);
	assert_int_equal(1, slice.nr_lines);
	slice = hl_text_slice(text, 7, 1);
	assert_int_equal(0, slice.nr_lines);
	hl_text_bytes(&slice, &len);
	assert_int_equal(0, len);
	hl_text_free(text);
	hl_text_free(NULL);
}

static void lines_are_trimmed_and_searched_within_their_length(void **state)
{
	struct hl_line line = { "\t  clat (usec) \r!", 16, 1 };

	(void)state;
	assert_int_equal(11, hl_line_trim(line).len);
	assert_memory_equal("clat (usec)", hl_line_trim(line).start, 11);
	assert_true(hl_line_starts(hl_line_trim(line), "clat"));
	assert_false(hl_line_starts(hl_line_trim(line), "clat (usec) "));
	assert_true(hl_line_has(line, "usec"));
	assert_false(hl_line_has(line, "!"));
	assert_true(hl_line_has(line, ""));
	line.len = 0;
	assert_int_equal(0, hl_line_trim(line).len);
	assert_false(hl_line_has(line, "c"));
}

static void utf8_sequences_are_checked(void **state)
{
	static const struct {
		const char *text;
		size_t len;
	} cases[] = {
		{ "", 0 },
		{ "a", 1 },
		{ "\u00b5", 2 },
		{ "\u20ac", 3 },
		{ "\U0001f600", 4 },
		{ "\x80", 0 },
		{ "\xc0\x80", 0 },
		{ "\xc3", 0 },
		{ "\xe0\x80\x80", 0 },
		{ "\xed\xa0\x80", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xf0\x80\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 },
		{ "\xe2\x82", 0 },
		{ "\xe2\x82x", 0 },
		{ "\xff", 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++)
		assert_int_equal(cases[i].len, hl_text_utf8(cases[i].text, strlen(cases[i].text)));
}

static void any_bytes_give_lines_in_order(void **state)
{
	static const char alphabet[] = ">=\r\n \0ax\x1b[\xc2\xa0\xff\xfe";

	(void)state;
	srandom(1);
	for (int i = 0; i < 20000; i++) {
		char bytes[64];
		size_t len = (size_t)random() % sizeof(bytes);
		struct hl_text *text;
		const char *at;

		for (size_t k = 0; k < len; k++)
			bytes[k] = alphabet[(size_t)random() % (sizeof(alphabet) - 1)];
		text = hl_text_new("t", bytes, len);
		at = text->buffer;
		for (size_t k = 0; k < text->nr_lines; k++) {
			assert_ptr_equal(at, text->lines[k].start);
			at += text->lines[k].len;
			assert_int_equal('\n', *at++);
		}
		hl_text_free(text);
	}
}

static void json_of_a_web_page_gets_its_quotes_back(void **state)
{
	static const struct text_case cases[] = {
		{ "<pre>{\n  &quot;a &amp; b&quot; : 1\n}", 0, "{\n  \"a & b\" : 1\n}\n" },
		{ "[{&#34;a&#34;:&#x22;x&#x22;}]\nb &lt;c&gt;", 0,
		  "[{\"a\":\"x\"}]\nb &lt;c&gt;\n" },
		{ "> {\n> &quot;a&quot;: 1,\n> }", 0, "{\n\"a\": 1,\n}\n" },
		/* no JSON: its own reader knows what they stand for */
		{ "&lt;a b=&quot;c&quot;&gt;", 0, "&lt;a b=&quot;c&quot;&gt;\n" },
		{ "say &quot;x&quot;: y\n&quo", 0, "say &quot;x&quot;: y\n&quo\n" },
		{ "<a\n&amp;", 0, "<a\n&amp;\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void tags_that_set_text_go_and_xml_stays(void **state)
{
	static const struct text_case cases[] = {
		{ "<pre class=\"x\"><code>a: 1\nb: 2</code></pre>\n", 0, "a: 1\nb: 2\n" },
		{ "o- <b>disk</b> [<b>x</b>]<br/>\n<BR>\n", 0, "o- disk [x]\n\n" },
		{ "&nbsp;&nbsp;a:&#160;&lt;empty&gt;\n", 0, "  a: &lt;empty&gt;\n" },
		/* a host of that name, XML, and what is no tag */
		{ "<b> job: err= 0\n<presence/>\n<cpu mode='p'/>\n", 0,
		  "<b> job: err= 0\n<presence/>\n<cpu mode='p'/>\n" },
		{ "<pre\n<code\n</\na < b > c\n<pre <b>\n", 0,
		  "<pre\n<code\n</\na < b > c\n<pre <b>\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void what_a_log_puts_in_front_goes(void **state)
{
	static const struct text_case cases[] = {
		{ "2024-05-01T10:00:00.123456789Z a\n2024-05-01T10:00:01Z   b\n"
		  "2024-05-01T10:00:00+02:00 c\n2024-05-01T10:00:02Z\nd\n",
		  0, "a\n  b\nc\n\nd\n" },
		{ "[2024-05-01 10:00:00] a\n[2024-05-01 10:00:00,5] b\n"
		  "[2024-05-01 10:00:00] c\n[2024-05-01 10:00:00] d\n",
		  0, "a\nb\nc\nd\n" },
		{ "May  1 10:00:00 h fio[2]: a\nMay  1 10:00:00 h fio[2]:  b\n"
		  "May 01 10:00:00 h fio[2]: c\nMay 11 10:00:00 h fio: d\n",
		  0, "a\n b\nc\nd\n" },
		{ "  [pod/x/y] a\n  [pod/x/y] b\n  [pod/x/y] c\n  [pod/x/y] d\n", 0,
		  "a\nb\nc\nd\n" },
		/* the kernel's, too few, rows of arcstat, and of a table */
		{ "May  1 10:00:00 h kernel: a\nMay  1 10:00:00 h kernel: b\n"
		  "May  1 10:00:00 h kernel: c\nMay  1 10:00:00 h kernel: d\n",
		  0,
		  "May  1 10:00:00 h kernel: a\nMay  1 10:00:00 h kernel: b\n"
		  "May  1 10:00:00 h kernel: c\nMay  1 10:00:00 h kernel: d\n" },
		{ "2024-05-01T10:00:00Z a\n2024-05-01T10:00:00Z b\n", 0,
		  "2024-05-01T10:00:00Z a\n2024-05-01T10:00:00Z b\n" },
		{ "10:00:00 1\n10:00:01 1\n10:00:02 1\n10:00:03 1\n", 0,
		  "10:00:00 1\n10:00:01 1\n10:00:02 1\n10:00:03 1\n" },
		{ "2024-05-01,1\n2024-05-01,1\n2024-05-01,1\n2024-05-01,1\n", 0,
		  "2024-05-01,1\n2024-05-01,1\n2024-05-01,1\n2024-05-01,1\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void tags_of_a_forum_go_where_they_are_closed(void **state)
{
	static const struct text_case cases[] = {
		{ "[CODE]a: 1\nb: 2[/CODE]\n[code=bash] c\n[quote=\"x\"]d\n", 0,
		  "a: 1\nb: 2\n c\n[quote=\"x\"]d\n" },
		/* a section of that name */
		{ "[code]\na: 1\n[/codes]\n[ 3] 4\n", 0, "[code]\na: 1\n[/codes]\n[ 3] 4\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

static void marks_of_code_around_a_line_go(void **state)
{
	static const struct text_case cases[] = {
		{ "`a: 1`\n  `b` \n", 0, "a: 1\nb\n" },
		{ "``\n```\n`a` and `b`\n`a\n", 0, "``\n```\n`a` and `b`\n`a\n" },
	};

	(void)state;
	check_cleaning(cases, NR(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_ends_of_all_systems_are_cut),
		cmocka_unit_test(progress_bars_keep_what_the_terminal_showed_last),
		cmocka_unit_test(byte_order_marks_nuls_and_escapes_go_away),
		cmocka_unit_test(utf16_of_a_windows_redirect_becomes_utf8),
		cmocka_unit_test(mail_quotes_are_taken_away_and_greater_equal_is_not),
		cmocka_unit_test(a_no_break_space_that_a_mail_broke_is_a_blank),
		cmocka_unit_test(slices_point_into_their_text),
		cmocka_unit_test(lines_are_trimmed_and_searched_within_their_length),
		cmocka_unit_test(utf8_sequences_are_checked),
		cmocka_unit_test(json_of_a_web_page_gets_its_quotes_back),
		cmocka_unit_test(what_a_log_puts_in_front_goes),
		cmocka_unit_test(tags_of_a_forum_go_where_they_are_closed),
		cmocka_unit_test(marks_of_code_around_a_line_go),
		cmocka_unit_test(tags_that_set_text_go_and_xml_stays),
		cmocka_unit_test(any_bytes_give_lines_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
