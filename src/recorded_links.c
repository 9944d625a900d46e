/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The links of a capture: see hoploss/recorded_links.h.
 *
 * Surprising: the order is that of a walk, name by name, and not that of strcmp over whole lines;
 * it is the same in the file and in the directory, so one pass over both tells what is new.
 */
#include "hoploss/recorded_links.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define MOST      (64UL << 20)
#define DEPTH_MAX 64

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Names in a directory, sorted, each to be freed. */
static char **names_of(int dir_fd, size_t *ret_nr)
{
	int copy = openat(dir_fd, ".", DIR_FLAGS);
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
		qsort(names, nr, sizeof(*names), compare);
	*ret_nr = nr;
	return names;
}

static void put_escaped(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\n' || *text == '\\')
			fprintf(out, "\\x%02x", (unsigned char)*text);
		else
			fputc(*text, out);
	}
}

static void put_link(const char *path, const char *target, FILE *out)
{
	put_escaped(path, out);
	fputs(" -> ", out);
	put_escaped(target, out);
	fputc('\n', out);
}

static void walk(int dir_fd, const char *path, unsigned depth, FILE *out)
{
	size_t nr = 0;
	char **names = names_of(dir_fd, &nr);

	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *name = names[i];
		HL_FREE char *full = hl_printf("%s%s%s", path, *path ? "/" : "", name);
		char target[PATH_MAX];
		ssize_t len = readlinkat(dir_fd, name, target, sizeof(target) - 1);

		if (len >= 0) {
			target[len] = '\0';
			put_link(full, target, out);
			continue;
		}
		HL_CLOSE int below = openat(dir_fd, name, DIR_FLAGS | O_NONBLOCK);

		if (below >= 0 && depth < DEPTH_MAX)
			walk(below, full, depth + 1, out);
	}
	free(names);
}

/* To be freed. */
static char *links_below(int dir_fd, size_t *ret_len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_len);

	if (!out)
		return hl_alloc(SIZE_MAX);
	walk(dir_fd, "", 0, out);
	fclose(out);
	return text;
}

int hl_recorded_links_write(int dir_fd, struct hl_error *err)
{
	size_t len = 0;
	HL_FREE char *text = links_below(dir_fd, &len);
	int r = hl_file_write_at(dir_fd, HL_RECORDED_LINKS, text, len, false);

	return r < 0 ? hl_fail(err, -r, "write %s: %s", HL_RECORDED_LINKS, strerror(-r)) : 0;
}

static size_t line_length(const char *line)
{
	size_t len = strcspn(line, "\n");

	return len + (line[len] == '\n');
}

/* The recorded line that is the same, at or behind "recorded"; NULL. */
static const char *find_line(const char *recorded, const char *line, size_t len)
{
	for (size_t each; *recorded; recorded += each) {
		each = line_length(recorded);
		if (each == len && !memcmp(recorded, line, len))
			return recorded;
	}
	return NULL;
}

int hl_recorded_links_check(int dir_fd, const char *dir, struct hl_error *err)
{
	size_t len = 0, recorded_len = 0;
	HL_FREE char *recorded = NULL;
	HL_FREE char *present = NULL;
	int r = hl_file_read_at(dir_fd, HL_RECORDED_LINKS, MOST, &recorded, &recorded_len);
	const char *at = recorded;

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return hl_fail(err, -r, "%s/%s: %s", dir, HL_RECORDED_LINKS, strerror(-r));
	present = links_below(dir_fd, &len);
	for (const char *line = present; *line; line += len) {
		const char *found;

		len = line_length(line);
		found = find_line(at, line, len);
		if (!found)
			return hl_fail(err, ELOOP, "%s/%.*s: this link was not recorded", dir,
				       (int)len - 1, line);
		at = found + len;
	}
	return 0;
}
