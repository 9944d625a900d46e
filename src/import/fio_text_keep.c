/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of several results of one job counts, and whether its lines are all its own. With
 * --status-interval and on SIGUSR1 fio prints all results so far, again and again: the last whole
 * one has it all.
 */
#include "fio_text.h"
#include "idset.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct key {
	uint64_t id;
	size_t index;
};

/* Without a head or a process nobody can tell whose it is: each is then its own. */
static struct key key_of(const struct fio_run *run, size_t index)
{
	const struct fio_result *result = &run->results[index];
	uint64_t id;

	if (!result->name || !result->pid)
		return (struct key){ index, index };
	id = hl_idset_hash(0, result->name, strlen(result->name) + 1);
	id = hl_idset_hash(id, (const char *)&result->pid, sizeof(result->pid));
	id = hl_idset_hash(id, (const char *)&result->group, sizeof(result->group));
	return (struct key){ id | 1ull << 63, index };
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *left = a, *right = b;

	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return left->index < right->index ? -1 : 1;
}

static bool is_same_value(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Pasted twice, not printed later. */
static bool is_same(const struct fio_result *a, const struct fio_result *b)
{
	for (int i = 0; i < FIO_NR_DIRS; i++) {
		if (!a->dirs[i] || !b->dirs[i]) {
			if (a->dirs[i] != b->dirs[i])
				return false;
			continue;
		}
		if (!is_same_value(a->dirs[i]->runtime_ms, b->dirs[i]->runtime_ms))
			return false;
	}
	return is_same_value(a->issued[0], b->issued[0]) &&
	       is_same_value(a->issued[1], b->issued[1]);
}

/* Of keys [first, end), all of one job. */
static void keep_one(struct fio_run *run, const struct key *first, const struct key *end)
{
	const struct key *kept = end - 1;

	for (const struct key *key = first; key < end; key++) {
		if (run->results[key->index].has_issued)
			kept = key;
	}
	for (const struct key *key = first; key < end; key++) {
		struct fio_result *result = &run->results[key->index];

		if (key == kept)
			continue;
		result->is_dropped = true;
		run->nr_dropped++;
		run->nr_same += is_same(result, &run->results[kept->index]);
	}
}

static void close_gaps(struct fio_run *run)
{
	size_t nr = 0;

	for (size_t i = 0; i < run->nr_results; i++) {
		if (!run->results[i].is_dropped)
			run->results[nr++] = run->results[i];
	}
	run->nr_results = nr;
	run->result = NULL;
}

void fio_results_drop_earlier(struct fio_run *run)
{
	HL_FREE struct key *keys = hl_grow(NULL, run->nr_results, sizeof(*keys));
	size_t first = 0;

	for (size_t i = 0; i < run->nr_results; i++)
		keys[i] = key_of(run, i);
	qsort(keys, run->nr_results, sizeof(*keys), compare_keys);
	for (size_t i = 1; i <= run->nr_results; i++) {
		if (i < run->nr_results && keys[i].id == keys[first].id)
			continue;
		keep_one(run, &keys[first], &keys[i]);
		first = i;
	}
	if (run->nr_dropped)
		close_gaps(run);
}

static bool is_of_one(const struct fio_result *result)
{
	static const enum hl_dir dirs[] = { HL_DIR_READ, HL_DIR_WRITE, HL_DIR_TRIM };
	const struct fio_rate *mixed = result->dirs[HL_DIR_MIXED];
	bool has_split = false;

	for (int i = 0; i < 3; i++) {
		const struct fio_rate *rate = result->dirs[dirs[i]];

		has_split = has_split || rate;
		if (rate && !fio_rate_may_be(rate, result->issued[i]))
			return false;
	}
	return has_split || !mixed || fio_rate_may_be(mixed, result->issued[0]);
}

/* The end of one job under the rates of another: only the rates are surely what they seem. */
void fio_result_check(struct fio_result *result)
{
	if (is_of_one(result))
		return;
	for (int dir = 0; dir < FIO_NR_DIRS; dir++) {
		if (result->dirs[dir])
			result->dirs[dir]->lat = result->dirs[dir]->clat = result->dirs[dir]->slat =
				NULL;
	}
	for (int i = 0; i < 3; i++)
		result->issued[i] = NAN;
	result->sync = NULL;
	result->depth = NAN;
	result->cpu_user_pct = result->cpu_system_pct = NAN;
	result->is_cut = true;
}
