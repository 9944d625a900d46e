/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a file of one format: claimed wherever the format does, and read.
 */
#ifndef FORMAT_FUZZER_H
#define FORMAT_FUZZER_H

#include "hoploss/format.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is unknown is NAN; all else is a finite figure. */
static void check_rate(const struct hl_rate *rate)
{
	const double figures[] = { rate->bw, rate->iops, rate->bytes, rate->ios };

	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		if (!isnan(figures[i]) && !(figures[i] >= 0))
			abort();
	}
}

static void check_graph(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		for (size_t k = 0; k < hop->nr_measurements; k++) {
			for (int dir = 0; dir < HL_NR_DIRS; dir++) {
				if (hop->measurements[k]->dir[dir])
					check_rate(hop->measurements[k]->dir[dir]);
			}
		}
	}
}

__attribute__((unused)) static void fuzz_format(const struct hl_format *format, const uint8_t *data,
						size_t size)
{
	struct hl_text *text = hl_text_new("f", (const char *)data, size);
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_reading reading = { .graph = graph, .hop_name = "f", .stem = "f" };

	for (size_t at = 0; at < text->nr_lines;) {
		size_t nr = format->claim(text, at);
		struct hl_text slice;

		if (nr > text->nr_lines - at)
			abort();
		slice = hl_text_slice(text, at, nr);
		if (nr)
			format->read(&slice, &reading, NULL);
		at += nr ? nr : 1;
	}
	check_graph(graph);
	hl_text_free(text);
}

#endif
