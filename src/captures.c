/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures in a bundle: see hoploss/captures.h.
 */
#include "hoploss/captures.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include "hoploss/recorded.h"
#include "hoploss/recorded_tree.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIR_FLAGS  (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define ROOT_DIR   "root"
#define KEPT_DIR   "kept"
#define SIZE_MAX_  (256UL << 20) /* of one capture */
#define KEPT_MAX   (16UL << 20)  /* of one text */
#define NR_MAX     10000         /* hosts, statuses, kept texts */
#define LOSSES_MAX 5             /* that are told one by one */

static const char *const stages[] = {
	[HL_CAPTURE_ONLY] = NULL,
	[HL_CAPTURE_BEFORE] = "before",
	[HL_CAPTURE_AFTER] = "after",
};

struct captured {
	struct hl_captured is;
	int root_fd, kept_fd; /* -1: there is none */
};

/* Where records of the capture that was begun go. */
struct store {
	struct hl_capture_sink sink;
	int root_fd, kept_fd;
	size_t size;
};

struct hl_captures {
	struct hl_arena *arena;
	struct captured **items;
	size_t nr;
	struct captured *begun; /* NULL = none */
	struct store store;
};

struct hl_captures *hl_captures_new(void)
{
	struct hl_captures *captures = hl_alloc(sizeof(*captures));

	captures->arena = hl_arena_new();
	return captures;
}

static void captured_close(struct captured *captured)
{
	hl_close_fd(&captured->root_fd);
	hl_close_fd(&captured->kept_fd);
}

void hl_captures_free(struct hl_captures *captures)
{
	if (!captures)
		return;
	for (size_t i = 0; i < captures->nr; i++)
		captured_close(captures->items[i]);
	if (captures->begun)
		captured_close(captures->begun);
	free(captures->items);
	hl_arena_free(captures->arena);
	free(captures);
}

static struct captured *new_captured(struct hl_captures *captures, const char *host,
				     enum hl_capture_stage stage)
{
	struct captured *captured = hl_arena_alloc(captures->arena, sizeof(*captured));

	captured->is.host = hl_arena_strdup(captures->arena, host);
	captured->is.stage = stage;
	captured->root_fd = captured->kept_fd = -1;
	return captured;
}

static void add(struct hl_captures *captures, struct captured *captured)
{
	captures->items = hl_grow(captures->items, captures->nr + 1, sizeof(captured));
	captures->items[captures->nr++] = captured;
}

/* "hosts/pve", "hosts/pve/before": relative to the bundle, to be freed. */
static char *dir_of(const struct captured *captured)
{
	HL_FREE char *host = hl_record_name(captured->is.host);
	const char *stage = stages[captured->is.stage];

	return hl_printf("%s/%s%s%s", HL_CAPTURES_DIR, host, stage ? "/" : "", stage ? stage : "");
}

/* Goes down one name after the other, never through a link. -errno. */
static int open_below(int dir_fd, const char *path, bool makes)
{
	HL_FREE char *copy = hl_strdup(path);
	char *rest = copy, *name;
	int fd = openat(dir_fd, ".", DIR_FLAGS);

	while (fd >= 0 && (name = strsep(&rest, "/"))) {
		HL_CLOSE int parent = fd;

		if (makes && mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
			return -errno;
		fd = openat(parent, name, DIR_FLAGS);
	}
	return fd < 0 ? -errno : fd;
}

/* ---- writing ---- */

static int store_put(struct hl_capture_sink *sink, const struct hl_record *record)
{
	struct store *store = (struct store *)sink;
	int dir_fd = record->kind == HL_RECORD_KEPT ? store->kept_fd : store->root_fd;
	size_t size = record->len + 512; /* an empty file costs something, too */

	if (size > SIZE_MAX_ - store->size)
		return -EFBIG;
	store->size += size;
	return hl_record_write(dir_fd, record);
}

static int make_dirs(struct captured *captured, int bundle_fd, const char *dir)
{
	HL_CLOSE int fd = open_below(bundle_fd, dir, true);

	if (fd < 0)
		return fd;
	captured->root_fd = open_below(fd, ROOT_DIR, true);
	captured->kept_fd = open_below(fd, KEPT_DIR, true);
	return captured->root_fd < 0 ? captured->root_fd : captured->kept_fd;
}

/* What one that was killed, or is taken out, left there would be read as part of the new one. */
static int remove_old(int bundle_fd, const char *dir)
{
	static const char *const parts[] = { ROOT_DIR, KEPT_DIR };
	HL_CLOSE int fd = open_below(bundle_fd, dir, true);
	int rc = fd < 0 ? fd : 0;

	for (size_t i = 0; rc == 0 && i < sizeof(parts) / sizeof(*parts); i++)
		rc = hl_file_remove_at(fd, parts[i]);
	return rc;
}

int hl_captures_begin(struct hl_captures *captures, int bundle_fd, const char *host,
		      enum hl_capture_stage stage, struct hl_capture_sink **ret_sink,
		      struct hl_error *err)
{
	struct captured *captured = new_captured(captures, host, stage);
	HL_FREE char *dir = dir_of(captured);
	int rc;

	assert(!captures->begun);
	rc = *host ? remove_old(bundle_fd, dir) : -EINVAL;
	rc = rc < 0 ? rc : make_dirs(captured, bundle_fd, dir);
	if (rc < 0) {
		captured_close(captured);
		return hl_fail(err, -rc, "make %s: %s", dir, strerror(-rc));
	}
	captures->begun = captured;
	captures->store = (struct store){
		.sink.put = store_put,
		.root_fd = captured->root_fd,
		.kept_fd = captured->kept_fd,
	};
	*ret_sink = &captures->store.sink;
	return 0;
}

static void add_status(struct hl_captures *captures, struct captured *captured,
		       const struct hl_capture_status *status)
{
	struct hl_arena *arena = captures->arena;
	struct hl_capture_status *statuses = hl_arena_extend(
		arena, (void *)captured->is.statuses, captured->is.nr_statuses, sizeof(*statuses));

	statuses[captured->is.nr_statuses++] = (struct hl_capture_status){
		hl_arena_strdup(arena, status->probe),
		hl_arena_strdup(arena, status->status),
		hl_arena_strdup(arena, status->reason),
	};
	captured->is.statuses = statuses;
}

void hl_captures_say(struct hl_captures *captures, const struct hl_capture_status *status)
{
	assert(captures->begun);
	add_status(captures, captures->begun, status);
}

void hl_captures_forget(struct hl_captures *captures, enum hl_capture_stage stage)
{
	size_t nr = 0;

	for (size_t i = 0; i < captures->nr; i++) {
		if (captures->items[i]->is.stage == stage)
			captured_close(captures->items[i]);
		else
			captures->items[nr++] = captures->items[i];
	}
	captures->nr = nr;
}

static void print_captured(const struct hl_captured *captured, struct hl_json_out *out)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "host", captured->host);
	hl_json_put_string(out, "stage", stages[captured->stage]);
	hl_json_array(out, "probes");
	for (size_t i = 0; i < captured->nr_statuses; i++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "probe", captured->statuses[i].probe);
		hl_json_put_string(out, "status", captured->statuses[i].status);
		hl_json_put_string(out, "reason", captured->statuses[i].reason);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
}

void hl_captures_print(const struct hl_captures *captures, struct hl_json_out *out)
{
	if (!captures->nr)
		return;
	hl_json_array(out, "captures");
	for (size_t i = 0; i < captures->nr; i++)
		print_captured(&captures->items[i]->is, out);
	hl_json_close(out);
}

/* ---- opening ---- */

static int read_stage(const struct hl_json *object, enum hl_capture_stage *ret_stage)
{
	const char *name = hl_json_string(hl_json_get(object, "stage"));

	*ret_stage = HL_CAPTURE_ONLY;
	for (enum hl_capture_stage stage = HL_CAPTURE_BEFORE; name && stage <= HL_CAPTURE_AFTER;
	     stage++) {
		if (!strcmp(name, stages[stage]))
			*ret_stage = stage;
	}
	return name && *ret_stage == HL_CAPTURE_ONLY ? -EBADMSG : 0;
}

static int read_statuses(struct hl_captures *captures, struct captured *captured,
			 const struct hl_json *array)
{
	if (hl_json_length(array) > NR_MAX)
		return -EBADMSG;
	for (size_t i = 0; i < hl_json_length(array); i++) {
		const struct hl_json *object = hl_json_at(array, i);
		const struct hl_capture_status status = {
			hl_json_string(hl_json_get(object, "probe")),
			hl_json_string(hl_json_get(object, "status")),
			hl_json_string(hl_json_get(object, "reason")),
		};

		if (!status.probe || !status.status)
			return -EBADMSG;
		add_status(captures, captured, &status);
	}
	return 0;
}

/* node NULL: what stands at the top, where directories are nodes. */
struct listing {
	struct hl_captures *captures;
	struct captured *captured;
	const char *dir;
};

static void add_kept(const struct listing *listing, const char *file, const char *node)
{
	struct hl_arena *arena = listing->captures->arena;
	struct hl_captured *is = &listing->captured->is;
	HL_FREE char *node_dir = node ? hl_record_name(node) : NULL;
	HL_FREE char *name = NULL;
	struct hl_kept *kept;

	if (hl_record_word(file, &name) < 0 || is->nr_kept == NR_MAX)
		return;
	kept = hl_arena_extend(arena, (void *)is->kept, is->nr_kept, sizeof(*kept));
	kept[is->nr_kept++] = (struct hl_kept){
		hl_arena_strdup(arena, name),
		hl_arena_strdup(arena, node),
		hl_arena_printf(arena, "%s/%s/%s%s%s", listing->dir, KEPT_DIR, node ? node_dir : "",
				node ? "/" : "", file),
	};
	is->kept = kept;
}

static bool is_kind(int dir_fd, const char *name, mode_t kind)
{
	struct stat st;

	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (st.st_mode & S_IFMT) == kind;
}

/* Names that hl_record_name does not make are none of ours. */
static bool is_ours(const char *name)
{
	HL_FREE char *word = NULL;
	HL_FREE char *again = hl_record_word(name, &word) == 0 ? hl_record_name(word) : NULL;

	return again && !strcmp(name, again);
}

static void list_kept(const struct listing *listing, int dir_fd, const char *node)
{
	int copy = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;

	if (!dir)
		return;
	rewinddir(dir);
	while ((entry = readdir(dir))) {
		HL_FREE char *word = NULL;

		if (!is_ours(entry->d_name))
			continue;
		if (is_kind(dir_fd, entry->d_name, S_IFREG))
			add_kept(listing, entry->d_name, node);
		if (node || !is_kind(dir_fd, entry->d_name, S_IFDIR) ||
		    hl_record_word(entry->d_name, &word) < 0)
			continue;
		HL_CLOSE int below = openat(dir_fd, entry->d_name, DIR_FLAGS);

		if (below >= 0)
			list_kept(listing, below, word);
	}
	closedir(dir);
}

static int compare_kept(const void *a, const void *b)
{
	return strcmp(((const struct hl_kept *)a)->file, ((const struct hl_kept *)b)->file);
}

static void list_all_kept(struct hl_captures *captures, struct captured *captured, const char *dir)
{
	const struct listing listing = { captures, captured, dir };

	if (captured->kept_fd >= 0)
		list_kept(&listing, captured->kept_fd, NULL);
	if (captured->is.nr_kept)
		qsort((void *)captured->is.kept, captured->is.nr_kept, sizeof(struct hl_kept),
		      compare_kept);
}

int hl_captures_end(struct hl_captures *captures, struct hl_error *err)
{
	struct captured *captured = captures->begun;
	HL_FREE char *dir = NULL;

	assert(captured);
	HL_CLOSE int fd = openat(captured->root_fd, "..", DIR_FLAGS);

	dir = dir_of(captured);
	list_all_kept(captures, captured, dir);
	add(captures, captured);
	captures->begun = NULL;
	return hl_recorded_write(fd, err);
}

/* A probe has read something. */
static bool has_any(const struct captured *captured)
{
	for (size_t i = 0; i < captured->is.nr_statuses; i++) {
		if (!strcmp(captured->is.statuses[i].status, "ok"))
			return true;
	}
	return false;
}

struct losing {
	struct hl_captures *captures;
	struct captured *captured;
	size_t nr; /* that were told of */
};

static void add_loss(struct hl_captures *captures, struct captured *captured, const char *text)
{
	struct hl_captured *is = &captured->is;
	const char **losses = hl_arena_extend(captures->arena, (void *)is->losses, is->nr_losses,
					      sizeof(*losses));

	losses[is->nr_losses++] = hl_arena_strdup(captures->arena, text);
	is->losses = losses;
}

static void tell_loss(void *context, const char *text)
{
	struct losing *losing = context;

	if (losing->nr++ < LOSSES_MAX)
		add_loss(losing->captures, losing->captured, text);
}

static int check_files(struct hl_captures *captures, struct captured *captured, int fd,
		       const char *dir, struct hl_error *err)
{
	struct losing losing = { captures, captured, 0 };
	int r = hl_recorded_check_files(fd, dir, tell_loss, &losing, err);
	HL_FREE char *rest = hl_printf("%s: %zu more files are not as they were recorded", dir,
				       losing.nr - captured->is.nr_losses);

	if (r == 0 && losing.nr > captured->is.nr_losses)
		add_loss(captures, captured, rest);
	return r;
}

/* What is missing was not recorded, or lost: then there is nothing to read. */
static int open_dirs(struct hl_captures *captures, int bundle_fd, struct captured *captured,
		     struct hl_error *err)
{
	HL_FREE char *dir = dir_of(captured);
	HL_FREE char *missing = hl_printf("%s: is missing", dir);
	HL_CLOSE int fd = open_below(bundle_fd, dir, false);
	int r;

	if (fd == -ENOTDIR || fd == -ELOOP)
		return hl_fail(err, ELOOP, "%s: this is no directory, but a link or a file", dir);
	if (fd < 0) {
		if (has_any(captured))
			add_loss(captures, captured, missing);
		return 0;
	}
	captured->root_fd = openat(fd, ROOT_DIR, DIR_FLAGS);
	captured->kept_fd = openat(fd, KEPT_DIR, DIR_FLAGS);
	list_all_kept(captures, captured, dir);
	r = hl_recorded_check_links(fd, dir, err);
	return r < 0 ? r : check_files(captures, captured, fd, dir, err);
}

/* -EBADMSG: the object is broken; -ELOOP: what it is about, and err says what. */
static int read_captured(struct hl_captures *captures, int bundle_fd, const struct hl_json *object,
			 struct hl_error *err)
{
	const char *host = hl_json_string(hl_json_get(object, "host"));
	struct captured *captured;
	enum hl_capture_stage stage;

	if (!host || !*host || read_stage(object, &stage) < 0)
		return -EBADMSG;
	captured = new_captured(captures, host, stage);
	add(captures, captured);
	if (read_statuses(captures, captured, hl_json_get(object, "probes")) < 0)
		return -EBADMSG;
	return open_dirs(captures, bundle_fd, captured, err);
}

int hl_captures_read(struct hl_captures *captures, int bundle_fd, const struct hl_json *array,
		     struct hl_error *err)
{
	size_t nr = hl_json_length(array);

	if (nr > NR_MAX)
		return hl_fail(err, EBADMSG, "%zu captures are too many", nr);
	for (size_t i = 0; i < nr; i++) {
		int rc = read_captured(captures, bundle_fd, hl_json_at(array, i), err);

		if (rc == -EBADMSG)
			return hl_fail(err, EBADMSG, "capture %zu is broken", i + 1);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int dup_fd(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

static const char *with_prefix(struct hl_arena *arena, const char *from, const char *file)
{
	return hl_arena_printf(arena, "%s/%s", from, file);
}

void hl_captures_join(struct hl_captures *captures, const struct hl_captures *others,
		      const char *from)
{
	struct hl_arena *arena = captures->arena;

	for (size_t i = 0; i < others->nr; i++) {
		const struct captured *other = others->items[i];
		struct captured *mine = new_captured(captures, other->is.host, other->is.stage);
		struct hl_kept *kept = hl_arena_alloc(arena, other->is.nr_kept * sizeof(*kept));

		mine->is.from = hl_arena_strdup(arena, from);
		mine->root_fd = dup_fd(other->root_fd);
		mine->kept_fd = dup_fd(other->kept_fd);
		for (size_t j = 0; j < other->is.nr_statuses; j++)
			add_status(captures, mine, &other->is.statuses[j]);
		for (size_t j = 0; j < other->is.nr_kept; j++)
			kept[j] = (struct hl_kept){
				hl_arena_strdup(arena, other->is.kept[j].name),
				hl_arena_strdup(arena, other->is.kept[j].node),
				with_prefix(arena, from, other->is.kept[j].file),
			};
		for (size_t j = 0; j < other->is.nr_losses; j++) {
			HL_FREE char *loss = hl_printf("%s/%s", from, other->is.losses[j]);

			add_loss(captures, mine, loss);
		}
		mine->is.kept = kept;
		mine->is.nr_kept = other->is.nr_kept;
		add(captures, mine);
	}
}

/* ---- reading ---- */

size_t hl_captures_nr(const struct hl_captures *captures)
{
	return captures->nr;
}

const struct hl_captured *hl_captures_at(const struct hl_captures *captures, size_t index)
{
	return index < captures->nr ? &captures->items[index]->is : NULL;
}

struct hl_machine *hl_captures_machine(const struct hl_captures *captures, size_t index)
{
	return hl_machine_open_at(captures->items[index]->root_fd);
}

int hl_captures_read_kept(const struct hl_captures *captures, size_t index, size_t kept,
			  char **ret_bytes, size_t *ret_len, struct hl_error *err)
{
	const struct captured *captured = captures->items[index];
	const struct hl_kept *which = &captured->is.kept[kept];
	HL_FREE char *name = hl_record_name(which->name);
	HL_FREE char *node = which->node ? hl_record_name(which->node) : NULL;
	HL_CLOSE int dir = openat(captured->kept_fd, node ? node : ".", DIR_FLAGS);
	int rc = dir < 0 ? -errno : hl_file_read_at(dir, name, KEPT_MAX, ret_bytes, ret_len);

	return rc < 0 ? hl_fail(err, -rc, "read %s: %s", which->file, strerror(-rc)) : 0;
}

/* ---- putting it elsewhere ---- */

static int put_kept(const struct hl_captures *captures, size_t index, size_t kept,
		    struct hl_capture_sink *sink, struct hl_error *err)
{
	const struct hl_kept *which = &captures->items[index]->is.kept[kept];
	struct hl_record record = {
		.kind = HL_RECORD_KEPT,
		.path = which->name,
		.node = which->node,
	};
	HL_FREE char *bytes = NULL;
	int rc = hl_captures_read_kept(captures, index, kept, &bytes, &record.len, err);

	if (rc < 0)
		return rc;
	record.bytes = bytes;
	rc = sink->put(sink, &record);
	return rc < 0 ? hl_fail(err, -rc, "record %s: %s", which->file, strerror(-rc)) : 0;
}

int hl_captures_put(const struct hl_captures *captures, size_t index, struct hl_capture_sink *sink,
		    struct hl_error *err)
{
	const struct captured *captured = captures->items[index];
	int rc = captured->root_fd < 0
			 ? 0
			 : hl_recorded_tree_put(captured->root_fd, SIZE_MAX_, sink, err);

	for (size_t i = 0; rc == 0 && i < captured->is.nr_kept; i++)
		rc = put_kept(captures, index, i, sink, err);
	return rc;
}
