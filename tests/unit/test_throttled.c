/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A CPU quota that is used up at one hop and not at the one before is confirmed; one that may be
 * anybody's is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside_maker.h"

#define THROTTLED "cgroup-throttled"
#define PCT       "cgroup.throttled_pct"

static void a_quota_that_ends_here_is_confirmed(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_TARGET, 900, 100);
	const struct hl_finding *found;

	(void)unused;
	add_number(&made, "loopback/seq", PCT, 1);
	add_number(&made, "virtio/seq", PCT, 88);
	found = match_one(made.graph, THROTTLED);
	assert_int_equal(found->state, HL_CONFIRMED);
	assert_int_equal(found->layer, HL_LAYER_NONE);
	assert_ptr_equal(found->hop, made.hop);
	assert_true(has_text(found->text, "the group made was stopped for 88 % of the time of seq, "
					  "and was not at loopback"));
	assert_int_equal(found->nr_evidence, 2);
}

static void without_a_hop_before_it_may_be_anybodys(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_TARGET, 0, 100);
	const struct hl_finding *found;

	(void)unused;
	add_number(&made, "virtio/seq", PCT, 88);
	found = match_one(made.graph, THROTTLED);
	assert_int_equal(found->state, HL_AMBIGUOUS);
	assert_true(has_text(found->text, "whether it is in the path is not known"));
}

static void whose_group_it_is_decides_how_sure_it_is(void **unused)
{
	static const struct {
		double bw_before;
		bool is_on_path;
		enum hl_state state;
	} cases[] = {
		{ 900, true, HL_CONFIRMED },
		{ 0, true, HL_CONFIRMED },
		{ 900, false, HL_SUSPECTED },
		{ 0, false, HL_AMBIGUOUS },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_TARGET, cases[i].bw_before, 100);
		const struct hl_finding *found;

		add_number(&made, "loopback/seq", PCT, 1);
		add_number(&made, "virtio/seq", PCT, 88);
		add_flag(&made, "virtio/seq", "cgroup.is_on_path", cases[i].is_on_path);
		found = match_one(made.graph, THROTTLED);
		assert_int_equal(found->state, cases[i].state);
		assert_int_equal(has_text(found->text, "a process of it carries this I/O"),
				 cases[i].is_on_path);
		assert_int_equal(found->next == NULL, cases[i].state == HL_CONFIRMED);
	}
}

static void look_alikes_are_left_alone(void **unused)
{
	static const struct {
		double bw_before, before, now;
	} cases[] = {
		{ 900, 1, 9 },   /* hardly ever */
		{ 900, 60, 88 }, /* as much at the hop before: not this layer's */
		{ 102, 1, 88 },  /* nothing is lost */
		{ 900, 1, NAN }, /* not seen */
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_TARGET, cases[i].bw_before, 100);

		add_number(&made, "loopback/seq", PCT, cases[i].before);
		add_number(&made, "virtio/seq", PCT, cases[i].now);
		match_one(made.graph, THROTTLED);
		for (size_t k = 0; k < made.graph->nr_findings; k++)
			assert_ptr_equal(made.graph->findings[k]->hop, made.before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quota_that_ends_here_is_confirmed),
		cmocka_unit_test(without_a_hop_before_it_may_be_anybodys),
		cmocka_unit_test(whose_group_it_is_decides_how_sure_it_is),
		cmocka_unit_test(look_alikes_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
