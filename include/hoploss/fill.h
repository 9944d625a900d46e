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
	char mark[37];         /* the UUID of the mark that it carries */
	int fd;                /* opened for writing; -1 = not */
	uint64_t from, size;   /* what may be written: bytes [from, size) */
	char failure[240];     /* why it is left out from then on; "" = it is well */
	double bytes, seconds; /* of the pass that is running */
	/* for who runs the passes; NAN = not yet */
	double written, write_bw, read_back, read_bw;
	double filled; /* bytes, of all passes that wrote */
};

/*
 * Opens it through the gate: one that carries a mark when serial is the mark's UUID or its own,
 * else an empty one whose own serial that is and that nobody else reaches, which is marked. Errors
 * of the gate: nothing was written.
 */
int hl_fill_open(struct hl_fill_drive *drive, struct hl_error *err);
void hl_fill_close(struct hl_fill_drive *drive);

struct hl_fill { /* one pass over all drives at once, in pieces */
	struct hl_fill_drive *drives;
	unsigned nr;
	bool writes;   /* write, else read back */
	uint64_t seed; /* of what the blocks hold: the same for writing and reading back */
	uint64_t at;   /* from where on; moves as pieces are done */
	hl_slot_watch
		*watch; /* called 10 times a second: share that is done, bytes/s of all; NULL */
	/* After each piece, once it is on the medium; an error of it ends the pass. NULL. */
	int (*keep)(void *context, const struct hl_fill *fill, struct hl_error *err);
	void *context;
};

/*
 * Goes on from fill->at; bytes and seconds of the drives are added to. A drive that fails, or gives
 * back what was not written there, gets its failure and the others go on. -EINTR: watch said so.
 */
int hl_fill_pass(struct hl_fill *fill, struct hl_error *err);

#endif
