/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far filling came, in a file that a crash leaves whole: so the same command goes on from
 * there. A drive is known again by its serial number and its size, for its name may be another one
 * after a reboot.
 */
#ifndef HOPLOSS_FILL_POSITION_H
#define HOPLOSS_FILL_POSITION_H

#include "hoploss/fill.h"

struct hl_fill_position {
	uint64_t seed; /* of what the blocks hold */
	unsigned pass; /* 0.. */
	uint64_t at;   /* in that pass */
};

/* Durable: it also outlives a power cut. */
int hl_fill_position_save(const char *file, const struct hl_fill_position *position,
			  const struct hl_fill_drive *drives, unsigned nr, struct hl_error *err);
/*
 * What the drives have done so far is put into them, which were opened before. -ENOENT: there is
 * none; -EBADMSG: it is broken; -ESTALE: it is of other drives.
 */
int hl_fill_position_load(const char *file, struct hl_fill_position *ret_position,
			  struct hl_fill_drive *drives, unsigned nr, struct hl_error *err);

#endif
