/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a slot on this machine and puts what it gave into a sample.
 */
#ifndef HOPLOSS_AGENT_OUTCOME_H
#define HOPLOSS_AGENT_OUTCOME_H

#include "hoploss/engine.h"
#include "hoploss/meter.h"
#include "hoploss/sample.h"

/*
 * metered is what the meters look at beside the slot; their facts have node. A slot that fails
 * gives a sample NOT MEASURED with its reason. Memory is the graph's.
 */
void outcome_run(const struct hl_engine *engine, const struct hl_job *job, double grace,
		 const struct hl_meter_target *metered, const char *node, hl_slot_watch *watch,
		 void *context, struct hl_graph *graph, struct hl_sample *ret_sample);

#endif
