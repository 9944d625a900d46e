/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import_reader.h"
#include <errno.h>

#define RUN(ms, kb, ios)                                                                           \
	"a: (g=0): rw=read, bs=4K-4K/4K-4K/4K-4K, ioengine=psync, iodepth=1\n"                     \
	"fio-2.2.10\nStarting 1 process\n\n"                                                       \
	"a: (groupid=0, jobs=1): err= 0: pid=1: x\n"                                               \
	"  read : io=" #kb "KB, bw=40000KB/s, iops=10000, runt= " #ms "msec\n"                     \
	"  cpu          : usr=2.35%, sys=28.40%, ctx=7991, majf=0, minf=27\n"                      \
	"     issued    : total=r=" #ios "/w=0/d=0, short=r=0/w=0/d=0\n"                           \
	"     latency   : target=0, window=0, percentile=100.00%, depth=1\n"

static void assert_input(const struct import *import, size_t index, unsigned first, unsigned last,
			 const char *format)
{
	const struct hl_input *input = import->graph->inputs[index];

	assert_true(index < import->graph->nr_inputs);
	assert_int_equal(first, input->first_line);
	assert_int_equal(last, input->last_line);
	if (format)
		assert_string_equal(format, input->format);
	else
		assert_null(input->format);
	assert_string_equal("f.txt", input->file);
}

static void a_forum_post_is_cut_into_its_parts(void **state)
{
	struct import import = import_text("Hello,\n\nwhat is wrong here?\n\n" RUN(
		10000, 400000,
		100000) "\nThe drive:\n\n"
			"01:00.0 Non-Volatile memory controller: Vendor Device 0001 (prog-if 02)\n"
			"        LnkCap: Port #0, Speed 16GT/s, Width x4, ASPM not supported\n"
			"        LnkSta: Speed 5GT/s (downgraded), Width x2 (downgraded)\n\n"
			"and then:\n" RUN(20000, 800000, 200000) "Bye\n");

	(void)state;
	assert_int_equal(3, import.rc);
	assert_int_equal(7, import.graph->nr_inputs);
	assert_input(&import, 0, 1, 3, NULL);
	assert_input(&import, 1, 5, 13, "fio-text");
	assert_input(&import, 2, 15, 15, NULL);
	assert_input(&import, 3, 17, 19, "lspci");
	assert_input(&import, 4, 21, 21, NULL);
	assert_input(&import, 5, 22, 30, "fio-text");
	assert_input(&import, 6, 31, 31, NULL);
	assert_int_equal(HL_INPUT_PROSE, import.graph->inputs[0]->status);
	assert_int_equal(HL_INPUT_READ, import.graph->inputs[1]->status);
	assert_int_equal(HL_INPUT_READ, import.graph->inputs[3]->status);
	assert_int_equal(1, measurement(&import, 0)->run);
	assert_int_equal(2, measurement(&import, 1)->run);
	assert_int_equal(26, measurement(&import, 1)->line);
	assert_string_equal("f.txt", measurement(&import, 1)->file);
	import_free(&import);
}

static void a_run_that_is_pasted_twice_is_counted_once(void **state)
{
	struct import import = import_text(RUN(10000, 400000, 100000) "\nagain:\n" RUN(
		10000, 400000, 100000) RUN(20000, 800000, 200000));

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_near(20000, measurement(&import, 1)->dir[HL_DIR_READ]->runtime_ms);
	assert_int_equal(2, measurement(&import, 1)->run);
	assert_int_equal(1, import.graph->nr_warnings);
	assert_non_null(strstr(import.graph->warnings[0], "1 segment repeats"));
	assert_input(&import, 2, 12, 20, "fio-text");
	assert_non_null(strstr(import.graph->inputs[2]->reason, "line 5"));
	assert_null(import.graph->inputs[3]->reason);
	import_free(&import);
}

static void two_runs_of_a_job_are_two_results(void **state)
{
	struct import import = import_text(RUN(10000, 400000, 100000) RUN(10000, 400004, 100001)
						   RUN(30000, 1200000, 300000));

	(void)state;
	assert_int_equal(3, nr_measurements(&import));
	assert_int_equal(3, measurement(&import, 2)->run);
	assert_int_equal(0, import.graph->nr_warnings);
	import_free(&import);
}

static void a_result_in_json_and_in_text_is_one(void **state)
{
	struct import import = import_json(
		"a: (g=0): rw=read, bs=4K-4K/4K-4K/4K-4K, ioengine=psync, iodepth=1\n"
		"fio-3.33\nStarting 1 process\n"
		"{\n 'fio version' : 'fio-3.33',\n 'jobs' : [ { 'jobname' : 'a', 'groupid' : 0,\n"
		" 'error' : 0, 'read' : { 'io_bytes' : 41000960, 'bw_bytes' : 40960000,\n"
		" 'iops' : 10000.0, 'runtime' : 1001, 'total_ios' : 10010 } } ]\n}\n\n"
		"a: (groupid=0, jobs=1): err= 0: pid=1: x\n"
		"  read: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(39.1MiB/1001msec)\n"
		"     issued rwts: total=10010,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(2, import.graph->nr_inputs);
	assert_input(&import, 0, 1, 9, "fio-json");
	assert_input(&import, 1, 11, 13, "fio-text");
	assert_int_equal(HL_INPUT_READ, import.graph->inputs[0]->status);
	import_free(&import);
}

/* "--output-format=normal,terse" prints the terse record first. */
static void of_two_formats_the_fuller_one_is_kept(void **state)
{
	struct import import = import_text(
		"3;fio-3.33;a;0;0;40040;40000;10000;1001;0;0;0;0;1;2;3.5;1.0\n\n"
		"a: (groupid=0, jobs=3): err= 0: pid=1: x\n"
		"  read: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(39.1MiB/1001msec)\n"
		"     issued rwts: total=10010,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n");
	const struct hl_measurement *at = measurement(&import, 0);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_near(3, at->workload.numjobs);
	assert_near(10010, at->dir[HL_DIR_READ]->ios);
	assert_int_equal(1, at->run);
	assert_int_equal(1, at->line);
	assert_non_null(strstr(import.graph->inputs[1]->reason, "line 1"));
	import_free(&import);
}

static void what_text_rounds_is_the_same_in_json(void **state)
{
	struct import import = import_json(
		"odd: (g=0): rw=read, bs=12.1K-12.1K/12.1K-12.1K/12.1K-12.1K, ioengine=psync, "
		"iodepth=1\nfio-3.33\nStarting 1 process\n\n"
		"odd: (groupid=0, jobs=1): err= 0: pid=1: x\n"
		"  read: IOPS=8550, BW=101MiB/s (106MB/s)(10.1GiB/102400msec)\n"
		"     issued rwts: total=875520,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n\nor:\n\n"
		"{\n 'fio version' : 'fio-3.33',\n 'jobs' : [ { 'jobname' : 'odd', 'groupid' : 0,\n"
		" 'error' : 0, 'read' : { 'io_bytes' : 10878336000, 'bw_bytes' : 106233750,\n"
		" 'iops' : 8550.0, 'runtime' : 102400, 'total_ios' : 875520 } } ]\n}\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	import_free(&import);
}

static void a_failed_run_repeats_no_good_one(void **state)
{
	HL_FREE char *failed = hl_printf("%s", RUN(10000, 400000, 100000));
	HL_FREE char *both = NULL;
	struct import import;

	(void)state;
	strstr(failed, "err= 0")[5] = '5';
	both = hl_printf("%s%s", RUN(10000, 400000, 100000), failed);
	import = import_text(both);
	assert_int_equal(2, nr_measurements(&import));
	assert_int_equal(5, measurement(&import, 1)->error);
	import_free(&import);
}

static void job_lines_above_a_terse_line_belong_to_it(void **state)
{
	struct import import = import_text(
		"a: (g=0): rw=read, bs=4K-4K/4K-4K/4K-4K, ioengine=psync, iodepth=1\nfio-3.33\n\n"
		"3;fio-3.33;a;0;0;400000;40000;10000;10000;0;0;0;0;1;2;3.5;1.0\n");

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(1, import.graph->nr_inputs);
	assert_input(&import, 0, 1, 4, "fio-terse");
	assert_int_equal(HL_INPUT_READ, import.graph->inputs[0]->status);
	import_free(&import);
}

static void assert_refused(const char *bytes, size_t len, const char *reason)
{
	struct import import = import_bytes(bytes, len);

	assert_int_equal(-ENODATA, import.rc);
	assert_int_equal(ENODATA, import.err.code);
	assert_non_null(strstr(import.err.text, reason));
	assert_non_null(strstr(import.err.text, "f.txt"));
	assert_int_equal(1, import.graph->nr_inputs);
	assert_int_equal(HL_INPUT_UNKNOWN, import.graph->inputs[0]->status);
	assert_int_equal(0, nr_measurements(&import));
	import_free(&import);
}

static void what_holds_nothing_says_why(void **state)
{
	char binary[3000];

	(void)state;
	for (size_t i = 0; i < sizeof(binary); i++)
		binary[i] = (char)(i * 37);
	assert_refused("", 0, "empty file");
	assert_refused("\n\n  \n", 5, "empty file");
	assert_refused(binary, sizeof(binary), "binary");
	assert_refused("Hello,\nwhat is slow?\n", 21, "nothing in it was recognised");
}

static const struct {
	const char *format, *text;
} known[] = {
	{ "iscsiadm",
	  "Target: iqn.2005-10.org.example:x (non-flash)\n\tCurrent Portal: 10.0.0.2\n" },
	{ "iscsiadm", "tcp: [1] 10.0.0.2:3260,1 iqn.2005-10.org.example:x (non-flash)\n" },
	{ "zpool-status", "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME  STATE  READ WRITE\n" },
	{ "zpool-list", "NAME   SIZE  ALLOC   FREE  CKPOINT\ntank  1T  1G  1T -\n" },
	{ "zpool-iostat",
	  "              capacity     operations     bandwidth\npool  alloc  free\n" },
	{ "zfs-get", "NAME  PROPERTY     VALUE  SOURCE\ntank  compression  lz4    local\n" },
	{ "zfs-get", "tank\tcompression\tlz4\tlocal\n" },
	{ "arcstat", "    time  read  ddread  miss  miss%\n12:00:00  1  2  3  4\n" },
	{ "ethtool", "Settings for eth0:\n\tSpeed: 10000Mb/s\n" },
	{ "ethtool", "driver: ixgbe\nversion: 6.1\nfirmware-version: 1\nbus-info: 0000:01:00.0\n" },
	{ "ip-link", "2: eth0: <BROADCAST,UP> mtu 1500 qdisc mq state UP\n    link/ether 02:00\n" },
	{ "lsblk", "NAME MAJ:MIN RM SIZE RO TYPE MOUNTPOINTS\nsda    8:0    0   1T  0 disk\n" },
	{ "dmesg", "[    0.000000] Linux version 6.1.0\n[  123.456789] nvme nvme0: timeout\n" },
	{ "iostat", "avg-cpu:  %user   %nice\n  1 2\n\nDevice   r/s   w/s\nsda 1 2\n" },
	{ "mount", "/dev/sda1 on / type ext4 (rw,relatime)\n" },
	{ "uname", "Linux pve 6.8.12-4-pve #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n" },
	{ "df", "Filesystem  Size  Used Avail Use% Mounted on\n/dev/sda1 1T 1G 1T 1% /\n" },
	{ "fio-job-file", "[global]\nioengine=libaio\n\n[a]\nrw=read\n" },
	{ "json", "{ \"a\": 1 }\n" },
};

static void output_of_other_tools_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(known); i++) {
		HL_FREE char *post = hl_printf("Hello,\n\n%s\nBye\n", known[i].text);
		struct import import = import_text(post);

		if (import.graph->nr_inputs != 3 || !import.graph->inputs[1]->format ||
		    strcmp(known[i].format, import.graph->inputs[1]->format) != 0)
			fail_msg("%s: %s", known[i].format, known[i].text);
		assert_int_not_equal(HL_INPUT_PROSE, import.graph->inputs[1]->status);
		assert_int_equal(3, import.graph->inputs[1]->first_line);
		import_free(&import);
	}
}

static void prose_is_no_tool(void **state)
{
	static const char *const lines[] = {
		"pool: I have one",
		"driver: the newest",
		"Target: 5 GB/s",
		"name: Bob",
		"12:30:15 it began",
		"[1] see the manual",
		"Linux is what I use",
		"time to read the manual",
		"<b>slow</b>",
		"Node and model are unknown",
		"the compression is by default",
	};

	(void)state;
	for (size_t i = 0; i < NR(lines); i++) {
		HL_FREE char *post = hl_printf("Hello,\n\n%s\n\nBye\n", lines[i]);
		struct import import = import_text(post);

		if (import.rc != -ENODATA)
			fail_msg("named: %s", lines[i]);
		import_free(&import);
	}
}

static void what_is_only_named_ends_where_something_else_begins(void **state)
{
	struct import import = import_text(
		"NAME MAJ:MIN RM SIZE RO TYPE\nsda 8:0 0 1T 0 disk\n" RUN(
			10000, 400000, 100000) "Linux pve 6.8.12-4-pve #1 SMP x86_64\n"
					       "tank on /tank type zfs (rw)\nBye\n");

	(void)state;
	assert_int_equal(5, import.graph->nr_inputs);
	assert_input(&import, 0, 1, 2, "lsblk");
	assert_input(&import, 1, 3, 11, "fio-text");
	assert_input(&import, 2, 12, 12, "uname");
	assert_input(&import, 3, 13, 13, "mount");
	assert_input(&import, 4, 14, 14, NULL);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forum_post_is_cut_into_its_parts),
		cmocka_unit_test(a_run_that_is_pasted_twice_is_counted_once),
		cmocka_unit_test(two_runs_of_a_job_are_two_results),
		cmocka_unit_test(a_result_in_json_and_in_text_is_one),
		cmocka_unit_test(of_two_formats_the_fuller_one_is_kept),
		cmocka_unit_test(what_text_rounds_is_the_same_in_json),
		cmocka_unit_test(a_failed_run_repeats_no_good_one),
		cmocka_unit_test(job_lines_above_a_terse_line_belong_to_it),
		cmocka_unit_test(what_holds_nothing_says_why),
		cmocka_unit_test(output_of_other_tools_is_named),
		cmocka_unit_test(prose_is_no_tool),
		cmocka_unit_test(what_is_only_named_ends_where_something_else_begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
