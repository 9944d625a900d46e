/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a test came: see hoploss/fill_position.h.
 */
#include "hoploss/fill_position.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include "hoploss/json.h"
#include "hoploss/mark.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SCHEMA      "hoploss.fill/1"
#define LIMIT       (1u << 20) /* bytes of the file */
#define MOST_ROUNDS 1000
#define EXACT       9007199254740992.0 /* 2^53: whole numbers below it survive JSON */

static const struct {
	const char *key;
	size_t offset;
} figures[] = {
	{ "bytes", offsetof(struct hl_fill_drive, bytes) },
	{ "seconds", offsetof(struct hl_fill_drive, seconds) },
	{ "written", offsetof(struct hl_fill_drive, written) },
	{ "write_bw", offsetof(struct hl_fill_drive, write_bw) },
	{ "read_back", offsetof(struct hl_fill_drive, read_back) },
	{ "read_bw", offsetof(struct hl_fill_drive, read_bw) },
	{ "filled", offsetof(struct hl_fill_drive, filled) },
};

#define NR_FIGURES (sizeof(figures) / sizeof(*figures))

static void put_drive(struct hl_json_out *out, const struct hl_fill_drive *drive)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "serial", drive->serial);
	hl_json_put_string(out, "mark", drive->mark);
	hl_json_put_number(out, "size", (double)drive->size);
	for (size_t i = 0; i < NR_FIGURES; i++)
		hl_json_put_number(out, figures[i].key,
				   *(const double *)((const char *)drive + figures[i].offset));
	hl_json_put_string(out, "failure", *drive->failure ? drive->failure : NULL);
	hl_json_close(out);
}

/* What is written first stands in the same directory: it may be another file system than ours. */
static int write_beside(const char *file, const char *text, size_t len)
{
	const char *slash = strrchr(file, '/');
	HL_FREE char *directory = slash ? hl_strndup(file, (size_t)(slash - file) + 1)
					: hl_strdup(".");
	HL_CLOSE int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return dir < 0 ? -errno : hl_file_write_at(dir, slash ? slash + 1 : file, text, len, true);
}

int hl_fill_position_save(const char *file, const struct hl_fill_position *position,
			  const struct hl_fill_drive *drives, unsigned nr, struct hl_error *err)
{
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	struct hl_json_out *out = hl_json_out_new(memory);
	int rc;

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", SCHEMA);
	hl_json_put_number(out, "seed", (double)position->seed);
	hl_json_put_number(out, "pass", position->pass);
	hl_json_put_number(out, "at", (double)position->at);
	hl_json_put_string(out, "plan", *position->plan ? position->plan : NULL);
	hl_json_put_number(out, "rounds", position->rounds);
	hl_json_put_number(out, "samples", (double)position->samples);
	hl_json_put_number(out, "saved", (double)time(NULL));
	hl_json_array(out, "drives");
	for (unsigned i = 0; i < nr; i++)
		put_drive(out, &drives[i]);
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
	fclose(memory);
	rc = write_beside(file, text, len);
	return rc < 0 ? hl_fail(err, -rc, "%s: %s", file, strerror(-rc)) : 0;
}

/* ---- reading ---- */

static bool read_whole(const struct hl_json *object, const char *key, uint64_t *ret)
{
	double value = hl_json_number(hl_json_get(object, key));

	if (!(value >= 0 && value < EXACT) || value != floor(value))
		return false;
	*ret = (uint64_t)value;
	return true;
}

static const struct hl_json *find_drive(const struct hl_json *list,
					const struct hl_fill_drive *drive)
{
	for (size_t i = 0; i < hl_json_length(list); i++) {
		const struct hl_json *at = hl_json_at(list, i);
		const char *serial = hl_json_string(hl_json_get(at, "serial"));
		uint64_t size;

		if (serial && !strcmp(serial, drive->serial) && read_whole(at, "size", &size) &&
		    size == drive->size)
			return at;
	}
	return NULL;
}

static void take_drive(const struct hl_json *json, struct hl_fill_drive *drive)
{
	const char *failure = hl_json_string(hl_json_get(json, "failure"));

	for (size_t i = 0; i < NR_FIGURES; i++) {
		double value = hl_json_number(hl_json_get(json, figures[i].key));

		*(double *)((char *)drive + figures[i].offset) = value;
	}
	if (isnan(drive->bytes) || isnan(drive->seconds))
		drive->bytes = drive->seconds = 0;
	if (isnan(drive->filled))
		drive->filled = 0;
	snprintf(drive->failure, sizeof(drive->failure), "%s", failure ? failure : "");
}

/* Where one that came less far stopped, there are none. */
static void take_rounds(const struct hl_json *json, struct hl_fill_position *position)
{
	const char *plan = hl_json_string(hl_json_get(json, "plan"));
	uint64_t rounds;

	if (!read_whole(json, "saved", &position->saved))
		position->saved = 0;
	if (!plan || strlen(plan) >= sizeof(position->plan) ||
	    !read_whole(json, "rounds", &rounds) || rounds > MOST_ROUNDS ||
	    !read_whole(json, "samples", &position->samples))
		return;
	snprintf(position->plan, sizeof(position->plan), "%s", plan);
	position->rounds = (unsigned)rounds;
}

/* Who emptied it took what was written with it, and the mark is a new one. */
static bool is_emptied(const struct hl_json *json, const struct hl_fill_drive *drive)
{
	const char *mark = hl_json_string(hl_json_get(json, "mark"));

	return !mark || strcmp(mark, drive->mark) != 0;
}

static int take(const char *file, const struct hl_json *json, struct hl_fill_position *position,
		struct hl_fill_drive *drives, unsigned nr, struct hl_error *err)
{
	const struct hl_json *list = hl_json_get(json, "drives");
	const char *schema = hl_json_string(hl_json_get(json, "schema"));
	uint64_t pass;

	if (!schema || strcmp(schema, SCHEMA) != 0 || !read_whole(json, "pass", &pass) ||
	    !read_whole(json, "at", &position->at) || !read_whole(json, "seed", &position->seed) ||
	    position->at < HL_MARK_AREA)
		return hl_fail(err, EBADMSG, "%s does not say how far filling came", file);
	position->pass = (unsigned)pass;
	for (unsigned i = 0; i < nr; i++) {
		if (!find_drive(list, &drives[i]) || hl_json_length(list) != nr)
			return hl_fail(err, ESTALE,
				       "%s is of other drives than %s; another --out begins anew",
				       file, drives[i].path);
		if (is_emptied(find_drive(list, &drives[i]), &drives[i]))
			return hl_fail(err, ESTALE,
				       "%s was emptied since %s was written; another --out begins "
				       "anew",
				       drives[i].path, file);
	}
	take_rounds(json, position);
	for (unsigned i = 0; i < nr; i++)
		take_drive(find_drive(list, &drives[i]), &drives[i]);
	return 0;
}

int hl_fill_position_load(const char *file, struct hl_fill_position *ret_position,
			  struct hl_fill_drive *drives, unsigned nr, struct hl_error *err)
{
	struct hl_fill_position position = { 0 };
	HL_FREE char *bytes = NULL;
	HL_JSON struct hl_json *json = NULL;
	size_t len;
	int rc = hl_file_read_at(AT_FDCWD, file, LIMIT, &bytes, &len);

	if (rc < 0)
		return hl_fail(err, -rc, "%s: %s", file, strerror(-rc));
	if (hl_json_parse(bytes, len, &json, NULL, NULL) < 0)
		return hl_fail(err, EBADMSG, "%s does not say how far filling came", file);
	rc = take(file, json, &position, drives, nr, err);
	if (rc == 0)
		*ret_position = position;
	return rc;
}
