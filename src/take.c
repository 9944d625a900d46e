/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking captures: see hoploss/take.h.
 */
#include "hoploss/take.h"
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include "hoploss/probe.h"
#include <string.h>

/* Counts what passes through to the bundle. */
struct counting {
	struct hl_capture_sink sink;
	struct hl_capture_sink *bundle;
	struct hl_taken taken;
};

struct taking {
	struct hl_bundle *bundle;
	bool *has_said; /* by index in hl_probes */
};

static int count_and_put(struct hl_capture_sink *sink, const struct hl_record *record)
{
	struct counting *counting = (struct counting *)sink;

	counting->taken.nr_files += record->kind == HL_RECORD_FILE;
	counting->taken.nr_kept += record->kind == HL_RECORD_KEPT;
	counting->taken.bytes += (double)record->len;
	return counting->bundle->put(counting->bundle, record);
}

static void take_status(void *context, const char *probe, const char *status, const char *reason)
{
	struct taking *taking = context;
	const struct hl_capture_status said = { probe, status, reason };

	for (size_t i = 0; hl_probes[i]; i++) {
		if (!strcmp(hl_probes[i]->name, probe))
			taking->has_said[i] = true;
	}
	hl_bundle_say_status(taking->bundle, &said);
}

static void fill_statuses(struct taking *taking, const struct hl_error *why)
{
	for (size_t i = 0; hl_probes[i]; i++) {
		if (!taking->has_said[i])
			take_status(taking, hl_probes[i]->name, "failed", why->text);
	}
}

static size_t nr_probes(void)
{
	size_t nr = 0;

	while (hl_probes[nr])
		nr++;
	return nr;
}

int hl_take_capture(struct hl_bundle *bundle, struct hl_agent *agent, const char *host,
		    enum hl_capture_stage stage, const struct hl_error *why,
		    struct hl_taken *ret_taken, struct hl_error *err)
{
	HL_FREE bool *has_said = hl_alloc(nr_probes() * sizeof(*has_said) + 1);
	struct taking taking = { bundle, has_said };
	struct counting counting = { .sink.put = count_and_put };
	const struct hl_agent_capture capture = { &counting.sink, take_status, &taking };
	uint64_t start_ns = hl_clock_ns();
	struct hl_error broken = { 0 };
	int rc = hl_bundle_begin_capture(bundle, host, stage, &counting.bundle, err);
	int said = 0;

	if (rc < 0)
		return rc;
	if (!agent)
		broken = *why;
	else
		said = hl_agent_capture(agent, &capture, &broken);
	fill_statuses(&taking, &broken);
	rc = hl_bundle_end_capture(bundle, err);
	if (rc < 0)
		return rc;
	counting.taken.seconds = (double)(hl_clock_ns() - start_ns) / 1e9;
	*ret_taken = counting.taken;
	return said < 0 || !agent ? hl_fail(err, broken.code, "%s", broken.text) : 0;
}
