/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a test that writes came, in a file that a crash leaves whole: so the same command goes on
 * from there. A drive is known again by its serial number, its size and its mark, for its name may
 * be another one after a reboot, and one that was emptied meanwhile holds nothing of what was
 * written.
 */
#ifndef HOPLOSS_FILL_POSITION_H
#define HOPLOSS_FILL_POSITION_H

#include "hoploss/digest.h"
#include "hoploss/fill.h"

struct hl_fill_position {
	uint64_t seed; /* of what the blocks hold */
	unsigned pass; /* 0.. */
	uint64_t at;   /* in that pass */
	/* of the rounds behind the passes, recorded in the bundle */
	char plan[HL_DIGEST_TEXT]; /* of what they measure and how; "" = none was begun */
	unsigned rounds;           /* that are finished */
	uint64_t samples;          /* that stand in the bundle then */
	uint64_t saved;            /* when this was written, seconds since 1970; 0 = not known */
};

/* Durable: it also outlives a power cut. */
int hl_fill_position_save(const char *file, const struct hl_fill_position *position,
			  const struct hl_fill_drive *drives, unsigned nr, struct hl_error *err);
/*
 * What the drives have done so far is put into them, which were opened before. -ENOENT: there is
 * none; -EBADMSG: it is broken; -ESTALE: it is of other drives, or one was emptied since.
 */
int hl_fill_position_load(const char *file, struct hl_fill_position *ret_position,
			  struct hl_fill_drive *drives, unsigned nr, struct hl_error *err);

#endif
