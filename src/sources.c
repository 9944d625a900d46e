/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files named on the command line: see hoploss/sources.h.
 */
#include "hoploss/sources.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hl_sources_clear(struct hl_sources *sources)
{
	for (size_t i = 0; i < sources->nr; i++) {
		free(sources->items[i].path);
		free(sources->items[i].shown);
		free(sources->items[i].hop);
	}
	free(sources->items);
	*sources = (struct hl_sources){ 0 };
}

static void find_file(struct hl_source *source)
{
	struct stat st;

	if (stat(source->path, &st) < 0)
		return;
	source->device = st.st_dev;
	source->inode = st.st_ino;
}

/* The same file under another name, too: one result is one, however often it is given. */
static bool is_same_file(const struct hl_source *a, const struct hl_source *b)
{
	return !strcmp(a->path, b->path) ||
	       (a->inode && a->device == b->device && a->inode == b->inode);
}

/* Drops files that a hop was given before. */
static void drop_repeats(struct hl_sources *sources)
{
	size_t nr = 0;

	for (size_t i = 0; i < sources->nr; i++) {
		struct hl_source source = sources->items[i];
		bool is_repeated = false;

		for (size_t k = 0; k < nr && source.is_ordered && !is_repeated; k++)
			is_repeated = sources->items[k].is_ordered &&
				      !strcmp(sources->items[k].hop, source.hop) &&
				      is_same_file(&sources->items[k], &source);
		if (is_repeated) {
			free(source.path);
			free(source.hop);
		} else {
			sources->items[nr++] = source;
		}
	}
	sources->nr = nr;
}

/* Adds one like another, with its own copies of the path's len characters and of the hop. */
static void add_source(struct hl_sources *sources, const char *path, size_t len,
		       const struct hl_source *like)
{
	struct hl_source *source;

	sources->items = hl_grow(sources->items, sources->nr + 1, sizeof(*sources->items));
	source = &sources->items[sources->nr++];
	*source = *like;
	source->path = hl_strndup(path, len);
	source->hop = like->hop ? hl_strdup(like->hop) : NULL;
	find_file(source);
}

static int fail_layer(const char *name, struct hl_error *err)
{
	char names[160] = "";
	size_t len = 0;

	for (int i = HL_LAYER_LINK; i < HL_NR_LAYERS && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, " %s",
					hl_layer_name((enum hl_layer)i));
	return hl_fail(err, EINVAL, "--hop: there is no layer \"%s\"; it is one of%s", name, names);
}

static int read_layer(const char *name, enum hl_layer *ret_layer, struct hl_error *err)
{
	enum hl_layer layer;

	if (hl_layer_parse(name, &layer) < 0)
		return fail_layer(name, err);
	if (layer == HL_LAYER_DATASHEET)
		return hl_fail(err, EINVAL,
			       "--hop: a datasheet is not measured; give it by --spec");
	*ret_layer = layer;
	return 0;
}

/* A file with a comma in its name is taken whole where it exists. */
static int add_files(struct hl_sources *sources, const char *files, const struct hl_source *like,
		     struct hl_error *err)
{
	size_t len;

	if (access(files, F_OK) == 0) {
		add_source(sources, files, strlen(files), like);
		return 0;
	}
	for (const char *file = files; file; file = file[len] ? file + len + 1 : NULL) {
		len = strcspn(file, ",");
		if (!len)
			return hl_fail(err, EINVAL, "--hop %s: a file name is missing", like->hop);
		add_source(sources, file, len, like);
	}
	return 0;
}

static int read_hop(struct hl_sources *sources, const char *value, struct hl_error *err)
{
	const char *equals = strchr(value, '=');
	HL_FREE char *name = hl_strndup(value, equals ? (size_t)(equals - value) : strlen(value));
	char *layer = strchr(name, ':');
	struct hl_source like = { .hop = name, .is_ordered = true };
	int r = 0;

	if (!equals)
		return hl_fail(err, EINVAL,
			       "--hop %s: no \"=\"; write NAME=FILE or NAME:LAYER=FILE", value);
	if (layer) {
		*layer++ = '\0';
		r = read_layer(layer, &like.layer, err);
	}
	if (r == 0 && !*name)
		r = hl_fail(err, EINVAL, "--hop %s: the hop has no name", value);
	return r < 0 ? r : add_files(sources, equals + 1, &like, err);
}

/* One hop has one layer, and standard input can be read only once. */
static int check_source(const struct hl_sources *sources, size_t index, struct hl_error *err)
{
	const struct hl_source *new = &sources->items[index];

	if (!*new->path)
		return hl_fail(err, EINVAL, "a file name is empty");
	for (size_t i = 0; i < index; i++) {
		const struct hl_source *old = &sources->items[i];
		bool is_same_hop = new->is_ordered && old->is_ordered &&
				   !strcmp(new->hop, old->hop);

		if (new->path[0] == '-' && !strcmp(new->path, old->path) && !new->path[1])
			return hl_fail(err, EINVAL, "standard input (-) is given twice");
		if (is_same_hop && new->layer && old->layer &&new->layer != old->layer)
			return hl_fail(err, EINVAL, "hop %s is given as %s and as %s", new->hop,
				       hl_layer_name(old->layer), hl_layer_name(new->layer));
	}
	return 0;
}

/* ---- names for plain files ---- */

static const char *shown_name(const char *path)
{
	const char *base = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return "stdin";
	return base && base[1] ? base + 1 : path;
}

static size_t stem_length(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

static bool is_taken(const struct hl_sources *sources, const char *hop)
{
	for (size_t i = 0; i < sources->nr; i++) {
		if (sources->items[i].hop && !strcmp(sources->items[i].hop, hop))
			return true;
	}
	return false;
}

/* How many of the plain files before have the same stem. */
static unsigned count_namesakes(const struct hl_sources *sources, size_t index)
{
	const char *name = shown_name(sources->items[index].path);
	size_t len = stem_length(name);
	unsigned nr = 0;

	for (size_t i = 0; i < index; i++) {
		const char *other = shown_name(sources->items[i].path);

		nr += !sources->items[i].is_ordered && stem_length(other) == len &&
		      !memcmp(other, name, len);
	}
	return nr;
}

/* "fio", and for the next file of that stem "fio-2". */
static void name_plain_hop(struct hl_sources *sources, size_t index)
{
	const char *name = shown_name(sources->items[index].path);
	int len = (int)stem_length(name);
	unsigned n = count_namesakes(sources, index) + 1;
	char *hop = n > 1 ? hl_printf("%.*s-%u", len, name, n) : hl_printf("%.*s", len, name);

	while (is_taken(sources, hop)) {
		free(hop);
		hop = hl_printf("%.*s-%u", len, name, ++n);
	}
	sources->items[index].hop = hop;
}

/* ---- names for reports ---- */

/* Where the last nr parts of a path begin. */
static const char *last_parts(const char *path, unsigned nr)
{
	const char *at = path + strlen(path);

	while (at > path) {
		if (at[-1] == '/' && at[0] && at[0] != '/' && !--nr)
			return at;
		at--;
	}
	return path;
}

static bool is_shown_twice(const struct hl_sources *sources, size_t index, unsigned nr)
{
	const char *path = sources->items[index].path, *shown = last_parts(path, nr);

	for (size_t i = 0; i < sources->nr; i++) {
		const char *other = sources->items[i].path;

		if (strcmp(path, other) != 0 && !strcmp(shown, last_parts(other, nr)))
			return true;
	}
	return false;
}

/* Runs of two files of one name would be taken for runs of one file. */
static void show(struct hl_sources *sources, size_t index)
{
	struct hl_source *source = &sources->items[index];
	unsigned nr = 1;

	while (is_shown_twice(sources, index, nr) && last_parts(source->path, nr) != source->path)
		nr++;
	source->shown = hl_strdup(nr > 1 ? last_parts(source->path, nr) : shown_name(source->path));
}

int hl_sources_read(const struct hl_args *args, struct hl_sources *ret_sources,
		    struct hl_error *err)
{
	const struct hl_source plain = { .layer = HL_LAYER_NONE };
	const char *option, *value;
	int r = 0;

	*ret_sources = (struct hl_sources){ 0 };
	for (size_t i = 0; r == 0 && hl_args_each(args, i, &option, &value); i++) {
		if (!option)
			add_source(ret_sources, value, strlen(value), &plain);
		else if (!strcmp(option, "hop"))
			r = read_hop(ret_sources, value, err);
	}
	for (size_t i = 0; r == 0 && i < ret_sources->nr; i++)
		r = check_source(ret_sources, i, err);
	if (r == 0)
		drop_repeats(ret_sources);
	for (size_t i = 0; r == 0 && i < ret_sources->nr; i++) {
		if (!ret_sources->items[i].is_ordered)
			name_plain_hop(ret_sources, i);
		show(ret_sources, i);
	}
	return r;
}

bool hl_source_is_repeat(const struct hl_sources *sources, size_t index)
{
	const struct hl_source *source = &sources->items[index];

	for (size_t i = 0; i < index && !source->is_ordered; i++) {
		const struct hl_source *other = &sources->items[i];

		if (!other->is_ordered && is_same_file(other, source))
			return true;
	}
	return false;
}

struct hl_bundle_input hl_source_input(const struct hl_source *source)
{
	return (struct hl_bundle_input){
		.file = source->shown,
		.hop = source->hop,
		.layer = source->layer,
		.is_ordered = source->is_ordered,
	};
}

bool hl_source_can_wait(const struct hl_source *source)
{
	struct stat st;

	return strcmp(source->path, "-") != 0 && lstat(source->path, &st) == 0 &&
	       S_ISREG(st.st_mode);
}
