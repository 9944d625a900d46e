/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a text as a file of the person would be read, for tests of formats.
 */
#ifndef IMPORT_READER_H
#define IMPORT_READER_H

#include "hoploss/format.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct import {
	struct hl_graph *graph;
	struct hl_error err;
	int rc; /* of hl_formats_read */
};

/* Single quotes stand for double ones, so that JSON can be read in a C string. */
__attribute__((unused)) static char *json_of(const char *text)
{
	char *json = hl_strdup(text);

	for (char *c = json; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	return json;
}

__attribute__((unused)) static struct import import_bytes(const char *bytes, size_t len)
{
	struct hl_text *text = hl_text_new("f.txt", bytes, len);
	struct import import = { .graph = hl_graph_new() };
	struct hl_reading reading = {
		.graph = import.graph,
		.hop_name = "f",
		.stem = "f",
	};

	import.rc = hl_formats_read(text, &reading, &import.err);
	hl_text_free(text);
	return import;
}

__attribute__((unused)) static struct import import_text(const char *text)
{
	return import_bytes(text, strlen(text));
}

__attribute__((unused)) static struct import import_json(const char *text)
{
	HL_FREE char *json = json_of(text);

	return import_text(json);
}

__attribute__((unused)) static void import_free(struct import *import)
{
	hl_graph_free(import->graph);
	import->graph = NULL;
}

__attribute__((unused)) static size_t nr_measurements(const struct import *import)
{
	size_t nr = 0;

	for (size_t i = 0; i < import->graph->nr_hops; i++)
		nr += import->graph->hops[i]->nr_measurements;
	return nr;
}

/* The index-th of the first hop. */
__attribute__((unused)) static struct hl_measurement *measurement(const struct import *import,
								  size_t index)
{
	assert_true(import->graph->nr_hops > 0);
	assert_true(index < import->graph->hops[0]->nr_measurements);
	return import->graph->hops[0]->measurements[index];
}

#define assert_near(expected, actual)                                                              \
	do {                                                                                       \
		double expected_ = (expected), actual_ = (actual);                                 \
                                                                                                   \
		if (!(fabs(expected_ - actual_) <= 1e-6 * fabs(expected_)))                        \
			fail_msg("%s is %.10g, not %.10g", #actual, actual_, expected_);           \
	} while (0)

#define assert_unknown(actual) assert_true(isnan(actual))

#endif
