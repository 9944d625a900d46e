/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees of vdevs: see probes/zpool_tree.h; zpoolconcepts(7) has the words.
 */
#include "zpool_tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hl_vdevs_free(struct hl_vdevs *vdevs)
{
	free(vdevs->items);
}

void hl_vdevs_begin(struct hl_vdevs *vdevs, struct hl_word pool, size_t line)
{
	vdevs->pool = pool;
	vdevs->nr = 0;
	vdevs->class = HL_VDEV_DATA;
	vdevs->line = line;
	vdevs->is_complete = false;
}

bool hl_vdevs_enter(struct hl_vdevs *vdevs, struct hl_word name)
{
	static const struct {
		const char *name;
		enum hl_vdev_class class;
	} sections[] = {
		{ "logs", HL_VDEV_SLOG },       { "log", HL_VDEV_SLOG },
		{ "cache", HL_VDEV_CACHE },     { "spares", HL_VDEV_SPARE },
		{ "spare", HL_VDEV_SPARE },     { "dedup", HL_VDEV_DEDUP },
		{ "special", HL_VDEV_SPECIAL },
	};

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		if (!hl_word_is(name, sections[i].name))
			continue;
		vdevs->class = sections[i].class;
		return true;
	}
	return false;
}

/* ---- kinds ---- */

/* "mirror" or "mirror-0", but not "mirrored_disk". */
static bool is_numbered(struct hl_word name, const char *word)
{
	size_t len = strlen(word);

	if (!hl_word_starts(name, word))
		return false;
	if (name.len == len)
		return true;
	if (name.start[len] != '-' || name.len == len + 1)
		return false;
	for (size_t i = len + 1; i < name.len; i++) {
		if (name.start[i] < '0' || name.start[i] > '9')
			return false;
	}
	return true;
}

/* "draid2:4d:11c:1s-0"; "draid2-0-0" is a spare within one. */
static bool is_draid(struct hl_word name)
{
	return hl_word_starts(name, "draid") && (memchr(name.start, ':', name.len) || name.len < 7);
}

static enum hl_vdev_kind kind_of(struct hl_word name)
{
	static const struct {
		const char *word;
		enum hl_vdev_kind kind;
	} rows[] = {
		{ "mirror", HL_VDEV_MIRROR },   { "raidz", HL_VDEV_RAIDZ },
		{ "raidz1", HL_VDEV_RAIDZ },    { "raidz2", HL_VDEV_RAIDZ },
		{ "raidz3", HL_VDEV_RAIDZ },    { "replacing", HL_VDEV_REPLACING },
		{ "spare", HL_VDEV_REPLACING }, { "indirect", HL_VDEV_GONE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (is_numbered(name, rows[i].word))
			return rows[i].kind;
	}
	return is_draid(name) ? HL_VDEV_RAIDZ : HL_VDEV_DISK;
}

bool hl_vdev_is_group(struct hl_word name)
{
	enum hl_vdev_kind kind = kind_of(name);

	return kind != HL_VDEV_DISK && kind != HL_VDEV_GONE;
}

struct hl_vdev *hl_vdevs_add(struct hl_vdevs *vdevs, struct hl_word name, unsigned indent)
{
	struct hl_vdev *vdev;

	if (vdevs->nr == HL_VDEVS_MAX)
		return NULL;
	vdevs->items = hl_grow(vdevs->items, vdevs->nr + 1, sizeof(*vdevs->items));
	vdev = &vdevs->items[vdevs->nr++];
	*vdev = (struct hl_vdev){
		.name = name,
		.class = vdevs->class,
		.kind = kind_of(name),
		.indent = indent,
		.read_errors = NAN,
		.write_errors = NAN,
		.checksum_errors = NAN,
	};
	return vdev;
}

/* ---- levels ---- */

static bool has_indentation(const struct hl_vdevs *vdevs)
{
	for (size_t i = 1; i < vdevs->nr; i++) {
		if (vdevs->items[i].indent != vdevs->items[0].indent)
			return true;
	}
	return false;
}

static bool is_top_group(const struct hl_vdev *vdev)
{
	return vdev->kind == HL_VDEV_MIRROR || vdev->kind == HL_VDEV_RAIDZ;
}

/* The level of the row at index by the rows before it, where indentation tells nothing. */
static unsigned level_by_name(const struct hl_vdevs *vdevs, size_t index)
{
	const struct hl_vdev *vdev = &vdevs->items[index];
	bool is_in_group = false;
	size_t since = 0;

	if (is_top_group(vdev) || vdev->kind == HL_VDEV_GONE)
		return 1;
	for (size_t i = index; i-- > 0 && vdevs->items[i].class == vdev->class; since++) {
		const struct hl_vdev *before = &vdevs->items[i];

		if (before->kind == HL_VDEV_REPLACING && since < 2)
			return vdev->kind == HL_VDEV_DISK ? before->level + 1 : before->level;
		if (is_top_group(before)) {
			is_in_group = true;
			break;
		}
		if (before->kind == HL_VDEV_GONE)
			break;
	}
	return is_in_group ? 2 : 1;
}

static unsigned level_by_indent(const struct hl_vdevs *vdevs, size_t index)
{
	const struct hl_vdev *vdev = &vdevs->items[index];

	for (size_t i = index; i-- > 0 && vdevs->items[i].class == vdev->class;) {
		if (vdevs->items[i].indent < vdev->indent)
			return vdevs->items[i].level + 1;
		if (vdevs->items[i].indent == vdev->indent)
			return vdevs->items[i].level;
	}
	return 1;
}

void hl_vdevs_link(struct hl_vdevs *vdevs)
{
	bool is_indented = has_indentation(vdevs);

	for (size_t i = 0; i < vdevs->nr; i++) {
		struct hl_vdev *vdev = &vdevs->items[i];

		vdev->level = is_indented ? level_by_indent(vdevs, i) : level_by_name(vdevs, i);
		for (size_t k = i; vdev->level > 1 && k-- > 0;) {
			if (vdevs->items[k].level == vdev->level - 1) {
				vdevs->items[k].nr_members++;
				break;
			}
		}
	}
}
