/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one gate to block devices and files: what is opened, and how. For reading it opens whatever
 * may be read. For writing it opens only what a person gave away, and only after proof that nobody
 * holds it; everything is checked and written through one descriptor.
 */
#ifndef HOPLOSS_GATE_H
#define HOPLOSS_GATE_H

#include "hoploss/error.h"
#include "hoploss/mark.h"
#include <stdbool.h>
#include <stdint.h>

struct hl_gate_request {
	const char *target; /* path, or file:PATH */
	bool wants_cache;   /* through the page cache: without O_DIRECT */
	bool must_be_local; /* an empty one: only if nobody but this machine can reach it */
};

struct hl_gate_pass {
	int fd;
	bool is_direct; /* O_DIRECT, where the file system has it */
	bool is_block;
	bool may_write;
	uint64_t size;  /* bytes */
	uint32_t block; /* what offsets and sizes must be a multiple of, bytes */
};

/* -ENOENT, -EACCES, -ENOTBLK …: err names the target. The caller closes fd. */
int hl_gate_open(const struct hl_gate_request *request, struct hl_gate_pass *ret_pass,
		 struct hl_error *err);

/*
 * Opens a target that carries a mark, for writing behind HL_MARK_AREA. A device is opened
 * exclusively, a file must also carry the mark's UUID in HL_MARK_XATTR. -ENOMSG: it was not given
 * away; -EBUSY: err says who holds it; -EEXIST: something lives on it; -ESTALE: it became another
 * device meanwhile. Nothing is written.
 */
int hl_gate_open_marked(const struct hl_gate_request *request, struct hl_gate_pass *ret_pass,
			struct hl_mark *ret_mark, struct hl_error *err);

/*
 * Opens an empty block device to be marked. serial: what the person says it is, compared with what
 * the device says; NULL = the person typed its name instead. -EPERM: the serial is another one, or
 * it shows none; -ENOTEMPTY: it holds data; -EXDEV: others reach it too. Nothing is written.
 */
int hl_gate_open_empty(const struct hl_gate_request *request, const char *serial,
		       struct hl_gate_pass *ret_pass, struct hl_error *err);

#endif
