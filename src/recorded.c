/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Links and files of a capture: see hoploss/recorded.h.
 *
 * Surprising: the order is that of a walk, name by name, and not that of strcmp over whole lines;
 * it is the same in the file and in the directory, so one pass over both tells what is new.
 */
#include "hoploss/recorded.h"
#include "hoploss/alloc.h"
#include "hoploss/digest.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define LINKS     "links.txt"
#define FILES     "files.txt"
#define MOST      (64UL << 20)  /* of each list */
#define FILE_MOST (256UL << 20) /* of a capture, hoploss/captures.h */
#define DEPTH_MAX 64

/* In place of a digest. */
#define DIRECTORY  "directory"
#define UNREADABLE "unreadable"

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

/* Where the lists are written; either may be NULL. */
struct lists {
	FILE *links, *files;
	bool has_others; /* what is no file stands among the files, too */
};

static void put_entry(const char *digest, size_t size, const char *path, FILE *out)
{
	fprintf(out, "%s %zu ", digest, size);
	put_escaped(path, out);
	fputc('\n', out);
}

/* Not the lists themselves. */
static void put_file(int dir_fd, const char *name, const char *path, const struct lists *lists)
{
	HL_FREE char *bytes = NULL;
	char digest[HL_DIGEST_TEXT];
	size_t len;

	if (!strcmp(path, LINKS) || !strcmp(path, FILES))
		return;
	if (hl_file_read_at(dir_fd, name, FILE_MOST, &bytes, &len) == 0) {
		hl_digest(bytes, len, digest);
		put_entry(digest, len, path, lists->files);
	} else if (lists->has_others) {
		put_entry(UNREADABLE, 0, path, lists->files);
	}
}

static void put_directory(const char *path, const struct lists *lists)
{
	if (lists->files && lists->has_others)
		put_entry(DIRECTORY, 0, path, lists->files);
}

static void walk(int dir_fd, const char *path, unsigned depth, const struct lists *lists)
{
	size_t nr = 0;
	char **names = hl_file_names(dir_fd, &nr);

	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *name = names[i];
		HL_FREE char *full = hl_printf("%s%s%s", path, *path ? "/" : "", name);
		char target[PATH_MAX];
		ssize_t len = readlinkat(dir_fd, name, target, sizeof(target) - 1);

		if (len >= 0) {
			target[len] = '\0';
			if (lists->links)
				put_link(full, target, lists->links);
			continue;
		}
		HL_CLOSE int below = openat(dir_fd, name, DIR_FLAGS | O_NONBLOCK);

		if (below >= 0)
			put_directory(full, lists);
		if (below >= 0 && depth < DEPTH_MAX)
			walk(below, full, depth + 1, lists);
		else if (below < 0 && lists->files)
			put_file(dir_fd, name, full, lists);
	}
	free(names);
}

enum list { LIST_LINKS, LIST_FILES, LIST_ALL };

/* What the list of a directory says, to be freed. */
static char *list_below(int dir_fd, enum list which, size_t *ret_len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_len);
	const struct lists lists = { .links = which == LIST_LINKS ? out : NULL,
				     .files = which == LIST_LINKS ? NULL : out,
				     .has_others = which == LIST_ALL };

	if (!out)
		return hl_alloc(SIZE_MAX);
	walk(dir_fd, "", 0, &lists);
	fclose(out);
	return text;
}

static int write_list(int dir_fd, const char *name, enum list which, struct hl_error *err)
{
	size_t len = 0;
	HL_FREE char *text = list_below(dir_fd, which, &len);
	int r = hl_file_write_at(dir_fd, name, text, len, false);

	return r < 0 ? hl_fail(err, -r, "write %s: %s", name, strerror(-r)) : 0;
}

int hl_recorded_write(int dir_fd, struct hl_error *err)
{
	int r = write_list(dir_fd, LINKS, LIST_LINKS, err);

	return r < 0 ? r : write_list(dir_fd, FILES, LIST_FILES, err);
}

/* ---- links ---- */

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

int hl_recorded_check_links(int dir_fd, const char *dir, struct hl_error *err)
{
	size_t len = 0, recorded_len = 0;
	HL_FREE char *recorded = NULL;
	HL_FREE char *present = NULL;
	int r = hl_file_read_at(dir_fd, LINKS, MOST, &recorded, &recorded_len);
	const char *at = recorded;

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return hl_fail(err, -r, "%s/%s: %s", dir, LINKS, strerror(-r));
	present = list_below(dir_fd, LIST_LINKS, &len);
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

/* ---- files ---- */

struct entry { /* a line of the list */
	char *digest, *path;
	size_t size;
};

struct entries {
	char *text; /* that they point into */
	struct entry *items;
	size_t nr;
};

static void free_entries(struct entries *entries)
{
	free(entries->items);
	free(entries->text);
}
#define ENTRIES __attribute__((cleanup(free_entries)))

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

/* Takes the text; sorted by path. What is no such line is left out. */
static void read_entries(char *text, struct entries *ret)
{
	char *rest = text, *line;

	*ret = (struct entries){ .text = text };
	while ((line = strsep(&rest, "\n"))) {
		char *size = strchr(line, ' '), *path = size ? strchr(size + 1, ' ') : NULL;

		if (!path)
			continue;
		*size++ = *path++ = '\0';
		ret->items = hl_grow(ret->items, ret->nr + 1, sizeof(*ret->items));
		ret->items[ret->nr++] = (struct entry){ line, path, strtoul(size, NULL, 10) };
	}
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(*ret->items), compare_entries);
}

/* NULL = nothing. */
static char *say_change(size_t len, const char *digest, size_t size, const char *recorded)
{
	if (!strcmp(digest, recorded))
		return NULL;
	if (len < size)
		return hl_printf("it was cut: %zu of %zu bytes are left", len, size);
	return hl_strdup("it was changed since it was recorded");
}

char *hl_recorded_compare(const char *bytes, size_t len, size_t size, const char *digest)
{
	char now[HL_DIGEST_TEXT];

	if (!digest)
		return NULL;
	hl_digest(bytes, len, now);
	return say_change(len, now, size, digest);
}

/* is NULL: nothing is there. */
static char *say_entry(const struct entry *is, const struct entry *was)
{
	if (!is)
		return hl_strdup("is missing");
	if (!strcmp(is->digest, DIRECTORY))
		return hl_strdup("is a directory now");
	if (!strcmp(is->digest, UNREADABLE))
		return hl_strdup("cannot be read, or is no file any more");
	return say_change(is->size, is->digest, was->size, was->digest);
}

int hl_recorded_check_files(int dir_fd, const char *dir,
			    void (*tell)(void *context, const char *text), void *context,
			    struct hl_error *err)
{
	ENTRIES struct entries recorded = { 0 }, present = { 0 };
	char *text = NULL;
	size_t len;
	int r = hl_file_read_at(dir_fd, FILES, MOST, &text, &len);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return hl_fail(err, -r, "%s/%s: %s", dir, FILES, strerror(-r));
	read_entries(text, &recorded);
	read_entries(list_below(dir_fd, LIST_ALL, &len), &present);
	for (size_t i = 0; i < recorded.nr; i++) {
		const struct entry *was = &recorded.items[i];
		const struct entry *is = present.nr ? bsearch(was, present.items, present.nr,
							      sizeof(*was), compare_entries)
						    : NULL;
		HL_FREE char *what = say_entry(is, was);
		HL_FREE char *line = what ? hl_printf("%s/%s: %s", dir, was->path, what) : NULL;

		if (line)
			tell(context, line);
	}
	return 0;
}
