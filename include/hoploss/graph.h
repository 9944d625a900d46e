/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph: everything one diagnosis knows and concludes. Importers and decoders fill facts,
 * hops and measurements; model and causes add losses, ladders and findings; renderers only read.
 *
 * All of it lives in one arena and is freed with hl_graph_free. Doubles are NAN and pointers NULL
 * when unknown. Arrays are in path order (hops), order of appearance (measurements, inputs) or
 * sorted (facts by host, node, key when the diagnosis is finished).
 */
#ifndef HOPLOSS_GRAPH_H
#define HOPLOSS_GRAPH_H

#include "hoploss/alloc.h"
#include "hoploss/layer.h"
#include "hoploss/workload.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- facts ---- */

enum hl_fact_type { HL_FACT_NUMBER, HL_FACT_STRING, HL_FACT_BOOLEAN };

struct hl_fact {
	const char *host; /* NULL when not known */
	const char *node; /* "0000:01:00.0", "nvme0n1", "tank"; see the tables of fact keys */
	const char *key;  /* "pcie.width": layer.attribute */
	enum hl_fact_type type;
	double number;   /* by type */
	double before;   /* of a counter: what it was before the run; NAN = not known */
	bool is_earlier; /* known from before a run only: not every probe answered after it */
	const char *string;
	bool boolean;
	const char *unit;   /* NULL: the unit of the key's table row, if any */
	const char *source; /* "file.txt:12", "/sys/block/sda/queue/nr_requests" */
};

/* ---- measurements ---- */

struct hl_latency { /* ns; NAN = unknown */
	double mean, min, max, stddev;
	double p1, p50, p90, p99, p99_9, p99_99;
};

struct hl_rate {                /* the figures of one direction */
	double bw;              /* bytes/s: issued bytes over run time where the source has them */
	double bw_low, bw_high; /* 95 % interval, only from rounds */
	double iops;
	double ios;   /* issued */
	double bytes; /* transferred */
	double runtime_ms;
	double zone_resets;
	const double *per_round; /* bytes/s by round, NAN = that round was lost */
	const double *repeats;   /* the same hop once more in that round (A/A); NULL = never */
	size_t nr_rounds;
	struct hl_latency *lat, *clat, *slat, *sync; /* NULL when unknown */
	/*
	 * lat, else clat, as per_round is; NULL = of no round. Percentiles that fewer than ten I/Os
	 * of the round lie beyond are NAN.
	 */
	const struct hl_latency *latency_per_round;
	/* network only */
	double retransmits, streams, jitter_ns, lost;
	const char *protocol;
};

enum hl_status {
	HL_STATUS_MEASURED,
	HL_STATUS_IMPORTED,
	HL_STATUS_FAILED,
	HL_STATUS_PARTIAL,
	HL_STATUS_NOT_MEASURED,
};

struct hl_disk { /* kernel statistics of one block device over one fio run ("Disk stats") */
	const char *name;
	const char *file;
	unsigned run;
	unsigned line;
	double ios[2], merges[2], sectors[2], ticks_ms[2]; /* [0] read, [1] write */
	double in_queue_ms, util_pct;
	bool is_aggregate; /* the members' sum that fio prints for a stacked device */
};

/* How the reason begins where blocks would be answered without the medium. */
#define HL_NEVER_WRITTEN "never written"

struct hl_measurement {
	struct hl_workload workload;
	struct hl_hop *hop;
	const char *file; /* source: where it was read from */
	unsigned run;     /* 1.. within the file */
	unsigned group;   /* fio's groupid */
	unsigned line;    /* first line in the file, 0 = unknown */
	const char *tool; /* "fio-3.36", "iperf 3.12"; NULL */
	enum hl_status status;
	const char *reason;     /* why there is no or only part of a result: HL_NEVER_WRITTEN … */
	int error;              /* the tool's error number, 0 = none */
	const char *change;     /* column "change" of a table of results: the state measured */
	const char *experiment; /* id of the experiment that it belongs to; NULL = a plain one */
	const char *drive;      /* of several at the hop, the one that was measured alone; NULL */
	double rounds;
	int steady_state; /* 1, 0, -1 = not known */
	double cached_share;
	double device_depth;  /* mean requests in flight by the device's own statistics */
	bool is_depth_of_run; /* device_depth is the mean over a run of several groups */
	double cpu_user_pct, cpu_system_pct; /* of the generator, per job */
	double cpu_pct;  /* of each of its threads, where that is all that is known */
	double idle_pct; /* of the generator's host while it ran */
	struct hl_rate *dir[HL_NR_DIRS]; /* NULL = no such direction */
};

struct hl_host { /* a machine of the path */
	const char *name;
	const char *on; /* the one that it is a guest or a pod of; NULL */
	const char *vm; /* of which virtual machine there: number or name; NULL = of none */
};

struct hl_hop {
	const char *name;
	enum hl_layer layer;
	const char *host;
	const char *target;   /* the first of them */
	const char **targets; /* several = drives of one pool */
	size_t nr_targets;
	struct hl_hop *after; /* NULL = a root */
	struct hl_measurement **measurements;
	size_t nr_measurements;
	struct hl_disk **disks;
	size_t nr_disks;
};

/* ---- conclusions ---- */

/*
 * One workload in one direction along one path, root first: what a waterfall draws. The first
 * stage is the datasheet where that promises this kind of I/O; hops without a result are skipped.
 */
struct hl_stage {
	const struct hl_hop *hop;
	const struct hl_measurement *at; /* NULL for the datasheet */
	double bw;
	double lat_ns;   /* mean, at depth 1 and of the same kind on all stages, else NAN */
	uint32_t layers; /* mask: between the stage before and this; several = a span; 0 = not said
			  */
	double noise;    /* parent ÷ child up to which a loss is not told from chance */
	bool is_named;   /* loses more than that */
	/* From rounds; NAN and 0 for single values. */
	unsigned nr_rounds; /* that this stage and the one before both have */
	unsigned look;      /* of which so many were judged: 6, 9, 14 or 20; 0 = too few */
	double factor, factor_low, factor_high; /* parent ÷ child */
	double lost_low, lost_high;             /* parent - child, bytes/s */
};

struct hl_chain {
	const struct hl_hop *leaf;       /* the end of the path */
	const struct hl_measurement *at; /* of the last stage: not the leaf's where that has none */
	enum hl_dir dir;
	bool is_series; /* times add up (depth 1, flushes, not saturated), else the least counts */
	struct hl_stage *stages;
	size_t nr_stages;
};

struct hl_loss {
	const struct hl_hop *leaf;       /* the end of the path that this belongs to */
	const struct hl_measurement *at; /* the child's measurement */
	enum hl_dir dir;
	uint32_t layers; /* mask of 1 << enum hl_layer: several = a span; 0 = not said */
	const struct hl_hop *from, *to;
	double bw, bw_low, bw_high; /* parent - child, bytes/s; negative = a gain */
	double factor;              /* parent / child */
	double factor_low, factor_high;
	double share_pct;   /* on a log scale, of top to leaf; negative = a gain */
	double lat_ns;      /* at depth 1: mean latency, child - parent; else NAN */
	double lat_from_ns; /* the parent's: where the stack starts */
	bool is_masked;     /* neither a loss nor a gain is told from chance */
};

enum hl_prediction { HL_ESTIMATE, HL_AT_MOST };

struct hl_step { /* of a ladder: mend this and the leaf becomes bw */
	uint32_t layers;
	const struct hl_hop *hop;
	const char *cause; /* id, or NULL */
	double bw;
	enum hl_prediction kind;
};

struct hl_ladder {
	const struct hl_hop *leaf;
	const struct hl_measurement *at;
	enum hl_dir dir;
	struct hl_step *steps;
	size_t nr_steps;
};

struct hl_residual {
	const struct hl_hop *leaf;
	const struct hl_measurement *at;
	enum hl_dir dir;
	double bw; /* measured - predicted */
};

struct hl_ceiling {
	const char *name; /* "ethernet 10G MTU 1500", "datasheet KCD61LUL7T68 x 5" */
	enum hl_layer layer;
	const struct hl_hop *hop;        /* NULL = of no hop that is known */
	const struct hl_measurement *at; /* NULL = for every workload of dir */
	enum hl_dir dir;
	double bw;
	const char *formula; /* with its numbers in */
	const char **from;   /* fact keys */
	size_t nr_from;
};

enum hl_state { HL_CONFIRMED, HL_SUSPECTED, HL_AMBIGUOUS };

struct hl_finding {
	const char *id; /* of the cause */
	enum hl_layer layer;
	const struct hl_hop *hop;        /* NULL = on no hop that is known */
	const struct hl_measurement *at; /* NULL = of the hop as a whole */
	enum hl_dir dir;
	enum hl_state state;
	const char *text; /* one or two sentences with numbers and units */
	const char *fix;  /* what to try; NULL */
	const struct hl_fact **evidence;
	size_t nr_evidence;
	const char **rivals; /* cause ids that explain it equally */
	size_t nr_rivals;
	const char *next;  /* the experiment that would decide */
	const char *paste; /* read-only standard commands, one a line, for who cannot run hoploss */
	double predicted_bw;
	enum hl_prediction predicted_kind;
};

struct hl_verdict {
	const struct hl_hop *leaf;       /* NULL: nothing was measured, it is of facts alone */
	const struct hl_measurement *at; /* NULL with it */
	enum hl_dir dir;
	uint32_t layers;   /* 0 = cannot be told */
	const char *cause; /* id or NULL */
	enum hl_state state;
	const char *text;
};

struct hl_experiment {
	const char *id;
	const struct hl_hop *hop;
	const struct hl_measurement *at; /* the same workload, as it was measured in rounds; NULL */
	const char *decided;
	const char **supports, **against; /* cause ids */
	size_t nr_supports, nr_against;
};

struct hl_point {
	double t_s, value;
};

struct hl_series { /* a line of the timeline */
	const char *host, *key, *unit;
	const char *node; /* a hop's name, a drive's; NULL = the host as a whole */
	struct hl_point *points;
	size_t nr_points;
};

struct hl_probe_status {
	const char *host, *probe, *status, *reason;
};

enum hl_input_status {
	HL_INPUT_READ,       /* facts or measurements came of it */
	HL_INPUT_PROSE,      /* text between: nothing to read */
	HL_INPUT_RECOGNISED, /* known kind, but this version cannot read it */
	HL_INPUT_UNUSABLE,   /* known kind, broken: reason says what and where */
	HL_INPUT_UNKNOWN,    /* a whole file of which nothing was recognised */
};

struct hl_input { /* a segment of what was given */
	const char *file;
	unsigned first_line, last_line;
	const char *format; /* name in the table of formats; NULL for prose */
	enum hl_input_status status;
	bool is_partial; /* read, but it ends early: there was more */
	const char *reason;
};

struct hl_places; /* what src/model/place.c worked out of the facts, for the next question */

struct hl_graph {
	struct hl_arena *arena;
	struct hl_places **places; /* a cell of its own, for that may change while graph may not */
	const char *path_name;
	uint64_t seed;
	const char *begun;   /* "2026-11-30T09:00:00Z"; NULL = not known */
	bool has_identities; /* serials, addresses or host names may be in it */
	const char *stop_reason;
	const struct hl_spec *spec; /* the datasheet in use, NULL = none */
	unsigned drives;            /* that the datasheet is multiplied by, 1.. */
	struct hl_fact **facts;
	size_t nr_facts;
	struct hl_host **hosts;
	size_t nr_hosts;
	struct hl_hop **hops;
	size_t nr_hops;
	struct hl_chain **chains;
	size_t nr_chains;
	struct hl_loss **losses;
	size_t nr_losses;
	struct hl_ladder **ladders;
	size_t nr_ladders;
	struct hl_residual **residuals;
	size_t nr_residuals;
	struct hl_ceiling **ceilings;
	size_t nr_ceilings;
	struct hl_finding **findings;
	size_t nr_findings;
	struct hl_verdict **verdicts;
	size_t nr_verdicts;
	struct hl_experiment **experiments;
	size_t nr_experiments;
	struct hl_series **timeline;
	size_t nr_timeline;
	struct hl_probe_status **probes;
	size_t nr_probes;
	bool is_partly_captured; /* a probe or host failed or hung; recorded bytes are lost */
	struct hl_input **inputs;
	size_t nr_inputs;
	const char **apart; /* hosts made up for files of another machine: hoploss/apart.h */
	size_t nr_apart;
	const char **warnings;
	size_t nr_warnings;
};

struct hl_graph *hl_graph_new(void);
void hl_graph_free(struct hl_graph *graph); /* NULL allowed */
__attribute__((unused)) static inline void hl_graph_cleanup(struct hl_graph **graph)
{
	hl_graph_free(*graph);
}
#define HL_GRAPH __attribute__((cleanup(hl_graph_cleanup)))

/* Each adds one zeroed item, numbers NAN, and returns it. Strings given are copied. */
struct hl_host *hl_graph_add_host(struct hl_graph *graph, const char *name);
struct hl_hop *hl_graph_add_hop(struct hl_graph *graph, const char *name);
/* The first one is also hop->target. */
void hl_hop_add_target(struct hl_graph *graph, struct hl_hop *hop, const char *target);
struct hl_hop *hl_graph_find_hop(const struct hl_graph *graph, const char *name); /* or NULL */
struct hl_measurement *hl_graph_add_measurement(struct hl_graph *graph, struct hl_hop *hop);
struct hl_disk *hl_graph_add_disk(struct hl_graph *graph, struct hl_hop *hop);
struct hl_rate *hl_graph_add_rate(struct hl_graph *graph, struct hl_measurement *at,
				  enum hl_dir dir);
struct hl_rate *hl_graph_new_rate(struct hl_graph *graph);       /* all NAN, of no measurement */
struct hl_latency *hl_graph_new_latency(struct hl_graph *graph); /* all NAN */
struct hl_chain *hl_graph_add_chain(struct hl_graph *graph);
struct hl_stage *hl_graph_add_stage(struct hl_graph *graph, struct hl_chain *chain);
struct hl_loss *hl_graph_add_loss(struct hl_graph *graph);
struct hl_ladder *hl_graph_add_ladder(struct hl_graph *graph);
struct hl_step *hl_graph_add_step(struct hl_graph *graph, struct hl_ladder *ladder);
struct hl_residual *hl_graph_add_residual(struct hl_graph *graph);
struct hl_ceiling *hl_graph_add_ceiling(struct hl_graph *graph);
struct hl_finding *hl_graph_add_finding(struct hl_graph *graph);
struct hl_verdict *hl_graph_add_verdict(struct hl_graph *graph);
struct hl_experiment *hl_graph_add_experiment(struct hl_graph *graph);
struct hl_series *hl_graph_add_series(struct hl_graph *graph);
void hl_series_add_point(struct hl_graph *graph, struct hl_series *series, double t_s,
			 double value);
struct hl_probe_status *hl_graph_add_probe_status(struct hl_graph *graph);
struct hl_input *hl_graph_add_input(struct hl_graph *graph);
void hl_graph_warn(struct hl_graph *graph, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Where a fact belongs and was read from: filled once by a decoder, used for many facts. */
struct hl_origin {
	const char *host; /* NULL when not known */
	const char *node;
	const char *source; /* file and line, or path */
};

/* NAN and NULL values add nothing (unknown is absent) and return NULL. key must be static. */
struct hl_fact *hl_graph_add_number(struct hl_graph *graph, const struct hl_origin *origin,
				    const char *key, double value);
struct hl_fact *hl_graph_add_string(struct hl_graph *graph, const struct hl_origin *origin,
				    const char *key, const char *value);
struct hl_fact *hl_graph_add_boolean(struct hl_graph *graph, const struct hl_origin *origin,
				     const char *key, bool value);
/* The first fact of that key; node NULL = of any node. NULL when there is none. */
const struct hl_fact *hl_graph_find_fact(const struct hl_graph *graph, const char *node,
					 const char *key);

void hl_finding_add_evidence(struct hl_graph *graph, struct hl_finding *finding,
			     const struct hl_fact *fact); /* NULL fact: nothing */
void hl_finding_add_rival(struct hl_graph *graph, struct hl_finding *finding, const char *id);

const char *hl_status_name(enum hl_status status); /* "not-measured" */
const char *hl_state_name(enum hl_state state);    /* "suspected" */
const char *hl_prediction_name(enum hl_prediction kind);
const char *hl_input_status_name(enum hl_input_status status);

#endif
