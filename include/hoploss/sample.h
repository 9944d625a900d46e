/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sample: what one slot (one round, one hop, one workload) gave. One line of samples.jsonl, and
 * the answer of a worker. Rates bytes/s, latencies ns, times s.
 */
#ifndef HOPLOSS_SAMPLE_H
#define HOPLOSS_SAMPLE_H

#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include "hoploss/graph.h"
#include "hoploss/json.h"

#define HL_DRIVES_ALONE "drives-alone" /* the experiment of each drive of a hop by itself */

#define HL_ENGINE_ALONE "engine" /* that of the engine itself, against a LUN in RAM */

struct hl_sample {              /* NAN and NULL: unknown */
	unsigned round;         /* 1..; 0 = an experiment */
	const char *hop;        /* hop of the path */
	const char *repeats;    /* A/A: the hop was measured again in this round; its name; NULL */
	const char *experiment; /* id, NULL = a plain round */
	const char *drive;      /* of several at the hop, the one that was measured alone; NULL */
	struct hl_workload workload;
	const char *engine;      /* that really ran; NULL */
	const char *engine_note; /* why it is not the wanted one; NULL */
	enum hl_status status;
	const char *reason; /* of a slot that is not measured */
	int error;
	double start_s;                  /* since the run began */
	double seconds;                  /* counted time */
	double cpu_pct;                  /* of the generator, 100 = one core */
	double idle_pct;                 /* of the generator's host while it ran */
	double cached_share;             /* 0..1, NAN unknown */
	struct hl_rate *dir[HL_NR_DIRS]; /* NULL = no such I/O */
	const double *timeline;          /* bytes/s, 10 a second */
	size_t nr_timeline;
	struct hl_series **series; /* what else was seen while it ran, by s since its start */
	size_t nr_series;
	struct hl_fact **facts; /* counters before and after, read beside the slot */
	size_t nr_facts;
};

/* The workload alone, as the member "workload" of an object, and back. -EBADMSG. */
void hl_workload_print(struct hl_json_out *out, const struct hl_workload *workload);
int hl_workload_read(struct hl_arena *arena, const struct hl_json *object,
		     struct hl_workload *ret_workload, struct hl_error *err);

/* A sample as a member of an object (key NULL: alone), and back. */
void hl_sample_put(struct hl_json_out *out, const char *key, const struct hl_sample *sample);
int hl_sample_read(struct hl_graph *graph, const struct hl_json *object,
		   struct hl_sample *ret_sample, struct hl_error *err);

/* To and from one line of JSON without newline; what is unknown is left out. */
char *hl_sample_print(const struct hl_sample *sample); /* to be freed */
/* -EBADMSG. All of it lives in the graph's arena. */
int hl_sample_parse(struct hl_graph *graph, const char *line, struct hl_sample *ret_sample,
		    struct hl_error *err);

/*
 * Adds the samples of a run to the hops of the graph: one measurement for each hop, workload and
 * experiment, with its rounds in order. A hop or workload of which no round succeeded is NOT
 * MEASURED with the first reason. A sample of an unknown hop is a warning; so is a line that is
 * none, with its number, and the graph is_partly_captured.
 */
void hl_samples_read(struct hl_graph *graph, const char *const *lines, size_t nr);

#endif
