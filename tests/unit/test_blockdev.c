/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the kernel counts the I/O of a block device, and where it counts none.
 */
#include "probe_tree.h"

#include "hoploss/blockdev.h"
#include <sys/sysmacros.h>

/* As Linux 6.1 has a namespace with two paths: what is done stands at the paths only. */
#define HEAD "/sys/devices/virtual/nvme-subsystem/nvme-subsys3"
#define PATHS                                                                                      \
	{ HEAD "/nvme3n1/uevent", "MAJOR=259\nMINOR=5\nDEVNAME=nvme3n1\nDEVTYPE=disk\n" },         \
		{ HEAD "/nvme3n1/device", "-> ../../nvme-subsys3" },                               \
		{ HEAD "/nvme3n1/queue/iostats", "0\n" },                                          \
		{ HEAD "/nvme3n1/nvme3n1p1/uevent", "MAJOR=259\nMINOR=6\nDEVNAME=nvme3n1p1\n" },   \
		{ HEAD "/nvme3n1/nvme3n1p1/stat", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" },         \
		{ HEAD "/nvme3", "-> ../../../pci0000:00/0000:00:04.0/nvme/nvme3" },               \
		{ HEAD "/nvme4", "-> ../../../pci0000:00/0000:00:05.0/nvme/nvme4" },               \
		{ "/sys/devices/pci0000:00/0000:00:04.0/nvme/nvme3/nvme3c3n1/stat",                \
		  "10 0 80 20 1 0 8 2 0 15 22 3 0 0 0 0 0\n" },                                    \
		{ "/sys/devices/pci0000:00/0000:00:04.0/nvme/nvme3/nvme3c3n2/stat",                \
		  "999 0 80 20 1 0 8 2 0 15 22 3 0 0 0 0 0\n" },                                   \
		{ "/sys/devices/pci0000:00/0000:00:05.0/nvme/nvme4/nvme3c4n1/stat",                \
		  "100 0 80 200 10 0 8 20 0 150 220\n" },                                          \
		{ "/sys/devices/pci0000:00/0000:00:05.0/nvme/nvme4/nvme3c4n1/queue/iostats",       \
		  "1\n" },                                                                         \
		{ "/sys/dev/block/259:5", "-> ../.." HEAD_BELOW "/nvme3n1" },                      \
	{                                                                                          \
		"/sys/dev/block/259:6", "-> ../.." HEAD_BELOW "/nvme3n1/nvme3n1p1"                 \
	}
#define HEAD_BELOW "/devices/virtual/nvme-subsystem/nvme-subsys3"

static int count(const struct tree_row *rows, size_t nr, dev_t device,
		 struct hl_blockdev_counters *ret)
{
	struct hl_machine *machine;
	int rc;

	assert_int_equal(0, system("rm -rf tree"));
	tree_make("tree", rows, nr);
	machine = hl_machine_open("tree", NULL);
	rc = hl_blockdev_count(machine, device, ret);
	hl_machine_close(machine);
	return rc;
}

static void a_namespace_with_paths_did_what_its_paths_did(void **state)
{
	static const struct tree_row rows[] = {
		{ HEAD "/nvme3n1/stat", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" },
		PATHS,
	};
	struct hl_blockdev_counters counters;

	(void)state;
	for (unsigned minor = 5; minor <= 6; minor++) { /* its partition likewise */
		assert_int_equal(0, count(rows, NR_ROWS(rows), makedev(259, minor), &counters));
		assert_true(counters.ios == 10 + 1 + 3 + 100 + 10);
		assert_true(counters.of[0] == 110 && counters.of[1] == 11);
		assert_true(counters.ms[0] == 220 && counters.ms[1] == 22);
		assert_true(counters.busy_ms == 165 && counters.queue_ms == 242);
		assert_false(counters.is_off); /* the head's own switch says nothing of them */
	}
}

static void a_head_that_counts_too_is_not_counted_twice(void **state)
{
	static const struct tree_row rows[] = {
		{ HEAD "/nvme3n1/stat", "110 0 0 220 11 0 0 22 0 165 242 3 0 0 0 0 0\n" },
		PATHS,
	};
	struct hl_blockdev_counters counters;

	(void)state;
	assert_int_equal(0, count(rows, NR_ROWS(rows), makedev(259, 5), &counters));
	assert_true(counters.of[0] == 110 && counters.of[1] == 11);
}

static void a_namespace_with_one_controller_counts_itself(void **state)
{
	static const struct tree_row rows[] = {
		{ "/sys/dev/block/259:0/uevent", "DEVNAME=nvme0n1\n" },
		{ "/sys/dev/block/259:0/stat", "5 0 0 6 7 0 0 8 0 9 14\n" },
		{ "/sys/dev/block/259:0/queue/iostats", "1\n" },
		{ "/sys/dev/block/259:0/device/nvme0n1/stat", "77 0 0 6 7 0 0 8 0 9 14\n" },
		{ "/sys/dev/block/259:0/device/hwmon0/name", "nvme\n" },
	};
	struct hl_blockdev_counters counters;

	(void)state;
	assert_int_equal(0, count(rows, NR_ROWS(rows), makedev(259, 0), &counters));
	assert_true(counters.ios == 12 && counters.queue_ms == 14);
	assert_false(counters.is_off);
}

static void counting_that_is_switched_off_is_told(void **state)
{
	static const struct tree_row rows[] = {
		{ "/sys/dev/block/230:0/stat", "0 0 0 0 0 0 0 0 0 0 0\n" }, /* a zvol */
		{ "/sys/dev/block/230:0/queue/iostats", "0\n" },
		{ "/sys/dev/block/230:1/stat", "0 0 0 0 0 0 0 0 0 0 0\n" }, /* its partition */
		{ "/sys/dev/block/queue/iostats", "0\n" },
		{ "/sys/dev/block/9:0/stat", "1 2 3\n" },
	};
	struct hl_blockdev_counters counters;

	(void)state;
	assert_int_equal(0, count(rows, NR_ROWS(rows), makedev(230, 0), &counters));
	assert_true(counters.is_off);
	assert_int_equal(0, count(rows, NR_ROWS(rows), makedev(230, 1), &counters));
	assert_true(counters.is_off);
	assert_int_equal(-EBADMSG, count(rows, NR_ROWS(rows), makedev(9, 0), &counters));
	assert_int_equal(-ENOENT, count(rows, NR_ROWS(rows), makedev(9, 1), &counters));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_namespace_with_paths_did_what_its_paths_did),
		cmocka_unit_test(a_head_that_counts_too_is_not_counted_twice),
		cmocka_unit_test(a_namespace_with_one_controller_counts_itself),
		cmocka_unit_test(counting_that_is_switched_off_is_told),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
