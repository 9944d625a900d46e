/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a recorded tree back into records: see hoploss/recorded_tree.h.
 *
 * Surprising: no link is followed; a directory is only gone through, for what was recorded of it is
 * its listing, which is a file in it.
 */
#include "hoploss/recorded_tree.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
#define DEPTH_MAX 64

struct walk {
	struct hl_capture_sink *sink;
	struct hl_error *err;
	size_t most;
	unsigned depth;
};

static int put(const struct walk *walk, enum hl_record_kind kind, const char *path,
	       const char *bytes, size_t len)
{
	const struct hl_record record = { .kind = kind, .path = path, .bytes = bytes, .len = len };
	int rc = walk->sink->put(walk->sink, &record);

	return rc < 0 ? hl_fail(walk->err, -rc, "record %s: %s", path, strerror(-rc)) : 0;
}

/* A listing is a record of the directory that it stands in. */
static int put_file(const struct walk *walk, int dir_fd, const char *dir, const char *name,
		    const char *path)
{
	bool is_listing = !strcmp(name, HL_RECORD_LISTING_NAME);
	HL_FREE char *bytes = NULL;
	size_t len;
	int rc = hl_file_read_at(dir_fd, name, walk->most, &bytes, &len);

	if (rc < 0)
		return hl_fail(walk->err, -rc, "read %s: %s", path, strerror(-rc));
	return is_listing ? put(walk, HL_RECORD_LISTING, dir, bytes, len)
			  : put(walk, HL_RECORD_FILE, path, bytes, len);
}

static int put_dir(struct walk *walk, int dir_fd, const char *dir);

static int put_entry(struct walk *walk, int dir_fd, const char *dir, const char *name)
{
	HL_FREE char *path = hl_printf("%s%s%s", dir, *dir ? "/" : "", name);
	char target[PATH_MAX];
	ssize_t len = readlinkat(dir_fd, name, target, sizeof(target));
	int rc;

	if (len >= 0)
		return put(walk, HL_RECORD_LINK, path, target, (size_t)len);
	HL_CLOSE int below = openat(dir_fd, name, DIR_FLAGS);

	if (below < 0)
		return put_file(walk, dir_fd, dir, name, path);
	if (walk->depth == DEPTH_MAX)
		return hl_fail(walk->err, ELOOP, "%s: too deep", path);
	walk->depth++;
	rc = put_dir(walk, below, path);
	walk->depth--;
	return rc;
}

static int put_dir(struct walk *walk, int dir_fd, const char *dir)
{
	size_t nr = 0;
	char **names = hl_file_names(dir_fd, &nr);
	int rc = 0;

	for (size_t i = 0; i < nr; i++) {
		if (rc == 0)
			rc = put_entry(walk, dir_fd, dir, names[i]);
		free(names[i]);
	}
	free(names);
	return rc;
}

int hl_recorded_tree_put(int root_fd, size_t most, struct hl_capture_sink *sink,
			 struct hl_error *err)
{
	struct walk walk = { .sink = sink, .err = err, .most = most };

	return put_dir(&walk, root_fd, "");
}
