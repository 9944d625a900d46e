/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Near names, by the distance of Damerau and Levenshtein (optimal string alignment). A word that
 * begins a name, or stands in it, is near too: "ethernet" for "ethernet-ceiling".
 */
#include "hoploss/near.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LEN_MAX 48 /* no name is longer; of a longer word only the beginning is compared */

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static bool is_same(const char *a, const char *b)
{
	return tolower((unsigned char)*a) == tolower((unsigned char)*b);
}

size_t hl_near_distance(const char *a, const char *b)
{
	size_t cost[LEN_MAX + 1][LEN_MAX + 1];
	size_t len_a = strnlen(a, LEN_MAX), len_b = strnlen(b, LEN_MAX);

	for (size_t i = 0; i <= len_a; i++)
		cost[i][0] = i;
	for (size_t j = 0; j <= len_b; j++)
		cost[0][j] = j;
	for (size_t i = 1; i <= len_a; i++) {
		for (size_t j = 1; j <= len_b; j++) {
			size_t differs = !is_same(a + i - 1, b + j - 1);

			cost[i][j] = least(cost[i - 1][j] + 1, cost[i][j - 1] + 1,
					   cost[i - 1][j - 1] + differs);
			if (i > 1 && j > 1 && is_same(a + i - 1, b + j - 2) &&
			    is_same(a + i - 2, b + j - 1))
				cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1, LEN_MAX);
		}
	}
	return cost[len_a][len_b];
}

void hl_near_start(struct hl_near *near, const char *wanted)
{
	*near = (struct hl_near){ .wanted = wanted };
}

static bool is_near(const struct hl_near *near, const char *name, size_t distance)
{
	size_t len = strlen(near->wanted);

	if (len >= 3 && strcasestr(name, near->wanted))
		return true;
	return len > 1 && len <= LEN_MAX && distance <= (len + 2) / 3;
}

void hl_near_offer(struct hl_near *near, const char *name)
{
	size_t distance = hl_near_distance(near->wanted, name);
	size_t at = near->nr_names;

	if (!is_near(near, name, distance))
		return;
	while (at > 0 && near->distance[at - 1] > distance)
		at--;
	if (at == HL_NEAR_MAX)
		return;
	if (near->nr_names < HL_NEAR_MAX)
		near->nr_names++;
	for (size_t i = near->nr_names - 1; i > at; i--) {
		near->names[i] = near->names[i - 1];
		near->distance[i] = near->distance[i - 1];
	}
	near->names[at] = name;
	near->distance[at] = distance;
}

const char *hl_near_hint(struct hl_near *near)
{
	size_t len = 0;

	near->hint[0] = '\0';
	for (size_t i = 0; i < near->nr_names && len < sizeof(near->hint); i++)
		len += (size_t)snprintf(near->hint + len, sizeof(near->hint) - len, "%s%s",
					i ? ", " : "; did you mean ", near->names[i]);
	if (len && len < sizeof(near->hint))
		snprintf(near->hint + len, sizeof(near->hint) - len, "?");
	return near->hint;
}
