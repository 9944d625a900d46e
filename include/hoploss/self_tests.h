/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The self-tests of several drives, side by side: started, waited for, and what came of them.
 *
 * One that runs already is never stopped: it is waited for, and counts if it is what was asked for
 * or more; else ours is started behind it. So a program that was killed finds its own again.
 */
#ifndef HOPLOSS_SELF_TESTS_H
#define HOPLOSS_SELF_TESTS_H

#include "hoploss/self_test.h"

enum hl_self_test_state {
	HL_SELF_TEST_WAITS,   /* it runs, or another one runs before it */
	HL_SELF_TEST_ENDED,   /* look says how */
	HL_SELF_TEST_NOT_RUN, /* reason says why */
	HL_SELF_TEST_STOPPED, /* it was ours, and the person did */
	HL_SELF_TEST_LEFT,    /* it still runs, and nobody waits for it; reason says why */
};

struct hl_self_test {
	const char *name;                   /* of the drive: "nvme0n1" */
	const struct hl_self_test_way *way; /* NULL = it has none */
	const char *device;                 /* "/dev/nvme0" */
	enum hl_self_test_state state;
	struct hl_self_test_look look; /* the last one */
	char reason[HL_SELF_TEST_TEXT];
	double seconds;  /* that it was waited for */
	bool is_found;   /* what runs was not started by us */
	bool is_started; /* ours */
	/* of the waiting: */
	char log_before[HL_SELF_TEST_TEXT];
	double since_s, moved_s, moved_pct; /* when it began to run, and when it last moved */
	unsigned nr_silent;                 /* looks in a row that failed */
};

struct hl_self_tests {
	struct hl_machine *machine;
	struct hl_self_test *items;
	size_t nr;
	enum hl_self_test_kind kind;
	double poll_s;     /* between looks */
	double settle_s;   /* within which what has ended is logged */
	double patience_s; /* without progress, besides a third of what it should take */
	bool (*is_interrupted)(void);
	void (*show)(void *context, const struct hl_self_tests *tests); /* after each look; NULL */
	void *context;
};

/* Looks at each, and settles those that cannot be tested. Starts nothing. */
void hl_self_tests_begin(struct hl_self_tests *tests);
/* What this one should take; NAN. */
double hl_self_test_seconds(const struct hl_self_test *test, enum hl_self_test_kind kind);
/* Starts and waits until none is waiting any more. */
void hl_self_tests_run(struct hl_self_tests *tests);

/* "passed", "failed", "aborted", "not-run", "stopped", "running" */
const char *hl_self_test_state_name(const struct hl_self_test *test);

#endif
