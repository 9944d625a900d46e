/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Properties as zfs get, zpool get and zfs list print them. The texts are made by hand in the
 * tools' format.
 */
#include "fact_reader.h"

#define IMPORT __attribute__((cleanup(import_free))) struct import

#define GET_HEADER "NAME      PROPERTY              VALUE                  SOURCE\n"

static void properties_of_a_volume_become_facts(void **unused)
{
	IMPORT import = import_text(
		GET_HEADER
		"tank/vol  type                  volume                 -\n"
		"tank/vol  creation              Sun Nov  8  0:24 2026  -\n"
		"tank/vol  volsize               64G                    local\n"
		"tank/vol  volblocksize          16K                    default\n"
		"tank/vol  recordsize            -                      -\n"
		"tank/vol  compression           lz4                    inherited from tank\n"
		"tank/vol  primarycache          metadata               received\n"
		"tank/vol  sync                  standard               default\n"
		"tank/vol  com.example:password  secret                 local\n"
		"tank/vol@daily  referenced      9G                     -\n");

	(void)unused;
	assert_near(16384, number_of(&import, "tank/vol", "zfs.volblocksize"));
	assert_near(64.0 * 1073741824, number_of(&import, "tank/vol", "zfs.volsize"));
	assert_text("lz4", &import, "tank/vol", "zfs.compression");
	assert_text("metadata", &import, "tank/vol", "zfs.primarycache");
	assert_text("tank", &import, "tank/vol", "zvol.pool");
	assert_null(fact_of(&import, "tank/vol", "zfs.recordsize"));
	assert_null(fact_of(&import, "tank/vol@daily", "zfs.referenced"));
	for (size_t i = 0; i < import.graph->nr_facts; i++) {
		const char *text = import.graph->facts[i]->string;

		assert_true(!text || !strstr(text, "secret"));
	}
}

static void exact_numbers_with_tabs_need_no_header(void **unused)
{
	IMPORT import = import_text("tank\trecordsize\t131072\tdefault\n"
				    "tank\tcompressratio\t1.42\t-\n"
				    "tank/vol\tvolblocksize\t16384\t-\n"
				    "tank/vol\tused\t7516192768\t-\n");
	IMPORT single = import_text("tank/vol\tvolblocksize\t65536\tdefault\n");

	(void)unused;
	assert_near(131072, number_of(&import, "tank", "zfs.recordsize"));
	assert_null(fact_of(&import, "tank", "zfs.pool"));
	assert_near(1.42, number_of(&import, "tank", "zfs.compressratio"));
	assert_near(7516192768.0, number_of(&import, "tank/vol", "zfs.used"));
	assert_near(65536, number_of(&single, "tank/vol", "zfs.volblocksize"));
}

static void a_tail_without_header_is_known_by_its_sources(void **unused)
{
	IMPORT import = import_text("data mlslabel none default\n"
				    "data sync always inherited from pool\n"
				    "data written 100K -\n");

	(void)unused;
	assert_text("always", &import, "data", "zfs.sync");
}

static void values_without_a_name_are_of_the_file(void **unused)
{
	IMPORT import = import_text(
		"PROPERTY      VALUE\nvolblocksize  8K\nsync          disabled\n");

	(void)unused;
	assert_near(8192, number_of(&import, "f", "zfs.volblocksize"));
	assert_text("disabled", &import, "f", "zfs.sync");
}

static void properties_of_a_pool_are_facts_of_the_pool(void **unused)
{
	IMPORT import = import_text(GET_HEADER
				    "tank      size                  34.9T        -\n"
				    "tank      ashift                12           local\n"
				    "tank      health                ONLINE       -\n"
				    "tank      fragmentation         7%           -\n"
				    "auto      ashift                0            default\n"
				    "raidz1-0  ashift                13           -\n");

	(void)unused;
	assert_near(12, number_of(&import, "tank", "zpool.ashift"));
	assert_text("ONLINE", &import, "tank", "zpool.state");
	assert_near(7, number_of(&import, "tank", "zpool.fragmentation_pct"));
	assert_null(fact_of(&import, "auto", "zpool.ashift"));
	assert_null(fact_of(&import, "raidz1-0", "zpool.ashift"));
}

static void datasets_are_listed_by_the_columns_of_the_header(void **unused)
{
	IMPORT usual = import_text("NAME        USED  AVAIL  REFER  MOUNTPOINT\n"
				   "tank        960K  34,2T   128K  /mnt/my tank\n"
				   "tank/vol     66G  34.3T  12.5G  -\n"
				   "tank/vol@a     0      -  12.5G  -\n"
				   "and that is all\n");
	IMPORT some = import_text("NAME      VOLSIZE  VOLBLOCK  RECSIZE  SYNC\n"
				  "tank            -         -     128K  standard\n"
				  "tank/vol      64G       16K        -  always\n");

	(void)unused;
	assert_near(34.2 * 1099511627776.0, number_of(&usual, "tank", "zfs.available"));
	assert_near(12.5 * 1073741824, number_of(&usual, "tank/vol", "zfs.referenced"));
	assert_null(fact_of(&usual, "tank/vol@a", "zfs.referenced"));
	assert_null(fact_of(&usual, "and", "zfs.used"));
	assert_near(16384, number_of(&some, "tank/vol", "zfs.volblocksize"));
	assert_text("always", &some, "tank/vol", "zfs.sync");
	assert_near(131072, number_of(&some, "tank", "zfs.recordsize"));
}

static void json_of_new_versions_is_read(void **unused)
{
	IMPORT status = import_json(
		"{'output_version':{'command':'zpool status','vers_major':0,'vers_minor':1},"
		"'pools':{'tank':{'name':'tank','state':'DEGRADED','error_count':'0',"
		"'scan_stats':{'function':'SCRUB','state':'SCANNING'},"
		"'vdevs':{'tank':{'name':'tank','vdev_type':'root','state':'DEGRADED','vdevs':{"
		"'raidz1-0':{'name':'raidz1-0','state':'DEGRADED','vdevs':{"
		"'sda':{'state':'ONLINE','checksum_errors':'3'},'sdb':{'state':'UNAVAIL'},"
		"'sdc':{'state':'ONLINE'}}}}}},"
		"'logs':{'sdd':{'name':'sdd','state':'ONLINE'}},"
		"'l2cache':{'sde':{'name':'sde','state':'ONLINE'}}}}}");
	IMPORT list = import_json("{'output_version':{'command':'zpool list'},'pools':{'tank':{"
				  "'name':'tank','type':'POOL','state':'ONLINE','properties':{"
				  "'size':{'value':'34.9T'},'fragmentation':{'value':7},"
				  "'health':{'value':'ONLINE'}}}}}");
	IMPORT get = import_json("{'output_version':{'command':'zfs get'},'datasets':{'tank/vol':{"
				 "'name':'tank/vol','type':'VOLUME','pool':'tank','properties':{"
				 "'volblocksize':{'value':'16K'},'com.x:secret':{'value':'s'},"
				 "'sync':{'value':'always'}}}}}");

	(void)unused;
	assert_text("DEGRADED", &status, "tank", "zpool.state");
	assert_text("raidz1 of 3", &status, "tank", "zpool.layout");
	assert_text("sdd", &status, "tank", "zpool.slog");
	assert_text("sde", &status, "tank", "zpool.cache");
	assert_text("No known data errors", &status, "tank", "zpool.errors");
	assert_int_equal(1, boolean_of(&status, "tank", "zpool.is_scrubbing"));
	assert_near(3, number_of(&status, "tank/sda", "vdev.checksum_errors"));
	assert_near(7, number_of(&list, "tank", "zpool.fragmentation_pct"));
	assert_text("ONLINE", &list, "tank", "zpool.state");
	assert_null(fact_of(&list, "tank", "zpool.layout"));
	assert_near(16384, number_of(&get, "tank/vol", "zfs.volblocksize"));
	assert_text("always", &get, "tank/vol", "zfs.sync");
}

static void sentences_are_no_properties(void **unused)
{
	IMPORT import = import_text("the sync property is the default\nthe sync of it is local\n"
				    "it used to be much faster than default\n");

	(void)unused;
	assert_int_equal(import.graph->nr_facts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(properties_of_a_volume_become_facts),
		cmocka_unit_test(exact_numbers_with_tabs_need_no_header),
		cmocka_unit_test(a_tail_without_header_is_known_by_its_sources),
		cmocka_unit_test(values_without_a_name_are_of_the_file),
		cmocka_unit_test(properties_of_a_pool_are_facts_of_the_pool),
		cmocka_unit_test(datasets_are_listed_by_the_columns_of_the_header),
		cmocka_unit_test(json_of_new_versions_is_read),
		cmocka_unit_test(sentences_are_no_properties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
