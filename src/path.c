/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a path file: see hoploss/path.h. First every key is taken as it stands, then names are
 * resolved and the hops put in order, so that a hop may name one that is written further down.
 */
#include "hoploss/path.h"
#include "hoploss/alloc.h"
#include "hoploss/ini.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LOCAL "local"

/* A hop while names are not resolved yet. */
struct draft {
	struct hl_path_hop hop;
	const char *host, *after;
	size_t nr_targets;
	bool is_placed;
};

struct owned_path {
	struct hl_path path; /* first: freeing casts */
	struct hl_arena *arena;
};

struct reader {
	struct hl_arena *arena;
	struct hl_path *path;
	const char *file;
	struct hl_path_host *hosts;
	size_t nr_hosts;
	struct draft *drafts;
	size_t nr_drafts;
};

/* ---- keys ---- */

static const char *const *split_words(struct hl_arena *arena, const char *text)
{
	const char **words = hl_arena_extend(arena, NULL, 0, sizeof(*words));
	size_t nr = 0;

	words[0] = NULL;
	while (*(text += strspn(text, " \t"))) {
		size_t len = strcspn(text, " \t");

		words = hl_arena_extend(arena, words, nr, sizeof(*words));
		words[nr++] = hl_arena_strndup(arena, text, len);
		words = hl_arena_extend(arena, words, nr, sizeof(*words));
		words[nr] = NULL;
		text += len;
	}
	return words;
}

static int take_path_key(struct reader *reader, const struct hl_ini_item *item,
			 struct hl_error *err)
{
	struct hl_path *path = reader->path;

	if (!strcmp(item->key, "name")) {
		path->name = hl_arena_strdup(reader->arena, item->value);
	} else if (!strcmp(item->key, "workloads")) {
		path->workloads = hl_arena_strdup(reader->arena, item->value);
	} else if (!strcmp(item->key, "medium")) {
		if (strcmp(item->value, "ram"))
			return hl_fail(err, EBADMSG, "medium \"%s\": only \"ram\" can be said",
				       item->value);
		path->is_ram_medium = true;
	} else {
		return hl_fail(err, EBADMSG,
			       "unknown key \"%s\" in [path]; known: name workloads medium",
			       item->key);
	}
	return 0;
}

static int take_host_key(struct reader *reader, struct hl_path_host *host,
			 const struct hl_ini_item *item, struct hl_error *err)
{
	const char *value = hl_arena_strdup(reader->arena, item->value);

	if (!strcmp(item->key, "via"))
		host->via = strcmp(value, LOCAL) ? split_words(reader->arena, value) : NULL;
	else if (!strcmp(item->key, "on"))
		host->on = value;
	else if (!strcmp(item->key, "vm") || !strcmp(item->key, "domain"))
		host->vm = value;
	else
		return hl_fail(err, EBADMSG,
			       "unknown key \"%s\" in [host %s]; known: via on vm domain",
			       item->key, host->name);
	return 0;
}

static int set_layer(struct draft *draft, const char *value, struct hl_error *err)
{
	if (hl_layer_parse(value, &draft->hop.layer) == 0)
		return 0;
	return hl_fail(
		err, EBADMSG,
		"unknown layer \"%s\"; one of: datasheet link drive pool target wire vnic vdisk "
		"initiator filesystem",
		value);
}

static int add_targets(struct reader *reader, struct draft *draft, const char *value)
{
	const char **targets = (const char **)draft->hop.targets;
	const char *const *words = split_words(reader->arena, value);

	for (; *words; words++) {
		targets = hl_arena_extend(reader->arena, targets, draft->nr_targets,
					  sizeof(*targets));
		targets[draft->nr_targets++] = *words;
	}
	/* room for the NULL at the end, without counting it */
	targets = hl_arena_extend(reader->arena, targets, draft->nr_targets, sizeof(*targets));
	targets[draft->nr_targets] = NULL;
	draft->hop.targets = targets;
	return 0;
}

static int set_drives(struct draft *draft, const char *value, struct hl_error *err)
{
	uint64_t drives;

	if (hl_number_u64(value, strlen(value), &drives) < 0 || drives < 1 || drives > 10000)
		return hl_fail(err, EBADMSG, "drives = %s: a whole number from 1 to 10000", value);
	draft->hop.drives = (unsigned)drives;
	return 0;
}

static int take_hop_key(struct reader *reader, struct draft *draft, const struct hl_ini_item *item,
			struct hl_error *err)
{
	const char *key = item->key, *value = hl_arena_strdup(reader->arena, item->value);
	const struct {
		const char *key;
		const char **to;
	} texts[] = {
		{ "host", &draft->host },          { "after", &draft->after },
		{ "spec", &draft->hop.spec },      { "initiator", &draft->hop.initiator },
		{ "chap", &draft->hop.chap_file },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (!strcmp(key, texts[i].key)) {
			*texts[i].to = value;
			return 0;
		}
	}
	if (!strcmp(key, "layer"))
		return set_layer(draft, value, err);
	if (!strcmp(key, "target"))
		return add_targets(reader, draft, value);
	if (!strcmp(key, "drives"))
		return set_drives(draft, value, err);
	if (!strcmp(key, "size")) {
		if (hl_unit_read_size(value, strlen(value), HL_KIB, &draft->hop.size) < 0)
			return hl_fail(err, EBADMSG, "size = %s: write it as 64G or 512M", value);
		return 0;
	}
	return hl_fail(
		err, EBADMSG,
		"unknown key \"%s\" in [hop %s]; known: layer host target after size spec drives "
		"initiator chap",
		key, draft->hop.name);
}

/* ---- sections ---- */

static struct hl_path_host *host_of(struct reader *reader, const char *name, unsigned line)
{
	struct hl_path_host *host;

	for (size_t i = 0; i < reader->nr_hosts; i++) {
		if (!strcmp(reader->hosts[i].name, name))
			return &reader->hosts[i];
	}
	reader->hosts = hl_arena_extend(reader->arena, reader->hosts, reader->nr_hosts,
					sizeof(*reader->hosts));
	host = &reader->hosts[reader->nr_hosts++];
	*host = (struct hl_path_host){ .name = hl_arena_strdup(reader->arena, name), .line = line };
	return host;
}

static struct draft *draft_of(struct reader *reader, const char *name, unsigned line)
{
	struct draft *draft;

	for (size_t i = 0; i < reader->nr_drafts; i++) {
		if (!strcmp(reader->drafts[i].hop.name, name))
			return &reader->drafts[i];
	}
	reader->drafts = hl_arena_extend(reader->arena, reader->drafts, reader->nr_drafts,
					 sizeof(*reader->drafts));
	draft = &reader->drafts[reader->nr_drafts++];
	*draft = (struct draft){
		.hop = { .name = hl_arena_strdup(reader->arena, name),
			 .drives = 1,
			 .size = NAN,
			 .line = line },
	};
	return draft;
}

static const char *name_in(const char *section, const char *kind)
{
	size_t len = strlen(kind);

	if (strncmp(section, kind, len) || section[len] != ' ')
		return NULL;
	section += len + strspn(section + len, " \t");
	return *section ? section : NULL;
}

static int take(void *to, const struct hl_ini_item *item, struct hl_error *err)
{
	struct reader *reader = to;
	const char *name;

	if (!strcmp(item->section, "path"))
		return take_path_key(reader, item, err);
	name = name_in(item->section, "host");
	if (name)
		return take_host_key(reader, host_of(reader, name, item->line), item, err);
	name = name_in(item->section, "hop");
	if (name)
		return take_hop_key(reader, draft_of(reader, name, item->line), item, err);
	return hl_fail(err, EBADMSG, "unknown section [%s]; known: [path], [host NAME], [hop NAME]",
		       item->section);
}

/* ---- resolving ---- */

static const struct hl_path_host *find_host(const struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->nr_hosts; i++) {
		if (!strcmp(reader->hosts[i].name, name))
			return &reader->hosts[i];
	}
	return NULL;
}

static int check_hosts(const struct reader *reader, struct hl_error *err)
{
	for (size_t i = 0; i < reader->nr_hosts; i++) {
		const struct hl_path_host *host = &reader->hosts[i];

		if (host->on && !find_host(reader, host->on))
			return hl_fail(err, EBADMSG,
				       "%s:%u: host %s is on \"%s\", which is no host here",
				       reader->file, host->line, host->name, host->on);
		if (host->vm && !host->on)
			return hl_fail(
				err, EBADMSG,
				"%s:%u: host %s has a vm but no \"on = HOST\" that it runs on",
				reader->file, host->line, host->name);
		if (host->via && !host->via[0])
			return hl_fail(err, EBADMSG, "%s:%u: host %s: via is empty", reader->file,
				       host->line, host->name);
	}
	return 0;
}

static int resolve_hop(const struct reader *reader, struct draft *draft, struct hl_error *err)
{
	const struct hl_path_hop *hop = &draft->hop;

	if (hop->layer == HL_LAYER_NONE)
		return hl_fail(err, EBADMSG, "%s:%u: hop %s has no layer", reader->file, hop->line,
			       hop->name);
	if (hop->layer == HL_LAYER_DATASHEET) {
		if (hop->spec && !hop->targets)
			return 0;
		return hl_fail(err, EBADMSG,
			       "%s:%u: a datasheet hop has \"spec = NAME\" and no target",
			       reader->file, hop->line);
	}
	if (!hop->targets || !hop->targets[0])
		return hl_fail(err, EBADMSG, "%s:%u: hop %s has no target", reader->file, hop->line,
			       hop->name);
	draft->hop.host = find_host(reader, draft->host ? draft->host : LOCAL);
	if (!draft->hop.host)
		return hl_fail(err, EBADMSG, "%s:%u: hop %s runs on \"%s\": no [host %s] here",
			       reader->file, hop->line, hop->name, draft->host, draft->host);
	return 0;
}

static struct draft *find_draft(struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->nr_drafts; i++) {
		if (!strcmp(reader->drafts[i].hop.name, name))
			return &reader->drafts[i];
	}
	return NULL;
}

/* "After" is the hop before it unless said. */
static int set_parents(struct reader *reader, struct hl_error *err)
{
	for (size_t i = 0; i < reader->nr_drafts; i++) {
		struct draft *draft = &reader->drafts[i];

		if (!draft->after && i > 0)
			draft->after = reader->drafts[i - 1].hop.name;
		if (draft->after && !find_draft(reader, draft->after))
			return hl_fail(
				err, EBADMSG, "%s:%u: hop %s is after \"%s\", which is no hop",
				reader->file, draft->hop.line, draft->hop.name, draft->after);
	}
	return 0;
}

/* Puts parents before children; what can never be placed is a cycle. */
static int place_hops(struct reader *reader, struct hl_error *err)
{
	struct hl_path_hop *hops = hl_arena_alloc(reader->arena,
						  (reader->nr_drafts + 1) * sizeof(*hops));
	const struct hl_path_hop **placed_as = hl_arena_alloc(
		reader->arena, (reader->nr_drafts + 1) * sizeof(void *));
	size_t nr = 0;

	for (size_t before = SIZE_MAX; nr < reader->nr_drafts && nr != before;) {
		before = nr;
		for (size_t i = 0; i < reader->nr_drafts; i++) {
			struct draft *draft = &reader->drafts[i];
			struct draft *after = draft->after ? find_draft(reader, draft->after)
							   : NULL;

			if (draft->is_placed || (after && !after->is_placed))
				continue;
			draft->is_placed = true;
			placed_as[i] = &hops[nr];
			hops[nr] = draft->hop;
			hops[nr++].after = after ? placed_as[after - reader->drafts] : NULL;
		}
	}
	for (size_t i = 0; i < reader->nr_drafts; i++) {
		const struct draft *draft = &reader->drafts[i];

		if (!draft->is_placed)
			return hl_fail(err, EBADMSG, "%s:%u: hop %s is after itself, by way of %s",
				       reader->file, draft->hop.line, draft->hop.name,
				       draft->after);
	}
	reader->path->hops = hops;
	reader->path->nr_hops = nr;
	return 0;
}

static int resolve(struct reader *reader, struct hl_error *err)
{
	int rc = check_hosts(reader, err);

	if (rc == 0 && reader->nr_drafts == 0)
		rc = hl_fail(err, EBADMSG, "%s: no [hop NAME] in it", reader->file);
	for (size_t i = 0; rc == 0 && i < reader->nr_drafts; i++)
		rc = resolve_hop(reader, &reader->drafts[i], err);
	if (rc == 0)
		rc = set_parents(reader, err);
	if (rc == 0)
		rc = place_hops(reader, err);
	reader->path->hosts = reader->hosts;
	reader->path->nr_hosts = reader->nr_hosts;
	return rc;
}

static struct hl_path *path_new(struct reader *reader)
{
	struct hl_arena *arena = hl_arena_new();
	struct owned_path *owned = hl_arena_alloc(arena, sizeof(*owned));

	owned->arena = arena;
	*reader = (struct reader){ .arena = arena, .path = &owned->path };
	host_of(reader, LOCAL, 0);
	return &owned->path;
}

int hl_path_parse(const char *name, const char *bytes, size_t len, struct hl_path **ret_path,
		  struct hl_error *err)
{
	struct reader reader;
	struct hl_path *path = path_new(&reader);
	int rc;

	reader.file = name;
	rc = hl_ini_read(name, bytes, len, take, &reader, err);
	if (rc == 0)
		rc = resolve(&reader, err);
	if (rc < 0) {
		hl_path_free(path);
		return rc;
	}
	*ret_path = path;
	return 0;
}

static enum hl_layer layer_of_target(const char *target)
{
	if (!strncmp(target, "iscsi://", 8))
		return HL_LAYER_TARGET;
	if (!strncmp(target, "/dev/zvol/", 10) || !strncmp(target, "/dev/zd", 7))
		return HL_LAYER_POOL;
	return strncmp(target, "/dev/", 5) ? HL_LAYER_FILESYSTEM : HL_LAYER_DRIVE;
}

char *hl_path_text_of_target(const char *target)
{
	return hl_printf("[path]\nname = %s\n[hop target]\nlayer = %s\ntarget = %s\n", target,
			 hl_layer_name(layer_of_target(target)), target);
}

void hl_path_free(struct hl_path *path)
{
	if (path)
		hl_arena_free(((struct owned_path *)path)->arena);
}
