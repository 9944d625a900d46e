/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is an SR-IOV VF really in the data path, and set up right? Used in src/compare.
 *
 * To add a check: a function and a row of the table in sriov_guest.c (what the guest shows) or
 * sriov_host.c (what the host shows).
 */
#ifndef COMPARE_SRIOV_H
#define COMPARE_SRIOV_H

#include "hoploss/comparison.h"

/* One VF, as far as it is known on both sides. NULL = not known. */
struct sriov_vf {
	const struct hl_graph *graph;
	struct hl_arena *arena;
	const char *guest, *guest_nic;      /* host and NIC where it is used */
	const char *host, *pf_nic;          /* whose VF it is */
	const char *node;                   /* "enp1s0f0/vf3" on the host */
	const char *function, *pf_function; /* PCI addresses on the host */
	const char *vm;                     /* whose definition has it */
	bool is_in_path;                    /* a flow to a portal leaves by it */
	bool has_flow;                      /* some flow to a portal is known */
	const struct hl_fact *flow;         /* that flow, else another one; NULL */
};

struct sriov_check {
	const char *id, *title;
	void (*judge)(const struct sriov_vf *vf, struct hl_check *check);
};

extern const struct sriov_check sriov_guest_checks[], sriov_host_checks[]; /* end with NULL id */

/* Adds the checks, none where no VF is in sight. */
void sriov_judge(struct hl_comparison *comparison, const struct hl_graph *graph);

/* ---- facts ---- */

const struct hl_fact *sriov_fact(const struct sriov_vf *vf, const char *host, const char *node,
				 const char *key);  /* host or node NULL: NULL */
const char *sriov_text(const struct hl_fact *fact); /* of a string; NULL */
double sriov_number(const struct hl_fact *fact);    /* of a number or yes/no; NAN */
bool sriov_is_vf_driver(const char *driver);

void sriov_miss(const struct sriov_vf *vf, struct hl_check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sriov_fail(const struct sriov_vf *vf, struct hl_check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Of a check that passed: what to know. */
void sriov_say(const struct sriov_vf *vf, struct hl_check *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sriov_evidence(const struct sriov_vf *vf, struct hl_check *check, const struct hl_fact *fact);

#endif
