/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening a bundle: what is on disk is added to one in memory.
 *
 * Surprising: a bundle can come from a stranger. Names in it are plain file names or it is broken,
 * links are never followed, and its size is limited.
 */
#include "bundle_inside.h"
#include "hoploss/file.h"
#include "hoploss/json.h"
#include "hoploss/number.h"
#include "hoploss/recorded.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct reading {
	const char *dir;
	int dir_fd;
	struct hl_bundle *bundle;
};

static int fail_broken(const struct reading *reading, const char *what, struct hl_error *err)
{
	return hl_fail(err, EBADMSG, "%s/%s: %s", reading->dir, HL_BUNDLE_FILE, what);
}

static const char *say_why(int r)
{
	return r == -ENOENT    ? "is missing"
	       : r == -ELOOP   ? "is a symbolic link, and none is followed"
	       : r == -EINVAL  ? "is no file, but a directory or the like"
	       : r == -ENOTDIR ? "is no directory"
			       : strerror(-r);
}

static int fail_part(const struct reading *reading, const char *name, int r, struct hl_error *err)
{
	return hl_fail(err, r == -EACCES || r == -EIO ? -r : EBADMSG, "%s/%s: %s", reading->dir,
		       name, say_why(r));
}

/* A link may lead to what is nobody's business; what else is in the way of a file is a loss. */
static bool is_refused(int r)
{
	return r == -ELOOP || r == -EFBIG;
}

static size_t size_in(const struct hl_json *object)
{
	double size = hl_json_number(hl_json_get(object, "size"));

	return size >= 0 && size < (double)SIZE_MAX ? (size_t)size : 0;
}

/*
 * A file that bundle.json says is there, with what it says of it. *ret_bytes stays NULL where it
 * was lost; -EBADMSG: it is refused.
 */
static int read_part(const struct reading *reading, const char *name, const struct hl_json *object,
		     char **ret_bytes, size_t *ret_len, struct hl_error *err)
{
	const char *digest = hl_json_string(hl_json_get(object, "digest"));
	int r = hl_file_read_at(reading->dir_fd, name, HL_BUNDLE_SIZE_MAX, ret_bytes, ret_len);
	HL_FREE char *change = NULL;

	if (is_refused(r))
		return fail_part(reading, name, r, err);
	if (r < 0) {
		bundle_add_loss(reading->bundle, "%s %s", name, say_why(r));
		return 0;
	}
	change = hl_recorded_compare(*ret_bytes, *ret_len, size_in(object), digest);
	if (change)
		bundle_add_loss(reading->bundle, "%s: %s", name, change);
	return 0;
}

/* A whole number from 1 to most. */
static int read_count(const struct hl_json *value, double most, double *ret_count)
{
	double count = hl_json_number(value);

	if (isnan(count) || count < 1 || count > most || count != floor(count))
		return -EBADMSG;
	*ret_count = count;
	return 0;
}

static int read_schema(const struct reading *reading, const struct hl_json *json,
		       struct hl_error *err)
{
	const char *schema = hl_json_string(hl_json_get(json, "schema"));
	const size_t family = strlen(HL_BUNDLE_SCHEMA);
	uint64_t version;

	if (!schema || strncmp(schema, HL_BUNDLE_SCHEMA, family) != 0 ||
	    hl_number_u64(schema + family, strlen(schema + family), &version) < 0 || !version)
		return fail_broken(reading, "not the schema of a bundle", err);
	if (version > HL_BUNDLE_VERSION)
		return hl_fail(err, EPROTONOSUPPORT,
			       "%s was written by a newer hoploss (%s; this one reads up to %s%d)",
			       reading->dir, schema, HL_BUNDLE_SCHEMA, HL_BUNDLE_VERSION);
	return 0;
}

static int read_seed(const struct reading *reading, const struct hl_json *json,
		     struct hl_error *err)
{
	double seed;

	if (read_count(hl_json_get(json, "seed"), (double)HL_BUNDLE_SEED_MAX, &seed) < 0)
		return fail_broken(reading, "no seed", err);
	hl_bundle_set_seed(reading->bundle, (uint64_t)seed);
	return 0;
}

static int read_begun(const struct reading *reading, const struct hl_json *json,
		      struct hl_error *err)
{
	const struct hl_json *begun = hl_json_get(json, "begun");
	const char *text = hl_json_string(begun);

	if (!begun)
		return 0;
	if (!text || !hl_bundle_is_time(text))
		return fail_broken(reading, "begun is no time like 2026-11-30T09:00:00Z", err);
	reading->bundle->begun = hl_arena_strdup(reading->bundle->arena, text);
	return 0;
}

static int read_spec(const struct reading *reading, const struct hl_json *json,
		     struct hl_error *err)
{
	const struct hl_json *object = hl_json_get(json, "spec");
	const char *name = hl_json_string(hl_json_get(object, "name"));
	HL_FREE char *text = NULL;
	struct hl_bundle_spec spec;
	double drives;
	size_t len;
	int r;

	if (!object)
		return 0;
	if (!name || read_count(hl_json_get(object, "drives"), 1e6, &drives) < 0)
		return fail_broken(reading, "a spec without name or drives", err);
	r = read_part(reading, HL_BUNDLE_SPEC, object, &text, &len, err);
	if (r < 0 || !text)
		return r;
	spec = (struct hl_bundle_spec){ name, text, len, (unsigned)drives };
	return hl_bundle_set_spec(reading->bundle, &spec, err);
}

static int read_path(const struct reading *reading, const struct hl_json *json,
		     struct hl_error *err)
{
	const char *name = hl_json_string(hl_json_path(json, "path.name"));
	const char *stop_reason = hl_json_string(hl_json_get(json, "stop_reason"));
	HL_FREE char *text = NULL;
	struct hl_bundle_path path;
	size_t len;
	int r;

	if (stop_reason)
		hl_bundle_set_stop_reason(reading->bundle, stop_reason, NULL);
	if (!name)
		return 0;
	r = read_part(reading, HL_BUNDLE_PATH, hl_json_get(json, "path"), &text, &len, err);
	if (r < 0 || !text)
		return r;
	path = (struct hl_bundle_path){ name, text, len };
	return hl_bundle_set_path(reading->bundle, &path, err);
}

static int read_notes(const struct reading *reading, const struct hl_json *json,
		      struct hl_error *err)
{
	const struct hl_json *notes = hl_json_get(json, "notes");
	int r = 0;

	for (size_t i = 0; r == 0 && i < hl_json_length(notes); i++) {
		const char *note = hl_json_string(hl_json_at(notes, i));

		r = note ? hl_bundle_add_note(reading->bundle, note, err)
			 : fail_broken(reading, "a note that is no text", err);
	}
	return r;
}

/* One file of the directory inputs/, never a path out of it. */
static bool is_file_name(const char *name)
{
	return name && *name && !strchr(name, '/') && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

/* Of the input that was added last. */
static void keep_sum(const struct hl_bundle *bundle, const struct hl_json *json)
{
	const char *digest = hl_json_string(hl_json_get(json, "digest"));
	struct input *input = bundle->inputs[bundle->nr_inputs - 1];

	input->digest = hl_arena_strdup(bundle->arena, digest);
	input->size = size_in(json);
}

static int read_input(const struct reading *reading, const struct hl_json *json,
		      struct hl_error *err)
{
	const char *stored = hl_json_string(hl_json_get(json, "stored"));
	const char *layer = hl_json_string(hl_json_get(json, "layer"));
	struct hl_bundle_input input = {
		.file = hl_json_string(hl_json_get(json, "file")),
		.hop = hl_json_string(hl_json_get(json, "hop")),
		.is_ordered = hl_json_boolean(hl_json_get(json, "is_ordered")) == 1,
	};
	HL_FREE char *path = NULL;
	int r;

	if (!is_file_name(stored))
		return fail_broken(reading, "an input without a plain file name", err);
	if (!input.file)
		return fail_broken(reading, "an input that does not say what it was", err);
	if (layer && hl_layer_parse(layer, &input.layer) < 0)
		return fail_broken(reading, "an input of an unknown layer", err);
	path = hl_printf("%s/%s/%s", reading->dir, HL_BUNDLE_INPUTS, stored);
	r = hl_bundle_add_file(reading->bundle, &input, path, err);
	if (r == -EFBIG)
		return r;
	if (is_refused(r))
		return fail_part(reading, stored, r, err);
	if (r < 0) /* that it cannot be read is told when it is to be read */
		bundle_keep_input(reading->bundle, &input, stored, path);
	keep_sum(reading->bundle, json);
	return 0;
}

static int read_inputs(const struct reading *reading, const struct hl_json *json,
		       struct hl_error *err)
{
	const struct hl_json *inputs = hl_json_get(json, "inputs");
	HL_CLOSE int fd = openat(reading->dir_fd, HL_BUNDLE_INPUTS,
				 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno != ENOENT && hl_json_length(inputs))
		return fail_part(reading, HL_BUNDLE_INPUTS, -errno, err);
	for (size_t i = 0; i < hl_json_length(inputs); i++) {
		int r = read_input(reading, hl_json_at(inputs, i), err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int read_captures(const struct reading *reading, const struct hl_json *json,
			 struct hl_error *err)
{
	struct hl_error why;
	int r = hl_captures_read(hl_bundle_captures(reading->bundle), reading->dir_fd,
				 hl_json_get(json, "captures"), &why);

	if (r == -EBADMSG)
		return fail_broken(reading, why.text, err);
	return r < 0 ? hl_fail(err, EBADMSG, "%s/%s", reading->dir, why.text) : 0;
}

/* How many bundle.json says there are: an older one says nothing, and one that ended has some. */
static void check_samples(const struct reading *reading, const struct hl_json *json)
{
	const struct hl_bundle *bundle = reading->bundle;
	const char *why = hl_bundle_stop_reason(bundle);
	const char *digest = hl_json_string(hl_json_path(json, "samples.digest"));
	double number = hl_json_number(hl_json_path(json, "samples.number"));
	bool is_short = (double)bundle->nr_samples < number;
	HL_FREE char *now = digest && !is_short && number >= 0
				    ? bundle_digest_samples(bundle, (size_t)number)
				    : NULL;

	if (is_short)
		bundle_add_loss(reading->bundle,
				"%s:%zu: it ends here, with %zu of %.0f samples: the others were "
				"lost",
				HL_BUNDLE_SAMPLES, bundle->nr_samples + 1, bundle->nr_samples,
				number);
	else if (hl_bundle_path(bundle) && !bundle->nr_samples && why &&
		 strcmp(why, "interrupted") != 0)
		bundle_add_loss(reading->bundle,
				"%s holds no sample, but the run went on to its end: they were "
				"lost",
				HL_BUNDLE_SAMPLES);
	else if (now && strcmp(now, digest) != 0)
		bundle_add_loss(reading->bundle, "%s: it was changed since it was recorded",
				HL_BUNDLE_SAMPLES);
}

/* Each line is one, though it be empty: it is read, and named, later. One with a NUL is empty. */
static int add_lines(const struct reading *reading, char *bytes, size_t len, struct hl_error *err)
{
	char *end, *line = bytes;
	int r = bundle_take_room(reading->bundle, len, err);

	for (; r == 0 && (end = memchr(line, '\n', len)); line = end + 1) {
		size_t each = (size_t)(end - line);

		len -= each + 1;
		bundle_keep_sample(reading->bundle, line, memchr(line, '\0', each) ? 0 : each);
	}
	if (r == 0 && len) /* by a crash, or when it was copied */
		bundle_add_loss(reading->bundle, "%s:%zu: this line was cut short: it is left out",
				HL_BUNDLE_SAMPLES, reading->bundle->nr_samples + 1);
	return r;
}

static int read_samples(const struct reading *reading, const struct hl_json *json,
			struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	size_t len = 0;
	int r = hl_file_read_at(reading->dir_fd, HL_BUNDLE_SAMPLES, HL_BUNDLE_SIZE_MAX, &bytes,
				&len);

	if (is_refused(r))
		return fail_part(reading, HL_BUNDLE_SAMPLES, r, err);
	if (r < 0 && (r != -ENOENT || hl_json_get(json, "samples")))
		bundle_add_loss(reading->bundle, "%s %s", HL_BUNDLE_SAMPLES, say_why(r));
	r = bytes ? add_lines(reading, bytes, len, err) : 0;
	if (r == 0)
		check_samples(reading, json);
	return r;
}

static int read_bundle_file(const struct reading *reading, struct hl_json **ret_json,
			    struct hl_error *err)
{
	HL_FREE char *text = NULL;
	struct hl_error inner = { 0 };
	size_t len;
	int r;

	r = hl_file_read_at(reading->dir_fd, HL_BUNDLE_FILE, HL_BUNDLE_SIZE_MAX, &text, &len);
	if (r == -ENOENT)
		return hl_fail(err, ENOENT, "%s is no bundle: it has no %s", reading->dir,
			       HL_BUNDLE_FILE);
	if (r < 0)
		return fail_part(reading, HL_BUNDLE_FILE, r, err);
	if (hl_json_parse(text, len, ret_json, NULL, &inner) < 0)
		return fail_broken(reading, inner.text, err);
	return 0;
}

static int read_all(const struct reading *reading, struct hl_error *err)
{
	HL_JSON struct hl_json *json = NULL;
	int r;

	r = read_bundle_file(reading, &json, err);
	if (r == 0)
		r = read_schema(reading, json, err);
	if (r == 0)
		r = read_seed(reading, json, err);
	if (r == 0)
		r = read_begun(reading, json, err);
	if (hl_json_boolean(hl_json_get(json, "is_scrubbed")) == 1)
		hl_bundle_set_scrubbed(reading->bundle, true);
	if (r == 0)
		r = read_spec(reading, json, err);
	if (r == 0)
		r = read_path(reading, json, err);
	if (r == 0)
		r = read_notes(reading, json, err);
	if (r == 0)
		r = read_inputs(reading, json, err);
	if (r == 0)
		r = read_captures(reading, json, err);
	return r == 0 ? read_samples(reading, json, err) : r;
}

int hl_bundle_open(const char *dir, struct hl_bundle **ret_bundle, struct hl_error *err)
{
	HL_CLOSE int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const int code = errno;
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	const struct reading reading = { dir, dir_fd, bundle };
	int r;

	if (dir_fd < 0)
		return hl_fail(err, code == ENOTDIR ? ENOENT : code, "open the bundle %s: %s", dir,
			       strerror(code));
	r = read_all(&reading, err);
	if (r < 0)
		return r;
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}

bool hl_bundle_is_dir(const char *path)
{
	HL_CLOSE int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 && faccessat(fd, HL_BUNDLE_FILE, F_OK, 0) == 0;
}
