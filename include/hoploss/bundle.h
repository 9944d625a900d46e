/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bundle: the directory that holds all a run recorded; every diagnosis is a replay of one.
 *
 *   bundle.json      schema "hoploss.bundle/1", when it was begun, options of the run (path name,
 *                    seed, spec, drives)
 *   inputs/NNN-NAME  imported files, as they came; their hop and layer stand in bundle.json
 *   spec.conf        the datasheet that was used
 *   path.conf        the path file of a run
 *   hosts/HOST/…     what probes copied from each host: hoploss/captures.h
 *   samples.jsonl    one line a sample, appended and flushed
 *
 * Every file is written to a temporary name and renamed; samples are appended line by line, and a
 * last line cut short by a crash is left out on reading. So a bundle opens after kill -9 at any
 * moment. bundle.json has size and digest of each file and how many samples there are: what was
 * lost or changed since is told, and the rest is read. Links and a newer schema are refused. No
 * file outside the directory is ever touched.
 */
#ifndef HOPLOSS_BUNDLE_H
#define HOPLOSS_BUNDLE_H

#include "hoploss/captures.h"
#include "hoploss/error.h"
#include "hoploss/layer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names in its directory, and how much it may hold. */
#define HL_BUNDLE_FILE     "bundle.json"
#define HL_BUNDLE_INPUTS   "inputs"
#define HL_BUNDLE_SPEC     "spec.conf"
#define HL_BUNDLE_PATH     "path.conf"
#define HL_BUNDLE_SAMPLES  "samples.jsonl"
#define HL_BUNDLE_SIZE_MAX (2UL << 30)

/* What bundle.json begins with: the family, and the version after it. */
#define HL_BUNDLE_SCHEMA  "hoploss.bundle/"
#define HL_BUNDLE_VERSION 1

/* A seed is a number in JSON: a double holds 53 bits. Drawn at create; 1 in memory. */
#define HL_BUNDLE_SEED_MAX ((1ULL << 53) - 1)

struct hl_bundle_input {
	const char *file; /* base name as it was given */
	const char *hop;
	enum hl_layer layer;
	bool is_ordered;   /* given by --hop: its place in the path is known */
	const char *bytes; /* NULL in a bundle that reads them when they are asked for */
	size_t len;
};

struct hl_bundle_spec {   /* the datasheet that was used */
	const char *name; /* "KCD61LUL7T68" */
	const char *text; /* its file, as it was */
	size_t len;
	unsigned drives; /* that it is multiplied by, 1.. */
};

struct hl_bundle_path {   /* the path of a run */
	const char *name; /* of its file, for messages */
	const char *text; /* as it was */
	size_t len;
};

struct hl_bundle;

/* An empty one in memory; with hl_bundle_create it also stands on disk and every add is written. */
struct hl_bundle *hl_bundle_new(void);
/* -EEXIST: dir exists and is not empty. */
int hl_bundle_create(const char *dir, struct hl_bundle **ret_bundle, struct hl_error *err);
/* -ENOENT no such bundle, -EPROTONOSUPPORT newer schema, -EBADMSG broken: err says which file. */
int hl_bundle_open(const char *dir, struct hl_bundle **ret_bundle, struct hl_error *err);
/*
 * One on disk, to go on with a run that was stopped behind its first nr_samples samples: path,
 * notes, seed and the captures before the first round stay; what came later is taken out (samples,
 * inputs, captures after the last round, why it ended). -ENODATA: it is none, or has less.
 */
int hl_bundle_resume(const char *dir, size_t nr_samples, struct hl_bundle **ret_bundle,
		     struct hl_error *err);
/* What of one that was opened is not as it was recorded, sentences; NULL = no more. */
const char *hl_bundle_loss_at(const struct hl_bundle *bundle, size_t index);
bool hl_bundle_is_dir(const char *path);       /* has a bundle.json */
void hl_bundle_free(struct hl_bundle *bundle); /* NULL allowed */
__attribute__((unused)) static inline void hl_bundle_cleanup(struct hl_bundle **bundle)
{
	hl_bundle_free(*bundle);
}
#define HL_BUNDLE __attribute__((cleanup(hl_bundle_cleanup)))

int hl_bundle_add_input(struct hl_bundle *bundle, const struct hl_bundle_input *input,
			struct hl_error *err); /* copies all of it */
/*
 * The same with the bytes of a regular file. In memory only its path is kept, for a thousand files
 * need not be there at once. -ELOOP: a symbolic link; -EINVAL: of another kind, to be read first.
 */
int hl_bundle_add_file(struct hl_bundle *bundle, const struct hl_bundle_input *input,
		       const char *path, struct hl_error *err);
int hl_bundle_set_spec(struct hl_bundle *bundle, const struct hl_bundle_spec *spec,
		       struct hl_error *err); /* copies all of it */
int hl_bundle_set_path(struct hl_bundle *bundle, const struct hl_bundle_path *path,
		       struct hl_error *err); /* copies all of it */
/* What the report must say of a run beside its figures, one sentence. */
int hl_bundle_add_note(struct hl_bundle *bundle, const char *note, struct hl_error *err);
/* Why a run ended. */
int hl_bundle_set_stop_reason(struct hl_bundle *bundle, const char *reason, struct hl_error *err);
int hl_bundle_add_sample(struct hl_bundle *bundle, const char *json_line, struct hl_error *err);
/* The samples outlive a power cut from here on. */
int hl_bundle_sync(struct hl_bundle *bundle, struct hl_error *err);

/*
 * Begins a capture of a host in a bundle on disk, and ends what was begun: in between, records are
 * put into the sink and statuses are said. Only what was ended is part of the bundle.
 */
int hl_bundle_begin_capture(struct hl_bundle *bundle, const char *host, enum hl_capture_stage stage,
			    struct hl_capture_sink **ret_sink, struct hl_error *err);
void hl_bundle_say_status(struct hl_bundle *bundle, const struct hl_capture_status *status);
int hl_bundle_end_capture(struct hl_bundle *bundle, struct hl_error *err);

/*
 * Adds inputs, notes and captures of another bundle to one in memory. Runs (a path and its
 * samples) do not add up: -EEXIST, if both are one. name: what the other is called.
 */
int hl_bundle_join(struct hl_bundle *bundle, const struct hl_bundle *other, const char *name,
		   struct hl_error *err);

/*
 * Records all of a bundle in memory as a new one on disk; is_scrubbed: without what names a
 * person's machines. -EEXIST: dir is not empty, or the bundle holds two captures of one host, as
 * joined ones can. -EBADMSG: something of it was lost. Replayed, it gives the same report as what
 * *ret_bundle gives.
 */
int hl_bundle_record(const struct hl_bundle *from, const char *dir, bool is_scrubbed,
		     struct hl_bundle **ret_bundle, struct hl_error *err);

/*
 * Before anything is added to a bundle on disk: from now on nothing goes into it that names a
 * person's machines, see hoploss/scrub.h. Captures and inputs, and the path and notes that come
 * first, are held in memory until they are released together; inputs are then "input-N".
 */
void hl_bundle_scrub(struct hl_bundle *bundle);
int hl_bundle_release(struct hl_bundle *bundle, struct hl_error *err); /* 0 also without scrub */
bool hl_bundle_is_scrubbed(const struct hl_bundle *bundle);
void hl_bundle_set_scrubbed(struct hl_bundle *bundle, bool is_scrubbed); /* of one in memory */

struct hl_captures *hl_bundle_captures(const struct hl_bundle *bundle);
size_t hl_bundle_nr_inputs(const struct hl_bundle *bundle);
const struct hl_bundle_input *hl_bundle_input_at(const struct hl_bundle *bundle, size_t index);
/* The bytes of an input, NUL-terminated, to be freed. */
int hl_bundle_read_input(const struct hl_bundle *bundle, size_t index, char **ret_bytes,
			 size_t *ret_len, struct hl_error *err);
/* Why these are not the bytes that were recorded, to be freed; NULL = they are, or nobody knows. */
char *hl_bundle_check_input(const struct hl_bundle *bundle, size_t index, const char *bytes,
			    size_t len);
const struct hl_bundle_spec *hl_bundle_spec(const struct hl_bundle *bundle); /* NULL = none */
const struct hl_bundle_path *hl_bundle_path(const struct hl_bundle *bundle); /* NULL = none */
const char *hl_bundle_stop_reason(const struct hl_bundle *bundle);           /* NULL = none */
const char *hl_bundle_note_at(const struct hl_bundle *bundle, size_t index); /* NULL = no more */
/* When the run or the capture began, "2026-11-30T09:00:00Z" (ISO 8601, UTC). NULL = not known. */
const char *hl_bundle_begun(const struct hl_bundle *bundle);
bool hl_bundle_is_time(const char *text); /* one of that form */
uint64_t hl_bundle_seed(const struct hl_bundle *bundle);
void hl_bundle_set_seed(struct hl_bundle *bundle, uint64_t seed); /* of one in memory */
size_t hl_bundle_nr_samples(const struct hl_bundle *bundle);
const char *hl_bundle_sample_at(const struct hl_bundle *bundle, size_t index);

#endif
