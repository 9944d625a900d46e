/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two results are of the same run when name, group and run time to the millisecond agree and the
 * figures agree as far as both sources print them: see repeat.h.
 *
 * Surprising: fio's text rounds what its JSON gives in full, so figures are compared loosely; the
 * run times and the number of I/Os are exact in both.
 */
#include "repeat.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct hl_repeat {
	struct hl_measurement **slots; /* open addressing; the size is a power of two */
	size_t size, nr;
};

struct hl_repeat *hl_repeat_new(void)
{
	struct hl_repeat *repeat = hl_alloc(sizeof(*repeat));

	repeat->size = 64;
	repeat->slots = hl_alloc(repeat->size * sizeof(*repeat->slots));
	return repeat;
}

void hl_repeat_free(struct hl_repeat *repeat)
{
	if (repeat)
		free(repeat->slots);
	free(repeat);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct hl_measurement *at)
{
	uint64_t hash = mix(1, at->group);

	for (const char *c = at->workload.name ? at->workload.name : ""; *c; c++)
		hash = mix(hash, (unsigned char)*c);
	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i] && at->dir[i]->runtime_ms < 1e15)
			hash = mix(hash, (uint64_t)at->dir[i]->runtime_ms * HL_NR_DIRS + i);
	}
	return hash;
}

/* Unknown agrees with anything. */
static bool is_near(double a, double b, double tolerance)
{
	return isnan(a) || isnan(b) || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static bool is_same_latency(const struct hl_latency *a, const struct hl_latency *b)
{
	return !a || !b || is_near(a->mean, b->mean, 0.01);
}

/* Run times of a network's tests are those asked for, and its rates hardly differ. */
static bool is_same_traffic(const struct hl_rate *a, const struct hl_rate *b)
{
	return !a->protocol || !b->protocol ||
	       (is_near(a->bw, b->bw, 0) && is_near(a->retransmits, b->retransmits, 0) &&
		is_near(a->lost, b->lost, 0));
}

static bool is_same_rate(const struct hl_rate *a, const struct hl_rate *b)
{
	if (!a || !b)
		return a == b;
	return a->runtime_ms == b->runtime_ms && is_near(a->ios, b->ios, 0) &&
	       is_same_traffic(a, b) && is_near(a->bw, b->bw, 0.01) &&
	       is_near(a->iops, b->iops, 0.01) && is_same_latency(a->clat, b->clat) &&
	       is_same_latency(a->lat, b->lat);
}

static bool is_same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_same(const struct hl_measurement *a, const struct hl_measurement *b)
{
	if (a->group != b->group || a->error != b->error ||
	    !is_same_name(a->workload.name, b->workload.name))
		return false;
	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (!is_same_rate(a->dir[i], b->dir[i]))
			return false;
	}
	return true;
}

static bool has_rate(const struct hl_measurement *at)
{
	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i])
			return true;
	}
	return false;
}

/* The slot of a measurement that says the same as at, or the free one where at belongs. */
static size_t find_slot(const struct hl_repeat *repeat, const struct hl_measurement *at)
{
	size_t slot = hash_of(at) & (repeat->size - 1);

	while (repeat->slots[slot] && !is_same(repeat->slots[slot], at))
		slot = (slot + 1) & (repeat->size - 1);
	return slot;
}

static void grow(struct hl_repeat *repeat)
{
	struct hl_repeat larger = { .size = repeat->size * 2 };

	larger.slots = hl_alloc(larger.size * sizeof(*larger.slots));
	for (size_t i = 0; i < repeat->size; i++) {
		if (repeat->slots[i])
			larger.slots[find_slot(&larger, repeat->slots[i])] = repeat->slots[i];
	}
	larger.nr = repeat->nr;
	free(repeat->slots);
	*repeat = larger;
}

static void remember(struct hl_repeat *repeat, struct hl_measurement *at)
{
	size_t slot;

	if (repeat->nr * 2 >= repeat->size)
		grow(repeat);
	slot = find_slot(repeat, at);
	repeat->nr += !repeat->slots[slot];
	repeat->slots[slot] = at;
}

static bool has_ios(const struct hl_measurement *at)
{
	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i] && !isnan(at->dir[i]->ios))
			return true;
	}
	return false;
}

/* Where fio prints several formats its terse record comes first, and says the least. */
static void keep_fuller(struct hl_measurement *original, const struct hl_measurement *repeated)
{
	unsigned run = original->run, line = original->line;

	if (has_ios(original) || !has_ios(repeated))
		return;
	*original = *repeated;
	original->run = run;
	original->line = line;
}

const struct hl_measurement *hl_repeat_add(struct hl_repeat *repeat, const struct hl_hop *hop,
					   size_t first)
{
	const struct hl_measurement *original = NULL;
	bool is_repeat = true, has_rates = false;

	for (size_t i = first; i < hop->nr_measurements && is_repeat; i++) {
		struct hl_measurement *same =
			repeat->slots[find_slot(repeat, hop->measurements[i])];

		is_repeat = same != NULL;
		original = original ? original : same;
		has_rates = has_rates || has_rate(hop->measurements[i]);
	}
	if (is_repeat && has_rates) { /* that a job failed again says nothing */
		for (size_t i = first; i < hop->nr_measurements; i++)
			keep_fuller(repeat->slots[find_slot(repeat, hop->measurements[i])],
				    hop->measurements[i]);
		return original;
	}
	for (size_t i = first; i < hop->nr_measurements; i++)
		remember(repeat, hop->measurements[i]);
	return NULL;
}
