/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking captures: see hoploss/take.h.
 */
#include "hoploss/take.h"
#include "hoploss/engine.h"
#include "hoploss/probe.h"
#include <string.h>

struct taking {
	struct hl_capture_sink sink; /* counts what passes through to the bundle's */
	struct hl_capture_sink *bundle;
	struct hl_arena *arena;
	struct hl_taken taken;
};

static int count_and_put(struct hl_capture_sink *sink, const struct hl_record *record)
{
	struct taking *taking = (struct taking *)sink;

	taking->taken.nr_files += record->kind == HL_RECORD_FILE;
	taking->taken.nr_kept += record->kind == HL_RECORD_KEPT;
	taking->taken.bytes += (double)record->len;
	return taking->bundle->put(taking->bundle, record);
}

static void take_status(void *context, const char *probe, const char *status, const char *reason)
{
	struct taking *taking = context;
	struct hl_taken *taken = &taking->taken;

	taken->statuses = hl_arena_extend(taking->arena, taken->statuses, taken->nr_statuses,
					  sizeof(*taken->statuses));
	taken->statuses[taken->nr_statuses++] = (struct hl_capture_status){
		hl_arena_strdup(taking->arena, probe),
		hl_arena_strdup(taking->arena, status),
		hl_arena_strdup(taking->arena, reason),
	};
}

static const struct hl_capture_status *find_status(const struct hl_taken *taken, const char *probe)
{
	for (size_t i = 0; i < taken->nr_statuses; i++) {
		if (!strcmp(taken->statuses[i].probe, probe))
			return &taken->statuses[i];
	}
	return NULL;
}

/* One for each probe, in the order of the table, though they came as the probes ended. */
static void order_statuses(struct taking *taking)
{
	const struct hl_taken said = taking->taken;

	taking->taken.statuses = NULL;
	taking->taken.nr_statuses = 0;
	for (size_t i = 0; hl_probes[i]; i++) {
		const struct hl_capture_status *status = find_status(&said, hl_probes[i]->name);

		if (status)
			take_status(taking, status->probe, status->status, status->reason);
		else
			take_status(taking, hl_probes[i]->name, "failed", said.reason);
	}
}

int hl_take_capture(const struct hl_take *take, struct hl_arena *arena, struct hl_taken *ret_taken,
		    struct hl_error *err)
{
	struct taking taking = { .sink.put = count_and_put, .arena = arena };
	const struct hl_agent_capture capture = { &taking.sink, take_status, &taking,
						  take->probe_s };
	uint64_t start_ns = hl_clock_ns();
	struct hl_error why;
	int rc = hl_bundle_begin_capture(take->bundle, take->host, take->stage, &taking.bundle,
					 err);

	if (rc < 0)
		return rc;
	if (!take->agent)
		taking.taken.reason = hl_arena_strdup(arena, take->reason);
	else if (hl_agent_capture(take->agent, &capture, &why) < 0)
		taking.taken.reason = hl_arena_strdup(arena, why.text);
	order_statuses(&taking);
	for (size_t i = 0; i < taking.taken.nr_statuses; i++)
		hl_bundle_say_status(take->bundle, &taking.taken.statuses[i]);
	taking.taken.seconds = (double)(hl_clock_ns() - start_ns) / 1e9;
	*ret_taken = taking.taken;
	return hl_bundle_end_capture(take->bundle, err);
}
