/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test of drives while it runs: shared by drive_test.c, which leads it, drive_fill.c, which
 * writes, drive_resume.c, which goes on with one that was stopped, and drive_self_test.c, which has
 * the drives test themselves.
 */
#ifndef HOPLOSS_DRIVE_SESSION_H
#define HOPLOSS_DRIVE_SESSION_H

#include "hoploss/drive_test.h"
#include "hoploss/fill_position.h"
#include "hoploss/json.h"
#include "hoploss/progress.h"
#include "hoploss/self_tests.h"
#include "hoploss/soak.h"
#include "hoploss/workset.h"
#include <time.h>

struct drive_pass {
	const char *what;
	bool writes;
};

#define DRIVE_PASSES 3
extern const struct drive_pass drive_passes[DRIVE_PASSES];

struct drive_session {
	struct hl_drive_test *test;
	struct hl_bundle *bundle;
	struct hl_fill_drive *fills; /* of each drive, open only where it may be written */
	struct hl_soak_drive *soaks; /* NULL = no soak */
	struct hl_soak soak;
	struct hl_fill_position position;
	struct hl_self_tests self_tests; /* none were asked for: without a machine */
	size_t *self_test_of;            /* index of each drive's */
	struct hl_progress progress;     /* of them, */
	double shown_tenth;              /* and what was said of it */
	struct hl_workset workset;
	const char *dir;  /* of the bundle */
	const char *file; /* that says how far it came */
};

struct drive_showing {
	struct hl_progress progress;
	struct drive_session *session;
	const char *what;
	struct timespec start;
	double begun; /* share that was done before */
};

/* Progress of what all drives do at once; drive_show is a hl_slot_watch. */
void drive_show_begin(struct drive_showing *showing, const char *what);
bool drive_show(void *context, double done, double bytes_per_s);

/* Whose drives these are, to go on with them; nothing is opened. */
void drive_know_fills(struct drive_session *session);
/* All or none, so that a list with a mistake in it does no harm. */
int drive_open_fills(struct drive_session *session, struct hl_error *err);
void drive_close_fills(struct drive_session *session);
/* Ctrl-C ends what is running; what was found until then is kept. */
int drive_fill_all(struct drive_session *session, struct hl_error *err);

/*
 * Where an earlier test of these drives was stopped, if that is known. *ret_bundle: what it has
 * recorded, if that can go on; else NULL, and it was moved away.
 */
int drive_go_on(struct drive_session *session, const char *path, struct hl_bundle **ret_bundle,
		struct hl_error *err);
/* Seconds of the rounds that stand in the bundle. */
double drive_begun_s(const struct drive_session *session);
double drive_share_done(const struct drive_session *session); /* of the pass, 0..1 */
int drive_keep_position(const struct drive_session *session, struct hl_error *err);
/* A round stands in the bundle; a callback of hl_measure. */
int drive_keep_round(void *context, unsigned round, struct hl_error *err);
/* The test ended: what was kept to go on is removed, unless it was interrupted. */
void drive_end_position(const struct drive_session *session);

/* ---- self-tests ---- */

/* Finds out what each drive can, and says it. Starts nothing. */
void drive_say_self_tests(struct drive_session *session);
/* Measuring beside one that runs already would tell nothing, so then they come first. */
bool drive_self_tests_come_first(const struct drive_session *session);
/* Ctrl-C stops those that were started here, and leaves the others. */
void drive_run_self_tests(struct drive_session *session);
void drive_put_self_test(struct hl_json_out *out, const struct drive_session *session,
			 size_t drive);
void drive_end_self_tests(struct drive_session *session);

#endif
