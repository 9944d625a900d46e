/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways to a drive's self-test: see hoploss/self_test.h.
 */
#include "hoploss/self_test.h"

extern const struct hl_self_test_way hl_self_test_nvme, hl_self_test_smartctl;

const struct hl_self_test_way *const hl_self_test_ways[] = {
	&hl_self_test_nvme,
	&hl_self_test_smartctl,
	NULL,
};

const struct hl_self_test_way *hl_self_test_find(struct hl_machine *machine, const char *name,
						 char **ret_device)
{
	for (size_t i = 0; hl_self_test_ways[i]; i++) {
		char *device = hl_self_test_ways[i]->find(machine, name);

		if (!device)
			continue;
		*ret_device = device;
		return hl_self_test_ways[i];
	}
	return NULL;
}

const char *hl_self_test_kind_name(enum hl_self_test_kind kind)
{
	static const char *const names[] = {
		[HL_SELF_TEST_NONE] = "no",
		[HL_SELF_TEST_SHORT] = "short",
		[HL_SELF_TEST_LONG] = "long",
		[HL_SELF_TEST_OTHER] = "another",
	};

	return names[kind];
}
