/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line from a hostile worker: as a record it is written into a directory, and nowhere else. */
#include "../../src/agent/record_line.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/hoploss-fuzz-XXXXXX";

static void remove_dir(void)
{
	HL_FREE char *command = hl_printf("rm -rf %s", dir);

	if (system(command) != 0)
		_exit(1);
}

static struct hl_capture_sink *make_sink(void)
{
	if (!mkdtemp(dir) || chdir(dir) < 0)
		abort();
	atexit(remove_dir);
	return hl_record_dir_open("a/root", "a/kept");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hl_capture_sink *sink;
	struct hl_arena *arena = hl_arena_new();
	HL_JSON struct hl_json *json = NULL;
	struct hl_record record;
	struct stat status;

	if (!sink)
		sink = make_sink();
	if (hl_json_parse((const char *)data, size, &json, NULL, NULL) == 0 &&
	    record_line_read(json, arena, &record, NULL) == 0) {
		sink->put(sink, &record);
		/* ".", ".." and "a", which holds root and kept */
		if (stat(".", &status) < 0 || status.st_nlink != 3 || stat("a", &status) < 0 ||
		    status.st_nlink != 4)
			abort();
	}
	hl_arena_free(arena);
	return 0;
}
