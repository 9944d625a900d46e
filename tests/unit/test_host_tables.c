/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iostat -x, df and uname as people paste them. Made by hand in their formats.
 */
#include "fact_reader.h"

#define IMPORT __attribute__((cleanup(import_free))) struct import

static void the_last_sample_of_iostat_counts_by_its_columns(void **unused)
{
	IMPORT now = import_text("avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
				 "           1,00    0,00    2,00    3,00    0,00   94,00\n"
				 "\n"
				 "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz "
				 "    w/s     wkB/s   "
				 "wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util\n"
				 "nvme0n1          1,00     32,00     0,00   0,00    0,10    32,00 "
				 "   0,00      0,00   "
				 "  0,00   0,00    0,00     0,00    0,00   0,10\n"
				 "\n"
				 "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
				 "           1,00    0,00    2,00    3,00    0,00   94,00\n"
				 "\n"
				 "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz "
				 "    w/s     wkB/s   "
				 "wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util\n"
				 "nvme0n1       1203,00  38496,00     0,00   0,00    0,31    32,00 "
				 "  80,00   1280,00   "
				 "  0,00   0,00    0,05    16,00    0,40  22,10\n"
				 "\n");
	IMPORT old = import_text(
		"Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s "
		"avgrq-sz avgqu-sz   await r_await w_await  svctm  %util\n"
		"sda               0.00     1.00   90.00   10.00     5.50     0.50 "
		"  122.88     4.20   42.00   46.00    6.00   9.00  90.00\n");

	(void)unused;
	assert_near(1203, number_of(&now, "nvme0n1", "block.read_iops"));
	assert_near(38496 * 1024.0, number_of(&now, "nvme0n1", "block.read_bw"));
	assert_near(0.31e6, number_of(&now, "nvme0n1", "block.read_wait_ns"));
	assert_near(16384, number_of(&now, "nvme0n1", "block.write_size"));
	assert_near(0.4, number_of(&now, "nvme0n1", "block.mean_depth"));
	assert_near(22.1, number_of(&now, "nvme0n1", "block.util_pct"));
	assert_string_equal("f.txt:11", fact_of(&now, "nvme0n1", "block.util_pct")->source);
	assert_near(5.5 * 1048576, number_of(&old, "sda", "block.read_bw"));
	assert_near(46e6, number_of(&old, "sda", "block.read_wait_ns"));
	assert_near(4.2, number_of(&old, "sda", "block.mean_depth"));
}

static void df_is_read_in_any_language(void **unused)
{
	IMPORT plain = import_text(
		"Filesystem           1K-blocks      Used Available Use% Mounted on\n"
		"udev                   8123456         0   8123456   0% /dev\n"
		"/dev/sda1            959786032 601234567 309722345  67% /\n"
		"/dev/mapper/a-very-long-name-of-a-volume\n"
		"                     103081248  61340316  36481668  63% /srv/my data\n");
	IMPORT german = import_text(
		"Dateisystem    Typ   Größe Benutzt Verf. Verw% Eingehängt auf\n"
		"tank/data      zfs   34,2T    960K 34,2T    1% /mnt/tank\n");

	(void)unused;
	assert_text("sda1", &plain, "/", "mount.device");
	assert_near(959786032 * 1024.0, number_of(&plain, "/", "mount.size"));
	assert_near(309722345 * 1024.0, number_of(&plain, "/", "mount.available"));
	assert_text("mapper/a-very-long-name-of-a-volume", &plain, "/srv/my data", "mount.device");
	assert_null(fact_of(&plain, "/dev", "mount.device"));
	assert_text("tank/data", &german, "/mnt/tank", "mount.device");
	assert_text("zfs", &german, "/mnt/tank", "mount.fs_type");
	assert_near(34.2 * 1099511627776.0, number_of(&german, "/mnt/tank", "mount.size"));
}

static void uname_names_host_and_kernel(void **unused)
{
	IMPORT import = import_text("Linux pve 6.8.12-4-pve #1 SMP PREEMPT_DYNAMIC PMX 6.8.12-4 "
				    "(2024-11-06T15:04Z) x86_64 GNU/Linux\n");

	(void)unused;
	assert_text("6.8.12-4-pve", &import, NULL, "system.kernel_release");
	assert_string_equal("pve", fact_of(&import, NULL, "system.kernel_release")->host);
}

static void talk_of_them_is_none(void **unused)
{
	IMPORT import = import_text("Device r/s w/s %util is what I looked at here\n"
				    "Linux is a kernel #1 for me\n"
				    "about 5 of the 67% / is full\n"
				    "Filesystem Size Used Avail Use% Mounted on\nnone of this\n");

	(void)unused;
	assert_int_equal(0, import.graph->nr_facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_sample_of_iostat_counts_by_its_columns),
		cmocka_unit_test(df_is_read_in_any_language),
		cmocka_unit_test(uname_names_host_and_kernel),
		cmocka_unit_test(talk_of_them_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
