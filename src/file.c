/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole files: see hoploss/file.h. For files of our own; those of the machine under diagnosis are
 * opened by machine.c.
 */
#include "hoploss/file.h"
#include "hoploss/alloc.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A bundle can hold what only root may read. */
#define FILE_MODE 0600

#define FIRST_READ 8192

static ssize_t read_some(int fd, char *bytes, size_t size)
{
	ssize_t n;

	do
		n = read(fd, bytes, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

int hl_file_read_fd(int fd, size_t limit, char **ret_bytes, size_t *ret_len)
{
	HL_FREE char *bytes = NULL;
	size_t capacity = 0;
	size_t len = 0;
	ssize_t n;

	do {
		if (len == capacity) {
			capacity = capacity ? capacity * 2 : FIRST_READ;
			bytes = hl_grow(bytes, capacity + 1, 1);
		}
		n = read_some(fd, bytes + len, capacity - len);
		if (n < 0)
			return (int)n;
		len += (size_t)n;
		if (len > limit)
			return -EFBIG;
	} while (n > 0);
	bytes[len] = '\0';
	*ret_bytes = bytes;
	*ret_len = len;
	bytes = NULL;
	return 0;
}

/* A descriptor of a regular file, to be closed. */
static int open_regular(int dir_fd, const char *name, struct stat *ret_st)
{
	/* O_NONBLOCK: the open of a pipe would wait for its writer */
	HL_CLOSE int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int regular = fd;

	if (fd < 0 || fstat(fd, ret_st) < 0)
		return -errno;
	if (!S_ISREG(ret_st->st_mode))
		return -EINVAL;
	fd = -1;
	return regular;
}

int hl_file_size_at(int dir_fd, const char *name, size_t *ret_size)
{
	struct stat st = { 0 };
	HL_CLOSE int fd = open_regular(dir_fd, name, &st);

	if (fd < 0)
		return fd;
	*ret_size = (size_t)st.st_size;
	return 0;
}

int hl_file_read_at(int dir_fd, const char *name, size_t limit, char **ret_bytes, size_t *ret_len)
{
	struct stat st = { 0 };
	HL_CLOSE int fd = open_regular(dir_fd, name, &st);

	return fd < 0 ? fd : hl_file_read_fd(fd, limit, ret_bytes, ret_len);
}

int hl_file_write_fd(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_new(int dir_fd, const char *name, const char *bytes, size_t len, bool is_durable)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
	HL_CLOSE int fd = openat(dir_fd, name, flags, FILE_MODE);
	int r;

	if (fd < 0)
		return -errno;
	r = hl_file_write_fd(fd, bytes, len);
	if (r < 0)
		return r;
	return is_durable && fsync(fd) < 0 ? -errno : 0;
}

int hl_file_write_at(int dir_fd, const char *name, const char *bytes, size_t len, bool is_durable)
{
	const char *slash = strrchr(name, '/');
	int len_dir = slash ? (int)(slash + 1 - name) : 0;
	HL_FREE char *temporary = hl_printf("%.*s.tmp-%d", len_dir, name, (int)getpid());
	int r;

	/* beside it: elsewhere may be another file system, and no place to write */
	r = write_new(dir_fd, temporary, bytes, len, is_durable);
	if (r == 0 && renameat(dir_fd, temporary, dir_fd, name) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(dir_fd, temporary, 0);
	return r;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **hl_file_names(int dir_fd, size_t *ret_nr)
{
	int copy = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;
	char **names = NULL;
	size_t nr = 0;

	while (dir && (entry = readdir(dir))) {
		if (is_dots(entry->d_name))
			continue;
		names = hl_grow(names, nr + 1, sizeof(*names));
		names[nr++] = hl_strdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (nr)
		qsort(names, nr, sizeof(*names), compare_names);
	*ret_nr = nr;
	return names;
}

/* All names of a directory; it is closed. */
static int remove_names(int dir_fd)
{
	DIR *dir = fdopendir(dir_fd);
	const struct dirent *entry;
	int r = 0;

	if (!dir) {
		r = -errno;
		close(dir_fd);
		return r;
	}
	while (r == 0 && (entry = readdir(dir))) {
		if (!is_dots(entry->d_name))
			r = hl_file_remove_at(dirfd(dir), entry->d_name);
	}
	closedir(dir);
	return r;
}

int hl_file_remove_at(int dir_fd, const char *name)
{
	int fd, r;

	if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = remove_names(fd);
	if (r < 0)
		return r;
	return unlinkat(dir_fd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}
