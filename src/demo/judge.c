/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a diagnosis of the demo must say: on the shaped line the vnic binds, for it is shaped, and
 * on the other it does not. It reads the verdicts and knows nothing of how they come about.
 */
#include "demo.h"
#include "hoploss/graph.h"
#include <errno.h>
#include <string.h>

#define WORKLOAD "seq-read-128k"
#define CAUSE    "link-shaped"
#define VNIC     (1U << HL_LAYER_VNIC)

static const struct hl_verdict *find_verdict(const struct hl_graph *graph, const char *leaf)
{
	for (size_t i = 0; i < graph->nr_verdicts; i++) {
		const struct hl_verdict *verdict = graph->verdicts[i];

		if (verdict->leaf && verdict->dir == HL_DIR_READ &&
		    !strcmp(verdict->leaf->name, leaf) &&
		    !strcmp(verdict->at->workload.name, WORKLOAD))
			return verdict;
	}
	return NULL;
}

static bool is_confirmed(const struct hl_verdict *verdict)
{
	return verdict->layers == VNIC && verdict->state == HL_CONFIRMED && verdict->cause &&
	       !strcmp(verdict->cause, CAUSE);
}

int hl_demo_judge(const struct hl_graph *graph, struct hl_error *err)
{
	const char *shaped = demo_wires[0].name, *unshaped = demo_wires[1].name;
	const struct hl_verdict *on_shaped = find_verdict(graph, shaped);
	const struct hl_verdict *on_unshaped = find_verdict(graph, unshaped);

	if (!on_shaped || !on_unshaped)
		return hl_fail(err, EBADMSG,
			       "expected a verdict on " WORKLOAD " at %s, there is none",
			       on_shaped ? unshaped : shaped);
	if (!is_confirmed(on_shaped))
		return hl_fail(err, EBADMSG,
			       "expected that the vnic binds " WORKLOAD
			       " at %s, confirmed by " CAUSE "; the verdict: %s",
			       shaped, on_shaped->text);
	if (on_unshaped->layers & VNIC)
		return hl_fail(err, EBADMSG,
			       "expected that the vnic does not bind " WORKLOAD
			       " at %s; the verdict: %s",
			       unshaped, on_unshaped->text);
	return 0;
}
