/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a file: cut into segments by all formats, and read.
 */
#include "format_fuzzer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hl_text *text = hl_text_new("f", (const char *)data, size);
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_reading reading = { .graph = graph, .hop_name = "f", .stem = "f" };

	hl_formats_read(text, &reading, NULL);
	check_graph(graph);
	for (size_t i = 0; i < graph->nr_inputs; i++) {
		if (graph->inputs[i]->first_line > graph->inputs[i]->last_line)
			abort();
	}
	hl_text_free(text);
	return 0;
}
