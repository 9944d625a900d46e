/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the reader of fio's JSON.
 */
#ifndef HL_FIO_JSON_H
#define HL_FIO_JSON_H

#include "hoploss/graph.h"
#include "hoploss/json.h"
#include "hoploss/text.h"

struct hl_fio_json_run { /* one document */
	struct hl_graph *graph;
	const struct hl_text *slice;   /* that the document stands in */
	const struct hl_json *globals; /* options of all jobs; NULL */
	const char *tool;              /* "fio-3.33"; NULL */
	unsigned version;              /* 3; 0 = not said */
	bool is_client;
	unsigned cut_line; /* where it ends early; 0 = it does not */
};

/* hl_format.claim: documents that follow at once, with what fio said above the first. */
size_t hl_fio_json_claim(const struct hl_text *text, size_t at);
/* What fio said of error number N, "fio: pid=1, err=N/file:x, func=y, error=TEXT"; len 0 = nothing.
 */
struct hl_line hl_fio_json_error(const struct hl_text *slice, int number);
/* "fio-3.33" is 3, and so is fio-2.99, its test version. 0 for NULL or another text. */
unsigned hl_fio_json_version(const char *tool);
/* A member, as a number or as a text that is one; NAN: neither. */
double hl_fio_json_number(const struct hl_json *object, const char *key);
/* Whether fio did any I/O in direction key ("read") of the job. */
bool hl_fio_json_has_figures(const struct hl_json *job, const char *key);
/*
 * Fills all of at that a job tells, except where it was found. same_entries = how many entries of
 * this name the document has. is_cut: the document ends within the job.
 */
void hl_fio_json_job(const struct hl_fio_json_run *run, const struct hl_json *job,
		     double same_entries, bool is_cut, struct hl_measurement *at);
/* name_ns, or name in usec as fio 2.x has it; name is "clat" or the like. NULL when unknown. */
struct hl_latency *hl_fio_json_latency(struct hl_graph *graph, const struct hl_json *object,
				       const char *name);

#endif
