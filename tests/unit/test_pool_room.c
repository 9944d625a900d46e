/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which pool a directory is in, and what that has left.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/pool_room.h"
#include <errno.h>
#include <sys/sysmacros.h>

static const char mounts[] = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
			     "36 22 0:42 / /tank rw shared:2 - zfs tank rw,xattr,noacl\n"
			     "37 36 0:43 / /tank/a\\040b rw - zfs tank/a rw,xattr,noacl\n"
			     "38 22 0:44 / /mnt rw - nfs server:/ - zfs rw\n";

static void the_pool_is_the_first_part_of_the_dataset(void **unused)
{
	char pool[16];

	(void)unused;
	assert_true(hl_pool_of_mount(mounts, makedev(0, 42), pool, sizeof(pool)));
	assert_string_equal(pool, "tank");
	assert_true(hl_pool_of_mount(mounts, makedev(0, 43), pool, sizeof(pool)));
	assert_string_equal(pool, "tank");
}

static void other_file_systems_are_in_no_pool(void **unused)
{
	static const char cut[] = "36 22 0:42 / /tank rw - zfs";
	char pool[16];

	(void)unused;
	assert_false(hl_pool_of_mount(mounts, makedev(8, 1), pool, sizeof(pool)));
	assert_false(hl_pool_of_mount(mounts, makedev(9, 9), pool, sizeof(pool)));
	assert_false(hl_pool_of_mount("", makedev(8, 1), pool, sizeof(pool)));
	assert_false(hl_pool_of_mount(cut, makedev(0, 42), pool, sizeof(pool)));
}

static void room_is_two_numbers(void **unused)
{
	static const char *const broken[] = { "",       "\n",      "12\n",  "12\t\n",
					      "x\t1\n", "-1\t5\n", "1 2\n", "inf\t1\n" };
	struct hl_pool_room room;

	(void)unused;
	assert_int_equal(hl_pool_room_read("1099511627776\t274877906944\n", &room), 0);
	assert_true(room.used == 1099511627776.0 && room.available == 274877906944.0);
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		assert_int_equal(hl_pool_room_read(broken[i], &room), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pool_is_the_first_part_of_the_dataset),
		cmocka_unit_test(other_file_systems_are_in_no_pool),
		cmocka_unit_test(room_is_two_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
