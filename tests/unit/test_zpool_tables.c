/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of zpool list and zpool iostat. The texts are made by hand in the tools' format.
 */
#include "fact_reader.h"

#define IMPORT __attribute__((cleanup(import_free))) struct import

#define LIST_HEADER                                                                                \
	"NAME          SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  "     \
	"ALTROOT\n"

static const char list[] = LIST_HEADER
	"tank         34.9T  12.1T  22.8T        -         -     7%    34%  1.00x  DEGRADED  /mnt\n"
	"  raidz2-0   34.9T  12.1T  22.8T        -         -     7%  34.7%      -  DEGRADED\n"
	"    sda      5.82T      -      -        -         -      -      -      -    ONLINE\n"
	"    sdb      5.82T      -      -        -         -      -      -      -   UNAVAIL\n"
	"    sdc      5.82T      -      -        -         -      -      -      -    ONLINE\n"
	"    sdd      5.82T      -      -        -         -      -      -      -    ONLINE\n"
	"special          -      -      -        -         -      -      -      -         -\n"
	"  mirror-1    186G  12.0G   174G        -         -     0%   6.4%      -    ONLINE\n"
	"    sde       186G      -      -        -         -      -      -      -    ONLINE\n"
	"    sdf       186G      -      -        -         -      -      -      -    ONLINE\n"
	"logs             -      -      -        -         -      -      -      -         -\n"
	"  nvme0n1p1  15.5G   128K  15.5G        -         -     0%  0.00%      -    ONLINE\n"
	"spare            -      -      -        -         -      -      -      -         -\n"
	"  sdg            -      -      -        -         -      -      -      -     AVAIL\n"
	"plain         928G   100G   828G        -         -     1%    10%  1.31x    ONLINE  -\n"
	"  sdh         928G   100G   828G        -         -     1%  10.8%      -    ONLINE\n"
	"lost             -      -      -        -         -      -      -      -   FAULTED  -\n";

static void check_list(const struct import *import)
{
	assert_text("DEGRADED", import, "tank", "zpool.state");
	assert_near(34.9 * 1099511627776.0, number_of(import, "tank", "zpool.size"));
	assert_near(7, number_of(import, "tank", "zpool.fragmentation_pct"));
	assert_text("raidz2 of 4", import, "tank", "zpool.layout");
	assert_text("sda sdb sdc sdd", import, "tank", "zpool.devices");
	assert_near(2, number_of(import, "tank", "zpool.data_disks"));
	assert_text("mirror of 2", import, "tank", "zpool.special_layout");
	assert_text("nvme0n1p1", import, "tank", "zpool.slog");
	assert_text("sdg", import, "tank", "zpool.spares");
	assert_text("raidz2-0 DEGRADED, sdb UNAVAIL", import, "tank", "zpool.broken");
	assert_near(1.31, number_of(import, "plain", "zpool.dedup_ratio"));
	assert_text("disk", import, "plain", "zpool.layout");
	assert_int_equal(boolean_of(import, "plain", "zpool.has_slog"), 0);
	assert_text("FAULTED", import, "lost", "zpool.state");
	assert_null(fact_of(import, "lost", "zpool.size"));
	assert_null(fact_of(import, "sda", "zpool.state"));
}

/* Runs of blanks become one, those at the front none: a page that was copied. */
static char *squeeze(const char *text)
{
	char *copy = hl_strdup(text), *to = copy;

	for (const char *from = text; *from; from++) {
		if (*from == ' ' && (to == copy || to[-1] == ' ' || to[-1] == '\n'))
			continue;
		*to++ = *from;
	}
	*to = '\0';
	return copy;
}

static void pools_and_their_devices_are_told_apart(void **unused)
{
	IMPORT import = import_text(list);

	(void)unused;
	check_list(&import);
}

static void a_list_without_blanks_says_the_same(void **unused)
{
	HL_FREE char *text = squeeze(list);
	IMPORT import = import_text(text);

	(void)unused;
	check_list(&import);
}

static void a_list_for_scripts_has_no_header(void **unused)
{
	IMPORT import = import_text(
		"tank\t1000\t400\t600\t-\t-\t9\t40\t1.00\tONLINE\t-\n"
		"\tmirror-0\t1000\t400\t600\t-\t-\t9\t40\t-\tONLINE\n"
		"\tsda\t1000\t-\t-\t-\t-\t-\t-\t-\tONLINE\n"
		"\tsdb\t1000\t-\t-\t-\t-\t-\t-\t-\tONLINE\n"
		"logs                 -      -      -        -         -      -      -      -  -\n"
		"\tsdc\t500\t0\t500\t-\t-\t0\t0\t-\tONLINE\n");
	IMPORT old = import_text("rpool\t928G\t100G\t828G\t-\t1%\t10%\t1.00x\tONLINE\t-\n");

	(void)unused;
	assert_near(600, number_of(&import, "tank", "zpool.free"));
	assert_text("mirror of 2", &import, "tank", "zpool.layout");
	assert_text("sdc", &import, "tank", "zpool.slog");
	assert_near(10, number_of(&old, "rpool", "zpool.capacity_pct"));
}

static void devices_below_a_pool_are_no_pools_without_the_usual_columns(void **unused)
{
	IMPORT import = import_text("NAME        SIZE  ALLOC   FREE  HEALTH\n"
				    "tank       34.9T  12.1T  22.8T  ONLINE\n"
				    "  sda       6.9T   2.4T   4.5T  ONLINE\n"
				    "  sdb       6.9T   2.4T   4.5T  ONLINE\n");

	(void)unused;
	assert_text("2 x disk", &import, "tank", "zpool.layout");
	assert_null(fact_of(&import, "sda", "zpool.state"));
}

static void a_decimal_comma_is_a_point_and_old_columns_are_known(void **unused)
{
	IMPORT import = import_text("NAME    SIZE   USED  AVAIL    CAP  HEALTH  ALTROOT\n"
				    "tank   67,5G  32,6K  67,5G     0%  ONLINE  -\n");
	IMPORT some = import_text("NAME  FREE  HEALTH\ntank  1,5T  ONLINE\n");

	(void)unused;
	assert_near(67.5 * 1073741824.0, number_of(&import, "tank", "zpool.size"));
	assert_near(32.6 * 1024, number_of(&import, "tank", "zpool.alloc"));
	assert_near(1.5 * 1099511627776.0, number_of(&some, "tank", "zpool.free"));
}

/* ---- zpool iostat ---- */

static const char iostat[] =
	"              capacity     operations     bandwidth    total_wait     disk_wait    "
	"syncq_wait    asyncq_wait  scrub   trim   syncq_read    syncq_write\n"
	"pool        alloc   free   read  write   read  write   read  write   read  write   read  "
	"write   read  write   wait   wait   pend  activ   pend  activ\n"
	"----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  "
	"-----  -----  -----  -----  -----  -----  -----  -----  -----\n"
	"tank        12.1T  22.8T    310    205  38.7M  11.2M    5ms    2ms    4ms    1ms  349us  "
	"    -    1us    3ms      -      -      0      3      1      0\n"
	"  raidz1-0  12.1T  22.8T    310    205  38.7M  11.2M    5ms    2ms    4ms    1ms  349us  "
	"    -    1us    3ms      -      -      0      3      1      0\n"
	"    sda         -      -     62     41  7.74M  2.24M    5ms    2ms    6ms    1ms  349us  "
	"    -    1us    3ms      -      -      0      1      0      0\n"
	"logs            -      -      -      -      -      -      -      -      -      -      -  "
	"    -      -      -      -      -      -      -      -      -\n"
	"  sdb        128K  15.5G      0     12      0   800K      -   88us      -   80us      -  "
	"  1us      -      -      -      -      0      0      0      0\n"
	"----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  "
	"-----  -----  -----  -----  -----  -----  -----  -----  -----\n";

static void columns_that_interleave_go_to_their_direction(void **unused)
{
	IMPORT import = import_text(iostat);

	(void)unused;
	assert_near(310, number_of(&import, "tank", "zpool.read_iops"));
	assert_near(205, number_of(&import, "tank", "zpool.write_iops"));
	assert_near(5e6, number_of(&import, "tank", "zpool.read_wait_ns"));
	assert_near(2e6, number_of(&import, "tank", "zpool.write_wait_ns"));
	assert_near(4e6, number_of(&import, "tank", "zpool.disk_read_wait_ns"));
	assert_near(349e3, number_of(&import, "tank", "zpool.syncq_read_wait_ns"));
	assert_null(fact_of(&import, "tank", "zpool.syncq_write_wait_ns"));
	assert_near(3e6, number_of(&import, "tank", "zpool.asyncq_write_wait_ns"));
	assert_near(6e6, number_of(&import, "tank/sda", "vdev.disk_read_wait_ns"));
	assert_near(80e3, number_of(&import, "tank/sdb", "vdev.disk_write_wait_ns"));
	assert_null(fact_of(&import, "tank/logs", "vdev.read_iops"));
	assert_null(fact_of(&import, "sda", "zpool.read_iops"));
}

static void rows_without_indentation_stay_with_their_pool(void **unused)
{
	HL_FREE char *text = squeeze(iostat);
	IMPORT import = import_text(text);

	(void)unused;
	assert_near(310, number_of(&import, "tank", "zpool.read_iops"));
	assert_near(62, number_of(&import, "tank/sda", "vdev.read_iops"));
	assert_null(fact_of(&import, "sda", "zpool.read_iops"));
}

static void of_several_samples_the_last_one_counts(void **unused)
{
	IMPORT import = import_text("              capacity     operations     bandwidth \n"
				    "pool        alloc   free   read  write   read  write\n"
				    "----------  -----  -----  -----  -----  -----  -----\n"
				    "one          100G   100G      1      2     3K     4K\n"
				    "two          200G   200G      5      6     7K     8K\n"
				    "----------  -----  -----  -----  -----  -----  -----\n"
				    "one          100G   100G     10     20    30K    40K\n"
				    "two          200G   200G     50     60    70K    80K\n"
				    "----------  -----  -----  -----  -----  -----  -----\n");

	(void)unused;
	assert_near(10, number_of(&import, "one", "zpool.read_iops"));
	assert_near(80 * 1024, number_of(&import, "two", "zpool.write_bw"));
}

static void lines_that_only_look_like_tables_are_none(void **unused)
{
	IMPORT import = import_text("NAME SIZE\nnone of it\nNAME of the SIZE that FREE is\n"
				    "pool alloc free read write\n"
				    "capacity operations bandwidth\nof my pool\n");

	(void)unused;
	assert_int_equal(import.graph->nr_facts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pools_and_their_devices_are_told_apart),
		cmocka_unit_test(a_list_without_blanks_says_the_same),
		cmocka_unit_test(a_list_for_scripts_has_no_header),
		cmocka_unit_test(devices_below_a_pool_are_no_pools_without_the_usual_columns),
		cmocka_unit_test(a_decimal_comma_is_a_point_and_old_columns_are_known),
		cmocka_unit_test(columns_that_interleave_go_to_their_direction),
		cmocka_unit_test(rows_without_indentation_stay_with_their_pool),
		cmocka_unit_test(of_several_samples_the_last_one_counts),
		cmocka_unit_test(lines_that_only_look_like_tables_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
