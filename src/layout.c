/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making files to be measured: see hoploss/layout.h.
 *
 * The maker holds a lock on its journal for as long as it works; the kernel lets go of it when the
 * process ends, however it ends. So a journal without a lock is one of a dead process.
 */
#include "hoploss/layout.h"
#include "hoploss/alloc.h"
#include "hoploss/capture.h"
#include "hoploss/file.h"
#include "hoploss/json.h"
#include "hoploss/machine.h"
#include "hoploss/pool_room.h"
#include "hoploss/random.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define JOURNAL_DIR   "/var/lib/hoploss"
#define SCHEMA        "hoploss.layout/1"
#define LIMIT         65536
#define CHUNK         HL_MARK_AREA
#define LEAST_FREE    0.1
#define LEAST_OF_POOL 0.2

/* ---- may it be made ---- */

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return hl_strdup(".");
	return slash == path ? hl_strdup("/") : hl_strndup(path, (size_t)(slash - path));
}

static bool find_pool(const char *directory, char *ret_pool, size_t size)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	HL_FREE char *mounts = NULL;
	struct stat status;
	bool is_found;
	size_t len;

	is_found = stat(directory, &status) == 0 &&
		   hl_machine_read(machine, "/proc/self/mountinfo", &mounts, &len, NULL) == 0 &&
		   hl_pool_of_mount(mounts, status.st_dev, ret_pool, size);
	hl_machine_close(machine);
	return is_found;
}

static int ask_room(const char *pool, struct hl_pool_room *ret_room, struct hl_error *err)
{
	const char *const argv[] = { "zfs", "list", "-Hp", "-o", "used,avail", pool, NULL };
	HL_FREE char *text = NULL;
	struct hl_error why = { 0 };
	size_t len;

	if (hl_capture_output(argv, &text, &len, &why) < 0)
		return hl_fail(err, EOPNOTSUPP, "how full the pool %s is cannot be told: %s", pool,
			       why.text);
	if (!text || hl_pool_room_read(text, ret_room) < 0)
		return hl_fail(err, EOPNOTSUPP, "how full the pool %s is cannot be told", pool);
	return 0;
}

static int check_pool(const char *path, const char *directory, double size, struct hl_error *err)
{
	struct hl_pool_room room = { 0 };
	char pool[256], least[HL_UNIT_TEXT];
	double wanted;
	int rc;

	if (!find_pool(directory, pool, sizeof(pool)))
		return 0;
	rc = ask_room(pool, &room, err);
	wanted = (room.used + room.available) * LEAST_OF_POOL;
	if (rc < 0 || room.available - size >= wanted)
		return rc;
	return hl_fail(err, ENOSPC, "%s: less than 20 %% of the pool %s (%s) would stay free", path,
		       pool, hl_unit_size(least, wanted));
}

int hl_layout_check(const char *path, double size, struct hl_error *err)
{
	HL_FREE char *directory = directory_of(path);
	char least[HL_UNIT_TEXT];
	struct statvfs space;
	struct stat status;
	double all, left;

	if (!(size >= 2 * HL_MARK_LEAST && fmod(size, CHUNK) == 0))
		return hl_fail(err, EINVAL, "--size: whole MiB, at least %u",
			       2 * HL_MARK_LEAST >> 20);
	if (lstat(path, &status) == 0)
		return hl_fail(err, EEXIST, "%s is there already: name a new file", path);
	if (statvfs(directory, &space) < 0)
		return hl_fail(err, errno, "%s: %s", directory, strerror(errno));
	all = (double)space.f_blocks * (double)space.f_frsize;
	left = (double)space.f_bavail * (double)space.f_frsize - size;
	if (left >= all * LEAST_FREE)
		return check_pool(path, directory, size, err);
	return hl_fail(err, ENOSPC, "%s: less than 10 %% of its file system (%s) would stay free",
		       path, hl_unit_size(least, all * LEAST_FREE));
}

/* ---- journals ---- */

static char *journal_path(const char *uuid)
{
	return hl_printf(JOURNAL_DIR "/%s.json", uuid);
}

static char *journal_text(const struct hl_mark *mark, const char *file)
{
	char *text = NULL;
	size_t len;
	FILE *stream = open_memstream(&text, &len);
	struct hl_json_out *out = hl_json_out_new(stream);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", SCHEMA);
	hl_json_put_string(out, "uuid", mark->uuid);
	hl_json_put_string(out, "machine", mark->machine);
	hl_json_put_string(out, "file", file);
	hl_json_close(out);
	hl_json_out_free(out);
	fclose(stream);
	return text;
}

/* Returns the descriptor that holds the lock. */
static int journal_begin(const struct hl_mark *mark, const char *file, struct hl_error *err)
{
	HL_FREE char *path = journal_path(mark->uuid);
	HL_FREE char *text = journal_text(mark, file);
	int fd;

	if (mkdir(JOURNAL_DIR, 0700) < 0 && errno != EEXIST)
		return hl_fail(err, errno, JOURNAL_DIR ": %s", strerror(errno));
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fsync(fd) == 0)
		return fd;
	unlink(path);
	close(fd);
	return hl_fail(err, errno, "%s: %s", path, strerror(errno));
}

static void journal_end(const struct hl_mark *mark, int fd)
{
	HL_FREE char *path = journal_path(mark->uuid);

	unlink(path);
	close(fd);
}

/* ---- making ---- */

static int fill(int fd, const char *path, const struct hl_mark *mark, struct hl_error *err)
{
	HL_FREE char *chunk = hl_alloc(CHUNK);
	uint64_t state = (uint64_t)getpid();
	int rc;

	hl_mark_write(mark, chunk);
	rc = hl_file_write_fd(fd, chunk, CHUNK);
	for (uint64_t at = CHUNK; rc == 0 && at < mark->size; at += CHUNK) {
		hl_random_fill((uint64_t *)chunk, CHUNK / sizeof(uint64_t), &state);
		rc = hl_file_write_fd(fd, chunk, CHUNK);
	}
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	return rc < 0 ? hl_fail(err, -rc, "%s: %s", path, strerror(-rc)) : 0;
}

static int make(const char *path, const struct hl_mark *mark, struct hl_error *err)
{
	HL_CLOSE int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	int rc;

	if (fd < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	if (fsetxattr(fd, HL_MARK_XATTR, mark->uuid, strlen(mark->uuid), XATTR_CREATE) < 0)
		rc = hl_fail(err, errno, "%s: its file system keeps no " HL_MARK_XATTR ": %s", path,
			     strerror(errno));
	else
		rc = fill(fd, path, mark, err);
	if (rc < 0)
		unlink(path);
	return rc;
}

int hl_layout_make(const char *path, double size, struct hl_mark *ret_mark, struct hl_error *err)
{
	HL_FREE char *directory = directory_of(path);
	HL_FREE char *real = realpath(directory, NULL);
	HL_FREE char *file = NULL;
	struct hl_mark mark;
	int rc = hl_layout_check(path, size, err), journal;

	if (rc == 0)
		rc = hl_mark_new((uint64_t)size, &mark, err);
	if (rc < 0)
		return rc;
	if (!real)
		return hl_fail(err, errno, "%s: %s", directory, strerror(errno));
	file = hl_printf("%s/%s", real, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	journal = journal_begin(&mark, file, err);
	if (journal < 0)
		return journal;
	rc = make(file, &mark, err);
	journal_end(&mark, journal);
	if (rc == 0)
		*ret_mark = mark;
	return rc;
}

/* ---- cleaning ---- */

static bool is_of_this_machine(const struct hl_json *journal)
{
	const char *machine = hl_json_string(hl_json_get(journal, "machine"));
	struct hl_mark here;

	return machine && hl_mark_new(0, &here, NULL) == 0 && !strcmp(machine, here.machine);
}

/* Only a file that carries the journal's UUID goes; a file that is gone needs nothing. */
static int remove_file(const struct hl_json *journal, hl_layout_removed *removed, void *context,
		       struct hl_error *err)
{
	const char *uuid = hl_json_string(hl_json_get(journal, "uuid"));
	const char *file = hl_json_string(hl_json_get(journal, "file"));
	char found[sizeof(((struct hl_mark *)0)->uuid)] = "";

	if (!uuid || !file)
		return hl_fail(err, EBADMSG, "a journal without uuid and file");
	if (lgetxattr(file, HL_MARK_XATTR, found, sizeof(found) - 1) < 0 ||
	    strcmp(found, uuid) != 0)
		return 0;
	if (unlink(file) < 0)
		return hl_fail(err, errno, "%s: %s", file, strerror(errno));
	removed(context, "file", file);
	return 0;
}

static int clean_one(const char *path, hl_layout_removed *removed, void *context,
		     struct hl_error *err)
{
	HL_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	HL_JSON struct hl_json *journal = NULL;
	HL_FREE char *bytes = NULL;
	const char *schema;
	size_t len;
	int rc;

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
		return 0; /* its maker lives */
	rc = hl_file_read_fd(fd, LIMIT, &bytes, &len);
	if (rc < 0)
		return hl_fail(err, -rc, "%s: %s", path, strerror(-rc));
	if (hl_json_parse(bytes, len, &journal, NULL, NULL) < 0)
		return 0;
	schema = hl_json_string(hl_json_get(journal, "schema"));
	if (!schema || strcmp(schema, SCHEMA) != 0 || !is_of_this_machine(journal))
		return 0;
	rc = remove_file(journal, removed, context, err);
	if (rc == 0)
		unlink(path);
	return rc;
}

int hl_layout_clean(hl_layout_removed *removed, void *context, struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	char **names;
	size_t nr;
	int rc = 0;

	if (hl_machine_list(machine, JOURNAL_DIR, &names, &nr, NULL) == 0) {
		for (size_t i = 0; i < nr && rc == 0; i++) {
			HL_FREE char *path = hl_printf(JOURNAL_DIR "/%s", names[i]);

			rc = clean_one(path, removed, context, err);
		}
		hl_machine_free_names(names, nr);
	}
	hl_machine_close(machine);
	return rc;
}
