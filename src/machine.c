/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine under diagnosis: see hoploss/machine.h. The only file that opens its files.
 *
 * Paths are resolved within the root by openat2(2) or, where the kernel or a container's seccomp
 * has none, step by step. A recording is also made step by step: every symbolic link on the way is
 * recorded as a link and the file under its real path, so that a replay walks the same way.
 *
 * Surprising: a recorded directory holds only what was read, so its listing is kept beside, in
 * ".listing", and read from there when it is replayed.
 */
#include "hoploss/machine.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_MAX  (16UL << 20)
#define LINKS_MAX 40
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

struct hl_machine {
	int root_fd;                             /* -errno: why there is none */
	struct hl_capture_sink *sink, *own_sink; /* NULL: nothing is recorded */
	bool is_live;
	unsigned nr_denied;
	char *first_denied;
};

/* ---- recording ---- */

static bool is_recording(const struct hl_machine *machine)
{
	return machine->sink != NULL;
}

static int record(const struct hl_machine *machine, enum hl_record_kind kind, const char *path,
		  const char *bytes, size_t len)
{
	const struct hl_record record = { .kind = kind, .path = path, .bytes = bytes, .len = len };

	return machine->sink->put(machine->sink, &record);
}

static int record_listing(const struct hl_machine *machine, const char *path, char **names,
			  size_t nr)
{
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -errno;
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%s\n", names[i]);
	if (fclose(out) != 0)
		return -errno;
	return record(machine, HL_RECORD_LISTING, path, text, len);
}

/* ---- resolving step by step ---- */

/* A path on its way: what is resolved, relative to the root, and what is still to go. */
struct walk {
	char done[PATH_MAX], rest[PATH_MAX];
	unsigned nr_links;
};

static void go_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	*(slash ? slash : walk->done) = '\0';
}

/* Moves one name from rest to done. 0 = there is none left. */
static int go_down(struct walk *walk)
{
	size_t skip = strspn(walk->rest, "/");
	size_t len = strcspn(walk->rest + skip, "/");
	size_t used = strlen(walk->done);

	if (!len)
		return 0;
	if (used + 1 + len >= sizeof(walk->done))
		return -ENAMETOOLONG;
	if (used)
		walk->done[used++] = '/';
	memcpy(walk->done + used, walk->rest + skip, len);
	walk->done[used + len] = '\0';
	memmove(walk->rest, walk->rest + skip + len, strlen(walk->rest + skip + len) + 1);
	return 1;
}

static bool is_last(const struct walk *walk)
{
	return walk->rest[strspn(walk->rest, "/")] == '\0';
}

/* What was walked to last is a link: puts its target in its place. */
static int follow(struct walk *walk, const char *target)
{
	HL_FREE char *rest = hl_printf("%s/%s", target, walk->rest);
	size_t size = strlen(rest) + 1;

	if (++walk->nr_links > LINKS_MAX)
		return -ELOOP;
	if (size > sizeof(walk->rest))
		return -ENAMETOOLONG;
	memcpy(walk->rest, rest, size);
	if (*target == '/')
		*walk->done = '\0';
	else
		go_up(walk);
	return 0;
}

/* Looks at the name walked to last; records it if it is a link. */
static int step(const struct hl_machine *machine, struct walk *walk)
{
	const char *slash = strrchr(walk->done, '/');
	const char *name = slash ? slash + 1 : walk->done;
	char target[PATH_MAX];
	ssize_t len;
	int r;

	if (!strcmp(name, ".") || !strcmp(name, "..")) {
		bool is_up = name[1] == '.';

		go_up(walk);
		if (is_up)
			go_up(walk);
		return 0;
	}
	len = readlinkat(machine->root_fd, walk->done, target, sizeof(target) - 1);
	if (len < 0)
		return errno == EINVAL ? 0 : -errno; /* EINVAL: no link */
	target[len] = '\0';
	r = is_recording(machine) ? record(machine, HL_RECORD_LINK, walk->done, target, (size_t)len)
				  : 0;
	return r < 0 ? r : follow(walk, target);
}

/* The real path of path, relative to the root: "." or without a leading '/'. */
static int resolve(const struct hl_machine *machine, const char *path, bool follows_last,
		   char **ret_path)
{
	HL_FREE struct walk *walk = hl_alloc(sizeof(*walk));
	size_t size = strlen(path) + 1;
	int r;

	if (size > sizeof(walk->rest))
		return -ENAMETOOLONG;
	memcpy(walk->rest, path, size);
	while ((r = go_down(walk)) > 0) {
		if (is_last(walk) && !follows_last)
			break;
		r = step(machine, walk);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	*ret_path = hl_strdup(*walk->done ? walk->done : ".");
	return 0;
}

/* ---- opening ---- */

static int open_in_root(const struct hl_machine *machine, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	HL_FREE char *real = NULL;
	int tries = 16;
	int fd;
	int r;

	do /* EAGAIN: something was renamed meanwhile */
		fd = (int)syscall(SYS_openat2, machine->root_fd, path, &how, sizeof(how));
	while (fd < 0 && errno == EAGAIN && --tries);
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd < 0 ? -errno : fd;
	r = resolve(machine, path, !(flags & O_NOFOLLOW), &real);
	if (r < 0)
		return r;
	fd = openat(machine->root_fd, real, flags | O_NOFOLLOW);
	return fd < 0 ? -errno : fd;
}

/* Opens path. ret_real is its path for a recording, NULL when nothing is recorded. */
static int open_path(const struct hl_machine *machine, const char *path, int flags, char **ret_real)
{
	int r;

	if (machine->root_fd < 0)
		return machine->root_fd;
	if (*path != '/')
		return -EINVAL;
	flags |= O_CLOEXEC;
	if (!is_recording(machine))
		return open_in_root(machine, path, flags);
	r = resolve(machine, path, !(flags & O_NOFOLLOW), ret_real);
	return r < 0 ? r : open_in_root(machine, *ret_real, flags);
}

static int open_dir(int dir_fd, const char *path)
{
	int fd = openat(dir_fd, path, DIR_FLAGS);

	return fd < 0 ? -errno : fd;
}

struct hl_machine *hl_machine_open_to(const char *root, struct hl_capture_sink *sink)
{
	struct hl_machine *machine = hl_alloc(sizeof(*machine));

	machine->root_fd = open_dir(AT_FDCWD, root);
	machine->sink = sink;
	machine->is_live = !strcmp(root, "/");
	return machine;
}

struct hl_machine *hl_machine_open(const char *root, const char *record_dir)
{
	struct hl_capture_sink *sink = record_dir ? hl_record_dir_open(record_dir, NULL) : NULL;
	struct hl_machine *machine = hl_machine_open_to(root, sink);

	machine->own_sink = sink;
	return machine;
}

struct hl_machine *hl_machine_open_at(int root_fd)
{
	struct hl_machine *machine = hl_alloc(sizeof(*machine));
	int fd = fcntl(root_fd, F_DUPFD_CLOEXEC, 0);

	machine->root_fd = fd < 0 ? -errno : fd;
	return machine;
}

void hl_machine_close(struct hl_machine *machine)
{
	if (!machine)
		return;
	hl_close_fd(&machine->root_fd);
	hl_record_sink_close(machine->own_sink);
	free(machine->first_denied);
	free(machine);
}

/* ---- refusals ---- */

void hl_machine_deny(struct hl_machine *machine, const char *path)
{
	machine->nr_denied++;
	if (!machine->first_denied)
		machine->first_denied = hl_strdup(path);
}

static int fail_path(struct hl_machine *machine, int r, const char *doing, const char *path,
		     struct hl_error *err)
{
	if (r == -EACCES || r == -EPERM)
		hl_machine_deny(machine, path);
	return hl_fail(err, -r, "%s %s: %s", doing, path, strerror(-r));
}

unsigned hl_machine_denied(const struct hl_machine *machine, const char **ret_first)
{
	*ret_first = machine->first_denied;
	return machine->nr_denied;
}

/* ---- reading ---- */

static int read_regular(int fd, char **ret_bytes, size_t *ret_len)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	return hl_file_read_fd(fd, FILE_MAX, ret_bytes, ret_len);
}

int hl_machine_read(struct hl_machine *machine, const char *path, char **ret_bytes, size_t *ret_len,
		    struct hl_error *err)
{
	HL_FREE char *real = NULL;
	HL_FREE char *bytes = NULL;
	/* O_NONBLOCK: the open of a pipe would wait for its writer */
	HL_CLOSE int fd = open_path(machine, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, &real);
	size_t len = 0;
	int r;

	r = fd < 0 ? fd : read_regular(fd, &bytes, &len);
	if (r < 0)
		return fail_path(machine, r, "read", path, err);
	r = real ? record(machine, HL_RECORD_FILE, real, bytes, len) : 0;
	if (r < 0)
		return hl_fail(err, -r, "record %s: %s", path, strerror(-r));
	*ret_bytes = bytes;
	*ret_len = len;
	bytes = NULL;
	return 0;
}

int hl_machine_peek(struct hl_machine *machine, const char *path, char **ret_bytes, size_t *ret_len,
		    struct hl_error *err)
{
	struct hl_capture_sink *sink = machine->sink;
	int rc;

	machine->sink = NULL;
	rc = hl_machine_read(machine, path, ret_bytes, ret_len, err);
	machine->sink = sink;
	return rc;
}

/* The node again without O_PATH, if it is one: opening what is no device may act or wait. */
static int open_device(const struct hl_machine *machine, const char *path)
{
	HL_CLOSE int at = -1;
	struct stat st;

	if (!machine->is_live)
		return -ENODEV;
	if (*path != '/')
		return -EINVAL;
	at = open_in_root(machine, path, O_PATH | O_CLOEXEC);
	if (at < 0)
		return at;
	if (fstat(at, &st) < 0)
		return -errno;
	if (!S_ISCHR(st.st_mode) && !S_ISBLK(st.st_mode))
		return -EINVAL;
	return open_in_root(machine, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int hl_machine_open_device(struct hl_machine *machine, const char *path, int *ret_fd,
			   struct hl_error *err)
{
	int fd = open_device(machine, path);

	if (fd < 0)
		return fail_path(machine, fd, "open", path, err);
	*ret_fd = fd;
	return 0;
}

static int read_target(int fd, char *target, size_t size)
{
	struct stat st;
	ssize_t len;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISLNK(st.st_mode))
		return -EINVAL;
	len = readlinkat(fd, "", target, size - 1);
	if (len < 0)
		return -errno;
	target[len] = '\0';
	return 0;
}

int hl_machine_readlink(struct hl_machine *machine, const char *path, char **ret_target,
			struct hl_error *err)
{
	HL_FREE char *real = NULL;
	HL_CLOSE int fd = open_path(machine, path, O_PATH | O_NOFOLLOW, &real);
	char target[PATH_MAX];
	int r;

	r = fd < 0 ? fd : read_target(fd, target, sizeof(target));
	if (r < 0)
		return fail_path(machine, r, "read the link", path, err);
	r = real ? record(machine, HL_RECORD_LINK, real, target, strlen(target)) : 0;
	if (r < 0)
		return hl_fail(err, -r, "record the link %s: %s", path, strerror(-r));
	*ret_target = hl_strdup(target);
	return 0;
}

/* ---- listing ---- */

struct names {
	char **names;
	size_t nr;
};

static void names_cleanup(struct names *names)
{
	hl_machine_free_names(names->names, names->nr);
}

/* A name with a newline is none of the kernel's, and one with a slash is none at all. */
static void add_name(struct names *names, const char *name)
{
	if (!*name || !strcmp(name, ".") || !strcmp(name, "..") || strpbrk(name, "/\n"))
		return;
	names->names = hl_grow(names->names, names->nr + 1, sizeof(*names->names));
	names->names[names->nr++] = hl_strdup(name);
}

static int list_entries(int fd, struct names *names)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;

	if (!dir)
		return -errno;
	errno = 0;
	while ((entry = readdir(dir)))
		add_name(names, entry->d_name);
	copy = -errno;
	closedir(dir);
	return copy;
}

static int list_recorded(int fd, struct names *names)
{
	HL_FREE char *text = NULL;
	char *rest;
	char *name;
	size_t len;
	int r;

	r = hl_file_read_at(fd, HL_RECORD_LISTING_NAME, FILE_MAX, &text, &len);
	if (r < 0)
		return r;
	rest = text;
	while ((name = strsep(&rest, "\n")))
		add_name(names, name);
	return 0;
}

static int list_dir(const struct hl_machine *machine, int fd, struct names *names)
{
	int r = machine->is_live ? -ENOENT : list_recorded(fd, names);

	return r == -ENOENT ? list_entries(fd, names) : r;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int hl_machine_list(struct hl_machine *machine, const char *path, char ***ret_names, size_t *ret_nr,
		    struct hl_error *err)
{
	__attribute__((cleanup(names_cleanup))) struct names names = { 0 };
	HL_FREE char *real = NULL;
	HL_CLOSE int fd = open_path(machine, path, O_RDONLY | O_DIRECTORY, &real);
	int r;

	r = fd < 0 ? fd : list_dir(machine, fd, &names);
	if (r < 0)
		return fail_path(machine, r, "list", path, err);
	if (names.nr)
		qsort(names.names, names.nr, sizeof(*names.names), compare_names);
	r = real ? record_listing(machine, real, names.names, names.nr) : 0;
	if (r < 0)
		return hl_fail(err, -r, "record %s: %s", path, strerror(-r));
	*ret_names = names.names;
	*ret_nr = names.nr;
	names = (struct names){ 0 };
	return 0;
}

int hl_machine_peek_list(struct hl_machine *machine, const char *path, char ***ret_names,
			 size_t *ret_nr, struct hl_error *err)
{
	struct hl_capture_sink *sink = machine->sink;
	int rc;

	machine->sink = NULL;
	rc = hl_machine_list(machine, path, ret_names, ret_nr, err);
	machine->sink = sink;
	return rc;
}

void hl_machine_free_names(char **names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}
