/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/suite.h"
#include "hoploss/unit.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

static void every_job_can_be_run(void **state)
{
	const struct hl_suite *suite;

	(void)state;
	for (size_t i = 0; (suite = hl_suite_at(i)); i++) {
		assert_true(suite->nr_jobs > 0 && suite->summary);
		for (size_t k = 0; k < suite->nr_jobs; k++) {
			const struct hl_workload *job = &suite->jobs[k];
			bool is_mix = hl_rw_reads(job->rw) && hl_rw_writes(job->rw);

			assert_non_null(job->name);
			assert_int_not_equal(HL_RW_UNKNOWN, job->rw);
			assert_true(job->bs >= 512 && job->iodepth >= 1 && job->numjobs >= 1);
			assert_true(isnan(job->bs_write));
			assert_int_equal(!is_mix, isnan(job->rwmixread));
			assert_int_equal(1, job->direct);
		}
	}
}

static void names_are_unique_whatever_their_case(void **state)
{
	const struct hl_suite *suite;

	(void)state;
	for (size_t i = 0; (suite = hl_suite_at(i)); i++) {
		assert_ptr_equal(suite, hl_suite_find(suite->name));
		for (size_t k = 0; k < suite->nr_jobs; k++)
			assert_ptr_equal(&suite->jobs[k], hl_suite_job(suite->jobs[k].name));
	}
	assert_ptr_equal(hl_suite_job("SEQ1M-Q8T1-read"), hl_suite_job("seq1m-q8t1-READ"));
	assert_null(hl_suite_job("no-such"));
	assert_null(hl_suite_find("no-such"));
	assert_null(hl_suite_find("PSYNC"));
}

static void the_suites_have_as_many_jobs_and_processes_as_their_originals(void **state)
{
	static const struct {
		const char *name;
		size_t nr_jobs;
		double processes, in_flight;
	} cases[] = {
		{ "iscsi-pvc", 12, 101, 3 * 128 + 128 + 2 * 1024 + 2 * 128 + 4096 + 2 * 256 + 1 },
		{ "psync", 2, 20, 20 },
		{ "nas", 4, 4, 256 },
		{ "pve-zfs", 7, 7, 5 * 128 + 64 },
		{ "cdm", 8, 8, 84 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct hl_suite *suite = hl_suite_find(cases[i].name);
		double processes = 0, in_flight = 0;

		assert_non_null(suite);
		assert_int_equal(cases[i].nr_jobs, suite->nr_jobs);
		for (size_t k = 0; k < suite->nr_jobs; k++) {
			processes += suite->jobs[k].numjobs;
			in_flight += hl_workload_depth(&suite->jobs[k]);
		}
		assert_true(processes == cases[i].processes);
		assert_true(in_flight == cases[i].in_flight);
	}
}

static void small_random_io_is_counted_and_the_rest_weighed(void **state)
{
	(void)state;
	assert_string_equal("IOPS", hl_suite_unit(hl_suite_job("iops-mixed")));
	assert_string_equal("IOPS", hl_suite_unit(hl_suite_job("fs_8k_rand_rw_70_30")));
	assert_string_equal("MB/s", hl_suite_unit(hl_suite_job("bw-r")));
	assert_string_equal("MB/s", hl_suite_unit(hl_suite_job("hp_128k_rand_rw_70_30")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_can_be_run),
		cmocka_unit_test(names_are_unique_whatever_their_case),
		cmocka_unit_test(the_suites_have_as_many_jobs_and_processes_as_their_originals),
		cmocka_unit_test(small_random_io_is_counted_and_the_rest_weighed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
