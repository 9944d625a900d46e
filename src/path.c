/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a path file: see hoploss/path.h. First every key is taken as it stands, then names are
 * resolved and the hops put in order (path_resolve.c), so that a hop may name one that is written
 * further down.
 */
#include "hoploss/path.h"
#include "hoploss/alloc.h"
#include "hoploss/ini.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include "path_reader.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct owned_path {
	struct hl_path path; /* first: freeing casts */
	struct hl_arena *arena;
};

#define PATH_KEYS "name workloads medium"
#define HOST_KEYS "via on vm domain"
#define HOP_KEYS  "layer host target after size spec drives initiator owner chap"

static int fail_key(struct path_reader *reader, const struct hl_ini_item *item, const char *known,
		    struct hl_error *err)
{
	return hl_fail(err, EBADMSG, "unknown key \"%s\" in [%s]%s", item->key, item->section,
		       path_hint(reader, item->key, known));
}

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

static int take_path_key(struct path_reader *reader, const struct hl_ini_item *item,
			 struct hl_error *err)
{
	struct hl_path *path = reader->path;

	if (!strcmp(item->key, "name")) {
		path->name = hl_arena_strdup(reader->arena, item->value);
	} else if (!strcmp(item->key, "workloads")) {
		path->workloads = hl_arena_strdup(reader->arena, item->value);
		path->workloads_line = item->line;
	} else if (!strcmp(item->key, "medium")) {
		if (strcmp(item->value, "ram"))
			return hl_fail(err, EBADMSG, "medium \"%s\": only \"ram\" can be said",
				       item->value);
		path->is_ram_medium = true;
	} else {
		return fail_key(reader, item, PATH_KEYS, err);
	}
	return 0;
}

static int take_host_key(struct path_reader *reader, struct hl_path_host *host,
			 const struct hl_ini_item *item, struct hl_error *err)
{
	const char *value = hl_arena_strdup(reader->arena, item->value);

	if (!strcmp(item->key, "via"))
		host->via = strcmp(value, PATH_LOCAL) ? split_words(reader->arena, value) : NULL;
	else if (!strcmp(item->key, "on"))
		host->on = value;
	else if (!strcmp(item->key, "vm") || !strcmp(item->key, "domain"))
		host->vm = value;
	else
		return fail_key(reader, item, HOST_KEYS, err);
	return 0;
}

static int set_layer(struct path_reader *reader, struct path_draft *draft, const char *value,
		     struct hl_error *err)
{
	if (hl_layer_parse(value, &draft->hop.layer) == 0)
		return 0;
	return hl_fail(err, EBADMSG, "unknown layer \"%s\"%s", value,
		       path_hint(reader, value, PATH_LAYERS));
}

/* libiscsi takes user%password@ before the address, and the target's behind a "?" */
static bool has_secret(const char *target)
{
	const char *address = target + 8;

	if (strncmp(target, "iscsi://", 8) != 0)
		return false;
	return memchr(address, '@', strcspn(address, "/")) || strstr(address, "target_user=") ||
	       strstr(address, "target_password=");
}

static int add_targets(struct path_reader *reader, struct path_draft *draft, const char *value,
		       struct hl_error *err)
{
	const char **targets = (const char **)draft->hop.targets;
	const char *const *words = split_words(reader->arena, value);

	for (; *words; words++) {
		/* not told which: the text goes to terminals and logs */
		if (has_secret(*words))
			return hl_fail(err, EBADMSG,
				       "a user or password in an iscsi:// target would be recorded "
				       "and seen by everybody: write chap = FILE instead");
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

static int set_drives(struct path_draft *draft, const char *value, struct hl_error *err)
{
	uint64_t drives;

	if (hl_number_u64(value, strlen(value), &drives) < 0 || drives < 1 || drives > 10000)
		return hl_fail(err, EBADMSG, "drives = %s: a whole number from 1 to 10000", value);
	draft->hop.drives = (unsigned)drives;
	return 0;
}

static int take_hop_key(struct path_reader *reader, struct path_draft *draft,
			const struct hl_ini_item *item, struct hl_error *err)
{
	const char *key = item->key, *value = hl_arena_strdup(reader->arena, item->value);
	unsigned elsewhere; /* whose lines nobody asks for */
	const struct {
		const char *key;
		const char **to;
		unsigned *line;
	} texts[] = {
		{ "host", &draft->host, &draft->host_line },
		{ "after", &draft->after, &draft->after_line },
		{ "spec", &draft->hop.spec, &elsewhere },
		{ "initiator", &draft->hop.initiator, &elsewhere },
		{ "chap", &draft->hop.chap_file, &elsewhere },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (!strcmp(key, texts[i].key)) {
			*texts[i].to = value;
			*texts[i].line = item->line;
			return 0;
		}
	}
	if (!strcmp(key, "layer"))
		return set_layer(reader, draft, value, err);
	if (!strcmp(key, "target")) {
		draft->hop.target_line = draft->hop.target_line ? draft->hop.target_line
								: item->line;
		return add_targets(reader, draft, value, err);
	}
	if (!strcmp(key, "drives"))
		return set_drives(draft, value, err);
	if (!strcmp(key, "owner")) {
		if (strcmp(value, "none") != 0)
			return hl_fail(err, EBADMSG,
				       "owner \"%s\": only \"none\" can be said, where nobody but "
				       "hoploss logs in as the hop's initiator",
				       value);
		draft->hop.is_ownerless = true;
		return 0;
	}
	if (!strcmp(key, "size")) {
		if (hl_unit_read_size(value, strlen(value), HL_KIB, &draft->hop.size) < 0)
			return hl_fail(err, EBADMSG, "size = %s: write it as 64G or 512M", value);
		return 0;
	}
	return fail_key(reader, item, HOP_KEYS, err);
}

/* ---- sections ---- */

static struct hl_path_host *host_of(struct path_reader *reader, const char *name, unsigned line)
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

static struct path_draft *draft_of(struct path_reader *reader, const char *name, unsigned line)
{
	struct path_draft *draft;

	for (size_t i = 0; i < reader->nr_drafts; i++) {
		if (!strcmp(reader->drafts[i].hop.name, name))
			return &reader->drafts[i];
	}
	reader->drafts = hl_arena_extend(reader->arena, reader->drafts, reader->nr_drafts,
					 sizeof(*reader->drafts));
	draft = &reader->drafts[reader->nr_drafts++];
	*draft = (struct path_draft){
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

static int fail_section(const char *section, struct hl_error *err)
{
	return hl_fail(err, EBADMSG, "unknown section [%s]; known: [path], [host NAME], [hop NAME]",
		       section);
}

static int begin_section(struct path_reader *reader, const struct hl_ini_item *item,
			 struct hl_error *err)
{
	const char *host = name_in(item->section, "host"), *hop = name_in(item->section, "hop");
	unsigned line = host  ? host_of(reader, host, item->line)->line
			: hop ? draft_of(reader, hop, item->line)->hop.line
			      : item->line;

	reader->nr_seen = 0;
	if (!host && !hop && strcmp(item->section, "path") != 0)
		return fail_section(item->section, err);
	if (!line) /* "local" is there unsaid */
		host_of(reader, host, item->line)->line = item->line;
	else if (line != item->line)
		return hl_fail(err, EBADMSG,
			       "[%s] stands in line %u already: give one another name",
			       item->section, line);
	return 0;
}

/* A key says one thing; only targets add up. */
static int check_once(struct path_reader *reader, const struct hl_ini_item *item,
		      struct hl_error *err)
{
	for (size_t i = 0; i < reader->nr_seen; i++) {
		if (!strcmp(reader->seen[i].key, item->key) && strcmp(item->key, "target") != 0)
			return hl_fail(err, EBADMSG,
				       "\"%s\" of [%s] is said in line %u already: take one out",
				       item->key, item->section, reader->seen[i].line);
	}
	reader->seen = hl_arena_extend(reader->arena, reader->seen, reader->nr_seen,
				       sizeof(*reader->seen));
	reader->seen[reader->nr_seen++] = (struct path_seen){
		hl_arena_strdup(reader->arena, item->key),
		item->line,
	};
	return 0;
}

static int take_key(struct path_reader *reader, const struct hl_ini_item *item,
		    struct hl_error *err)
{
	const char *name;

	if (!strcmp(item->section, "path"))
		return take_path_key(reader, item, err);
	name = name_in(item->section, "host");
	if (name)
		return take_host_key(reader, host_of(reader, name, item->line), item, err);
	name = name_in(item->section, "hop");
	if (name)
		return take_hop_key(reader, draft_of(reader, name, item->line), item, err);
	return hl_fail(err, EBADMSG, "\"%s\" stands before the first section: begin with [path]",
		       item->key);
}

static int take(void *to, const struct hl_ini_item *item, struct hl_error *err)
{
	struct path_reader *reader = to;
	int rc;

	if (!item->key)
		return begin_section(reader, item, err);
	rc = check_once(reader, item, err);
	return rc == 0 ? take_key(reader, item, err) : rc;
}

static struct hl_path *path_new(struct path_reader *reader)
{
	struct hl_arena *arena = hl_arena_new();
	struct owned_path *owned = hl_arena_alloc(arena, sizeof(*owned));

	owned->arena = arena;
	*reader = (struct path_reader){ .arena = arena, .path = &owned->path };
	host_of(reader, PATH_LOCAL, 0);
	return &owned->path;
}

int hl_path_parse(const char *name, const char *bytes, size_t len, struct hl_path **ret_path,
		  struct hl_error *err)
{
	struct path_reader reader;
	struct hl_path *path = path_new(&reader);
	int rc;

	reader.file = name;
	rc = hl_ini_read_as(HL_INI_SECTIONS, name, bytes, len, take, &reader, err);
	if (rc == 0)
		rc = path_resolve(&reader, err);
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
	if (strncmp(target, "/dev/", 5) != 0 || !strncmp(target, "/dev/shm/", 9))
		return HL_LAYER_FILESYSTEM;
	return HL_LAYER_DRIVE;
}

char *hl_path_text_of_target(const char *target)
{
	return hl_printf("[path]\nname = %s\n[hop target]\nlayer = %s\ntarget = %s\n", target,
			 hl_layer_name(layer_of_target(target)), target);
}

bool hl_path_is_host_used(const struct hl_path *path, const struct hl_path_host *host)
{
	if (host->via)
		return true;
	for (size_t i = 0; i < path->nr_hops; i++) {
		if (path->hops[i].host == host)
			return true;
	}
	for (size_t i = 0; i < path->nr_hosts; i++) {
		if (path->hosts[i].on && !strcmp(path->hosts[i].on, host->name))
			return true;
	}
	return false;
}

void hl_path_free(struct hl_path *path)
{
	if (path)
		hl_arena_free(((struct owned_path *)path)->arena);
}
