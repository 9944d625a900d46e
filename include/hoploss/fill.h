/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filling drives that were given away, and reading all of it back: the proof of their capacity, and
 * what a figure of written blocks needs. Every block names its own address.
 */
#ifndef HOPLOSS_FILL_H
#define HOPLOSS_FILL_H

#include "hoploss/engine.h"

struct hl_fill_drive {
	const char *path;
	const char *serial;    /* that the person gave: its own, or the UUID of its mark */
	int fd;                /* opened for writing; -1 = not */
	uint64_t from, size;   /* what may be written: bytes [from, size) */
	char failure[240];     /* why it is left out from then on; "" = it is well */
	double bytes, seconds; /* of the last pass */
};

/*
 * Opens it through the gate: one that carries a mark when serial is the mark's UUID or its own,
 * else an empty one whose own serial that is and that nobody else reaches, which is marked. Errors
 * of the gate: nothing was written.
 */
int hl_fill_open(struct hl_fill_drive *drive, struct hl_error *err);
void hl_fill_close(struct hl_fill_drive *drive);

/*
 * One pass over the bytes from *at on of all drives at once, in pieces: *at moves as pieces are
 * done, so that it can go on after a crash. writes: write, else read back. A drive that fails, or
 * gives back what was not written there, gets its failure and the others go on. Calls watch 10
 * times a second with the share that is done and the bytes/s of all. -EINTR: watch said so.
 */
int hl_fill_pass(struct hl_fill_drive *drives, unsigned nr, bool writes, uint64_t seed,
		 uint64_t *at, hl_slot_watch *watch, void *context, struct hl_error *err);

#endif
