/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/progress.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* What is said on stderr of the shares, each at 500 MB/s with 75 s left. */
static void say(const double *shares, size_t nr, struct hl_progress *progress, char *text,
		size_t size)
{
	FILE *file = tmpfile();
	int err = dup(STDERR_FILENO);

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	for (size_t i = 0; i < nr; i++)
		hl_progress_show_share(progress, "filling", shares[i], 500e6, 75);
	fflush(stderr);
	dup2(err, STDERR_FILENO);
	close(err);
	rewind(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

static void without_a_terminal_each_tenth_is_a_line(void **state)
{
	static const double shares[] = { 0.01, 0.09, 0.1, 0.15, 0.42, 0.43, 1 };
	struct hl_progress progress = { .width = 80 };
	char text[1000];

	(void)state;
	say(shares, sizeof(shares) / sizeof(*shares), &progress, text, sizeof(text));
	assert_string_equal("hoploss: filling: 10 %, 500 MB/s (477 MiB/s), 1 min 15 s left\n"
			    "hoploss: filling: 42 %, 500 MB/s (477 MiB/s), 1 min 15 s left\n"
			    "hoploss: filling: 100 %, 500 MB/s (477 MiB/s), 1 min 15 s left\n",
			    text);
}

static void on_a_terminal_one_line_is_rewritten(void **state)
{
	static const double shares[] = { 0.01, 0.5 };
	struct hl_progress progress = { .is_terminal = true, .width = 80 };
	char text[1000];

	(void)state;
	say(shares, sizeof(shares) / sizeof(*shares), &progress, text, sizeof(text));
	assert_string_equal("\r[....................] filling: 1 %, 500 MB/s (477 MiB/s), "
			    "1 min 15 s left\033[K"
			    "\r[##########..........] filling: 50 %, 500 MB/s (477 MiB/s), "
			    "1 min 15 s left\033[K",
			    text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_terminal_each_tenth_is_a_line),
		cmocka_unit_test(on_a_terminal_one_line_is_rewritten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
