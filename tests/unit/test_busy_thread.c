/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread of the target or of vhost that takes a whole core is named, at the first hop that has
 * it; other threads, and those that have time left, are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside_maker.h"

#define TARGET "target-cpu-bound"

static void add_thread(struct beside *made, const char *node, const char *name, double pct)
{
	add_text(made, node, "cpu.busiest_thread", name);
	add_number(made, node, "cpu.busiest_thread_pct", pct);
}

static void a_target_thread_at_its_end_is_confirmed_and_near_it_suspected(void **unused)
{
	static const struct {
		double pct;
		int state; /* -1 = nothing is found */
	} cases[] = {
		{ 99, HL_CONFIRMED }, { 95, HL_CONFIRMED }, { 88, HL_SUSPECTED }, { 60, -1 }
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_TARGET, 900, 100);
		const struct hl_finding *found;

		add_thread(&made, "virtio/seq", "tgtd", cases[i].pct);
		found = match_one(made.graph, TARGET);
		assert_int_equal(found ? (int)found->state : -1, cases[i].state);
		if (!found)
			continue;
		assert_int_equal(found->layer, HL_LAYER_TARGET);
		assert_ptr_equal(found->at, made.hop->measurements[0]);
		assert_true(has_text(found->text, "The thread tgtd used "));
		assert_true(found->predicted_bw == 900 * HL_MIB);
		assert_non_null(evidence_of(found, "cpu.busiest_thread_pct"));
	}
}

static void a_thread_that_waits_for_a_cpu_has_no_time_left_either(void **unused)
{
	static const struct {
		double pct, wait;
		int state;
	} cases[] = { { 45, 48, HL_SUSPECTED },
		      { 45, 20, -1 },
		      { 96, 3, HL_CONFIRMED },
		      { 85, 14, HL_SUSPECTED } };

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_TARGET, 900, 100);
		const struct hl_finding *found;

		add_thread(&made, "virtio/seq", "tgtd", cases[i].pct);
		add_number(&made, "virtio/seq", "cpu.busiest_thread_wait_pct", cases[i].wait);
		found = match_one(made.graph, TARGET);
		assert_int_equal(found ? (int)found->state : -1, cases[i].state);
		if (i == 0)
			assert_true(has_text(found->text,
					     "The thread tgtd ran 45 % of the time and waited 48 % "
					     "of it for a CPU during seq"));
	}
}

static void a_bystander_is_at_most_suspected(void **unused)
{
	(void)unused;
	for (int is_on_path = 0; is_on_path <= 1; is_on_path++) {
		BESIDE struct beside made = make_beside(HL_LAYER_TARGET, 900, 100);
		const struct hl_finding *found;

		add_thread(&made, "virtio/seq", "tgtd", 99);
		add_flag(&made, "virtio/seq", "cpu.busiest_is_on_path", is_on_path);
		found = match_one(made.graph, TARGET);
		assert_int_equal(found->state, is_on_path ? HL_CONFIRMED : HL_SUSPECTED);
		assert_int_equal(has_text(found->text, "could not be seen"), !is_on_path);
		assert_int_equal(found->next != NULL, !is_on_path);
		assert_non_null(evidence_of(found, "cpu.busiest_is_on_path"));
	}
}

static void threads_are_known_by_name(void **unused)
{
	static const struct {
		const char *name, *id;
	} cases[] = {
		{ "iscsi_trx", TARGET },
		{ "iscsi_ttx", TARGET },
		{ "iscsird0_1", TARGET },
		{ "istgt", TARGET },
		{ "kworker/3:1H-nvmet_tcp_wq", TARGET },
		{ "vhost-4711", "vhost-thread-saturated" },
		{ "reactor_0", NULL },
		{ "postgres", NULL },
		{ "my-tgtd", NULL },
		{ "kworker/0:1-events", NULL },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 900, 100);

		add_thread(&made, "virtio/seq", cases[i].name, 99);
		hl_causes_match(made.graph);
		assert_int_equal(finding_of(made.graph, TARGET) != NULL,
				 cases[i].id && !strcmp(cases[i].id, TARGET));
		assert_int_equal(finding_of(made.graph, "vhost-thread-saturated") != NULL,
				 cases[i].id && strcmp(cases[i].id, TARGET) != 0);
	}
}

static void it_is_told_of_the_first_hop_only(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 900, 100);

	(void)unused;
	add_thread(&made, "loopback/seq", "tgtd", 97);
	add_thread(&made, "virtio/seq", "tgtd", 99);
	assert_ptr_equal(match_one(made.graph, TARGET)->hop, made.before);
	assert_int_equal(made.graph->nr_findings, 1);
}

static void where_nothing_is_lost_a_busy_thread_is_no_cause(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 102, 100);

	(void)unused;
	add_thread(&made, "virtio/seq", "tgtd", 99);
	assert_null(match_one(made.graph, TARGET));
}

static void a_hop_alone_has_nothing_to_be_predicted_from(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_TARGET, 0, 100);
	const struct hl_finding *found;

	(void)unused;
	add_thread(&made, "virtio/seq", "tgtd", 99);
	found = match_one(made.graph, TARGET);
	assert_int_equal(found->state, HL_CONFIRMED);
	assert_true(isnan(found->predicted_bw));
}

static void a_name_without_a_share_says_nothing(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_TARGET, 900, 100);

	(void)unused;
	add_text(&made, "virtio/seq", "cpu.busiest_thread", "tgtd");
	add_thread(&made, "virtio/other", "tgtd", 99); /* of another job */
	assert_null(match_one(made.graph, TARGET));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_thread_at_its_end_is_confirmed_and_near_it_suspected),
		cmocka_unit_test(a_thread_that_waits_for_a_cpu_has_no_time_left_either),
		cmocka_unit_test(a_bystander_is_at_most_suspected),
		cmocka_unit_test(threads_are_known_by_name),
		cmocka_unit_test(it_is_told_of_the_first_hop_only),
		cmocka_unit_test(where_nothing_is_lost_a_busy_thread_is_no_cause),
		cmocka_unit_test(a_hop_alone_has_nothing_to_be_predicted_from),
		cmocka_unit_test(a_name_without_a_share_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
