/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stranger's bundle: bundle.json, samples.jsonl and one input, separated by NUL bytes. */
#include "hoploss/bundle.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/hoploss-fuzz-XXXXXX";
static const char *const names[] = { "bundle.json", "samples.jsonl", "inputs/001-a.txt" };

static void remove_dir(void)
{
	for (size_t i = 0; i < 3; i++)
		unlink(names[i]);
	rmdir("inputs");
	rmdir(dir);
}

static void make_dir(void)
{
	if (!mkdtemp(dir) || chdir(dir) < 0 || mkdir("inputs", 0700) < 0)
		abort();
	atexit(remove_dir);
}

static void write_file(const char *name, const char *bytes, size_t len)
{
	FILE *file = fopen(name, "w");

	if (!file || fwrite(bytes, 1, len, file) != len || fclose(file) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	const char *at = (const char *)data;
	const char *end = at + size;
	struct hl_error err = { 0 };
	static bool is_made;

	if (!is_made)
		make_dir();
	is_made = true;
	for (size_t i = 0; i < 3; i++) {
		const char *nul = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
		const char *stop = nul ? nul : end;

		write_file(names[i], at, (size_t)(stop - at));
		at = nul ? nul + 1 : end;
	}
	if (hl_bundle_open(".", &bundle, &err) < 0 && (!err.code || !*err.text))
		abort();
	for (size_t i = 0; bundle && i < hl_bundle_nr_inputs(bundle); i++) {
		if (!hl_bundle_input_at(bundle, i)->file)
			abort();
	}
	return 0;
}
