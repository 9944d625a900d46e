/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a slot on this machine and puts what it gave into a sample.
 */
#ifndef HOPLOSS_AGENT_OUTCOME_H
#define HOPLOSS_AGENT_OUTCOME_H

#include "hoploss/engine.h"
#include "hoploss/meter.h"
#include "hoploss/sample.h"

struct outcome_request {
	const struct hl_engine *engine;
	const struct hl_job *job;
	double grace;                          /* seconds that it may be late */
	const struct hl_meter_target *metered; /* what the meters look at beside it */
	const char *node;                      /* of their facts */
	hl_slot_watch *watch;
	void *context;
};

/* A slot that fails gives a sample NOT MEASURED with its reason. Memory is the graph's. */
void outcome_run(const struct outcome_request *request, struct hl_graph *graph,
		 struct hl_sample *ret_sample);

#endif
