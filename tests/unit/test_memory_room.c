/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/memory_room.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB 1048576.0

/* A machine that has these files: "path", "text", ... NULL. */
static double room_of(const char *const *files)
{
	char root[] = "/tmp/hoploss-room-XXXXXX";
	HL_FREE char *command = NULL;
	struct hl_machine *machine;
	double room;

	assert_non_null(mkdtemp(root));
	for (; files[0]; files += 2) {
		HL_FREE char *path = hl_printf("%s%s", root, files[0]);
		HL_FREE char *make = hl_printf("mkdir -p \"$(dirname %s)\"", path);
		HL_FCLOSE FILE *file = NULL;

		assert_int_equal(system(make), 0);
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(files[1], file);
	}
	machine = hl_machine_open(root, NULL);
	room = hl_memory_room(machine);
	hl_machine_close(machine);
	command = hl_printf("rm -rf %s", root);
	assert_int_equal(system(command), 0);
	return room;
}

static void no_limit_is_no_room(void **unused)
{
	const char *const none[] = { NULL };
	const char *const max[] = { "/proc/self/cgroup",
				    "0::/a\n",
				    "/sys/fs/cgroup/a/memory.max",
				    "max\n",
				    "/sys/fs/cgroup/a/memory.current",
				    "5\n",
				    NULL };
	const char *const v1[] = { "/proc/self/cgroup",
				   "4:memory:/a\n",
				   "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
				   "9223372036854771712\n",
				   "/sys/fs/cgroup/memory/a/memory.usage_in_bytes",
				   "5\n",
				   NULL };

	(void)unused;
	assert_true(isnan(room_of(none)));
	assert_true(isnan(room_of(max)));
	assert_true(isnan(room_of(v1)));
}

static void a_tenth_of_what_the_tightest_group_leaves(void **unused)
{
	const char *const files[] = { "/proc/self/cgroup",
				      "0::/pod/box\n",
				      "/sys/fs/cgroup/pod/memory.max",
				      "209715200\n", /* 200 MiB */
				      "/sys/fs/cgroup/pod/memory.current",
				      "104857600\n", /* 100 MiB */
				      "/sys/fs/cgroup/pod/memory.stat",
				      "anon 1\ninactive_file 20971520\nz 1\n",
				      "/sys/fs/cgroup/pod/box/memory.max",
				      "max\n",
				      "/sys/fs/cgroup/pod/box/memory.current",
				      "1\n",
				      NULL };

	(void)unused;
	assert_true(fabs(room_of(files) - 12 * MIB) < 1);
}

static void a_large_group_gives_64_mib(void **unused)
{
	const char *const files[] = { "/proc/self/cgroup",
				      "9:cpu:/\n4:memory:/\n",
				      "/sys/fs/cgroup/memory/memory.limit_in_bytes",
				      "68719476736\n",
				      "/sys/fs/cgroup/memory/memory.usage_in_bytes",
				      "0\n",
				      NULL };

	(void)unused;
	assert_true(room_of(files) == 64 * MIB);
}

static void a_full_group_gives_nothing(void **unused)
{
	const char *const files[] = { "/proc/self/cgroup",
				      "0::/\n",
				      "/sys/fs/cgroup/memory.max",
				      "1000\n",
				      "/sys/fs/cgroup/memory.current",
				      "2000\n",
				      NULL };

	(void)unused;
	assert_true(room_of(files) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_limit_is_no_room),
		cmocka_unit_test(a_tenth_of_what_the_tightest_group_leaves),
		cmocka_unit_test(a_large_group_gives_64_mib),
		cmocka_unit_test(a_full_group_gives_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
