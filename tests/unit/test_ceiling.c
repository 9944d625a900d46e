/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/model.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB 1048576.0

static void lines_carry_what_is_left_after_headers(void **state)
{
	static const struct {
		double bits_per_s, mtu, mib_per_s;
	} cases[] = {
		{ 10e9, 1500, 1122 },
		{ 10e9, 9000, 1180 },
		{ 1e9, 1500, 112 },
		{ 25e9, 9000, 2951 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double bw = hl_ceiling_ethernet(cases[i].bits_per_s, cases[i].mtu);

		assert_true(fabs(bw / MIB - cases[i].mib_per_s) < 0.6);
	}
}

static void a_line_without_room_for_data_is_unknown(void **state)
{
	(void)state;
	assert_true(isnan(hl_ceiling_ethernet(10e9, 52)));
	assert_true(isnan(hl_ceiling_ethernet(10e9, 0)));
	assert_true(isnan(hl_ceiling_ethernet(10e9, NAN)));
	assert_true(isnan(hl_ceiling_ethernet(10e9, INFINITY)));
	assert_true(isnan(hl_ceiling_ethernet(0, 1500)));
	assert_true(isnan(hl_ceiling_ethernet(-1, 1500)));
	assert_true(isnan(hl_ceiling_ethernet(NAN, 1500)));
	assert_true(isnan(hl_ceiling_ethernet(INFINITY, 1500)));
}

static void links_carry_what_encoding_and_headers_leave(void **state)
{
	static const struct {
		double gts, width, mps, mib_per_s;
	} cases[] = {
		{ 2.5, 1, 256, 218 }, { 5, 2, 256, 872 },   { 8, 1, 256, 858 },
		{ 8, 4, 256, 3434 },  { 16, 4, 256, 6868 }, { 32, 4, 256, 13736 },
		{ 8, 1, 128, 791 },   { 16, 4, 512, 7176 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double bw = hl_ceiling_pcie(cases[i].gts, cases[i].width, cases[i].mps);

		assert_true(fabs(bw / MIB - cases[i].mib_per_s) < 0.6);
	}
}

static void an_unknown_link_has_no_ceiling(void **state)
{
	(void)state;
	assert_true(isnan(hl_ceiling_pcie(64, 4, 256))); /* flits */
	assert_true(isnan(hl_ceiling_pcie(0, 4, 256)));
	assert_true(isnan(hl_ceiling_pcie(NAN, 4, 256)));
	assert_true(isnan(hl_ceiling_pcie(8, 0, 256)));
	assert_true(isnan(hl_ceiling_pcie(8, 33, 256)));
	assert_true(isnan(hl_ceiling_pcie(8, NAN, 256)));
	assert_true(isnan(hl_ceiling_pcie(8, 4, 0)));
	assert_true(isnan(hl_ceiling_pcie(8, 4, NAN)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_carry_what_is_left_after_headers),
		cmocka_unit_test(a_line_without_room_for_data_is_unknown),
		cmocka_unit_test(links_carry_what_encoding_and_headers_leave),
		cmocka_unit_test(an_unknown_link_has_no_ceiling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
