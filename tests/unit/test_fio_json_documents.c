/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_json_parts.h"
#include "import_reader.h"
#include <errno.h>

static void clients_are_read_and_their_sum_is_not(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-3.1', 'client_stats' : [\n"
		"{ 'jobname' : 'a', 'hostname' : 'x', 'port' : 1, " WROTE " },\n"
		"{ 'jobname' : 'a', 'hostname' : 'x', 'port' : 2, " WROTE " },\n"
		"{ 'jobname' : 'All clients', 'hostname' : '', " WROTE_8K " } ] }\n");

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_unknown(measurement(&import, 0)->workload.numjobs);
	import_free(&import);
	/* nothing else to read */
	import = import_json("{ 'fio version' : 'fio-3.1', 'client_stats' : [\n"
			     "{ 'jobname' : 'All clients', " WROTE " } ] }\n");
	assert_int_equal(1, nr_measurements(&import));
	import_free(&import);
}

static void the_last_document_of_a_run_counts(void **state)
{
	static const char status[] = "{ 'fio version' : 'fio-3.1', 'timestamp' : 100, 'jobs' : [\n"
				     "{ 'jobname' : 'a', 'elapsed' : 2, 'write' : { 'io_bytes' : "
				     "10240, 'runtime' : 1000,\n"
				     "  'total_ios' : 9 } } ] }\n";
	static const char last[] = "{ 'fio version' : 'fio-3.1', 'timestamp' : 103, 'jobs' : [\n"
				   "{ 'jobname' : 'a', 'elapsed' : 5, 'write' : { 'io_bytes' : "
				   "40960, 'runtime' : 4000,\n"
				   "  'total_ios' : 9 } } ] }\n";
	static const char other[] = /* began after the last was printed */
		"{ 'fio version' : 'fio-3.1', 'timestamp' : 110, 'jobs' : [\n"
		"{ 'jobname' : 'a', 'elapsed' : 7, 'write' : { 'io_bytes' : 61440, 'runtime' : "
		"6000,\n"
		"  'total_ios' : 9 } } ] }\n";
	HL_FREE char *text = hl_printf("%s\n%s,\n%s", status, last, other);
	struct import import = import_json(text);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_near(40960, measurement(&import, 0)->dir[HL_DIR_WRITE]->bytes);
	assert_int_equal(1, measurement(&import, 0)->run);
	assert_int_equal(6, measurement(&import, 0)->line);
	assert_near(61440, measurement(&import, 1)->dir[HL_DIR_WRITE]->bytes);
	assert_int_equal(2, measurement(&import, 1)->run);
	import_free(&import);
}

static void a_second_run_of_the_same_job_is_another(void **state)
{
	static const char *const seconds[] = {
		/* 2.2 s later; it ran on for a second, not for two */
		"'timestamp_ms' : 12200, 'jobs' : [ { 'jobname' : 'a', 'elapsed' : 2,\n"
		"'write' : { 'io_bytes' : 50000, 'runtime' : 1990, 'total_ios' : 9 } } ]",
		/* ran no longer, but did more */
		"'timestamp_ms' : 10500, 'jobs' : [ { 'jobname' : 'a', 'elapsed' : 1,\n"
		"'write' : { 'io_bytes' : 50000, 'runtime' : 990, 'total_ios' : 9 } } ]",
		/* did less */
		"'timestamp_ms' : 11000, 'jobs' : [ { 'jobname' : 'a', 'elapsed' : 2,\n"
		"'write' : { 'io_bytes' : 4000, 'runtime' : 1990, 'total_ios' : 9 } } ]",
		/* another job */
		"'timestamp_ms' : 11000, 'jobs' : [ { 'jobname' : 'b', 'elapsed' : 2,\n"
		"'write' : { 'io_bytes' : 50000, 'runtime' : 1990, 'total_ios' : 9 } } ]",
		/* does not say when it was started; ran on for one of five seconds */
		"'timestamp_ms' : 15000, 'jobs' : [ { 'jobname' : 'a',\n"
		"'write' : { 'io_bytes' : 50000, 'runtime' : 1990, 'total_ios' : 9 } } ]",
		/* ran on, but was started two seconds later */
		"'timestamp_ms' : 12000, 'jobs' : [ { 'jobname' : 'a', 'elapsed' : 1,\n"
		"'write' : { 'io_bytes' : 50000, 'runtime' : 2990, 'total_ios' : 9 } } ]",
		/* printed before */
		"'timestamp_ms' : 9000, 'jobs' : [ { 'jobname' : 'a', 'elapsed' : 2,\n"
		"'write' : { 'io_bytes' : 50000, 'runtime' : 1990, 'total_ios' : 9 } } ]",
	};

	(void)state;
	for (size_t i = 0; i < NR(seconds); i++) {
		HL_FREE char *text = hl_printf(
			"{ 'fio version' : 'fio-3.1', 'timestamp_ms' : 10000, 'jobs' : [\n"
			"{ 'jobname' : 'a', 'elapsed' : 1, 'write' : { 'io_bytes' : 40960,\n"
			"  'runtime' : 990, 'total_ios' : 9 } } ] }\n"
			"{ 'fio version' : 'fio-3.1', %s }\n",
			seconds[i]);
		struct import import = import_json(text);

		if (nr_measurements(&import) != 2)
			fail_msg("case %zu: %zu", i, nr_measurements(&import));
		import_free(&import);
	}
}

#define GROUP(name, group, runtime)                                                                \
	"{ 'jobname' : '" name "', 'groupid' : " group ", 'write' : { 'io_bytes' : 4096,\n"        \
	"  'runtime' : " runtime ", 'total_ios' : 1 } }"

static void groups_run_one_after_the_other(void **state)
{
	static const char before[] = "{ 'fio version' : 'fio-3.1', 'timestamp_ms' : 10000,\n"
				     "'jobs' : [ " GROUP("a", "0", "1000") ", " GROUP(
					     "b", "1", "1000") " ] }\n";
	HL_FREE char *same = hl_printf("%s{ 'fio version' : 'fio-3.1', 'timestamp_ms' : 13000,\n"
				       "'jobs' : [ %s, %s ] }\n",
				       before, GROUP("a", "0", "2000"), GROUP("b", "1", "2000"));
	HL_FREE char *other = hl_printf("%s{ 'fio version' : 'fio-3.1', 'timestamp_ms' : 13000,\n"
					"'jobs' : [ %s, %s ] }\n",
					before, GROUP("a", "0", "2000"), GROUP("b", "1", "1000"));
	struct import import = import_json(same);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	import_free(&import);
	import = import_json(other);
	assert_int_equal(4, nr_measurements(&import));
	import_free(&import);
}

static void a_document_that_is_cut_does_not_replace_a_whole_one(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-3.1', 'timestamp_ms' : 10000, 'jobs' : [\n"
		"{ 'jobname' : 'a', " WROTE " } ] }\n"
		"{ 'fio version' : 'fio-3.1', 'timestamp_ms' : 11000, 'jobs' : [\n"
		"{ 'jobname' : 'a', 'write' : { 'io_bytes' : 40960, 'runtime' : 1005,\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	assert_near(4096, measurement(&import, 0)->dir[HL_DIR_WRITE]->bytes);
	import_free(&import);
}

static void what_wraps_the_document_does_not_matter(void **state)
{
	static const char document[] =
		"{ 'fio version' : 'fio-3.1', 'jobs' : [ { 'jobname' : 'a',\n"
		"  " WROTE " } ] }";
	static const char *const wrappers[] = {
		"%s\n",
		"prose\n```json\n%s\n```\nprose\n",
		"[ %s ]\n",
		"{ 'results' : { 'disk' : [ { 'fio' : %s } ] } }\n",
		"2026-01-01T00:00:00Z fio: %s\n",
		"    %s\n    }\n",
		"fio: pid=1, err=5/file:io_u.c\nx: (g=0): rw=write, bs=4k\n%s\nafter\n",
		"> %s\n> \n",
	};

	(void)state;
	for (size_t i = 0; i < NR(wrappers); i++) {
		char text[1024];
		struct import import;

		snprintf(text, sizeof(text), wrappers[i], document);
		import = import_json(text);
		if (import.rc < 1 || nr_measurements(&import) != 1)
			fail_msg("case %zu: %d, %zu", i, import.rc, nr_measurements(&import));
		assert_near(4096 / 0.005, measurement(&import, 0)->dir[HL_DIR_WRITE]->bw);
		import_free(&import);
	}
}

static void a_lone_job_is_read(void **state)
{
	struct import import = import_json("prose\n{ 'jobname' : 'a', 'groupid' : 2,\n" WROTE
					   " }\nprose\n");

	(void)state;
	assert_near(4096 / 0.005, measurement(&import, 0)->dir[HL_DIR_WRITE]->bw);
	assert_null(measurement(&import, 0)->tool);
	import_free(&import);
}

static void a_cut_document_gives_its_complete_jobs(void **state)
{
	static const char text[] = "{ 'fio version' : 'fio-3.1', 'jobs' : [\n"
				   "{ 'jobname' : 'a', " WROTE " },\n"
				   "{ 'jobname' : 'b', 'read' : " NO_SIDE ", " WROTE ",\n"
				   "  'trim' : " NO_SIDE ", 'usr_cpu' : 1.0 }\n";
	HL_FREE char *part = NULL;
	struct import import = import_json(text);

	(void)state;
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	assert_int_equal(HL_STATUS_PARTIAL, measurement(&import, 1)->status);
	assert_non_null(strstr(import.graph->inputs[0]->reason, "f.txt:6: fio's JSON ends early"));
	import_free(&import);
	/* within the run time of the second */
	part = hl_strndup(text, (size_t)(strrchr(text, '5') - text));
	import = import_json(part);
	assert_int_equal(2, nr_measurements(&import));
	assert_int_equal(HL_STATUS_PARTIAL, measurement(&import, 1)->status);
	assert_unknown(measurement(&import, 1)->dir[HL_DIR_WRITE]->runtime_ms);
	import_free(&import);
	/* before any figure of the second */
	*strstr(part, "'read'") = '\0';
	import = import_json(part);
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	import_free(&import);
	/* before any figure at all */
	*strstr(part, "'write'") = '\0';
	import = import_json(part);
	assert_int_equal(-ENODATA, import.rc);
	assert_int_equal(0, nr_measurements(&import));
	import_free(&import);
}

static void json_of_other_tools_is_left_alone(void **state)
{
	static const char *const cases[] = {
		"{ 'smartctl' : { 'version' : [ 7, 3 ] }, 'jobs' : [ { 'name' : 'x' } ] }\n",
		"{ 'start' : {}, 'intervals' : [], 'end' : {} }\n",
		"{ 'jobname' : 'x' }\n",
		"[ { 'io_bytes' : 1 } ]\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_json(cases[i]);

		for (size_t k = 0; k < import.graph->nr_inputs; k++) {
			const char *format = import.graph->inputs[k]->format;

			assert_true(!format || strcmp(format, "fio-json") != 0);
		}
		import_free(&import);
	}
}

static void a_document_without_jobs_is_an_error(void **state)
{
	static const char *const cases[] = {
		"{ 'fio version' : 'fio-3.1' }\n",
		"{ 'fio version' : 'fio-3.1', 'jobs' : [] }\n",
		"{ 'fio version' : 'fio-3.1', 'jobs' : [ 5, null ] }\n",
		"{ 'fio version' : 'fio-3.1', 'jobs' : { 'jobname' : 'a' } }\n",
		"{ 'fio version' : [ [ [ [ [ [ [ [ 1 ] ] ] ] ] ] ] ] }\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_json(cases[i]);

		if (import.rc != -ENODATA || !strstr(import.err.text, "f.txt:1: "))
			fail_msg("case %zu: %d %s", i, import.rc, import.err.text);
		import_free(&import);
	}
}

static void what_fio_says_above_its_json_belongs_to_it(void **state)
{
	struct import import = import_json(
		"prose\n"
		"one: (g=0): rw=write, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=1\n"
		"...\nfio-3.1\nStarting 2 processes\n"
		"one: Laying out IO file (1 file / 16MiB)\n\n"
		"fio: pid=7, err=43/file:io_u.c:9, func=xfer, error=Different\n"
		"fio: pid=7, err=42/file:io_u.c:2074, func=io_u_queued, error=Illegal byte "
		"sequence\n"
		"{ 'fio version' : 'fio-3.1', 'jobs' : [\n"
		"{ 'jobname' : 'one', 'error' : 42, " WROTE "} ] }\n");

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_string_equal("Illegal byte sequence", measurement(&import, 0)->reason);
	assert_int_equal(2, import.graph->nr_inputs);
	assert_int_equal(2, import.graph->inputs[1]->first_line);
	assert_int_equal(11, import.graph->inputs[1]->last_line);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_are_read_and_their_sum_is_not),
		cmocka_unit_test(the_last_document_of_a_run_counts),
		cmocka_unit_test(a_second_run_of_the_same_job_is_another),
		cmocka_unit_test(groups_run_one_after_the_other),
		cmocka_unit_test(a_document_that_is_cut_does_not_replace_a_whole_one),
		cmocka_unit_test(what_wraps_the_document_does_not_matter),
		cmocka_unit_test(a_lone_job_is_read),
		cmocka_unit_test(a_cut_document_gives_its_complete_jobs),
		cmocka_unit_test(json_of_other_tools_is_left_alone),
		cmocka_unit_test(a_document_without_jobs_is_an_error),
		cmocka_unit_test(what_fio_says_above_its_json_belongs_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
