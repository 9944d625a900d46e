/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/cached.h"
#include "hoploss/digest.h"
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB (1u << 20)

static void what_was_just_written_is_cached_and_what_was_dropped_is_not(void **unused)
{
	char path[] = "build/hoploss-cached-XXXXXX";
	HL_CLOSE int fd = mkstemp(path);
	HL_FREE char *bytes = hl_alloc(4 * MIB);

	(void)unused;
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, bytes, 4 * MIB), 4 * MIB);
	assert_true(hl_cached_bytes(fd, 0, 4 * MIB) == 4 * MIB);
	assert_true(hl_cached_bytes(fd, MIB, MIB) == MIB);
	assert_int_equal(fsync(fd), 0);
	if (posix_fadvise(fd, 0, 2 * MIB, POSIX_FADV_DONTNEED) != 0)
		skip();
	assert_true(hl_cached_bytes(fd, 0, MIB) < MIB / 8.0);
	assert_true(hl_cached_bytes(fd, 3 * MIB, MIB) == MIB);
}

static void what_is_not_open_cannot_tell(void **unused)
{
	(void)unused;
	assert_true(isnan(hl_cached_bytes(-1, 0, 4096)));
}

static void digests_are_those_of_the_standard(void **unused)
{
	char hex[HL_DIGEST_TEXT];

	(void)unused;
	hl_digest("abc", 3, hex);
	assert_string_equal(hex,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_true(hl_digest_is_zero("\0\0\0\0", 4));
	assert_false(hl_digest_is_zero("\0\0\0\1", 4));
	assert_false(hl_digest_is_zero("\1\0\0\0", 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_just_written_is_cached_and_what_was_dropped_is_not),
		cmocka_unit_test(what_is_not_open_cannot_tell),
		cmocka_unit_test(digests_are_those_of_the_standard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
