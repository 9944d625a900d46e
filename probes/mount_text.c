/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is mounted where, as people paste it: mount(8), findmnt(8) and /proc/…/mountinfo (proc(5)).
 *
 *   /dev/sda1 on / type ext4 (rw,relatime)
 *   tank/data on /mnt/data (zfs, local, nfsv4acls)                       of a BSD
 *   36 25 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
 *   TARGET   SOURCE     FSTYPE  OPTIONS
 *   ├─/data  /dev/sdb   ext4    rw
 *
 * Surprising: findmnt puts the root that a bind mount shows behind its source: /dev/sdb[/dir].
 */
#include "hoploss/format.h"
#include "mounts.h"
#include "zfs_text.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

/* ---- mount(8) ---- */

/* The place of " word " in the line, or NULL. */
static const char *find_word(struct hl_line line, const char *word)
{
	return memmem(line.start, line.len, word, strlen(word));
}

static bool read_mount_line(struct hl_line line, struct hl_graph *graph, struct hl_mount *ret_mount)
{
	struct hl_mount mount = { 0 };
	const char *end, *on, *type, *open;

	line = hl_line_trim(line);
	end = line.start + line.len;
	on = find_word(line, " on /");
	open = on ? memrchr(on, '(', (size_t)(end - on)) : NULL;
	if (!open || end[-1] != ')' || open[-1] != ' ' || on == line.start)
		return false;
	type = memmem(on, (size_t)(open - on), " type ", 6);
	if (memchr(line.start, ' ', (size_t)(on - line.start)) || (!type && open < on + 5))
		return false;
	mount.device = hl_arena_strndup(graph->arena, line.start, (size_t)(on - line.start));
	on += strlen(" on ");
	if (type) {
		mount.target = hl_arena_strndup(graph->arena, on, (size_t)(type - on));
		type += strlen(" type ");
		if (memchr(type, ' ', (size_t)(open - 1 - type)))
			return false;
		mount.fs_type = hl_arena_strndup(graph->arena, type, (size_t)(open - 1 - type));
	} else {
		const char *comma = memchr(open, ',', (size_t)(end - open));

		if (!comma || memchr(open, ' ', (size_t)(comma - open)))
			return false;
		mount.target = hl_arena_strndup(graph->arena, on, (size_t)(open - 1 - on));
		mount.fs_type = hl_arena_strndup(graph->arena, open + 1,
						 (size_t)(comma - open - 1));
		open = comma;
	}
	mount.options = hl_arena_strndup(graph->arena, open + 1, (size_t)(end - open - 2));
	*ret_mount = mount;
	return true;
}

/* ---- mountinfo ---- */

static bool is_number(struct hl_word word, char separator)
{
	bool has_separator = !separator;

	for (size_t i = 0; i < word.len; i++) {
		has_separator = has_separator || word.start[i] == separator;
		if (!isdigit((unsigned char)word.start[i]) &&
		    !(separator && word.start[i] == separator))
			return false;
	}
	return word.len && has_separator;
}

/* At blanks and tabs only: the kernel leaves other control characters of a name as they are. */
static void split_info(struct hl_line line, struct hl_words *ret)
{
	const char *at = line.start, *end = line.start + line.len;

	ret->nr = 0;
	while (at < end && ret->nr < sizeof(ret->items) / sizeof(*ret->items)) {
		const char *start = at;

		while (at < end && *at != ' ' && *at != '\t')
			at++;
		if (at > start)
			ret->items[ret->nr++] = (struct hl_word){ start, (size_t)(at - start) };
		else
			at++;
	}
}

bool hl_mounts_read_info(struct hl_line line, struct hl_graph *graph, struct hl_mount *ret_mount)
{
	struct hl_words words;
	size_t dash = 6;

	split_info(line, &words);
	if (words.nr < 9 || !is_number(words.items[0], 0) || !is_number(words.items[1], 0) ||
	    !is_number(words.items[2], ':') || words.items[4].start[0] != '/')
		return false;
	while (dash < words.nr && !hl_word_is(words.items[dash], "-"))
		dash++;
	if (dash + 2 >= words.nr)
		return false;
	*ret_mount = (struct hl_mount){
		.number = hl_word_keep(graph, words.items[2]),
		.root = hl_mounts_decode(graph, words.items[3].start, words.items[3].len),
		.target = hl_mounts_decode(graph, words.items[4].start, words.items[4].len),
		.options = hl_word_keep(graph, words.items[5]),
		.fs_type = hl_word_keep(graph, words.items[dash + 1]),
		.device = hl_mounts_decode(graph, words.items[dash + 2].start,
					   words.items[dash + 2].len),
	};
	return true;
}

/* ---- findmnt(8) ---- */

static bool is_findmnt_header(struct hl_line line)
{
	struct hl_words words;

	hl_words_split(line, &words);
	return words.nr >= 3 && hl_word_is(words.items[0], "TARGET") &&
	       hl_word_is(words.items[1], "SOURCE") && hl_word_is(words.items[2], "FSTYPE");
}

/* Without the tree before it, which is drawn with UTF-8 or with "|-" and "`-". */
static struct hl_word skip_tree(struct hl_word word)
{
	const char *slash = memchr(word.start, '/', word.len);

	if (!slash)
		return (struct hl_word){ 0 };
	return (struct hl_word){ slash, word.len - (size_t)(slash - word.start) };
}

static bool read_findmnt_line(struct hl_line line, struct hl_graph *graph,
			      struct hl_mount *ret_mount)
{
	struct hl_word target = { 0 }, device;
	const char *open;
	struct hl_words words;
	size_t at = 0;

	hl_words_split(line, &words);
	for (; at < words.nr && at < 8 && !target.len; at++)
		target = skip_tree(words.items[at]);
	if (!target.len || at + 2 > words.nr)
		return false;
	device = words.items[at];
	open = memchr(device.start, '[', device.len);
	*ret_mount = (struct hl_mount){
		.target = hl_word_keep(graph, target),
		.fs_type = hl_word_keep(graph, words.items[at + 1]),
		.options = at + 2 < words.nr ? hl_word_keep(graph, words.items[at + 2]) : NULL,
	};
	if (open && device.start[device.len - 1] == ']') {
		ret_mount->root = hl_arena_strndup(graph->arena, open + 1,
						   device.len - (size_t)(open - device.start) - 2);
		device.len = (size_t)(open - device.start);
	}
	ret_mount->device = hl_word_keep(graph, device);
	return true;
}

/* ---- the format ---- */

typedef bool (*line_reader)(struct hl_line line, struct hl_graph *graph, struct hl_mount *ret);

static line_reader reader_of(struct hl_line line, struct hl_graph *scratch)
{
	struct hl_mount mount;

	if (is_findmnt_header(line))
		return read_findmnt_line;
	if (hl_mounts_read_info(line, scratch, &mount))
		return hl_mounts_read_info;
	if (find_word(line, " on /") && read_mount_line(line, scratch, &mount))
		return read_mount_line;
	return NULL;
}

static size_t mount_claim(const struct hl_text *text, size_t at)
{
	HL_GRAPH struct hl_graph *scratch = NULL;
	struct hl_mount mount;
	line_reader reader;
	size_t end = at + 1;

	if (!memchr(text->lines[at].start, '/', text->lines[at].len) &&
	    !is_findmnt_header(text->lines[at]))
		return 0;
	scratch = hl_graph_new();
	reader = reader_of(text->lines[at], scratch);
	if (!reader)
		return 0;
	while (end < text->nr_lines && reader(text->lines[end], scratch, &mount))
		end++;
	return reader != read_findmnt_line || end > at + 1 ? end - at : 0;
}

static int mount_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	HL_MOUNTS struct hl_mounts mounts = { 0 };
	struct hl_graph *graph = reading->graph;
	line_reader reader = reader_of(slice->lines[0], graph);
	size_t before = graph->nr_facts;

	for (size_t at = 0; reader && at < slice->nr_lines; at++) {
		struct hl_mount mount;

		if (!reader(slice->lines[at], graph, &mount))
			continue;
		mount.source = hl_text_source(graph, slice, at);
		hl_mounts_add(&mounts, &mount);
	}
	hl_mounts_report(&mounts, reading->host, graph);
	if (graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: nothing that holds data is mounted",
			       slice->name, slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_mount = {
	.name = "mount",
	.summary = "mount, findmnt and /proc/self/mountinfo",
	.claim = mount_claim,
	.read = mount_read,
};
