/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A datasheet for the tests of the model: 6,200 MB/s sequential reads, a million random ones.
 */
#ifndef TESTS_SPEC_MAKER_H
#define TESTS_SPEC_MAKER_H

#include "hoploss/spec.h"
#include <assert.h>
#include <string.h>

static const char sheet_text[] = "[drive]\n"
				 "vendor = Example\n"
				 "product = Drive 7\n"
				 "medium = nvme\n"
				 "source = written for this test\n"
				 "[figure seq-read]\n"
				 "rw = read\n"
				 "bs = 128KiB\n"
				 "iodepth = 32\n"
				 "state = steady\n"
				 "bw = 6200MB/s\n"
				 "[figure rand-read]\n"
				 "rw = randread\n"
				 "bs = 4KiB\n"
				 "iodepth = 256\n"
				 "state = steady\n"
				 "iops = 1000000\n";

static inline struct hl_spec *make_spec(void)
{
	struct hl_spec *spec = NULL;
	int status = hl_spec_parse("DRIVE7", sheet_text, strlen(sheet_text), &spec, NULL);

	assert(!status);
	(void)status;
	return spec;
}

static inline void free_spec(struct hl_spec **spec)
{
	hl_spec_free(*spec);
}
#define SPEC __attribute__((cleanup(free_spec)))

#endif
