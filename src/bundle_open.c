/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening a bundle: what is on disk is added to one in memory.
 *
 * Surprising: a bundle can come from a stranger. Names in it are plain file names or it is broken,
 * links are never followed, and its size is limited.
 */
#include "hoploss/alloc.h"
#include "hoploss/bundle.h"
#include "hoploss/file.h"
#include "hoploss/json.h"
#include "hoploss/number.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
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

static int fail_part(const struct reading *reading, const char *name, int r, struct hl_error *err)
{
	return hl_fail(err, r == -EACCES || r == -EIO ? -r : EBADMSG, "%s/%s: %s", reading->dir,
		       name, r == -ENOENT ? "is missing" : strerror(-r));
}

/* A file that bundle.json says is there. */
static int read_part(const struct reading *reading, int dir_fd, const char *name, char **ret_bytes,
		     size_t *ret_len, struct hl_error *err)
{
	int r = hl_file_read_at(dir_fd, name, HL_BUNDLE_SIZE_MAX, ret_bytes, ret_len);

	return r < 0 ? fail_part(reading, name, r, err) : 0;
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
	r = read_part(reading, reading->dir_fd, HL_BUNDLE_SPEC, &text, &len, err);
	if (r < 0)
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
	r = read_part(reading, reading->dir_fd, HL_BUNDLE_PATH, &text, &len, err);
	if (r < 0)
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
	return r < 0 && r != -EFBIG ? fail_part(reading, stored, r, err) : r;
}

static int read_inputs(const struct reading *reading, const struct hl_json *json,
		       struct hl_error *err)
{
	const struct hl_json *inputs = hl_json_get(json, "inputs");
	HL_CLOSE int fd = openat(reading->dir_fd, HL_BUNDLE_INPUTS,
				 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && hl_json_length(inputs))
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

/* A run that was killed or interrupted may have none; one that ended by itself has some. */
static int check_samples(const struct reading *reading, struct hl_error *err)
{
	const char *why = hl_bundle_stop_reason(reading->bundle);

	if (hl_bundle_path(reading->bundle) && !hl_bundle_nr_samples(reading->bundle) && why &&
	    strcmp(why, "interrupted") != 0)
		return hl_fail(err, EBADMSG,
			       "%s/%s holds no sample, but the run went on to its end: they were "
			       "lost",
			       reading->dir, HL_BUNDLE_SAMPLES);
	return 0;
}

/* A last line without its end was cut short by a crash. */
static int read_samples(const struct reading *reading, struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	char *end;
	size_t len;
	int r;

	if (faccessat(reading->dir_fd, HL_BUNDLE_SAMPLES, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return check_samples(reading, err);
	r = read_part(reading, reading->dir_fd, HL_BUNDLE_SAMPLES, &bytes, &len, err);
	for (char *line = bytes; r == 0 && (end = memchr(line, '\n', len)); line = end + 1) {
		len -= (size_t)(end + 1 - line);
		*end = '\0';
		if (*line)
			r = hl_bundle_add_sample(reading->bundle, line, err);
	}
	return r < 0 ? r : check_samples(reading, err);
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
	if (hl_json_boolean(hl_json_get(json, "is_scrubbed")) == 1)
		hl_bundle_set_scrubbed(reading->bundle);
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
	return r == 0 ? read_samples(reading, err) : r;
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
