/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Acceptance: is this drive to be kept? Checks over a finished graph, each against its datasheet,
 * its purchase record or the limit that its standard sets. Pure: saved output, a recorded bundle
 * and a drive that was just measured are judged by the same checks.
 *
 * To add a check: a row in the table of its file in src/accept/ (see accept/check.h).
 *
 * Source of limits: NVM Express Base Specification 2.0, 5.16.1.3 (SMART / Health Information);
 * ATA ACS-4, 9 (device statistics); SCSI SBC-4; the datasheets of probes/specs.
 */
#ifndef HOPLOSS_ACCEPTANCE_H
#define HOPLOSS_ACCEPTANCE_H

#include "hoploss/graph.h"
#include "hoploss/spec.h"

enum hl_check_status {
	HL_CHECK_PASS,
	HL_CHECK_FAIL,
	HL_CHECK_NOT_MEASURED, /* never a PASS: the verdict is INCOMPLETE */
	HL_CHECK_SHOWN,        /* measured, and nothing says what it must be: costs nothing */
	HL_CHECK_NOT_ASKED,    /* self-test, soak, writes: listed, and costs nothing */
	HL_NR_CHECK_STATUSES,
};

enum hl_relation { /* of what was measured to what is required */
		   HL_RELATION_NONE,
		   HL_RELATION_AT_MOST,
		   HL_RELATION_AT_LEAST,
		   HL_RELATION_BELOW,
		   HL_RELATION_EQUAL,
		   HL_RELATION_ONE_OF,
		   HL_NR_RELATIONS,
};

struct hl_check {
	const char *id; /* "health.media-errors" */
	const char *title;
	enum hl_check_status status;
	double measured, required;                 /* NAN: it is no number, or not known */
	const char *measured_text, *required_text; /* instead of the numbers; NULL */
	enum hl_relation relation;                 /* none where nothing is required */
	const char *unit;                          /* of the numbers: "bytes/s", "ns", "%" … */
	const char *reason; /* why it failed or could not be told, or what to know; NULL */
	const char *mend;   /* what would let it be measured; NULL */
	const struct hl_fact **evidence;
	size_t nr_evidence;
	bool needs_written; /* not measured, for its blocks were never written */
};

enum hl_acceptance_verdict { HL_ACCEPT_PASS, HL_ACCEPT_INCOMPLETE, HL_ACCEPT_FAIL };

struct hl_acceptance {
	const char *device; /* as it was asked for, else its node */
	const char *host, *serial, *model, *firmware, *bdf, *slot; /* NULL = not known */
	const char *spec;                                          /* name; NULL = none */
	bool is_spec_by_model;                                     /* nobody named it */
	enum hl_acceptance_verdict verdict;
	struct hl_check *checks;
	size_t nr_checks;
	size_t count[HL_NR_CHECK_STATUSES]; /* by status */
	const char *headline;               /* "INCOMPLETE: 9 passed, 0 failed, 4 …" */
	double fill_bytes, fill_s; /* that filling it would write, and take; NAN = not known */
};

struct hl_acceptance_set {
	struct hl_arena *arena;
	enum hl_acceptance_verdict verdict; /* the worst */
	const char *headline;               /* of all drives */
	struct hl_acceptance *devices;
	size_t nr_devices;
	const char **findings; /* of all together: slower than its peers, missing, not bought … */
	size_t nr_findings;
	size_t nr_missing;  /* of the purchase list */
	const char **notes; /* what was left out and why, warnings, probes that did not answer */
	size_t nr_notes;
};

struct hl_purchase { /* a line of the purchase list; NULL and NAN = not said */
	const char *serial, *model, *firmware;
	double capacity;
	unsigned line;
};

struct hl_acceptance_how {
	const char *const *devices; /* nodes or hop names; */
	size_t nr_devices;          /* 0 = every drive that the graph knows */
	const struct hl_spec *spec; /* NULL = chosen by model */
	const struct hl_purchase *purchases;
	size_t nr_purchases;
	const char *bdf;     /* of the one drive, where nothing else tells; NULL */
	bool is_second_hand; /* it may have been used: newness is shown, not judged */
	bool may_miss;       /* NOT MEASURED does not spoil a PASS */
	bool wants_write, wants_self_test, wants_soak;
};

/* -ENODATA: no drive in the graph, or a device that it does not know. The graph must outlive it. */
int hl_acceptance_judge(const struct hl_graph *graph, const struct hl_acceptance_how *how,
			struct hl_acceptance_set **ret_set, struct hl_error *err);
/* The NVMe functions that lspci's output shows, among which --bdf chooses. In the arena. */
struct hl_acceptance_function {
	const char *host, *bdf, *name; /* host and name: NULL = not known */
};
struct hl_acceptance_function *hl_acceptance_functions(const struct hl_graph *graph,
						       struct hl_arena *arena, size_t *ret_nr);
void hl_acceptance_free(struct hl_acceptance_set *set); /* NULL allowed */
__attribute__((unused)) static inline void hl_acceptance_cleanup(struct hl_acceptance_set **set)
{
	hl_acceptance_free(*set);
}
#define HL_ACCEPTANCE __attribute__((cleanup(hl_acceptance_cleanup)))

const char *hl_check_status_name(enum hl_check_status status); /* "NOT MEASURED" */
const char *hl_relation_name(enum hl_relation relation);       /* "<=" "one of"; NULL = none */
const char *hl_acceptance_verdict_name(enum hl_acceptance_verdict verdict); /* "INCOMPLETE" */

/*
 * A purchase list: CSV with a first line that names the columns serial[,model,capacity,firmware],
 * in any order and case; without such a line these are the columns, in this order. -EBADMSG: err
 * names file and line (no serial, one twice, a capacity that is none, an open quote).
 */
int hl_purchases_read(const char *name, const char *bytes, size_t len, struct hl_arena *arena,
		      struct hl_purchase **ret_purchases, size_t *ret_nr, struct hl_error *err);

#endif
