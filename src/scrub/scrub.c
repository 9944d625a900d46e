/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scrubbing: see hoploss/scrub.h.
 */
#include "hoploss/scrub.h"
#include "pairs.h"
#include "volumes.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hl_scrub *hl_scrub_new(void)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_scrub *scrub = hl_arena_alloc(arena, sizeof(*scrub));

	scrub->arena = arena;
	scrub->volumes = volumes_new(arena);
	return scrub;
}

void hl_scrub_free(struct hl_scrub *scrub)
{
	if (scrub)
		hl_arena_free(scrub->arena);
}

/* ---- texts ---- */

/* Domains that name no person's machines: those of projects, in banners and schemas. */
static bool is_public_domain(const char *name, size_t len)
{
	static const char *const projects[] = {
		"smartmontools.", "libvirt.",        "qemu.",       "kernel.",      "openzfs.",
		"zfsonlinux.",    "kubernetes.",     "freenas.",    "truenas.",     "proxmox.",
		"debian.",        "nvmexpress.",     "open-iscsi.", "linux-iscsi.", "sourceforge.",
		"github.",        "redhat.",         "ubuntu.",     "k8s.",         "openebs.",
		"longhorn.",      "democratic-csi.",
	};

	for (size_t i = 0; i < sizeof(projects) / sizeof(*projects); i++) {
		if (memmem(name, len, projects[i], strlen(projects[i])))
			return true;
	}
	return false;
}

/* What stands at "at" instead, and how much of the text it takes; NULL = it stays. */
static const char *replace_at(struct hl_scrub *scrub, const char *at, const char *start,
			      const char *end, size_t *ret_len)
{
	const struct pair *pair = pair_at(scrub, at, start, end);
	const struct hl_identity *kind;

	if (pair) {
		*ret_len = pair->len;
		return pair->to;
	}
	kind = hl_identity_at(at, start, true, ret_len);
	if (!kind || (!strcmp(kind->name, "domain name") && is_public_domain(at, *ret_len)))
		return NULL;
	return stand_in(scrub, kind, at, ret_len);
}

/* Only replacements of the same length: offsets in it mean something. */
static char *apply_binary(struct hl_scrub *scrub, const char *bytes, size_t len)
{
	char *copy = hl_alloc(len + 1);

	memcpy(copy, bytes, len);
	for (size_t i = 0; i < len; i++) {
		const struct pair *pair = pair_of_length_at(scrub, copy + i, copy, copy + len);

		if (pair) {
			memcpy(copy + i, pair->to, pair->len);
			i += pair->len - 1;
		}
	}
	return copy;
}

struct walk { /* along a path in a text */
	struct volumes_path path;
	const char *start, *end; /* end: behind it */
};

static void begin_path(struct hl_scrub *scrub, struct walk *walk, const char *at, const char *text)
{
	size_t len = volumes_path_at(at, text), head = 0;

	if (!len)
		len = head = volumes_head_at(scrub->volumes, at, text);
	if (len)
		*walk = (struct walk){ { .is_volume = head > 0 }, at, at + len };
}

/* Begins a part of the path at "at"? "tank/vol" is one from its first character on. */
static bool is_part_start(const struct walk *walk, const char *at)
{
	if (at >= walk->end)
		return false;
	if (at == walk->start)
		return walk->path.is_volume;
	return at[-1] == '/' || (at[-1] == ':' && walk->path.is_volume && walk->path.nr == 1);
}

/* What of the text a part of a path took that was replaced; 0 = nothing. */
static size_t put_part(struct hl_scrub *scrub, struct walk *walk, const char *at, FILE *out)
{
	bool is_head = at == walk->start;
	size_t len = strcspn(at, is_head ? "/:" : "/"), most = (size_t)(walk->end - at);

	if (!is_part_start(walk, at))
		return 0;
	len = len < most ? len : most;
	volumes_path_push(&walk->path, at, len);
	return volumes_put(scrub->volumes, &walk->path, at + len < walk->end, out) ? len : 0;
}

/* What stands at "at", but for the parts of paths; returns how much of the text it was. */
static size_t put_word(struct hl_scrub *scrub, const char *at, const char *text, const char *end,
		       FILE *out)
{
	size_t taken;
	const char *to = replace_at(scrub, at, text, end, &taken);

	if (to)
		fputs(to, out);
	else
		fputc(*at, out);
	return to ? taken : 1;
}

static void put_text(struct hl_scrub *scrub, const char *text, FILE *out)
{
	const char *end = text + strlen(text);
	struct walk walk = { .end = text };

	for (const char *at = text; *at;) {
		size_t part;

		if (at >= walk.end)
			begin_path(scrub, &walk, at, text);
		part = put_part(scrub, &walk, at, out);
		at += part ? part : put_word(scrub, at, text, end, out);
	}
}

/* Words with a NUL behind each, as in /proc/PID/cmdline, are text, too. */
static bool is_binary(const char *bytes, size_t len)
{
	if (!memchr(bytes, '\0', len))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] && !isprint((unsigned char)bytes[i]) &&
		    !isspace((unsigned char)bytes[i]))
			return true;
	}
	return false;
}

char *hl_scrub_apply(struct hl_scrub *scrub, const char *text, size_t len, size_t *ret_len)
{
	HL_FREE char *copy = hl_alloc(len + 1); /* matchers look for its end */
	char *result = NULL;
	FILE *out;

	memcpy(copy, text, len);
	if (is_binary(text, len)) {
		*ret_len = len;
		return apply_binary(scrub, text, len);
	}
	out = open_memstream(&result, ret_len);
	if (!out)
		return hl_alloc(SIZE_MAX);
	for (const char *part = copy; part < copy + len; part += strlen(part) + 1) {
		put_text(scrub, part, out);
		if (part + strlen(part) < copy + len)
			fputc('\0', out);
	}
	fclose(out);
	return result;
}

char *hl_scrub_text(struct hl_scrub *scrub, const char *text)
{
	size_t len;

	return text ? hl_scrub_apply(scrub, text, strlen(text), &len) : NULL;
}

char *hl_scrub_name(struct hl_scrub *scrub, const char *name)
{
	const struct pair *pair = pair_find(scrub, name, strlen(name));

	return pair ? hl_strdup(pair->to) : hl_scrub_text(scrub, name);
}

/* ---- records ---- */

static bool is_config(const struct hl_record *record)
{
	const char *slash = strrchr(record->path, '/');

	return record->kind == HL_RECORD_FILE && slash && !strcmp(slash, "/config");
}

static void push_all(struct volumes_path *path, const char *text)
{
	for (; *text; text += strspn(text, "/")) {
		size_t len = strcspn(text, "/");

		volumes_path_push(path, text, len);
		text += len;
	}
}

/* The last part of a path, or what stands for it. */
static void put_last(struct hl_scrub *scrub, const struct volumes_path *path, const char *name,
		     bool has_more, FILE *out)
{
	HL_FREE char *in_path = hl_printf("/%s", name);
	const char *end = in_path + strlen(in_path);

	if (volumes_put(scrub->volumes, path, has_more, out))
		return;
	for (const char *at = in_path + 1; *at;)
		at += put_word(scrub, at, in_path, end, out);
}

/* Where a link points, from the directory that it is in. */
static char *scrub_link(struct hl_scrub *scrub, const struct hl_record *record, size_t *ret_len)
{
	HL_FREE char *copy = hl_strndup(record->bytes, record->len);
	struct volumes_path path = { 0 };
	char *result = NULL, *rest = copy, *name;
	FILE *out;

	if (*copy == '/')
		return hl_scrub_apply(scrub, copy, strlen(copy), ret_len);
	out = open_memstream(&result, ret_len);
	if (!out)
		return hl_alloc(SIZE_MAX);
	push_all(&path, record->path);
	volumes_path_push(&path, "..", 2);
	while ((name = strsep(&rest, "/"))) {
		volumes_path_push(&path, name, strlen(name));
		if (!strcmp(name, "..") || !*name)
			fputs(name, out);
		else
			put_last(scrub, &path, name, rest != NULL, out);
		if (rest)
			fputc('/', out);
	}
	fclose(out);
	return result;
}

/* Each name as the end of a path, for what it names is recorded under its path. */
static char *scrub_listing(struct hl_scrub *scrub, const struct hl_record *record, size_t *ret_len)
{
	HL_FREE char *copy = hl_strndup(record->bytes, record->len);
	char *result = NULL, *rest = copy, *name;
	FILE *out = open_memstream(&result, ret_len);

	if (!out)
		return hl_alloc(SIZE_MAX);
	while ((name = strsep(&rest, "\n"))) {
		struct volumes_path path = { 0 };

		if (!*name)
			continue;
		push_all(&path, record->path);
		volumes_path_push(&path, name, strlen(name));
		put_last(scrub, &path, name, false, out);
		fputc('\n', out);
	}
	fclose(out);
	return result;
}

/* "vm\n": the host's name, whatever word it is. */
static char *scrub_host_file(struct hl_scrub *scrub, const struct hl_record *record,
			     size_t *ret_len)
{
	HL_FREE char *text = hl_strndup(record->bytes, record->len);
	size_t len = strcspn(text, ".\n");
	HL_FREE char *name = hl_strndup(text, len);
	HL_FREE char *to = hl_scrub_name(scrub, name);
	HL_FREE char *rest = hl_scrub_text(scrub, text + len);
	char *all = hl_printf("%s%s", to, rest);

	*ret_len = strlen(all);
	return all;
}

static char *scrub_bytes(struct hl_scrub *scrub, const struct hl_record *record, size_t *ret_len)
{
	HL_FREE char *copy = hl_alloc(record->len + 1);

	memcpy(copy, record->bytes, record->len);
	if (record->kind == HL_RECORD_FILE && scrub_is_name_file(record->path))
		return scrub_host_file(scrub, record, ret_len);
	if (is_config(record))
		scrub_config_bytes(scrub, copy, record->len);
	else if (strlen(copy) == record->len)
		scrub_config_dump(scrub, copy);
	return hl_scrub_apply(scrub, copy, record->len, ret_len);
}

static char *scrub_path(struct hl_scrub *scrub, const struct hl_record *record)
{
	HL_FREE char *path = hl_printf("/%s", record->path);
	HL_FREE char *scrubbed = NULL;

	if (record->kind == HL_RECORD_KEPT)
		return hl_scrub_text(scrub, record->path);
	scrubbed = hl_scrub_text(scrub, path);
	return hl_strdup(scrubbed + 1);
}

void hl_scrub_record(struct hl_scrub *scrub, const struct hl_record *record,
		     struct hl_record *ret_copy)
{
	struct hl_record copy = { .kind = record->kind };

	copy.path = scrub_path(scrub, record);
	copy.node = record->node ? hl_scrub_name(scrub, record->node) : NULL;
	if (record->kind == HL_RECORD_LISTING)
		copy.bytes = scrub_listing(scrub, record, &copy.len);
	else if (record->kind == HL_RECORD_LINK)
		copy.bytes = scrub_link(scrub, record, &copy.len);
	else
		copy.bytes = scrub_bytes(scrub, record, &copy.len);
	*ret_copy = copy;
}

void hl_scrub_record_clear(struct hl_record *copy)
{
	free((char *)copy->path);
	free((char *)copy->node);
	free((char *)copy->bytes);
}
