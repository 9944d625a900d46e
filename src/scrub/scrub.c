/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scrubbing: see hoploss/scrub.h.
 */
#include "hoploss/scrub.h"
#include "pairs.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hl_scrub *hl_scrub_new(void)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_scrub *scrub = hl_arena_alloc(arena, sizeof(*scrub));

	scrub->arena = arena;
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
		const struct pair *pair = pair_at(scrub, copy + i, copy, copy + len);

		if (pair && strlen(pair->to) == pair->len) {
			memcpy(copy + i, pair->to, pair->len);
			i += pair->len - 1;
		}
	}
	return copy;
}

static void put_text(struct hl_scrub *scrub, const char *text, FILE *out)
{
	const char *end = text + strlen(text);

	for (const char *at = text; *at;) {
		size_t taken = 1;
		const char *to = replace_at(scrub, at, text, end, &taken);

		if (to)
			fputs(to, out);
		else
			fputc(*at, out);
		at += to ? taken : 1;
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

/* Each name as the end of a path, for what it names is recorded under its path. */
static char *scrub_listing(struct hl_scrub *scrub, const struct hl_record *record, size_t *ret_len)
{
	HL_FREE char *copy = hl_strndup(record->bytes, record->len);
	char *result = NULL, *rest = copy, *name;
	FILE *out = open_memstream(&result, ret_len);

	if (!out)
		return hl_alloc(SIZE_MAX);
	while ((name = strsep(&rest, "\n"))) {
		HL_FREE char *path = hl_printf("/%s", name);
		HL_FREE char *scrubbed = hl_scrub_text(scrub, path);

		if (*name)
			fprintf(out, "%s\n", scrubbed + 1);
	}
	fclose(out);
	return result;
}

static char *scrub_bytes(struct hl_scrub *scrub, const struct hl_record *record, size_t *ret_len)
{
	HL_FREE char *copy = hl_alloc(record->len + 1);

	memcpy(copy, record->bytes, record->len);
	if (is_config(record))
		scrub_config_bytes(scrub, copy, record->len);
	else if (strlen(copy) == record->len)
		scrub_config_dump(scrub, copy);
	return hl_scrub_apply(scrub, copy, record->len, ret_len);
}

void hl_scrub_record(struct hl_scrub *scrub, const struct hl_record *record,
		     struct hl_record *ret_copy)
{
	struct hl_record copy = { .kind = record->kind };

	copy.path = hl_scrub_text(scrub, record->path);
	copy.node = record->node ? hl_scrub_name(scrub, record->node) : NULL;
	copy.bytes = record->kind == HL_RECORD_LISTING ? scrub_listing(scrub, record, &copy.len)
						       : scrub_bytes(scrub, record, &copy.len);
	*ret_copy = copy;
}

void hl_scrub_record_clear(struct hl_record *copy)
{
	free((char *)copy->path);
	free((char *)copy->node);
	free((char *)copy->bytes);
}
