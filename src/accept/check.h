/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kind of check, and the drive that it judges. Used within src/accept.
 *
 * To add one: a row in the table at the bottom of the file of its group, and, for a new group, one
 * line in table.c.
 */
#ifndef ACCEPT_CHECK_H
#define ACCEPT_CHECK_H

#include "hoploss/acceptance.h"

/* What kinds of drive it is about. */
enum { DRIVE_NVME = 1, DRIVE_ATA = 2, DRIVE_SCSI = 4, DRIVE_ANY = 7 };

/* A drive, and where its facts stand. */
struct subject {
	const struct hl_graph *graph;
	const struct hl_acceptance_how *how;
	const struct hl_spec *spec;         /* NULL */
	const struct hl_purchase *purchase; /* NULL = not on the list, or no list */
	const struct hl_hop *hop;           /* where it was measured; NULL */
	const char *host;                   /* NULL */
	const char **nodes;                 /* its names: nvme0n1, nvme0, 0000:01:00.0 … */
	size_t nr_nodes;
	int kinds;        /* DRIVE_…; DRIVE_ANY when it cannot be told */
	const char *note; /* on how it was found, for the reader; NULL */
	struct hl_arena *arena;
};

struct check_kind {
	const char *id, *title;
	int kinds;
	/* Judges by itself; NULL = the fact of key is compared with limit. */
	void (*judge)(const struct subject *subject, const struct check_kind *kind,
		      struct hl_check *check);
	const char *key;
	enum hl_relation relation;
	double limit;
	unsigned bit;       /* of a mask; used by who judges masks */
	const char *reason; /* what it means when it fails */
};

struct check_group {
	const struct check_kind *kinds;
	size_t nr;
	/* Checks that come of the datasheet instead of a table; NULL. */
	void (*add)(const struct subject *subject, struct hl_acceptance *acceptance);
	bool is_of_now; /* what was read before the test only does not pass */
};

extern const struct check_group *const check_groups[]; /* NULL-terminated */

/* ---- facts of a subject ---- */

const struct hl_fact *subject_fact(const struct subject *subject, const char *key); /* or NULL */
/* Of several, as of each workload, the one with the greatest number; NULL. */
const struct hl_fact *subject_greatest(const struct subject *subject, const char *key);
double subject_number(const struct subject *subject, const char *key);      /* or NAN */
const char *subject_string(const struct subject *subject, const char *key); /* or NULL */

/* ---- checks ---- */

struct hl_check *check_add(const struct subject *subject, struct hl_acceptance *acceptance,
			   const char *id, const char *title);
void check_evidence(const struct subject *subject, struct hl_check *check,
		    const struct hl_fact *fact); /* NULL: nothing */
void check_miss(const struct subject *subject, struct hl_check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void check_fail(const struct subject *subject, struct hl_check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* What it must be, in words; NULL: nothing says. */
void check_require(struct hl_check *check, enum hl_relation relation, const char *text);
void check_limit(struct hl_check *check, enum hl_relation relation, double limit);
/* Nothing says what it must be: what was measured is shown. */
void check_show(const struct subject *subject, struct hl_check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The fact of kind's key against a limit of the same unit. */
void check_compare(const struct subject *subject, const struct check_kind *kind, double limit,
		   struct hl_check *check);

#endif
