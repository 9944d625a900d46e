/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/model_name.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

static void a_makers_word_does_not_count_and_all_others_do(void **state)
{
	static const struct {
		const char *written, *model;
		bool is;
	} rows[] = {
		{ "KCD61LUL7T68", "KIOXIA KCD61LUL7T68", true },
		{ "KIOXIA KCD61LUL7T68", "KCD61LUL7T68", true },
		{ "SSD 980 PRO 1TB", "Samsung SSD 980 PRO 1TB", true },
		{ "samsung 980 pro 1tb", "Samsung SSD 980 PRO 1TB", true },
		{ "Micron 7400 MTFDKCC7T6TDZ", "Micron_7400_MTFDKCC7T6TDZ", true },
		{ "Toshiba THNSN5512GPU7", "THNSN5512GPU7 TOSHIBA", true },
		{ "WD40EFRX", "WDC WD40EFRX-68N32N0", true },
		{ "WDC WD40EFRX-68N32N0", "WDC WD40EFRX-68N32N0", true },
		{ "980 1TB", "Samsung SSD 980 PRO 1TB", false },
		{ "Samsung SSD 980 PRO 1TB", "Samsung SSD 980 1TB", false },
		{ "PRO 1TB", "Samsung SSD 980 PRO 1TB", false },
		{ "Samsung SSD 980 PRO 2TB", "Samsung SSD 980 PRO 1TB", false },
		{ "Samsung SSD", "Samsung SSD 980 PRO 1TB", false },
		{ "KCD61LUL7T6", "KCD61LUL7T68", false },
		{ "WD40EFRX-68WT0N0", "WDC WD40EFRX-68N32N0", false },
		{ "WDC WD40EFRX-68N32N0", "WDC WD40EFRX", false },
		{ "WD40EFZX", "WDC WD40EFRX-68N32N0", false },
		{ "", "Samsung SSD 980 PRO 1TB", false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		if (hl_model_name_is(rows[i].written, rows[i].model) != rows[i].is)
			fail_msg("%s, %s", rows[i].written, rows[i].model);
	}
}

static void a_pattern_of_a_sheet_fits_with_and_without_the_maker(void **state)
{
	static const struct {
		const char *pattern, *model;
		bool fits;
	} rows[] = {
		{ "KCD61LUL7T68*", "KIOXIA KCD61LUL7T68", true },
		{ "KCD6?LUL7T68", "KCD61LUL7T68", true },
		{ "Samsung?SSD?980?PRO?1TB", "SSD 980 PRO 1TB", true },
		{ "Samsung?SSD?980?PRO?1TB", "Samsung SSD 980 PRO 1TB", true },
		{ "WDC?WUH721818AL*", "WUH721818ALE6L4", true },
		{ "WD_BLACK?SN850?1TB", "WD_BLACK SN850 1TB", true },
		{ "Micron_7400_MTFDKCC7T6TDZ*", "MICRON 7400 MTFDKCC7T6TDZ", true },
		{ "Samsung?SSD?980?1TB", "Samsung SSD 980 PRO 1TB", false },
		{ "Samsung?SSD?980?PRO?1TB", "Samsung SSD 980 1TB", false },
		{ "WD_BLACK?SN850?1TB", "WD_BLACK SN850X 1TB", false },
		{ "QEMU?NVMe?Ctrl*", "QEMU NVMe Ctrl", true },
		{ "PC?SN730?NVMe?WDC*", "PC SN730 NVMe WDC 512GB", true },
		{ "KCD61LUL7T68*", "KIOXIA", false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		if (hl_model_name_fits(rows[i].pattern, rows[i].model) != rows[i].fits)
			fail_msg("%s, %s", rows[i].pattern, rows[i].model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_makers_word_does_not_count_and_all_others_do),
		cmocka_unit_test(a_pattern_of_a_sheet_fits_with_and_without_the_maker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
