/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing records into directories: see hoploss/record.h.
 *
 * Surprising: every directory on the way is opened without following links. A recorded link is
 * there as a link, and a record of a hostile machine whose path leads through it must not be
 * written where it points.
 */
#include "hoploss/record.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define DIR_MODE  0700
#define NAME_LIKE "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+:@,=-"

/* ---- names ---- */

char *hl_record_name(const char *word)
{
	char *name = hl_alloc(strlen(word) * 3 + 1);
	char *out = name;

	for (const char *at = word; *at; at++) {
		bool is_plain = strchr(NAME_LIKE, *at) || (*at == '.' && at > word);

		if (is_plain)
			*out++ = *at;
		else
			out += snprintf(out, 4, "%%%02X", (unsigned char)*at);
	}
	return name;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -EINVAL;
}

int hl_record_word(const char *name, char **ret_word)
{
	HL_FREE char *word = hl_alloc(strlen(name) + 1);
	char *out = word;

	for (const char *at = name; *at; at++) {
		int high, low;

		if (*at != '%') {
			*out++ = *at;
			continue;
		}
		high = hex_digit(at[1]);
		low = high < 0 ? high : hex_digit(at[2]);
		if (low < 0 || high + low == 0)
			return -EINVAL;
		*out++ = (char)(high << 4 | low);
		at += 2;
	}
	if (out == word)
		return -EINVAL;
	*ret_word = word;
	word = NULL;
	return 0;
}

/* ---- writing ---- */

static bool is_name(const char *name)
{
	return strcmp(name, "..") != 0 && strlen(name) <= NAME_MAX;
}

/* Makes each directory of a relative path. Returns the last one, open, or -errno. */
static int make_dirs(int dir_fd, const char *path)
{
	HL_FREE char *copy = hl_strdup(path);
	char *rest = copy;
	char *name;
	int fd = openat(dir_fd, ".", DIR_FLAGS);

	while (fd >= 0 && (name = strsep(&rest, "/"))) {
		HL_CLOSE int parent = fd;

		if (!is_name(name))
			return -EINVAL;
		if (!*name)
			name = (char *)".";
		else if (mkdirat(parent, name, DIR_MODE) < 0 && errno != EEXIST)
			return -errno;
		fd = openat(parent, name, DIR_FLAGS | O_NOFOLLOW);
	}
	return fd < 0 ? -errno : fd;
}

/* The directory that path is in, and path's last part. */
static int parent_of(int dir_fd, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	HL_FREE char *parent = slash ? hl_strndup(path, (size_t)(slash - path)) : hl_strdup(".");
	const char *name = slash ? slash + 1 : path;

	if (!*name || !strcmp(name, ".") || !is_name(name))
		return -EINVAL;
	*ret_name = name;
	return make_dirs(dir_fd, parent);
}

static int write_file(int dir_fd, const struct hl_record *record)
{
	const char *name;
	HL_CLOSE int parent = parent_of(dir_fd, record->path, &name);

	if (parent < 0)
		return parent;
	return hl_file_write_at(parent, name, record->bytes, record->len, false);
}

static int write_link(int dir_fd, const struct hl_record *record)
{
	HL_FREE char *target = hl_strndup(record->bytes, record->len);
	const char *name;
	HL_CLOSE int parent = parent_of(dir_fd, record->path, &name);

	if (parent < 0)
		return parent;
	return symlinkat(target, parent, name) < 0 && errno != EEXIST ? -errno : 0;
}

static int write_listing(int dir_fd, const struct hl_record *record)
{
	HL_CLOSE int dir = make_dirs(dir_fd, record->path);

	if (dir < 0)
		return dir;
	return hl_file_write_at(dir, HL_RECORD_LISTING_NAME, record->bytes, record->len, false);
}

/* NAME, or NODE/NAME. */
static int write_kept(int dir_fd, const struct hl_record *record)
{
	HL_FREE char *name = hl_record_name(record->path);
	HL_FREE char *node = record->node && *record->node ? hl_record_name(record->node) : NULL;
	HL_CLOSE int dir = make_dirs(dir_fd, node ? node : ".");

	if (dir < 0)
		return dir;
	if (!*name || strlen(name) > NAME_MAX)
		return -EINVAL;
	return hl_file_write_at(dir, name, record->bytes, record->len, false);
}

int hl_record_write(int dir_fd, const struct hl_record *record)
{
	static int (*const writers[])(int dir_fd, const struct hl_record *record) = {
		[HL_RECORD_FILE] = write_file,
		[HL_RECORD_LINK] = write_link,
		[HL_RECORD_LISTING] = write_listing,
		[HL_RECORD_KEPT] = write_kept,
	};

	return writers[record->kind](dir_fd, record);
}

/* ---- a sink that is a pair of directories ---- */

struct pair {
	struct hl_capture_sink sink;
	int root_fd, kept_fd; /* -errno: why there is none */
};

/* Its own path may lead through links: the person at the keyboard said it. */
static int open_made(const char *path)
{
	HL_FREE char *copy = path ? hl_strdup(path) : NULL;
	int fd;

	if (!path)
		return -ENOENT;
	for (char *at = copy; *at;) {
		char end;

		at += strspn(at, "/");
		at += strcspn(at, "/");
		end = *at;
		*at = '\0';
		if (mkdir(copy, DIR_MODE) < 0 && errno != EEXIST)
			return -errno;
		*at = end;
	}
	fd = open(path, DIR_FLAGS);
	return fd < 0 ? -errno : fd;
}

static int pair_put(struct hl_capture_sink *sink, const struct hl_record *record)
{
	const struct pair *pair = (const struct pair *)sink;
	int dir_fd = record->kind == HL_RECORD_KEPT ? pair->kept_fd : pair->root_fd;

	return dir_fd < 0 ? dir_fd : hl_record_write(dir_fd, record);
}

static void pair_close(struct hl_capture_sink *sink)
{
	struct pair *pair = (struct pair *)sink;

	hl_close_fd(&pair->root_fd);
	hl_close_fd(&pair->kept_fd);
	free(pair);
}

struct hl_capture_sink *hl_record_dir_open(const char *root_dir, const char *kept_dir)
{
	struct pair *pair = hl_alloc(sizeof(*pair));

	pair->sink = (struct hl_capture_sink){ .put = pair_put, .close = pair_close };
	pair->root_fd = open_made(root_dir);
	pair->kept_fd = open_made(kept_dir);
	return &pair->sink;
}

void hl_record_sink_close(struct hl_capture_sink *sink)
{
	if (sink)
		sink->close(sink);
}
