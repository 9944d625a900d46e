/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/engine.h"
#include "hoploss/extent.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB (1u << 20)

static int scratch_file(void)
{
	char path[] = "build/hoploss-extent-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	return fd;
}

static void write_at(int fd, off_t offset, size_t len)
{
	HL_FREE char *bytes = hl_alloc(len);

	memset(bytes, 'x', len);
	assert_int_equal(pwrite(fd, bytes, len, offset), (ssize_t)len);
}

static void holes_and_unwritten_extents_are_not_written(void **unused)
{
	HL_CLOSE int fd = scratch_file();
	struct hl_arena *arena = hl_arena_new();
	struct hl_extents extents;
	uint64_t placed = 0;
	int rc;

	(void)unused;
	assert_int_equal(ftruncate(fd, 4 * MIB), 0);
	write_at(fd, MIB, MIB);
	if (fallocate(fd, 0, 3 * MIB, MIB) < 0)
		skip();
	rc = hl_extents_read(fd, 4 * MIB, arena, &extents, NULL);
	if (rc == 0) {
		for (size_t i = 0; i < extents.nr; i++)
			placed += extents.items[i].length;
		assert_int_equal(extents.written, MIB);
		assert_int_equal(placed, MIB);
		assert_int_equal(extents.items[0].from, MIB);
	} else {
		assert_int_equal(rc, -EOPNOTSUPP);
	}
	hl_arena_free(arena);
}

static void an_empty_file_has_no_extents(void **unused)
{
	HL_CLOSE int fd = scratch_file();
	struct hl_arena *arena = hl_arena_new();
	struct hl_extents extents;

	(void)unused;
	assert_int_equal(hl_extents_read(fd, 0, arena, &extents, NULL), 0);
	assert_int_equal(extents.nr, 0);
	hl_arena_free(arena);
}

static const struct hl_extent three[] = {
	{ 0, 100 * MIB, 3 * MIB },
	{ 4 * MIB, 7 * MIB, MIB / 2 },        /* smaller than a unit */
	{ 8 * MIB, 50 * MIB, 2 * MIB + 999 }, /* no whole number of units */
};
static const struct hl_extents extents_of_three = { (struct hl_extent *)three, 3, 6 * MIB };

static void a_cut_leaves_whole_units_side_by_side(void **unused)
{
	struct hl_extent in_file[3], on_device[3];
	size_t nr;

	(void)unused;
	assert_int_equal(hl_extents_cut(&extents_of_three, MIB, 10, in_file, on_device, &nr),
			 5 * MIB);
	assert_int_equal(nr, 2);
	assert_int_equal(in_file[1].from, 3 * MIB);
	assert_int_equal(in_file[1].to, 8 * MIB);
	assert_int_equal(in_file[1].length, 2 * MIB);
	assert_int_equal(on_device[0].to, 100 * MIB + 10);
	assert_int_equal(on_device[1].to, 50 * MIB + 10);
}

static void offsets_are_found_at_both_edges_of_each_extent(void **unused)
{
	static const struct hl_extent map[] = {
		{ 0, 1000, 10 },
		{ 10, 500, 20 },
		{ 30, 2000, 10 },
	};
	static const struct {
		uint64_t offset, len, at;
	} cases[] = {
		{ 0, 1, 1000 },   { 9, 1, 1009 },  { 10, 1, 500 }, { 29, 1, 519 },
		{ 30, 10, 2000 }, { 39, 1, 2009 }, { 8, 4, 1006 }, /* would cross the end: moved
								      back */
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(hl_extent_find(map, 3, cases[i].offset, cases[i].len),
				 cases[i].at);
}

static bool is_inside(const struct hl_extent *map, size_t nr, uint64_t offset, uint64_t len)
{
	for (size_t i = 0; i < nr; i++) {
		if (offset >= map[i].to && offset + len <= map[i].to + map[i].length)
			return true;
	}
	return false;
}

static void a_walk_never_leaves_the_extents(void **unused)
{
	static const struct hl_extent map[] = {
		{ 0, 100 * MIB, 3 * MIB },
		{ 3 * MIB, 50 * MIB, 2 * MIB },
	};
	static const enum hl_rw patterns[] = { HL_RW_READ, HL_RW_RANDREAD };

	(void)unused;
	for (size_t p = 0; p < 2; p++) {
		struct hl_job job = {
			.target = "t", .length = 5 * MIB, .seed = 1, .map = map, .nr_map = 2
		};
		_Atomic uint64_t cursor = 0;
		struct hl_walk walk;
		bool is_write;

		hl_workload_init(&job.workload);
		job.workload.rw = patterns[p];
		job.workload.bs = 96 * 1024; /* no divisor of an extent */
		job.workload.numjobs = 1;
		assert_int_equal(hl_walk_init(&walk, &job, 0, 0, &cursor, NULL), 0);
		for (int i = 0; i < 1000; i++)
			assert_true(is_inside(map, 2, hl_walk_next(&walk, &is_write), walk.bs));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holes_and_unwritten_extents_are_not_written),
		cmocka_unit_test(an_empty_file_has_no_extents),
		cmocka_unit_test(a_cut_leaves_whole_units_side_by_side),
		cmocka_unit_test(offsets_are_found_at_both_edges_of_each_extent),
		cmocka_unit_test(a_walk_never_leaves_the_extents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
