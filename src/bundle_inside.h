/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of a bundle, shared by bundle.c and bundle_capture.c.
 */
#ifndef HOPLOSS_BUNDLE_INSIDE_H
#define HOPLOSS_BUNDLE_INSIDE_H

#include "hoploss/alloc.h"
#include "hoploss/bundle.h"
#include "hoploss/hold.h"
#include <sys/types.h>

struct input {
	struct hl_bundle_input given;
	const char *stored; /* file name in inputs/ */
	const char *path;   /* where the bytes are read from; NULL = they are in given */
	const char *digest; /* of the bytes that were recorded; NULL = not known */
	size_t size;        /* of these */
};

struct hl_bundle {
	struct hl_arena *arena;
	const char *dir;                   /* for messages; NULL: only in memory */
	int dir_fd, inputs_fd, samples_fd; /* -1: only in memory */
	uint64_t seed;
	const char *begun; /* NULL = not known */
	size_t size;       /* of all inputs, samples and the spec */
	struct input **inputs;
	size_t nr_inputs;
	const struct hl_bundle_spec *spec; /* NULL = none */
	const struct hl_bundle_path *path; /* NULL = none */
	const char *stop_reason;
	const char **notes;
	size_t nr_notes;
	const char **samples;
	size_t nr_samples;
	off_t samples_len; /* of the file */
	const char **losses;
	size_t nr_losses;
	struct hl_captures *captures;
	struct hl_hold *hold; /* NULL: nothing is scrubbed */
	bool is_released;     /* what came first is scrubbed and stands in it */
	bool is_scrubbed;
};

/* Which bundle it is that an error of writing is of, before its words. Returns rc. */
int bundle_failed(const struct hl_bundle *bundle, int rc, struct hl_error *err);
/* Writes bundle.json, of a bundle on disk. */
int bundle_write(const struct hl_bundle *bundle, struct hl_error *err);
/* -EFBIG: so many bytes more are too many. */
int bundle_take_room(struct hl_bundle *bundle, size_t len, struct hl_error *err);
struct input *bundle_keep_input(struct hl_bundle *bundle, const struct hl_bundle_input *given,
				const char *stored, const char *path);
void bundle_keep_sample(struct hl_bundle *bundle, const char *line, size_t len);
/* A sentence about what is not as it was recorded. */
void bundle_add_loss(struct hl_bundle *bundle, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The digest of the first nr samples, to be freed. */
char *bundle_digest_samples(const struct hl_bundle *bundle, size_t nr);
/* Writes the inputs that were held, scrubbed. */
int bundle_release_inputs(struct hl_bundle *bundle, struct hl_error *err);
/* As it comes back from JSON. */
const char *bundle_copy_text(struct hl_arena *arena, const char *text);
/* Path and notes wait to be scrubbed, once all is known that names something. */
bool bundle_is_held(const struct hl_bundle *bundle);
/* The text as it may stand in the bundle, to be freed. */
char *bundle_cleaned(const struct hl_bundle *bundle, const char *text);

#endif
