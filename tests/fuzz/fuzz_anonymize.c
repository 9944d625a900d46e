/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text, as a warning and as a serial: stand-ins replace what is found, and are what is found.
 */
#include "hoploss/anonymize.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	HL_FREE char *text = hl_strndup((const char *)data, size);
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_origin origin = { .host = text, .node = text };
	bool is_needed;

	hl_graph_warn(graph, "%s", text);
	hl_graph_add_string(graph, &origin, "drive.serial", text);
	is_needed = hl_anonymize_is_needed(graph);
	hl_anonymize_graph(graph);
	if (graph->has_identities || (!is_needed && strcmp(graph->warnings[0], text) != 0))
		abort();
	return 0;
}
