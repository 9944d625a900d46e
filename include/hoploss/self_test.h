/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self-tests: what a drive does with itself when it is told to, reading its own medium and trying
 * its own parts. It runs inside the drive, beside I/O, and is slowed by it and slows it.
 *
 * Sources: NVM Express Base Specification 2.0, 5.9 (Device Self-test), 5.16.1.7 (its log), 8.6;
 * ATA ACS-4, 7.48 (SMART EXECUTE OFF-LINE IMMEDIATE); SPC-4, 6.42 (SEND DIAGNOSTIC), the last two
 * by smartctl(8).
 */
#ifndef HOPLOSS_SELF_TEST_H
#define HOPLOSS_SELF_TEST_H

#include "hoploss/machine.h"
#include <stdbool.h>

#define HL_SELF_TEST_TEXT 160

enum hl_self_test_kind {
	HL_SELF_TEST_NONE,
	HL_SELF_TEST_SHORT, /* minutes */
	HL_SELF_TEST_LONG,  /* the whole medium: hours */
	HL_SELF_TEST_OTHER, /* a maker's own, or another that was not asked for here */
};

enum hl_self_test_end {
	HL_SELF_TEST_UNKNOWN, /* none is logged, or by a code that no specification knows */
	HL_SELF_TEST_PASSED,
	HL_SELF_TEST_FAILED,
	HL_SELF_TEST_ABORTED, /* before it could tell */
};

struct hl_self_test_look { /* what a drive says of its self-tests; NAN = it does not say */
	enum hl_self_test_kind running; /* HL_SELF_TEST_OTHER: it does not say which */
	double done_pct;                /* of that */
	double short_s, long_s;         /* that these take, as its maker says */
	enum hl_self_test_end end;      /* of the newest that ended */
	enum hl_self_test_kind newest;  /* which that was */
	char result[HL_SELF_TEST_TEXT]; /* of it, in words; "" */
	double hours, segment, lba;     /* of it */
	char log[HL_SELF_TEST_TEXT];    /* another one as soon as one more was logged */
};

struct hl_self_test_way { /* one kind of drive */
	/* "/dev/nvme0" of "nvme0n1", to be freed; NULL: it is no drive of that kind. */
	char *(*find)(struct hl_machine *machine, const char *name);
	/*
	 * Only asks. -EOPNOTSUPP: the drive has no self-test; -ENOENT: the tool for it is not
	 * installed; -EACCES: it wants root. err says so.
	 */
	int (*look)(struct hl_machine *machine, const char *device, struct hl_self_test_look *ret,
		    struct hl_error *err);
	/* HL_SELF_TEST_NONE stops the one that runs. -EBUSY: one runs already. */
	int (*start)(struct hl_machine *machine, const char *device, enum hl_self_test_kind kind,
		     struct hl_error *err);
};

extern const struct hl_self_test_way *const hl_self_test_ways[]; /* NULL-terminated */

/* Which way, and to which device of it. NULL: the drive has none that is known here. */
const struct hl_self_test_way *hl_self_test_find(struct hl_machine *machine, const char *name,
						 char **ret_device);

const char *hl_self_test_kind_name(enum hl_self_test_kind kind); /* "short", "long" */

#endif
