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

static void say_unusable(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_inputs; i++) {
		const struct hl_input *input = graph->inputs[i];

		if (input->status != HL_INPUT_PROSE && input->status != HL_INPUT_READ)
			hl_console_say("%s: %s", input->file,
				       input->reason ? input->reason
						     : "nothing in it was recognised");
	}
}

int hl_given_read(const struct hl_sources *sources, struct hl_given *ret_given,
		  struct hl_error *err)
{
	struct hl_given given = { .name = sources->items[0].path };
	int rc = hl_gather(sources, NULL, &given.bundle, &given.is_missing, err);

	if (rc == 0 && !given.bundle)
		rc = hl_fail(err, ENODATA, "nothing readable");
	if (rc == 0)
		rc = hl_diagnose(given.bundle, NULL, &given.graph, err);
	if (rc == 0 && hl_diagnose_exit(given.graph) == HL_EXIT_UNABLE) {
		say_unusable(given.graph);
		rc = hl_fail(err, ENODATA, "%s: nothing usable in it", given.name);
	}
	if (rc < 0) {
		hl_given_clear(&given);
		return rc;
	}
	*ret_given = given;
	return 0;
}
