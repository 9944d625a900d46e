/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives beside each other: see peers.h.
 */
#include "peers.h"
#include "hoploss/accept_plan.h"
#include "hoploss/model.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SLOWER 0.9  /* of the median of its peers */
#define SHARED 0.85 /* of the sum: less is a shared limit */
#define LEAST  3    /* drives of a model, for a median to mean something */

static void find_out(struct hl_acceptance_set *set, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void find_out(struct hl_acceptance_set *set, const char *format, ...)
{
	va_list args;

	set->findings = hl_arena_extend(set->arena, set->findings, set->nr_findings,
					sizeof(*set->findings));
	va_start(args, format);
	set->findings[set->nr_findings++] = hl_arena_vprintf(set->arena, format, args);
	va_end(args);
}

static const char *name_of(const struct hl_acceptance *device)
{
	return device->serial ? device->serial : device->device;
}

static bool is_same_model(const struct hl_acceptance *a, const struct hl_acceptance *b)
{
	return a->model && b->model && !strcmp(a->model, b->model);
}

static const struct hl_check *find_check(const struct hl_acceptance *device, const char *id)
{
	for (size_t i = 0; i < device->nr_checks; i++) {
		if (!strcmp(device->checks[i].id, id))
			return &device->checks[i];
	}
	return NULL;
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of what the drives of that model gave; NAN with fewer than LEAST. */
static double median_of(const struct hl_acceptance_set *set, const struct hl_acceptance *like,
			const char *id)
{
	double *values = hl_arena_alloc(set->arena, set->nr_devices * sizeof(*values));
	size_t nr = 0;

	for (size_t i = 0; i < set->nr_devices; i++) {
		const struct hl_check *check = find_check(&set->devices[i], id);

		if (check && is_same_model(like, &set->devices[i]) && !isnan(check->measured))
			values[nr++] = check->measured;
	}
	if (nr < LEAST)
		return NAN;
	qsort(values, nr, sizeof(*values), compare_numbers);
	return (values[(nr - 1) / 2] + values[nr / 2]) / 2;
}

static bool is_rate(const struct hl_check *check)
{
	return check->unit && (!strcmp(check->unit, "bytes/s") || !strcmp(check->unit, "IOPS"));
}

static void compare_speeds(struct hl_acceptance_set *set)
{
	for (size_t i = 0; i < set->nr_devices; i++) {
		const struct hl_acceptance *device = &set->devices[i];

		for (size_t k = 0; k < device->nr_checks; k++) {
			const struct hl_check *check = &device->checks[k];
			double median = is_rate(check) ? median_of(set, device, check->id) : NAN;

			if (check->measured < median * SLOWER)
				find_out(set,
					 "%s is slower than its peers: %s gives %.0f %% of "
					 "their median",
					 name_of(device), check->title,
					 check->measured / median * 100);
		}
	}
}

/* One drive of that model and firmware was told before. */
static bool is_told(const struct hl_acceptance_set *set, const struct hl_acceptance *device)
{
	for (const struct hl_acceptance *other = set->devices; other < device; other++) {
		if (is_same_model(device, other) && other->firmware &&
		    !strcmp(device->firmware, other->firmware))
			return true;
	}
	return false;
}

static void compare_serials(struct hl_acceptance_set *set)
{
	for (size_t i = 1; i < set->nr_devices; i++) {
		const struct hl_acceptance *device = &set->devices[i];

		for (size_t k = 0; k < i && device->serial; k++) {
			if (!set->devices[k].serial ||
			    strcmp(set->devices[k].serial, device->serial) != 0)
				continue;
			find_out(set,
				 "%s and %s have one serial number, %s: one drive twice, or a "
				 "number that was made up",
				 set->devices[k].device, device->device, device->serial);
			break;
		}
	}
}

static void compare_firmware(struct hl_acceptance_set *set)
{
	for (size_t i = 1; i < set->nr_devices; i++) {
		const struct hl_acceptance *device = &set->devices[i];

		for (size_t k = 0; k < i; k++) {
			const struct hl_acceptance *other = &set->devices[k];

			if (!is_same_model(device, other) || !device->firmware || !other->firmware)
				continue;
			if (strcmp(device->firmware, other->firmware) != 0 && !is_told(set, device))
				find_out(set, "mixed firmware: %s has %s, %s has %s",
					 name_of(other), other->firmware, name_of(device),
					 device->firmware);
			break;
		}
	}
}

static void compare_list(struct hl_acceptance_set *set, const struct hl_acceptance_how *how)
{
	for (size_t i = 0; i < how->nr_purchases; i++) {
		bool is_there = false;

		for (size_t k = 0; k < set->nr_devices; k++)
			is_there |= set->devices[k].serial &&
				    !strcasecmp(set->devices[k].serial, how->purchases[i].serial);
		if (is_there)
			continue;
		if (how->purchases[i].line)
			find_out(set,
				 "missing: %s of the purchase list, line %u, is none of the drives",
				 how->purchases[i].serial, how->purchases[i].line);
		else
			find_out(set, "missing: no drive has the serial number %s",
				 how->purchases[i].serial);
		set->nr_missing++;
		set->verdict = HL_ACCEPT_FAIL;
	}
}

/* What the drives gave one by one, added up; NAN where one of them has no such figure. */
static double sum_alone(const struct hl_graph *graph, const struct hl_measurement *together)
{
	double sum = 0;

	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_measurement *at;

		if (graph->hops[i] == together->hop || graph->hops[i]->layer != HL_LAYER_DRIVE)
			continue;
		at = hl_pair_find(graph->hops[i], together, HL_DIR_READ);
		sum += at ? at->dir[HL_DIR_READ]->bw : NAN;
	}
	return sum;
}

static void compare_together(struct hl_acceptance_set *set, const struct hl_graph *graph)
{
	const struct hl_hop *hop = hl_graph_find_hop(graph, HL_ACCEPT_TOGETHER);

	for (size_t i = 0; hop && i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];
		double sum, share;

		if (at->experiment || !hl_figure_is_usable(at, HL_DIR_READ))
			continue;
		sum = sum_alone(graph, at);
		share = at->dir[HL_DIR_READ]->bw / sum;
		if (share < SHARED)
			find_out(set,
				 "%s: all drives together give %.0f %% of what they give one by "
				 "one: they share something that is full (an uplink, a "
				 "controller, the CPU), and no drive is slow",
				 at->workload.name, share * 100);
	}
}

void peers_compare(struct hl_acceptance_set *set, const struct hl_graph *graph,
		   const struct hl_acceptance_how *how)
{
	compare_together(set, graph);
	compare_list(set, how);
	compare_serials(set);
	compare_firmware(set);
	compare_speeds(set);
}
