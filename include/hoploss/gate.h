/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one gate to block devices and files: what is opened, and how. It opens for reading only.
 */
#ifndef HOPLOSS_GATE_H
#define HOPLOSS_GATE_H

#include "hoploss/error.h"
#include <stdbool.h>
#include <stdint.h>

struct hl_gate_request {
	const char *target; /* path, or file:PATH */
	bool wants_cache;   /* through the page cache: without O_DIRECT */
};

struct hl_gate_pass {
	int fd;
	bool is_direct; /* O_DIRECT, where the file system has it */
	bool is_block;
	uint64_t size;  /* bytes */
	uint32_t block; /* what offsets and sizes must be a multiple of, bytes */
};

/* -ENOENT, -EACCES, -ENOTBLK …: err names the target. The caller closes fd. */
int hl_gate_open(const struct hl_gate_request *request, struct hl_gate_pass *ret_pass,
		 struct hl_error *err);

#endif
