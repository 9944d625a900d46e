/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is read says how much of it was used, and that much alone reads the same. */
#include "hoploss/json.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const struct hl_json *value)
{
	const struct hl_json *inner;
	const char *key;
	void *iter = NULL;
	size_t nr = 1;

	while (hl_json_next(value, &iter, &key, &inner))
		nr += walk(inner);
	for (size_t i = 0; i < hl_json_length(value); i++)
		nr += walk(hl_json_at(value, i));
	if (isinf(hl_json_number_like(value)))
		abort();
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	HL_JSON struct hl_json *json = NULL;
	HL_JSON struct hl_json *again = NULL;
	size_t used, used_again;

	if (hl_json_parse((const char *)data, size, &json, &used, NULL) < 0)
		return 0;
	if (used > size || hl_json_parse((const char *)data, used, &again, &used_again, NULL) < 0)
		abort();
	if (used_again != used || walk(json) != walk(again))
		abort();
	return 0;
}
