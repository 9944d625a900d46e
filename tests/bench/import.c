/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the importers are by themselves: reads standard input and prints MB/s, the best of
 * three.
 */
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include "hoploss/format.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds, or NAN when nothing was readable. */
static double import(const char *bytes, size_t len, size_t *ret_nr)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_reading reading = { .graph = graph, .hop_name = "bench", .stem = "bench" };
	double start = now_s();
	struct hl_text *text = hl_text_new("bench", bytes, len);
	int r = hl_formats_read(text, &reading, NULL);

	start = now_s() - start;
	*ret_nr = reading.hop ? reading.hop->nr_measurements : 0;
	hl_text_free(text);
	return r < 0 ? NAN : start;
}

int main(void)
{
	HL_FREE char *bytes = NULL;
	double best = INFINITY;
	size_t len, nr;

	if (hl_file_read_fd(0, SIZE_MAX, &bytes, &len) < 0)
		return 1;
	for (int i = 0; i < 3; i++)
		best = fmin(best, import(bytes, len, &nr));
	printf("%.0f MB/s, %zu measurements\n", (double)len / 1e6 / best, nr);
	return 0;
}
