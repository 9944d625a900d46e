/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities within a sentence: each prints into a struct that lives until the end of the
 * statement, as in printf("after %s", hl_say_time(ns).text). Used by src/causes.
 */
#ifndef HOPLOSS_SAY_H
#define HOPLOSS_SAY_H

#include "hoploss/unit.h"
#include <stdio.h>

struct hl_said {
	char text[HL_UNIT_TEXT];
};

__attribute__((unused)) static inline struct hl_said hl_say_rate(double bytes_per_s)
{
	struct hl_said said;

	hl_unit_rate(said.text, bytes_per_s);
	return said;
}

__attribute__((unused)) static inline struct hl_said hl_say_time(double ns)
{
	struct hl_said said;

	hl_unit_time(said.text, ns);
	return said;
}

__attribute__((unused)) static inline struct hl_said hl_say_size(double bytes)
{
	struct hl_said said;

	hl_unit_size(said.text, bytes);
	return said;
}

__attribute__((unused)) static inline struct hl_said hl_say_count(double count)
{
	struct hl_said said;

	hl_unit_count(said.text, count);
	return said;
}

/* "77 %", of a share of 1 */
__attribute__((unused)) static inline struct hl_said hl_say_share(double share)
{
	struct hl_said said;

	snprintf(said.text, sizeof(said.text), "%.0f %%", share * 100);
	return said;
}

#endif
