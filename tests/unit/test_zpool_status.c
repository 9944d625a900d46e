/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zpool status as people paste it. The texts are made by hand in the tool's format.
 */
#include "fact_reader.h"

#define IMPORT __attribute__((cleanup(import_free))) struct import

static const char raidz[] = "  pool: tank\n"
			    " state: ONLINE\n"
			    "  scan: scrub in progress since Sun Nov  8 00:24:01 2026\n"
			    "\t12.1T / 34.9T scanned at 1.2G/s, 9.1T / 34.9T issued at 900M/s\n"
			    "\t0B repaired, 26.07% done, 08:11:01 to go\n"
			    "config:\n"
			    "\n"
			    "\tNAME             STATE     READ WRITE CKSUM\n"
			    "\ttank             ONLINE       0     0     0\n"
			    "\t  raidz1-0       ONLINE       0     0     0\n"
			    "\t    nvme0n1      ONLINE       0     0     0\n"
			    "\t    nvme1n1      ONLINE       0     0     0\n"
			    "\t    replacing-2  DEGRADED     0     0     0\n"
			    "\t      old        UNAVAIL      0     0     0  was /dev/nvme9n1p1\n"
			    "\t      nvme2n1    ONLINE       0     0    12  (resilvering)\n"
			    "\t    nvme3n1      ONLINE       0     0     0\n"
			    "\t    nvme4n1      ONLINE       0     0     0\n"
			    "\tspecial\t\n"
			    "\t  mirror-1       ONLINE       0     0     0\n"
			    "\t    sda          ONLINE       0     0     0\n"
			    "\t    sdb          ONLINE       0     0     0\n"
			    "\tlogs\t\n"
			    "\t  nvme5n1        ONLINE       0     0     0\n"
			    "\tcache\n"
			    "\t  nvme6n1        ONLINE       0     0     0\n"
			    "\tspares\n"
			    "\t  sdc            AVAIL   \n"
			    "\n"
			    "errors: No known data errors\n";

static void the_layout_of_a_pool_with_all_kinds_of_vdevs_is_read(void **unused)
{
	IMPORT import = import_text(raidz);

	(void)unused;
	assert_int_equal(import.rc, 1);
	assert_text("ONLINE", &import, "tank", "zpool.state");
	assert_text("No known data errors", &import, "tank", "zpool.errors");
	assert_text("raidz1 of 5", &import, "tank", "zpool.layout");
	assert_text("nvme0n1 nvme1n1 old nvme2n1 nvme3n1 nvme4n1", &import, "tank",
		    "zpool.devices");
	assert_near(1, number_of(&import, "tank", "zpool.vdevs"));
	assert_near(4, number_of(&import, "tank", "zpool.data_disks"));
	assert_near(1, number_of(&import, "tank", "zpool.parity"));
	assert_text("disk", &import, "tank", "zpool.slog_layout");
	assert_text("nvme5n1", &import, "tank", "zpool.slog");
	assert_text("mirror of 2", &import, "tank", "zpool.special_layout");
	assert_text("sda sdb", &import, "tank", "zpool.special");
	assert_text("nvme6n1", &import, "tank", "zpool.cache");
	assert_text("sdc", &import, "tank", "zpool.spares");
	assert_int_equal(boolean_of(&import, "tank", "zpool.has_slog"), 1);
	assert_int_equal(boolean_of(&import, "tank", "zpool.is_scrubbing"), 1);
	assert_int_equal(boolean_of(&import, "tank", "zpool.is_resilvering"), 0);
	assert_text("replacing-2 DEGRADED, old UNAVAIL", &import, "tank", "zpool.broken");
	assert_near(12, number_of(&import, "tank", "zpool.checksum_errors"));
	assert_near(12, number_of(&import, "tank/nvme2n1", "vdev.checksum_errors"));
	assert_text("UNAVAIL", &import, "tank/old", "vdev.state");
	assert_null(fact_of(&import, "tank/nvme0n1", "vdev.state"));
	assert_string_equal("f.txt:9", fact_of(&import, "tank", "zpool.layout")->source);
}

/* The text without the blanks at the front of its lines. */
static char *flat(const char *text)
{
	char *copy = hl_strdup(text), *to = copy;
	bool is_front = true;

	for (const char *from = text; *from; from++) {
		if (is_front && (*from == ' ' || *from == '\t'))
			continue;
		is_front = *from == '\n';
		*to++ = *from;
	}
	*to = '\0';
	return copy;
}

static void lost_indentation_is_made_up_for_by_names(void **unused)
{
	HL_FREE char *text = flat(raidz);
	IMPORT import = import_text(text);

	(void)unused;
	assert_text("raidz1 of 5", &import, "tank", "zpool.layout");
	assert_near(4, number_of(&import, "tank", "zpool.data_disks"));
	assert_text("mirror of 2", &import, "tank", "zpool.special_layout");
	assert_text("nvme5n1", &import, "tank", "zpool.slog");
	assert_text("nvme6n1", &import, "tank", "zpool.cache");
}

static void the_number_of_errors_counts_where_their_list_is_denied(void **unused)
{
	static const char text[] = "  pool: tank\n state: ONLINE\nconfig:\n\n"
				   "\tNAME        STATE     READ WRITE CKSUM\n"
				   "\ttank        ONLINE       0     0     0\n"
				   "\t  sda       ONLINE       0     0     0\n"
				   "errors: List of errors unavailable: permission denied\n"
				   "\nerrors: 3 data errors, use '-v' for a list\n";
	IMPORT import = import_text(text);

	(void)unused;
	assert_text("3 data errors, use '-v' for a list", &import, "tank", "zpool.errors");
}

static void several_pools_keep_apart(void **unused)
{
	static const char text[] =
		"root@nas:~# zpool status\n"
		"  pool: boot-pool\n state: ONLINE\n"
		"status: Some supported and requested features are not enabled on the pool.\n"
		"\tThe pool can still be used, but some features are unavailable.\n"
		"action: Enable all features using 'zpool upgrade'. Once this is done,\n"
		"\tthe pool may no longer be accessible by software that does not support\n"
		"\tthe features. See zpool-features(7) for details.\n"
		"config:\n\n"
		"\tNAME        STATE     READ WRITE CKSUM\n"
		"\tboot-pool   ONLINE       0     0     0\n"
		"\t  sda3      ONLINE       0     0     0\n"
		"\nerrors: No known data errors\n"
		"\n  pool: big\n state: DEGRADED\n"
		"  scan: resilver in progress since Mon Nov 30 09:00:00 2026\n"
		"config:\n\n"
		"\tNAME        STATE     READ WRITE CKSUM\n"
		"\tbig         DEGRADED     0     0     0\n"
		"\t  mirror-0  DEGRADED     0     0     0\n"
		"\t    sdb     ONLINE       0     0     0\n"
		"\t    sdc     FAULTED      3   1.2K    0  too many errors\n"
		"\t  mirror-1  ONLINE       0     0     0\n"
		"\t    sdd     ONLINE       0     0     0\n"
		"\t    sde     ONLINE       0     0     0\n"
		"\nerrors: Permanent errors have been detected in the following files:\n"
		"\n        big/data:<0x1>\n        /big/file\n"
		"root@nas:~# exit\n";
	IMPORT import = import_text(text);

	(void)unused;
	assert_text("disk", &import, "boot-pool", "zpool.layout");
	assert_text("2 x mirror of 2", &import, "big", "zpool.layout");
	assert_near(2, number_of(&import, "big", "zpool.data_disks"));
	assert_near(1228.8, number_of(&import, "big/sdc", "vdev.write_errors"));
	assert_int_equal(boolean_of(&import, "big", "zpool.is_resilvering"), 1);
	assert_int_equal(boolean_of(&import, "big", "zpool.has_slog"), 0);
	assert_text("Permanent errors have been detected in the following files:", &import, "big",
		    "zpool.errors");
	assert_null(fact_of(&import, "boot-pool", "zpool.scan"));
}

static void a_scrub_that_is_over_or_paused_is_none(void **unused)
{
	static const char *const scans[] = {
		"scrub repaired 0B in 02:11:03 with 0 errors on Sun Nov  8 02:11:05 2026",
		"scrub paused since Sun Nov  8 02:11:05 2026",
		"resilvered 1.2T in 05:00:00 with 0 errors on Sun Nov  8 02:11:05 2026",
	};

	(void)unused;
	for (size_t i = 0; i < NR(scans); i++) {
		HL_FREE char *text = hl_printf("  pool: tank\n state: ONLINE\n  scan: %s\nconfig:\n"
					       "\n\tNAME  STATE  READ WRITE CKSUM\n"
					       "\ttank  ONLINE  0 0 0\n\t  sda ONLINE 0 0 0\n",
					       scans[i]);
		IMPORT import = import_text(text);

		assert_int_equal(0, boolean_of(&import, "tank", "zpool.is_scrubbing"));
		assert_int_equal(0, boolean_of(&import, "tank", "zpool.is_resilvering"));
	}
}

static void what_was_cut_out_is_not_said_to_be_absent(void **unused)
{
	static const char text[] = "  pool: zdata\n state: ONLINE\n. . .\nconfig:\n"
				   "        NAME        STATE     READ WRITE CKSUM\n"
				   "        zdata       ONLINE       0     0     0\n"
				   "          raidz2-0  ONLINE       0     0     0\n"
				   "            sda     ONLINE       0     0     0\n"
				   "            ...\n"
				   "            sdf     ONLINE       0     0     0\n"
				   "errors: No known data errors\n";
	IMPORT import = import_text(text);

	(void)unused;
	assert_text("ONLINE", &import, "zdata", "zpool.state");
	assert_int_equal(boolean_of(&import, "zdata", "zpool.has_slog"), -1);
}

static void an_end_that_is_cut_off_leaves_the_log_unknown(void **unused)
{
	IMPORT import = import_bytes(raidz, strstr(raidz, "\tspecial") - raidz);

	(void)unused;
	assert_text("raidz1 of 5", &import, "tank", "zpool.layout");
	assert_int_equal(boolean_of(&import, "tank", "zpool.has_slog"), -1);
	assert_null(fact_of(&import, "tank", "zpool.errors"));
}

static void a_table_alone_names_its_pool(void **unused)
{
	IMPORT import = import_text("NAME        STATE     READ WRITE CKSUM\n"
				    "tank        DEGRADED     0     0     0\n"
				    "  raidz     DEGRADED     0     0     0\n"
				    "    c1t0d0  ONLINE       0     0     0\n"
				    "    c1t1d0  UNAVAIL      0     0     0  cannot open\n"
				    "    c1t2d0  ONLINE       0     0     0\n");

	(void)unused;
	assert_text("DEGRADED", &import, "tank", "zpool.state");
	assert_text("raidz1 of 3", &import, "tank", "zpool.layout");
	assert_near(2, number_of(&import, "tank", "zpool.data_disks"));
}

static void quotes_of_mail_html_blanks_and_wrapped_rows_are_read(void **unused)
{
	IMPORT mail = import_text("> pool: tank\n> state: ONLINE\n> config:\n>\n"
				  "> NAME STATE READ WRITE CKSUM\n"
				  "> tank ONLINE 0 0 0\n"
				  "> mirror-0 ONLINE 0 0 0\n"
				  "> ata-A_LONG_NAME_OF_A_DISK-part1\n> ONLINE 0 0 0\n"
				  "> ata-ANOTHER_LONG_NAME-part1 ONLINE 0 0 0\n>\n"
				  "> errors: No known data errors\n");
	IMPORT html = import_text("&nbsp;&nbsp;pool: tank\n&nbsp;state: ONLINE\nconfig:\n\n"
				  "&nbsp; NAME&nbsp; STATE&nbsp; READ WRITE CKSUM\n"
				  "&nbsp; tank&nbsp; ONLINE 0 0 0\n"
				  "&nbsp; &nbsp; mirror-0 ONLINE 0 0 0\n"
				  "&nbsp; &nbsp; &nbsp; sda ONLINE 0 0 0\n"
				  "&nbsp; &nbsp; &nbsp; sdb ONLINE 0 0 0\n"
				  "&nbsp; &nbsp; sdc ONLINE 0 0 0\n"
				  "\nerrors: No known data errors\n");

	(void)unused;
	assert_text("mirror of 2", &mail, "tank", "zpool.layout");
	assert_text("ata-A_LONG_NAME_OF_A_DISK-part1 ata-ANOTHER_LONG_NAME-part1", &mail, "tank",
		    "zpool.devices");
	assert_text("mirror of 2 + disk", &html, "tank", "zpool.layout");
}

static void draid_counts_the_data_disks_of_a_stripe(void **unused)
{
	IMPORT import = import_text("  pool: d\n state: ONLINE\nconfig:\n\n"
				    "\tNAME                  STATE     READ WRITE CKSUM\n"
				    "\td                     ONLINE       0     0     0\n"
				    "\t  draid2:4d:11c:1s-0  ONLINE       0     0     0\n"
				    "\t    sda               ONLINE       0     0     0\n"
				    "\t    sdb               ONLINE       0     0     0\n"
				    "\tspares\n\t  draid2-0-0          AVAIL\n\n"
				    "errors: No known data errors\n");

	(void)unused;
	assert_text("draid2:4d:11c:1s of 2", &import, "d", "zpool.layout");
	assert_near(4, number_of(&import, "d", "zpool.data_disks"));
	assert_near(2, number_of(&import, "d", "zpool.parity"));
	assert_text("draid2-0-0", &import, "d", "zpool.spares");
}

static void prose_about_pools_is_no_pool(void **unused)
{
	IMPORT import = import_text("pool: the swimming kind\nMy pool: tank is slow.\n"
				    "state: I do not know\n");

	(void)unused;
	assert_int_equal(import.graph->nr_facts, 0);
}

static void every_prefix_is_read_without_harm(void **unused)
{
	(void)unused;
	for (size_t len = 0; len < sizeof(raidz); len += 7) {
		IMPORT import = import_bytes(raidz, len);

		assert_true(import.graph->nr_facts < 60);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_layout_of_a_pool_with_all_kinds_of_vdevs_is_read),
		cmocka_unit_test(lost_indentation_is_made_up_for_by_names),
		cmocka_unit_test(the_number_of_errors_counts_where_their_list_is_denied),
		cmocka_unit_test(several_pools_keep_apart),
		cmocka_unit_test(a_scrub_that_is_over_or_paused_is_none),
		cmocka_unit_test(what_was_cut_out_is_not_said_to_be_absent),
		cmocka_unit_test(an_end_that_is_cut_off_leaves_the_log_unknown),
		cmocka_unit_test(a_table_alone_names_its_pool),
		cmocka_unit_test(quotes_of_mail_html_blanks_and_wrapped_rows_are_read),
		cmocka_unit_test(draid_counts_the_data_disks_of_a_stripe),
		cmocka_unit_test(prose_about_pools_is_no_pool),
		cmocka_unit_test(every_prefix_is_read_without_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
