/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TCP's own count of what held the sender up names the window or the buffer; a slow reader and a
 * full line are not taken for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside_maker.h"

#define WINDOW "tcp-window-limited"

static void the_window_or_the_buffer_of_the_sender_is_named(void **unused)
{
	static const struct {
		const char *key, *text;
		double pct;
		enum hl_state state;
	} cases[] = {
		{ "tcp.target_rwnd_limited_pct", "for 72 % of that time the receiver's window", 72,
		  HL_CONFIRMED },
		{ "tcp.target_rwnd_limited_pct", "the receiver's window was full", 30,
		  HL_SUSPECTED },
		{ "tcp.target_sndbuf_limited_pct", "its own send buffer was full", 60,
		  HL_CONFIRMED },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_WIRE, 900, 100);
		const struct hl_finding *found;

		add_number(&made, "virtio/seq", cases[i].key, cases[i].pct);
		found = match_one(made.graph, WINDOW);
		assert_int_equal(found->state, cases[i].state);
		assert_int_equal(found->layer, HL_LAYER_WIRE);
		assert_true(has_text(found->text, cases[i].text));
		assert_true(has_text(found->text, "The target had data to send"));
		assert_non_null(evidence_of(found, cases[i].key));
	}
}

static void look_alikes_are_left_alone(void **unused)
{
	static const struct {
		const char *node, *key;
		double before, cpu;
	} cases[] = {
		{ "virtio/seq", "tcp.initiator_rwnd_limited_pct", 900, 5 }, /* it only asks */
		{ "virtio/seq", "tcp.target_rwnd_limited_pct", 102, 5 },    /* nothing is lost */
		{ "virtio/seq", "tcp.target_rwnd_limited_pct", 900, 99 },   /* a slow reader */
		{ "virtio/other", "tcp.target_rwnd_limited_pct", 900, 5 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_WIRE, cases[i].before, 100);

		made.hop->measurements[0]->cpu_pct = cases[i].cpu;
		made.hop->measurements[0]->cpu_user_pct = NAN;
		add_number(&made, cases[i].node, cases[i].key, 72);
		assert_null(match_one(made.graph, WINDOW));
	}
}

static void it_is_told_of_the_first_hop_only(void **unused)
{
	BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 900, 100);

	(void)unused;
	add_number(&made, "loopback/seq", "tcp.target_sndbuf_limited_pct", 70);
	add_number(&made, "virtio/seq", "tcp.target_sndbuf_limited_pct", 70);
	assert_ptr_equal(match_one(made.graph, WINDOW)->hop, made.before);
	assert_int_equal(made.graph->nr_findings, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_window_or_the_buffer_of_the_sender_is_named),
		cmocka_unit_test(look_alikes_are_left_alone),
		cmocka_unit_test(it_is_told_of_the_first_hop_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
