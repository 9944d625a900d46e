/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs written for fio: what becomes of each option, in files and on command lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/fio_jobs.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

static struct hl_arena *arena; /* of the test that runs */

static int setup(void **unused)
{
	(void)unused;
	arena = hl_arena_new();
	return 0;
}

static int teardown(void **unused)
{
	(void)unused;
	hl_arena_free(arena);
	return 0;
}

/* A line cut at blanks, as a shell would. */
static int read_line(const char *line, struct hl_fio_jobs *jobs, struct hl_error *err)
{
	const char **words = NULL;
	size_t nr = 0;
	char *rest = NULL;

	for (char *word = strtok_r(hl_arena_strdup(arena, line), " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		words = hl_arena_extend(arena, words, nr, sizeof(*words));
		words[nr++] = word;
	}
	hl_fio_jobs_init(jobs, arena);
	return hl_fio_jobs_add_words(jobs, words, nr, err);
}

static struct hl_fio_jobs jobs_of_line(const char *line)
{
	struct hl_fio_jobs jobs;
	struct hl_error err;

	if (read_line(line, &jobs, &err) < 0)
		fail_msg("%s", err.text);
	hl_fio_jobs_conclude(&jobs);
	return jobs;
}

static int read_file(const char *text, struct hl_fio_jobs *jobs, struct hl_error *err)
{
	hl_fio_jobs_init(jobs, arena);
	return hl_fio_jobs_add_text(jobs, "x.fio", text, strlen(text), err);
}

static struct hl_fio_jobs jobs_of_file(const char *text)
{
	struct hl_fio_jobs jobs;
	struct hl_error err;

	if (read_file(text, &jobs, &err) < 0)
		fail_msg("%s", err.text);
	return jobs;
}

static void file_must_fail(const char *text, const char *saying)
{
	struct hl_fio_jobs jobs;
	struct hl_error err = { 0 };

	if (read_file(text, &jobs, &err) >= 0)
		fail_msg("was taken: %s", text);
	if (!strstr(err.text, saying))
		fail_msg("\"%s\" does not say \"%s\"", err.text, saying);
}

static void line_must_fail(const char *line, const char *saying)
{
	struct hl_fio_jobs jobs;
	struct hl_error err = { 0 };

	if (read_line(line, &jobs, &err) >= 0)
		fail_msg("was taken: %s", line);
	if (!strstr(err.text, saying))
		fail_msg("\"%s\" does not say \"%s\"", err.text, saying);
}

static bool has_note(const struct hl_fio_jobs *jobs, const char *part)
{
	for (size_t i = 0; i < jobs->nr_notes; i++) {
		if (strstr(jobs->notes[i], part))
			return true;
	}
	return false;
}

/* ---- command lines ---- */

static void one_dash_two_dashes_and_separate_values_are_the_same(void **unused)
{
	static const char *const lines[] = {
		"--name=a --rw=randread --bs=8k --iodepth=16 --ioengine=libaio --direct=1",
		"fio -name=a -rw=randread -bs=8k -iodepth=16 -ioengine=libaio -direct=1",
		("fio --name a --readwrite randread --blocksize 8k --iodepth 16 --ioengine libaio "
		 "--direct 1"),
		"--rw=randread --bs=8k --iodepth=16 --ioengine=libaio --direct=1 --name=a",
	};

	(void)unused;
	for (size_t i = 0; i < NR(lines); i++) {
		struct hl_fio_jobs jobs = jobs_of_line(lines[i]);

		assert_int_equal(jobs.nr_jobs, 1);
		assert_string_equal(jobs.jobs[0].name, "a");
		assert_int_equal(jobs.jobs[0].rw, HL_RW_RANDREAD);
		assert_true(jobs.jobs[0].bs == 8192 && jobs.jobs[0].iodepth == 16);
		assert_int_equal(jobs.jobs[0].direct, 1);
	}
}

static void a_job_inherits_what_stands_before_the_first_name_only(void **unused)
{
	struct hl_fio_jobs jobs = jobs_of_line("--bs=64k --name=a --rw=randread --numjobs=4 "
					       "--name=b --rw=read");

	(void)unused;
	assert_int_equal(jobs.nr_jobs, 2);
	assert_true(jobs.jobs[0].bs == 65536 && jobs.jobs[1].bs == 65536);
	assert_true(jobs.jobs[0].numjobs == 4 && jobs.jobs[1].numjobs == 1);
	assert_true(has_note(&jobs, "without stonewall"));
}

static void jobs_of_one_name_are_told_apart(void **unused)
{
	struct hl_fio_jobs jobs = jobs_of_line("--name=a --stonewall --name=a --stonewall --name=a "
					       "--stonewall");

	(void)unused;
	assert_int_equal(jobs.nr_jobs, 3);
	assert_string_equal(jobs.jobs[1].name, "a-2");
	assert_string_equal(jobs.jobs[2].name, "a-3");
	assert_false(has_note(&jobs, "without stonewall"));
}

static void what_is_without_effect_is_listed_once(void **unused)
{
	struct hl_fio_jobs jobs = jobs_of_line(
		"--group_reporting --randrepeat=0 --refill_buffers --norandommap --thread "
		"--eta=never --output=x --status-interval=1 --write_bw_log=y --exitall --verify=0 "
		"--gtod_reduce=1 --name=a --randrepeat=0 --runtime=10s --time_based");

	(void)unused;
	assert_string_equal(jobs.notes[0],
			    "options of fio without effect here: group_reporting, randrepeat, "
			    "refill_buffers, norandommap, thread, eta, output, status-interval, "
			    "write_bw_log, exitall, verify, gtod_reduce, time_based");
	assert_true(has_note(&jobs, "all rounds share the time"));
}

static void a_synchronous_engine_has_depth_one(void **unused)
{
	struct hl_fio_jobs jobs = jobs_of_line("--name=a --iodepth=32 --name=b --iodepth=32 "
					       "--ioengine=io_uring --name=c --ioengine=psync");

	(void)unused;
	assert_true(jobs.jobs[0].iodepth == 1 && jobs.jobs[1].iodepth == 32);
	assert_true(has_note(&jobs, "a: iodepth 32 has no effect"));
	assert_false(has_note(&jobs, "c: iodepth"));
}

static void wrong_words_are_named_with_their_number(void **unused)
{
	static const struct {
		const char *line, *says;
	} cases[] = {
		{ "fio --name=a --bs=4q", "word 3 of the fio command line, --bs=4q: bs=4q: write" },
		{ "--name=a --numjob=4", "\"numjob\"; did you mean numjobs?" },
		{ "--name=a --rate=10m", "rate=10m: it would hold the job back" },
		{ "--name=a --rw=read:8k", "without the number" },
		{ "--name=a --iodepth", "iodepth needs a value" },
		{ "--rw=read --bs=4k", "a job begins with --name=NAME" },
		{ "--name=a --section=b", "hoploss runs every section" },
		{ "--name=a --client=host", "its own workers only" },
		{ "--name=a --size=${SIZE}", "environment variable" },
		{ "--name=a /no/such.fio", "job file /no/such.fio: No such file" },
		{ "--name=a --ioengine=rbd", "job a: ioengine=rbd" },
		{ "--name", "name needs a value" },
		{ "", "no job on the fio command line" },
	};

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++)
		line_must_fail(cases[i].line, cases[i].says);
}

/* ---- job files ---- */

static void sections_inherit_from_global(void **unused)
{
	struct hl_fio_jobs jobs = jobs_of_file("; a comment\n[global]\nbs=4k # behind\ndirect=1\n"
					       "ioengine=libaio ; this too\ngroup_reporting\n"
					       "[empty]\n[deep]\r\n  rw = randread\niodepth=64\n"
					       "stonewall\n[global]\nbs=1m\n[last]\nrw=read\n");

	(void)unused;
	assert_int_equal(jobs.nr_jobs, 3);
	assert_string_equal(jobs.jobs[0].name, "empty");
	assert_true(jobs.jobs[0].bs == 4096);
	assert_int_equal(jobs.jobs[0].rw, HL_RW_READ);
	assert_true(jobs.jobs[1].iodepth == 64 && jobs.jobs[1].bs == 4096);
	assert_true(jobs.jobs[2].bs == HL_MIB && jobs.jobs[2].iodepth == 1);
	assert_true(jobs.is_parallel);
}

static void places_and_times_are_kept(void **unused)
{
	struct hl_fio_jobs jobs = jobs_of_file("[a]\nsize=50%\noffset=1g\nramp_time=2s\n"
					       "runtime=5m\nfilename=/dev/x\nnumjobs=4\n"
					       "[b]\nsize=1g\nnumjobs=4\noffset_increment=1g\n"
					       "[c]\nrw=randrw\nrwmixwrite=30\nfdatasync=8\n"
					       "[d]\nsize=0\noffset=0\nfsync=2\nrw=write\n");

	(void)unused;
	assert_true(jobs.jobs[0].size_pct == 50 && isnan(jobs.jobs[0].size));
	assert_true(jobs.jobs[0].offset == HL_GIB && jobs.jobs[0].ramp_s == 2);
	assert_true(jobs.jobs[0].runtime_s == 300);
	assert_int_equal(jobs.nr_filenames, 1);
	assert_string_equal(jobs.filenames[0], "/dev/x");
	assert_true(jobs.is_spread);
	assert_true(jobs.jobs[1].size == 4 * HL_GIB); /* each has its own */
	assert_true(jobs.jobs[2].rwmixread == 70 && jobs.jobs[2].fsync == 8);
	assert_true(jobs.jobs[2].is_data_only && !jobs.jobs[3].is_data_only);
	assert_true(isnan(jobs.jobs[3].size) && isnan(jobs.jobs[3].offset));
}

static void mistakes_are_named_with_their_line(void **unused)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "[a]\nrw=read\nthinktime=10\n", "x.fio:3: thinktime=10: it would pause" },
		{ "[a]\n\nbssplit=4k/50:8k/50\n", "x.fio:3: bssplit=4k/50:8k/50: it would mix" },
		{ "[a]\nzonemode=zbd\n", "x.fio:2: zonemode=zbd" },
		{ "[a]\nrandom_distribution=zipf:1.2\n", "x.fio:2: random_distribution" },
		{ "[a]\niodepth_batch=8\n", "x.fio:2: iodepth_batch=8" },
		{ "[a]\nverify=crc32c\n", "x.fio:2: verify=crc32c: hoploss measures and" },
		{ "[a]\nbuffer_pattern=0xff\n", "x.fio:2: buffer_pattern" },
		{ "[a]\nread_iolog=t\n", "x.fio:2: read_iolog" },
		{ "[a]\nlatency_target=5ms\n", "x.fio:2: latency_target" },
		{ "[a]\nrw=sideways\n", "x.fio:2: rw=sideways: write read" },
		{ "[a]\nsize=10 g\n", "x.fio:2: size=10 g: write it as" },
		{ "[a]\ndirect\n", "x.fio:2: direct needs a value: write 0 or 1" },
		{ "[a]\niodpth=4\n",
		  "x.fio:2: fio has no option \"iodpth\"; did you mean iodepth" },
		{ "[a]\neta=never\n", "x.fio:2: eta is an option of fio's command line" },
		{ "%include y.fio\n[a]\n", "x.fio:1: %include y.fio: other files" },
		{ "[a]\ninclude y.fio\n", "x.fio:2: include y.fio: other files" },
		{ "bs=4k\n[a]\n", "x.fio:1: bs stands before the first" },
		{ "[global]\nbs=4k\n", "x.fio: no job in it" },
		{ "", "x.fio: no job in it" },
		{ "[a]\nrw=read\n[b]\nnumjobs=0\n",
		  "x.fio:3: job b: numjobs=0: it must be from 1" },
		{ "[a]\niodepth=99999\nioengine=libaio\n", "job a: iodepth=99999" },
		{ "[a]\nrw=randrw\nrwmixread=101\n", "job a: rwmixread=101" },
		{ "[a]\nrw=randtrim\n", "job a: rw=randtrim: hoploss trims nothing" },
		{ "[a]\nrw=randrw\nbs=4k,8k\n", "job a: bs=4096,8192: reads and writes" },
		{ "[a]\nbs=1g\nnumjobs=64\n", "job a: bs × iodepth × numjobs needs 64 GiB" },
		{ "[a]\nnumjobs=2\nsize=1g\noffset_increment=2g\n", "job a: offset_increment" },
		{ "[global]\nend_fsync=1\n[a]\nrw=write\n", "job a: end_fsync=1: hoploss syncs" },
	};

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++)
		file_must_fail(cases[i].text, cases[i].says);
}

static void what_matters_to_writes_only_is_idle_in_a_read(void **unused)
{
	struct hl_fio_jobs jobs = jobs_of_file("[a]\nrw=read\nend_fsync=1\nsync=1\n");

	(void)unused;
	assert_int_equal(jobs.nr_jobs, 1);
	assert_int_equal(jobs.nr_idle, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_dash_two_dashes_and_separate_values_are_the_same),
		TEST(a_job_inherits_what_stands_before_the_first_name_only),
		TEST(jobs_of_one_name_are_told_apart),
		TEST(what_is_without_effect_is_listed_once),
		TEST(a_synchronous_engine_has_depth_one),
		TEST(wrong_words_are_named_with_their_number),
		TEST(sections_inherit_from_global),
		TEST(places_and_times_are_kept),
		TEST(mistakes_are_named_with_their_line),
		TEST(what_matters_to_writes_only_is_idle_in_a_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
