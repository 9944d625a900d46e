/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any record: a path, a NUL, its bytes. It is learned from and scrubbed; what was learned as a
 * serial number is in no byte of it any more, and a config space keeps its size.
 */
#include "hoploss/alloc.h"
#include "hoploss/scrub.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char serial[] = "S3Z8NB0K123456";
	struct hl_scrub *scrub = hl_scrub_new();
	HL_FREE char *path = hl_strndup((const char *)data, size);
	size_t used = strlen(path) + 1 < size ? strlen(path) + 1 : size;
	struct hl_record record = {
		.kind = size % 4,
		.path = path,
		.bytes = (const char *)data + used,
		.len = size - used,
	};
	struct hl_record copy;

	hl_scrub_learn_serial(scrub, serial, strlen(serial));
	hl_scrub_learn_name(scrub, "geheimserver");
	hl_scrub_learn(scrub, &record);
	hl_scrub_record(scrub, &record, &copy);
	if (memmem(copy.bytes, copy.len, serial, strlen(serial)))
		abort();
	hl_scrub_record_clear(&copy);
	hl_scrub_free(scrub);
	return 0;
}
