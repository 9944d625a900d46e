/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives to be judged: a healthy one, and changes of it.
 */
#ifndef TESTS_ACCEPTANCE_MAKER_H
#define TESTS_ACCEPTANCE_MAKER_H

#include "graph_maker.h"
#include "hoploss/acceptance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct given {
	const char *node, *key;
	double number;
	const char *string;
};

/* A healthy drive, new and as bought. */
static const struct given healthy[] = {
	{ "nvme0", "drive.model", NAN, "KCD61LUL7T68" },
	{ "nvme0", "drive.serial", NAN, "S1" },
	{ "nvme0", "drive.firmware", NAN, "0102" },
	{ "nvme0", "drive.capacity_bytes", 7681501126656.0, NULL },
	{ "nvme0", "smart.critical_warning", 0, NULL },
	{ "nvme0", "smart.temperature_c", 41, NULL },
	{ "nvme0", "smart.available_spare_pct", 100, NULL },
	{ "nvme0", "smart.percentage_used", 0, NULL },
	{ "nvme0", "smart.media_errors", 0, NULL },
	{ "nvme0", "smart.power_on_hours", 4, NULL },
	{ "nvme0", "smart.power_cycles", 9, NULL },
	{ "nvme0", "smart.data_units_written", 1000, NULL },
	{ "nvme0", "smart.data_units_read", 1000, NULL },
	{ "nvme0", "smart.critical_temp_time_min", 0, NULL },
	{ "0000:01:00.0", "pcie.cap_speed_gts", 16, NULL },
	{ "0000:01:00.0", "pcie.cap_width", 4, NULL },
	{ "0000:01:00.0", "pcie.speed_gts", 16, NULL },
	{ "0000:01:00.0", "pcie.width", 4, NULL },
};

static inline void add(struct hl_graph *graph, const struct given *given)
{
	const struct hl_origin origin = { .node = given->node, .source = "test:1" };

	hl_graph_add_number(graph, &origin, given->key, given->number);
	hl_graph_add_string(graph, &origin, given->key, given->string);
}

/* The healthy drive with one fact changed. */
static inline struct hl_graph *graph_with(const struct given *change)
{
	struct hl_graph *graph = hl_graph_new();

	for (size_t i = 0; i < NR(healthy); i++) {
		bool is_it = change && !strcmp(change->key, healthy[i].key);

		add(graph, is_it ? change : &healthy[i]);
	}
	return graph;
}

static inline const struct hl_check *find(const struct hl_acceptance *device, const char *id)
{
	for (size_t i = 0; i < device->nr_checks; i++) {
		if (!strcmp(device->checks[i].id, id))
			return &device->checks[i];
	}
	fail_msg("there is no check %s", id);
	return NULL;
}

static inline struct hl_acceptance_set *judge(const struct hl_graph *graph,
					      const struct hl_acceptance_how *how)
{
	struct hl_acceptance_set *set;
	struct hl_error err;

	if (hl_acceptance_judge(graph, how, &set, &err) < 0)
		fail_msg("%s", err.text);
	return set;
}

#endif
