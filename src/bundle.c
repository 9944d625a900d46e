/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bundles: see hoploss/bundle.h. In memory a bundle is an arena; on disk bundle.json lists what
 * belongs to it and is always written last, so that what it names is there. bundle_open.c reads.
 */
#include "bundle_inside.h"
#include "hoploss/digest.h"
#include "hoploss/file.h"
#include "hoploss/json.h"
#include "hoploss/recorded.h"
#include "hoploss/text.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct hl_bundle *hl_bundle_new(void)
{
	struct hl_bundle *bundle = hl_alloc(sizeof(*bundle));

	bundle->arena = hl_arena_new();
	bundle->captures = hl_captures_new();
	bundle->dir_fd = bundle->inputs_fd = bundle->samples_fd = -1;
	bundle->seed = 1;
	return bundle;
}

void hl_bundle_free(struct hl_bundle *bundle)
{
	if (!bundle)
		return;
	hl_close_fd(&bundle->dir_fd);
	hl_close_fd(&bundle->inputs_fd);
	hl_close_fd(&bundle->samples_fd);
	hl_captures_free(bundle->captures);
	hl_hold_free(bundle->hold);
	hl_arena_free(bundle->arena);
	free(bundle);
}

/* ---- in memory ---- */

/* As it comes back from JSON, so that the bundle in memory and that on disk are the same. */
const char *bundle_copy_text(struct hl_arena *arena, const char *text)
{
	size_t left = text ? strlen(text) : 0;
	char *copy = hl_arena_alloc(arena, left * 3 + 1);
	char *out = copy;

	while (left) {
		size_t len = hl_text_utf8(text, left);

		memcpy(out, len ? text : "\ufffd", len ? len : 3);
		out += len ? len : 3;
		text += len ? len : 1;
		left -= len ? len : 1;
	}
	return copy;
}

static const char *copy_bytes(struct hl_arena *arena, const char *bytes, size_t len)
{
	char *copy = hl_arena_alloc(arena, len + 1);

	if (len)
		memcpy(copy, bytes, len);
	return copy;
}

int bundle_take_room(struct hl_bundle *bundle, size_t len, struct hl_error *err)
{
	if (len > HL_BUNDLE_SIZE_MAX - bundle->size)
		return hl_fail(err, EFBIG, "a bundle holds at most 2 GiB");
	bundle->size += len;
	return 0;
}

struct input *bundle_keep_input(struct hl_bundle *bundle, const struct hl_bundle_input *given,
				const char *stored, const char *path)
{
	struct input *input = hl_arena_alloc(bundle->arena, sizeof(*input));

	input->given = *given;
	input->given.file = bundle_copy_text(bundle->arena, given->file);
	input->given.hop = given->hop ? bundle_copy_text(bundle->arena, given->hop) : NULL;
	input->given.bytes = path ? NULL : copy_bytes(bundle->arena, given->bytes, given->len);
	input->stored = hl_arena_strdup(bundle->arena, stored);
	input->path = hl_arena_strdup(bundle->arena, path);
	bundle->inputs = hl_arena_extend(bundle->arena, bundle->inputs, bundle->nr_inputs,
					 sizeof(*bundle->inputs));
	bundle->inputs[bundle->nr_inputs++] = input;
	return input;
}

static void keep_spec(struct hl_bundle *bundle, const struct hl_bundle_spec *given)
{
	struct hl_bundle_spec *spec = hl_arena_alloc(bundle->arena, sizeof(*spec));

	*spec = *given;
	spec->name = bundle_copy_text(bundle->arena, given->name);
	spec->text = copy_bytes(bundle->arena, given->text, given->len);
	bundle->spec = spec;
}

static void keep_path(struct hl_bundle *bundle, const struct hl_bundle_path *given)
{
	struct hl_bundle_path *path = hl_arena_alloc(bundle->arena, sizeof(*path));

	*path = *given;
	path->name = bundle_copy_text(bundle->arena, given->name);
	path->text = copy_bytes(bundle->arena, given->text, given->len);
	bundle->path = path;
}

void bundle_keep_sample(struct hl_bundle *bundle, const char *line, size_t len)
{
	bundle->samples = hl_arena_extend(bundle->arena, bundle->samples, bundle->nr_samples,
					  sizeof(*bundle->samples));
	bundle->samples[bundle->nr_samples++] = hl_arena_strndup(bundle->arena, line, len);
}

/* ---- on disk ---- */

static void put_sum(struct hl_json_out *out, size_t size, const char *digest)
{
	hl_json_put_number(out, "size", (double)size);
	hl_json_put_string(out, "digest", digest);
}

static void put_sum_of(struct hl_json_out *out, const char *bytes, size_t len)
{
	char digest[HL_DIGEST_TEXT];

	hl_digest(bytes, len, digest);
	put_sum(out, len, digest);
}

/* Once, for all inputs are listed anew with each that is added. */
static void sum_input(struct hl_arena *arena, struct input *input)
{
	char digest[HL_DIGEST_TEXT];

	if (input->digest || input->path)
		return;
	hl_digest(input->given.bytes, input->given.len, digest);
	input->digest = hl_arena_strdup(arena, digest);
	input->size = input->given.len;
}

char *bundle_digest_samples(const struct hl_bundle *bundle, size_t nr)
{
	HL_FREE char *text = NULL;
	char digest[HL_DIGEST_TEXT];
	size_t len = 0;
	FILE *all = open_memstream(&text, &len);

	if (!all)
		return hl_alloc(SIZE_MAX);
	for (size_t i = 0; i < nr; i++)
		fprintf(all, "%s\n", bundle->samples[i]);
	fclose(all);
	hl_digest(text, len, digest);
	return hl_strdup(digest);
}

/* While a run goes on, there are at least so many. */
static void put_samples(const struct hl_bundle *bundle, struct hl_json_out *out)
{
	HL_FREE char *digest = bundle->stop_reason
				       ? bundle_digest_samples(bundle, bundle->nr_samples)
				       : NULL;

	hl_json_object(out, "samples");
	hl_json_put_number(out, "number", (double)bundle->nr_samples);
	hl_json_put_string(out, "digest", digest);
	hl_json_close(out);
}

static void put_inputs(const struct hl_bundle *bundle, struct hl_json_out *out)
{
	hl_json_array(out, "inputs");
	for (size_t i = 0; i < bundle->nr_inputs; i++) {
		struct input *input = bundle->inputs[i];

		sum_input(bundle->arena, input);
		hl_json_object(out, NULL);
		hl_json_put_string(out, "stored", input->stored);
		hl_json_put_string(out, "file", input->given.file);
		hl_json_put_string(out, "hop", input->given.hop);
		hl_json_put_string(out, "layer", hl_layer_name(input->given.layer));
		hl_json_put_boolean(out, "is_ordered", input->given.is_ordered);
		if (input->digest)
			put_sum(out, input->size, input->digest);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_notes(const struct hl_bundle *bundle, struct hl_json_out *out)
{
	if (!bundle->nr_notes)
		return;
	hl_json_array(out, "notes");
	for (size_t i = 0; i < bundle->nr_notes; i++)
		hl_json_put_string(out, NULL, bundle->notes[i]);
	hl_json_close(out);
}

static void put_bundle(const struct hl_bundle *bundle, struct hl_json_out *out)
{
	char schema[32];

	snprintf(schema, sizeof(schema), "%s%d", HL_BUNDLE_SCHEMA, HL_BUNDLE_VERSION);
	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", schema);
	hl_json_put_number(out, "seed", (double)bundle->seed);
	hl_json_put_string(out, "begun", bundle->begun);
	if (bundle->spec) {
		hl_json_object(out, "spec");
		hl_json_put_string(out, "name", bundle->spec->name);
		hl_json_put_number(out, "drives", bundle->spec->drives);
		put_sum_of(out, bundle->spec->text, bundle->spec->len);
		hl_json_close(out);
	}
	if (bundle->path) {
		hl_json_object(out, "path");
		hl_json_put_string(out, "name", bundle->path->name);
		put_sum_of(out, bundle->path->text, bundle->path->len);
		hl_json_close(out);
		put_samples(bundle, out);
	}
	if (bundle->is_scrubbed)
		hl_json_put_boolean(out, "is_scrubbed", true);
	hl_json_put_string(out, "stop_reason", bundle->stop_reason);
	put_notes(bundle, out);
	put_inputs(bundle, out);
	hl_captures_print(bundle->captures, out);
	hl_json_close(out);
}

int bundle_failed(const struct hl_bundle *bundle, int rc, struct hl_error *err)
{
	struct hl_error what;

	if (rc == 0 || !err || !bundle->dir)
		return rc;
	what = *err;
	return hl_fail(err, what.code, "%s: %s", bundle->dir, what.text);
}

static int fail_write(const struct hl_bundle *bundle, const char *name, int rc,
		      struct hl_error *err)
{
	hl_fail(err, -rc, "write %s: %s", name, strerror(-rc));
	return bundle_failed(bundle, rc, err);
}

static int write_file(const struct hl_bundle *bundle, int dir_fd, const char *name,
		      const char *bytes, size_t len, struct hl_error *err)
{
	int r = hl_file_write_at(dir_fd, name, bytes, len, true);

	return r < 0 ? fail_write(bundle, name, r, err) : 0;
}

int bundle_write(const struct hl_bundle *bundle, struct hl_error *err)
{
	HL_FREE char *text = NULL;
	struct hl_json_out *out;
	size_t len = 0;
	FILE *memory;

	if (bundle->dir_fd < 0)
		return 0;
	memory = open_memstream(&text, &len);
	if (!memory)
		return hl_fail(err, errno, "write %s: %s", HL_BUNDLE_FILE, strerror(errno));
	out = hl_json_out_new(memory);
	put_bundle(bundle, out);
	hl_json_out_free(out);
	if (fclose(memory) != 0)
		return hl_fail(err, errno, "write %s: %s", HL_BUNDLE_FILE, strerror(errno));
	return write_file(bundle, bundle->dir_fd, HL_BUNDLE_FILE, text, len, err);
}

static bool is_in_names(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("._+-", c);
}

/* "007-randread.json": a plain name on every file system. */
static const char *stored_name(struct hl_arena *arena, size_t number, const char *file)
{
	char *name = hl_arena_printf(arena, "%03zu-%.80s", number, file ? file : "");

	for (char *c = name; *c; c++) {
		if (!is_in_names(*c))
			*c = '_';
	}
	return name;
}

int hl_bundle_add_input(struct hl_bundle *bundle, const struct hl_bundle_input *input,
			struct hl_error *err)
{
	const char *stored = stored_name(bundle->arena, bundle->nr_inputs + 1, input->file);
	int r;

	r = bundle_take_room(bundle, input->len, err);
	if (r < 0)
		return r;
	if (bundle_is_held(bundle)) {
		bundle_keep_input(bundle, input, stored, NULL);
		return 0;
	}
	if (bundle->inputs_fd >= 0) {
		r = write_file(bundle, bundle->inputs_fd, stored, input->bytes, input->len, err);
		if (r < 0)
			return r;
	}
	bundle_keep_input(bundle, input, stored, NULL);
	r = bundle_write(bundle, err);
	if (r < 0)
		bundle->nr_inputs--;
	return r;
}

/* What was held, by its number instead of its name; hops that were named keep theirs. */
int bundle_release_inputs(struct hl_bundle *bundle, struct hl_error *err)
{
	struct hl_scrub *scrub = hl_hold_scrub(bundle->hold);
	int r = 0;

	for (size_t i = 0; r == 0 && i < bundle->nr_inputs; i++) {
		struct input *input = bundle->inputs[i];
		const char *name = hl_arena_printf(bundle->arena, "input-%zu", i + 1);
		HL_FREE char *clean = hl_scrub_apply(scrub, input->given.bytes, input->given.len,
						     &input->given.len);

		input->given.file = name;
		if (input->given.hop && !input->given.is_ordered)
			input->given.hop = name;
		input->given.bytes = copy_bytes(bundle->arena, clean, input->given.len);
		input->digest = NULL;
		input->stored = stored_name(bundle->arena, i + 1, "input");
		r = write_file(bundle, bundle->inputs_fd, input->stored, clean, input->given.len,
			       err);
	}
	return r;
}

static int fail_read(const char *path, int r, struct hl_error *err)
{
	return hl_fail(err, -r, "read %s: %s", path, strerror(-r));
}

/* Read once for a bundle on disk; in memory it is enough that it can be. */
int hl_bundle_add_file(struct hl_bundle *bundle, const struct hl_bundle_input *input,
		       const char *path, struct hl_error *err)
{
	struct hl_bundle_input sized = *input;
	HL_FREE char *bytes = NULL;
	int r;

	if (bundle->inputs_fd < 0) {
		r = hl_file_size_at(AT_FDCWD, path, &sized.len);
		if (r < 0)
			return fail_read(path, r, err);
		if (bundle_take_room(bundle, sized.len, NULL) < 0)
			return hl_fail(err, EFBIG, "%s: with it, more than 2 GiB were given", path);
		bundle_keep_input(bundle, &sized,
				  stored_name(bundle->arena, bundle->nr_inputs + 1, input->file),
				  path);
		return 0;
	}
	r = hl_file_read_at(AT_FDCWD, path, HL_BUNDLE_SIZE_MAX, &bytes, &sized.len);
	if (r < 0)
		return fail_read(path, r, err);
	sized.bytes = bytes;
	return hl_bundle_add_input(bundle, &sized, err);
}

int hl_bundle_set_spec(struct hl_bundle *bundle, const struct hl_bundle_spec *spec,
		       struct hl_error *err)
{
	const struct hl_bundle_spec *old = bundle->spec;
	int r;

	r = bundle_take_room(bundle, spec->len, err);
	if (r < 0)
		return r;
	if (bundle->dir_fd >= 0) {
		r = write_file(bundle, bundle->dir_fd, HL_BUNDLE_SPEC, spec->text, spec->len, err);
		if (r < 0)
			return r;
	}
	keep_spec(bundle, spec);
	r = bundle_write(bundle, err);
	if (r < 0)
		bundle->spec = old;
	return r;
}

int hl_bundle_set_path(struct hl_bundle *bundle, const struct hl_bundle_path *path,
		       struct hl_error *err)
{
	const struct hl_bundle_path *old = bundle->path;
	int r;

	if (bundle_is_held(bundle)) {
		keep_path(bundle, path);
		hl_hold_learn_path(bundle->hold, bundle->path->text);
		return 0;
	}
	r = bundle_take_room(bundle, path->len, err);
	if (r == 0 && bundle->dir_fd >= 0)
		r = write_file(bundle, bundle->dir_fd, HL_BUNDLE_PATH, path->text, path->len, err);
	if (r < 0)
		return r;
	keep_path(bundle, path);
	r = bundle_write(bundle, err);
	if (r < 0)
		bundle->path = old;
	return r;
}

int hl_bundle_add_note(struct hl_bundle *bundle, const char *note, struct hl_error *err)
{
	HL_FREE char *text = bundle_cleaned(bundle, note);
	int r = bundle_take_room(bundle, strlen(text), err);

	if (r < 0)
		return r;
	bundle->notes = hl_arena_extend(bundle->arena, bundle->notes, bundle->nr_notes,
					sizeof(*bundle->notes));
	bundle->notes[bundle->nr_notes++] = bundle_copy_text(bundle->arena, text);
	if (bundle_is_held(bundle))
		return 0;
	return bundle_write(bundle, err);
}

int hl_bundle_set_stop_reason(struct hl_bundle *bundle, const char *reason, struct hl_error *err)
{
	HL_FREE char *text = bundle_cleaned(bundle, reason);

	bundle->stop_reason = bundle_copy_text(bundle->arena, text);
	return bundle_write(bundle, err);
}

/* One write a line; a line that does not fit on the disk leaves nothing of itself behind. */
static int append_line(struct hl_bundle *bundle, const char *line, size_t len, struct hl_error *err)
{
	struct iovec parts[] = { { (char *)line, len }, { (char *)"\n", 1 } };
	ssize_t n = writev(bundle->samples_fd, parts, 2);
	int code = n < 0 ? errno : ENOSPC;

	if (n == (ssize_t)len + 1) {
		bundle->samples_len += n;
		return 0;
	}
	if (n > 0 && ftruncate(bundle->samples_fd, bundle->samples_len) < 0)
		code = errno;
	return fail_write(bundle, HL_BUNDLE_SAMPLES, -code, err);
}

int hl_bundle_add_sample(struct hl_bundle *bundle, const char *json_line, struct hl_error *err)
{
	HL_FREE char *line = bundle_cleaned(bundle, json_line);
	size_t len = strlen(line);
	int r;

	if (!len || strchr(line, '\n'))
		return hl_fail(err, EINVAL, "a sample is one line");
	r = bundle_take_room(bundle, len + 1, err);
	if (r == 0 && bundle->samples_fd >= 0)
		r = append_line(bundle, line, len, err);
	if (r == 0)
		bundle_keep_sample(bundle, line, len);
	/* of an experiment, after the last round: how many there are was written already */
	return r == 0 && bundle->stop_reason ? bundle_write(bundle, err) : r;
}

int hl_bundle_sync(struct hl_bundle *bundle, struct hl_error *err)
{
	if (bundle->samples_fd >= 0 && fdatasync(bundle->samples_fd) < 0)
		return fail_write(bundle, HL_BUNDLE_SAMPLES, -errno, err);
	return 0;
}

/* ---- a new one on disk ---- */

static bool is_empty_dir(int dir_fd)
{
	DIR *dir = fdopendir(fcntl(dir_fd, F_DUPFD_CLOEXEC, 0));
	const struct dirent *entry;
	bool is_empty = dir != NULL;

	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			is_empty = false;
	}
	closedir(dir);
	return is_empty;
}

static int draw_seed(uint64_t *ret_seed)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		return -errno;
	seed &= HL_BUNDLE_SEED_MAX;
	*ret_seed = seed ? seed : 1;
	return 0;
}

/* The empty directory, and in it what every bundle has but for bundle.json. */
static int make_layout(struct hl_bundle *bundle, const char *dir)
{
	const int dir_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	const int new_flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;

	bundle->dir = hl_arena_strdup(bundle->arena, dir);
	if (mkdir(dir, 0700) < 0 && errno != EEXIST)
		return -errno;
	bundle->dir_fd = open(dir, dir_flags);
	if (bundle->dir_fd < 0)
		return -errno;
	if (!is_empty_dir(bundle->dir_fd))
		return -EEXIST;
	if (mkdirat(bundle->dir_fd, HL_BUNDLE_INPUTS, 0700) < 0)
		return -errno;
	bundle->inputs_fd = openat(bundle->dir_fd, HL_BUNDLE_INPUTS, dir_flags);
	if (bundle->inputs_fd < 0)
		return -errno;
	bundle->samples_fd = openat(bundle->dir_fd, HL_BUNDLE_SAMPLES, new_flags, 0600);
	if (bundle->samples_fd < 0)
		return -errno;
	return draw_seed(&bundle->seed);
}

static const char *time_now(struct hl_arena *arena)
{
	char text[sizeof("2026-11-30T09:00:00Z")] = "";
	time_t now = time(NULL);
	struct tm utc;

	if (gmtime_r(&now, &utc))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return hl_bundle_is_time(text) ? hl_arena_strdup(arena, text) : NULL;
}

int hl_bundle_create(const char *dir, struct hl_bundle **ret_bundle, struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	int r;

	r = make_layout(bundle, dir);
	if (r == -EEXIST)
		return hl_fail(err, EEXIST, "%s exists and is not empty", dir);
	if (r < 0)
		return hl_fail(err, -r, "make the bundle %s: %s", dir, strerror(-r));
	bundle->begun = time_now(bundle->arena);
	r = bundle_write(bundle, err);
	if (r < 0)
		return r;
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}

/* ---- access ---- */

size_t hl_bundle_nr_inputs(const struct hl_bundle *bundle)
{
	return bundle->nr_inputs;
}

const struct hl_bundle_input *hl_bundle_input_at(const struct hl_bundle *bundle, size_t index)
{
	return index < bundle->nr_inputs ? &bundle->inputs[index]->given : NULL;
}

int hl_bundle_read_input(const struct hl_bundle *bundle, size_t index, char **ret_bytes,
			 size_t *ret_len, struct hl_error *err)
{
	const struct input *input;
	int r;

	if (index >= bundle->nr_inputs)
		return hl_fail(err, ENOENT, "no input %zu", index);
	input = bundle->inputs[index];
	if (input->path) {
		r = hl_file_read_at(AT_FDCWD, input->path, HL_BUNDLE_SIZE_MAX, ret_bytes, ret_len);
		return r < 0 ? fail_read(input->path, r, err) : 0;
	}
	*ret_bytes = hl_strndup(input->given.bytes, input->given.len);
	*ret_len = input->given.len;
	return 0;
}

char *hl_bundle_check_input(const struct hl_bundle *bundle, size_t index, const char *bytes,
			    size_t len)
{
	const struct input *input = bundle->inputs[index];

	return hl_recorded_compare(bytes, len, input->size, input->digest);
}

const char *hl_bundle_loss_at(const struct hl_bundle *bundle, size_t index)
{
	return index < bundle->nr_losses ? bundle->losses[index] : NULL;
}

void bundle_add_loss(struct hl_bundle *bundle, const char *format, ...)
{
	va_list args;

	bundle->losses = hl_arena_extend(bundle->arena, bundle->losses, bundle->nr_losses,
					 sizeof(*bundle->losses));
	va_start(args, format);
	bundle->losses[bundle->nr_losses++] = hl_arena_vprintf(bundle->arena, format, args);
	va_end(args);
}

const struct hl_bundle_spec *hl_bundle_spec(const struct hl_bundle *bundle)
{
	return bundle->spec;
}

const char *hl_bundle_note_at(const struct hl_bundle *bundle, size_t index)
{
	return index < bundle->nr_notes ? bundle->notes[index] : NULL;
}

bool hl_bundle_is_time(const char *text)
{
	static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
	size_t i = 0;

	while (form[i] && (form[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i]))
		i++;
	return !form[i] && !text[i];
}

const char *hl_bundle_begun(const struct hl_bundle *bundle)
{
	return bundle->begun;
}

uint64_t hl_bundle_seed(const struct hl_bundle *bundle)
{
	return bundle->seed;
}

void hl_bundle_set_seed(struct hl_bundle *bundle, uint64_t seed)
{
	assert(bundle->dir_fd < 0 && seed && seed <= HL_BUNDLE_SEED_MAX);
	bundle->seed = seed;
}

size_t hl_bundle_nr_samples(const struct hl_bundle *bundle)
{
	return bundle->nr_samples;
}

const char *hl_bundle_sample_at(const struct hl_bundle *bundle, size_t index)
{
	return index < bundle->nr_samples ? bundle->samples[index] : NULL;
}

const struct hl_bundle_path *hl_bundle_path(const struct hl_bundle *bundle)
{
	return bundle->path;
}

const char *hl_bundle_stop_reason(const struct hl_bundle *bundle)
{
	return bundle->stop_reason;
}
