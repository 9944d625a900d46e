/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arcstats, arc_summary and arcstat as text. Made by hand in their formats.
 */
#include "fact_reader.h"

#define IMPORT __attribute__((cleanup(import_free))) struct import

static void counters_of_the_kernel_become_facts(void **unused)
{
	IMPORT import = import_text("13 1 0x01 147 39984 8372338451 350735470000000\n"
				    "name                            type data\n"
				    "hits                            4    27352344\n"
				    "iohits                          4    1203\n"
				    "misses                          4    422513\n"
				    "demand_data_hits                4    20000000\n"
				    "mfu_evictable_data              4    77\n"
				    "c                               4    67432108032\n"
				    "size                            4    67400000000\n"
				    "the end\n");
	IMPORT tail = import_text("c_min 4 4214506752\nc_max 4 67432108032\nsize 4 5\n");

	(void)unused;
	assert_near(27352344, number_of(&import, "arc", "arc.hits"));
	assert_near(422513, number_of(&import, "arc", "arc.misses"));
	assert_near(67432108032.0, number_of(&import, "arc", "arc.target_size"));
	assert_near(67400000000.0, number_of(&import, "arc", "arc.size"));
	assert_string_equal("f.txt:5", fact_of(&import, "arc", "arc.misses")->source);
	assert_near(67432108032.0, number_of(&tail, "arc", "arc.max_size"));
}

static void summaries_of_new_and_old_versions_are_read(void **unused)
{
	IMPORT now = import_text(
		"------------------------------------------------------------------------\n"
		"ZFS Subsystem Report                            Mon Nov 30 17:00:00 2026\n"
		"Linux 6.6.44-production+truenas                                  2.2.99-1\n"
		"\n"
		"ARC status:                                                      HEALTHY\n"
		"        Memory throttle count:                                         0\n"
		"\n"
		"ARC size (current):                                    99.9 %   62.8 GiB\n"
		"        Target size (adaptive):                       100.0 %   62.9 GiB\n"
		"        Min size (hard limit):                          6.2 %    3.9 GiB\n"
		"        Max size (high water):                           16:1   62.9 GiB\n"
		"\n"
		"ARC total accesses:                                                27.4M\n"
		"        Total hits:                                    98.3 %      26.9M\n"
		"        zfs_vdev_max_active                                         1000\n");
	IMPORT old = import_text("ARC Size:\t\t\t\t100.00%\t7.78\tGiB\n"
				 "\tTarget Size: (Adaptive)\t\t100.00%\t7.79\tGiB\n"
				 "\tMax Size (High Water):\t\t16:1\t7.79\tGiB\n"
				 "\tCache Hit Ratio:\t\t83.10%\t26.91m\n");

	(void)unused;
	assert_near(62.8 * 1073741824, number_of(&now, "arc", "arc.size"));
	assert_near(62.9 * 1073741824, number_of(&now, "arc", "arc.max_size"));
	assert_near(98.3, number_of(&now, "arc", "arc.hit_pct"));
	assert_near(1000, number_of(&now, "zfs", "zfs_module.zfs_vdev_max_active"));
	assert_near(7.78 * 1073741824, number_of(&old, "arc", "arc.size"));
	assert_near(83.1, number_of(&old, "arc", "arc.hit_pct"));
}

static void the_last_row_of_arcstat_counts(void **unused)
{
	IMPORT import = import_text(
		"    time  read  ddread  ddh%  dmread  dmh%  pread  ph%   size      c  avail\n"
		"17:02:10     0       0     0       0     0      0    0    63G    63G   8.1G\n"
		"17:02:11    1k     812  99.1      40   100      0    0    62G    63G   8.1G\n");
	IMPORT old = import_text(
		"    time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  arcsz     c  \n"
		"17:02:11   200    50     25    50   25     0    0     0    0   4.2G  7.8G  \n");

	(void)unused;
	assert_near(99.1, number_of(&import, "arc", "arc.demand_data_hit_pct"));
	assert_near(62.0 * 1073741824, number_of(&import, "arc", "arc.size"));
	assert_near(75, number_of(&old, "arc", "arc.hit_pct"));
	assert_near(7.8 * 1073741824, number_of(&old, "arc", "arc.target_size"));
}

static void talk_of_caches_is_none(void **unused)
{
	IMPORT import = import_text(
		"hits 4 you\nsize 4 all\nARC Size: large\ntime read miss is bad\n"
		"size 4 5\n");

	(void)unused;
	assert_int_equal(0, import.graph->nr_facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_of_the_kernel_become_facts),
		cmocka_unit_test(summaries_of_new_and_old_versions_are_read),
		cmocka_unit_test(the_last_row_of_arcstat_counts),
		cmocka_unit_test(talk_of_caches_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
