/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of CPUs: see hoploss/cpulist.h.
 */
#include "hoploss/cpulist.h"
#include "hoploss/number.h"
#include <errno.h>
#include <string.h>

static void set(struct hl_cpulist *list, unsigned cpu, bool is_in)
{
	if (hl_cpulist_has(list, cpu) == is_in)
		return;
	list->is_in[cpu / 8] ^= (unsigned char)(1 << cpu % 8);
	list->nr += is_in ? 1 : -1u;
}

/* "5", "0-3" or "^2" of len bytes. */
static int read_range(const char *text, size_t len, struct hl_cpulist *list)
{
	bool is_in = !len || *text != '^';
	const char *dash;
	uint64_t first, last;
	size_t nr;

	text += !is_in;
	len -= !is_in;
	dash = len ? memchr(text, '-', len) : NULL;
	nr = dash ? (size_t)(dash - text) : len;
	if (hl_number_u64(text, nr, &first) < 0)
		return -EINVAL;
	last = first;
	if (dash && hl_number_u64(dash + 1, len - nr - 1, &last) < 0)
		return -EINVAL;
	if (last < first || last >= HL_CPULIST_MAX)
		return -EINVAL;
	for (uint64_t cpu = first; cpu <= last; cpu++)
		set(list, (unsigned)cpu, is_in);
	return 0;
}

int hl_cpulist_read(const char *text, struct hl_cpulist *ret_list)
{
	struct hl_cpulist list = { 0 };

	while (*(text += strspn(text, ", \t\n"))) {
		size_t len = strcspn(text, ", \t\n");

		if (read_range(text, len, &list) < 0)
			return -EINVAL;
		text += len;
	}
	if (!list.nr)
		return -EINVAL;
	*ret_list = list;
	return 0;
}

bool hl_cpulist_has(const struct hl_cpulist *list, unsigned cpu)
{
	return cpu < HL_CPULIST_MAX && list->is_in[cpu / 8] & 1 << cpu % 8;
}

bool hl_cpulist_meets(const struct hl_cpulist *a, const struct hl_cpulist *b)
{
	for (unsigned i = 0; i < sizeof(a->is_in); i++) {
		if (a->is_in[i] & b->is_in[i])
			return true;
	}
	return false;
}
