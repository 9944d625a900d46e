/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was given as one state: see hoploss/given.h.
 */
#include "hoploss/given.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/gather.h"
#include <errno.h>

void hl_given_clear(struct hl_given *given)
{
	hl_graph_free(given->graph);
	hl_bundle_free(given->bundle);
	*given = (struct hl_given){ 0 };
}

static const char *why_unusable(const struct hl_input *input)
{
	if (input->status == HL_INPUT_PROSE ||
	    (input->status == HL_INPUT_READ && !input->is_partial))
		return NULL;
	if (input->reason)
		return input->reason;
	return input->is_partial ? "it ends early" : "nothing in it was recognised";
}

/* Names what was not read, or not whole; true: there was any. */
static bool say_unusable(const struct hl_graph *graph)
{
	bool is_missing = false;

	for (size_t i = 0; i < graph->nr_inputs; i++) {
		const char *why = why_unusable(graph->inputs[i]);

		if (why)
			hl_console_say("%s: %s", graph->inputs[i]->file, why);
		is_missing = is_missing || why;
	}
	return is_missing;
}

int hl_given_read(const struct hl_sources *sources, const struct hl_given_how *how,
		  struct hl_given *ret_given, struct hl_error *err)
{
	const struct hl_diagnose_how nameless = { .is_nameless = how->is_nameless };
	struct hl_given given = { .name = sources->items[0].path };
	int rc = hl_gather(sources, how->out, false, &given.bundle, &given.is_missing, err);

	if (rc == 0 && !given.bundle)
		rc = hl_fail(err, ENODATA, "nothing readable");
	if (rc == 0)
		rc = hl_diagnose(given.bundle, &nameless, &given.graph, err);
	if (rc == 0)
		given.is_missing |= say_unusable(given.graph);
	if (rc == 0 && hl_diagnose_exit(given.graph) == HL_EXIT_UNABLE)
		rc = hl_fail(err, ENODATA, "%s: nothing usable in it", given.name);
	if (rc < 0) {
		hl_given_clear(&given);
		return rc;
	}
	*ret_given = given;
	return 0;
}
