/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Giving a target away for writing: puts a mark on an empty device of this machine or an empty LUN.
 */
#ifndef HOPLOSS_GIVE_AWAY_H
#define HOPLOSS_GIVE_AWAY_H

#include "hoploss/error.h"
#include "hoploss/iscsi.h"
#include "hoploss/mark.h"
#include <stdbool.h>

struct hl_give_away {
	const char *target;    /* path or iscsi:// URL */
	const char *initiator; /* of a LUN; NULL = our own */
	const char *chap_file; /* of a LUN: see hoploss/chap.h; NULL = none */
	const char *serial;    /* that the person gave; NULL = the name was typed instead */
	bool must_be_local;    /* a device that others reach too is refused: hoploss/shared.h */
};

/*
 * Checks that it is empty and that nobody holds it, and marks it. Errors of the gate, and of
 * hl_iscsi_open; -EIO: the mark is not there when it is read back.
 */
int hl_give_away(const struct hl_give_away *what, struct hl_mark *ret_mark, struct hl_error *err);

/* ---- LUNs, which no check on this machine knows enough of ---- */

/* Does it carry a mark, and nothing else? -ENOMSG, -EEXIST as the gate. Reads only. */
int hl_lun_read_mark(struct hl_iscsi *session, const char *url, struct hl_mark *ret_mark,
		     struct hl_error *err);

#endif
