/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planning rounds: see hoploss/plan.h. A hop's target, or what the workload's offset and size leave
 * of it, is cut into as many parts as the whole run has slots; part numbers go round a circle in a
 * stride that is prime to their number, so that no hop always gets the same end of a disk.
 */
#include "hoploss/plan.h"
#include "hoploss/random.h"
#include <assert.h>
#include <math.h>

#define ALIGNMENT    (1u << 20)
#define LEAST_BLOCKS 16 /* of the largest block size and of all jobs, in one part */

static uint64_t random_of(const struct hl_plan *plan, uint64_t a, uint64_t b)
{
	return hl_random_mix(hl_random_mix(plan->seed + a * HL_RANDOM_STEP) + b);
}

static bool is_measured(const struct hl_plan *plan, size_t hop)
{
	return !isnan(plan->sizes[hop]);
}

static size_t nr_measured(const struct hl_plan *plan)
{
	size_t nr = 0;

	for (size_t hop = 0; hop < plan->path->nr_hops; hop++)
		nr += is_measured(plan, hop);
	return nr;
}

/* One hop is measured twice. */
static size_t visits_of_round(const struct hl_plan *plan)
{
	size_t nr = nr_measured(plan);

	return nr ? nr + 1 : 0;
}

size_t hl_plan_nr_slots(const struct hl_plan *plan)
{
	return visits_of_round(plan) * plan->nr_workloads;
}

double hl_plan_warmup(const struct hl_plan *plan, size_t workload)
{
	double ramp_s = plan->workloads[workload].ramp_s;

	return ramp_s > 0 ? fmax(plan->warmup, fmin(ramp_s, plan->longest_warmup)) : plan->warmup;
}

double hl_plan_round_seconds(const struct hl_plan *plan)
{
	double seconds = 0;

	for (size_t i = 0; i < plan->nr_workloads; i++)
		seconds += hl_plan_warmup(plan, i) + plan->seconds;
	return seconds * (double)visits_of_round(plan);
}

/* ---- regions ---- */

/* What a workload may touch of a hop's target, by its offset and size. */
struct region {
	double start, length;
};

static double place(double bytes, double percent, double size, double usual)
{
	if (!isnan(percent))
		return floor(size * percent / 100);
	return isnan(bytes) ? usual : bytes;
}

static struct region region_of(const struct hl_plan *plan, size_t hop, size_t workload)
{
	const struct hl_workload *of = &plan->workloads[workload];
	double size = plan->sizes[hop];
	double start = floor(place(of->offset, of->offset_pct, size, 0) / of->bs) * of->bs;
	double rest = fmax(size - start, 0);

	return (struct region){ start, fmin(place(of->size, of->size_pct, size, rest), rest) };
}

double hl_plan_room(const struct hl_plan *plan, size_t hop, size_t workload)
{
	return region_of(plan, hop, workload).length;
}

/* ---- parts ---- */

static double least_part(const struct hl_plan *plan)
{
	double least = ALIGNMENT;

	for (size_t i = 0; i < plan->nr_workloads; i++) {
		const struct hl_workload *workload = &plan->workloads[i];

		least = fmax(least, workload->bs * workload->numjobs * LEAST_BLOCKS);
	}
	return ceil(least / ALIGNMENT) * ALIGNMENT;
}

struct parts {
	uint64_t nr, length;
};

static struct parts parts_of(const struct hl_plan *plan, size_t hop, size_t workload)
{
	double size = region_of(plan, hop, workload).length, least = least_part(plan);
	double wanted = (double)hl_plan_nr_slots(plan) * plan->nr_rounds;
	double length = floor(size / wanted / ALIGNMENT) * ALIGNMENT;

	if (length >= least)
		return (struct parts){ (uint64_t)wanted, (uint64_t)length };
	if (size < 2 * least) /* too small to be cut */
		return (struct parts){ 1, (uint64_t)size };
	return (struct parts){ (uint64_t)(size / least), (uint64_t)least };
}

/* Parts of two workloads are told apart by their numbers only where both cut the same region. */
bool hl_plan_is_disjoint(const struct hl_plan *plan, size_t hop)
{
	struct region first = region_of(plan, hop, 0);

	for (size_t i = 0; i < plan->nr_workloads; i++) {
		struct region region = region_of(plan, hop, i);

		if (region.start != first.start || region.length != first.length ||
		    parts_of(plan, hop, i).nr < hl_plan_nr_slots(plan) * plan->nr_rounds)
			return false;
	}
	return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static uint64_t stride_of(const struct hl_plan *plan, uint64_t nr_parts)
{
	uint64_t stride = random_of(plan, 1, nr_parts) % nr_parts;

	while (common_divisor(stride, nr_parts) != 1)
		stride = (stride + 1) % nr_parts;
	return stride;
}

static void set_part(const struct hl_plan *plan, struct hl_plan_slot *slot, uint64_t number)
{
	struct parts parts = parts_of(plan, slot->hop, slot->workload);
	struct region region = region_of(plan, slot->hop, slot->workload);
	uint64_t start = random_of(plan, 2, parts.nr) % parts.nr, part = 0;

	if (parts.nr > 1)
		part = (uint64_t)(((unsigned __int128)number * stride_of(plan, parts.nr) + start) %
				  parts.nr);
	slot->offset = (uint64_t)region.start + part * parts.length;
	slot->length = parts.length;
	slot->is_reused = number >= parts.nr;
}

/* ---- rounds ---- */

/* The hop that is measured twice in this round: each in turn. */
static size_t repeated_hop(const struct hl_plan *plan, unsigned round)
{
	size_t nr = nr_measured(plan), hop = 0, turn;

	assert(nr > 0); /* else there is no round */
	turn = (round - 1) % nr;
	for (;; hop++) {
		if (is_measured(plan, hop) && turn-- == 0)
			return hop;
	}
}

static void shuffle(const struct hl_plan *plan, unsigned round, struct hl_plan_slot *visits,
		    size_t nr)
{
	for (size_t i = nr - 1; i > 0; i--) {
		size_t other = random_of(plan, 3 + round, i) % (i + 1);
		struct hl_plan_slot visit = visits[i];

		visits[i] = visits[other];
		visits[other] = visit;
	}
}

/* The second visit of the hop is the repeat. */
static void mark_repeat(struct hl_plan_slot *visits, size_t nr, size_t hop)
{
	bool is_seen = false;

	for (size_t i = 0; i < nr; i++) {
		if (visits[i].hop != hop)
			continue;
		visits[i].is_repeat = is_seen;
		is_seen = true;
	}
}

static size_t draw_visits(const struct hl_plan *plan, unsigned round, struct hl_plan_slot *visits)
{
	size_t nr = 0, repeated = repeated_hop(plan, round);

	for (size_t hop = 0; hop < plan->path->nr_hops; hop++) {
		if (is_measured(plan, hop))
			visits[nr++] = (struct hl_plan_slot){ .round = round, .hop = hop };
	}
	visits[nr++] = (struct hl_plan_slot){ .round = round, .hop = repeated };
	shuffle(plan, round, visits, nr);
	mark_repeat(visits, nr, repeated);
	return nr;
}

void hl_plan_round(const struct hl_plan *plan, unsigned round, struct hl_plan_slot *slots)
{
	size_t nr_slots = hl_plan_nr_slots(plan), nr_visits;

	if (!nr_slots)
		return;
	nr_visits = draw_visits(plan, round, slots);
	/* spread from the back: a visit becomes one slot for each workload */
	for (size_t i = nr_visits; i-- > 0;) {
		struct hl_plan_slot visit = slots[i];

		for (size_t w = 0; w < plan->nr_workloads; w++) {
			struct hl_plan_slot *slot = &slots[i * plan->nr_workloads + w];
			uint64_t number = (round - 1) * nr_slots + i * plan->nr_workloads + w;

			*slot = visit;
			slot->workload = w;
			slot->seed = random_of(plan, 4, number) & ((UINT64_C(1) << 53) - 1);
			set_part(plan, slot, number);
		}
	}
}
