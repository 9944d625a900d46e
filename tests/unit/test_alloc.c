/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void strings_are_copied_and_printed(void **state)
{
	HL_FREE char *whole = hl_strdup("seq-read");
	HL_FREE char *part = hl_strndup("seq-read", 3);
	HL_FREE char *none = hl_strndup("", 0);
	HL_FREE char *printed = hl_printf("%s:%d", "a", 7);

	(void)state;
	assert_string_equal("seq-read", whole);
	assert_string_equal("seq", part);
	assert_string_equal("", none);
	assert_string_equal("a:7", printed);
}

static void memory_is_zeroed_and_kept_when_it_grows(void **state)
{
	char *memory = hl_alloc(100);

	(void)state;
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(0, memory[i]);
	memset(memory, 'x', 100);
	memory = hl_grow(memory, 1000, 1);
	assert_int_equal('x', memory[99]);
	free(memory);
	free(hl_alloc(0));
	free(hl_grow(NULL, 0, 8));
}

static void attributes_free_and_close_when_the_scope_ends(void **state)
{
	int fd;

	(void)state;
	{
		HL_CLOSE int scoped = open("/dev/null", O_RDONLY);
		HL_CLOSE int none = -1;
		HL_FCLOSE FILE *no_file = NULL;
		HL_FREE char *no_text = NULL;

		fd = scoped;
		assert_true(fd >= 0 && none < 0 && !no_file && !no_text);
	}
	assert_int_equal(-1, fcntl(fd, F_GETFD));
	{
		HL_FCLOSE FILE *file = fopen("/dev/null", "r");

		fd = fileno(file);
	}
	assert_int_equal(-1, fcntl(fd, F_GETFD));
}

static void arena_memory_is_zeroed_aligned_and_its_own(void **state)
{
	static const size_t sizes[] = { 1, 15, 16, 17, 1000, 20000, 65536, 65537, 300000, 0, 8 };
	struct hl_arena *arena = hl_arena_new();
	unsigned char *last[64] = { 0 };

	(void)state;
	for (size_t round = 0; round < 3000; round++) {
		size_t size = sizes[round % (sizeof(sizes) / sizeof(*sizes))];
		unsigned char *memory = hl_arena_alloc(arena, size);

		assert_int_equal(0, (uintptr_t)memory % 16);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(0, memory[i]);
		memset(memory, (int)(round & 0xff), size);
		if (last[round % 64] && round >= 64 && sizes[(round - 64) % 11])
			assert_int_equal((round - 64) & 0xff, last[round % 64][0]);
		last[round % 64] = memory;
	}
	hl_arena_free(arena);
	hl_arena_free(NULL);
}

static void arena_strings_outlive_their_source(void **state)
{
	struct hl_arena *arena = hl_arena_new();
	char source[] = "randread";
	char *copy = hl_arena_strdup(arena, source);
	char *part = hl_arena_strndup(arena, source, 4);

	(void)state;
	memset(source, 'x', sizeof(source) - 1);
	assert_string_equal("randread", copy);
	assert_string_equal("rand", part);
	assert_null(hl_arena_strdup(arena, NULL));
	assert_string_equal("863 MiB/s", hl_arena_printf(arena, "%d MiB/s", 863));
	hl_arena_free(arena);
}

static void arena_arrays_keep_their_items_as_they_grow(void **state)
{
	struct hl_arena *arena = hl_arena_new();
	size_t *items = NULL;

	(void)state;
	for (size_t i = 0; i < 10000; i++) {
		items = hl_arena_extend(arena, items, i, sizeof(*items));
		items[i] = i;
	}
	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(i, items[i]);
	hl_arena_free(arena);
}

static char freed[8];

static void note_freed(void *object)
{
	strncat(freed, object, 1);
}

static void an_arena_frees_what_it_adopted_last_first(void **state)
{
	struct hl_arena *arena = hl_arena_new();

	(void)state;
	hl_arena_adopt(arena, (char *)"a", note_freed);
	hl_arena_adopt(arena, (char *)"b", note_freed);
	assert_string_equal("", freed);
	hl_arena_free(arena);
	assert_string_equal("ba", freed);
}

/* Under ASan an allocation too large would end the program before we see it. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void ask_for_too_much(void)
{
	hl_grow(NULL, SIZE_MAX / 2, 4);
}

static void ask_the_arena_for_too_much(void)
{
	static struct hl_arena *volatile arena; /* still known at exit: no leak */

	arena = hl_arena_new();
	hl_arena_alloc(arena, SIZE_MAX - 5);
}

static void check_out_of_memory(void (*ask)(void))
{
	char said[4096] = "";
	int pipes[2];
	pid_t child;
	int status;

	assert_int_equal(0, pipe(pipes));
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(pipes[1], STDERR_FILENO);
		ask();
		_exit(99);
	}
	close(pipes[1]);
	waitpid(child, &status, 0);
	assert_true(read(pipes[0], said, sizeof(said) - 1) > 0);
	close(pipes[0]);
	assert_true(WIFEXITED(status));
	assert_int_equal(HL_EXIT_UNABLE, WEXITSTATUS(status));
	assert_non_null(strstr(said, "hoploss: out of memory\n"));
}

static void out_of_memory_says_so_and_exits_3(void **state)
{
	(void)state;
	check_out_of_memory(ask_for_too_much);
	check_out_of_memory(ask_the_arena_for_too_much);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_copied_and_printed),
		cmocka_unit_test(memory_is_zeroed_and_kept_when_it_grows),
		cmocka_unit_test(attributes_free_and_close_when_the_scope_ends),
		cmocka_unit_test(arena_memory_is_zeroed_aligned_and_its_own),
		cmocka_unit_test(arena_strings_outlive_their_source),
		cmocka_unit_test(arena_arrays_keep_their_items_as_they_grow),
		cmocka_unit_test(an_arena_frees_what_it_adopted_last_first),
		cmocka_unit_test(out_of_memory_says_so_and_exits_3),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
