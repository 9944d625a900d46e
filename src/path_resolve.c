/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The second half of reading a path file: what names mean, and parents before their children.
 */
#include "hoploss/near.h"
#include "path_reader.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>

const char *path_hint(const struct path_reader *reader, const char *wanted, const char *known)
{
	char *rest = NULL, *copy = hl_arena_strdup(reader->arena, known);
	struct hl_near near;

	hl_near_start(&near, wanted);
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		hl_near_offer(&near, word);
	if (near.nr_names)
		return hl_arena_strdup(reader->arena, hl_near_hint(&near));
	return hl_arena_printf(reader->arena, "; one of: %s", known);
}

static const struct hl_path_host *find_host(const struct path_reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->nr_hosts; i++) {
		if (!strcmp(reader->hosts[i].name, name))
			return &reader->hosts[i];
	}
	return NULL;
}

/* Names of hosts, or of hops, for a hint. */
static const char *names_of_hosts(const struct path_reader *reader)
{
	const char *names = "";

	for (size_t i = 0; i < reader->nr_hosts; i++)
		names = hl_arena_printf(reader->arena, "%s%s%s", names, i ? " " : "",
					reader->hosts[i].name);
	return names;
}

static const char *names_of_hops(const struct path_reader *reader)
{
	const char *names = "";

	for (size_t i = 0; i < reader->nr_drafts; i++)
		names = hl_arena_printf(reader->arena, "%s%s%s", names, i ? " " : "",
					reader->drafts[i].hop.name);
	return names;
}

static int check_hosts(const struct path_reader *reader, struct hl_error *err)
{
	for (size_t i = 0; i < reader->nr_hosts; i++) {
		const struct hl_path_host *host = &reader->hosts[i];

		if (host->on && !find_host(reader, host->on))
			return hl_fail(err, EBADMSG,
				       "%s:%u: host %s is on \"%s\", which is no host here%s",
				       reader->file, host->line, host->name, host->on,
				       path_hint(reader, host->on, names_of_hosts(reader)));
		if (host->vm && !host->on)
			return hl_fail(
				err, EBADMSG,
				"%s:%u: host %s has a vm but no \"on = HOST\" that it runs on",
				reader->file, host->line, host->name);
		if (host->via && !host->via[0])
			return hl_fail(err, EBADMSG,
				       "%s:%u: host %s: via is empty: write local, ssh USER@HOST "
				       "or another command",
				       reader->file, host->line, host->name);
	}
	return 0;
}

static int resolve_hop(const struct path_reader *reader, struct path_draft *draft,
		       struct hl_error *err)
{
	const struct hl_path_hop *hop = &draft->hop;

	if (hop->layer == HL_LAYER_NONE)
		return hl_fail(err, EBADMSG,
			       "%s:%u: hop %s has no layer: write \"layer = \" and one of: %s",
			       reader->file, hop->line, hop->name, PATH_LAYERS);
	if (hop->layer == HL_LAYER_DATASHEET) {
		if (hop->spec && !hop->targets)
			return 0;
		return hl_fail(err, EBADMSG,
			       "%s:%u: a datasheet hop has \"spec = NAME\" and no target",
			       reader->file, hop->line);
	}
	if (!hop->targets || !hop->targets[0])
		return hl_fail(err, EBADMSG,
			       "%s:%u: hop %s has no target: write \"target = \" and a device, "
			       "file:PATH or iscsi://ADDRESS/IQN/LUN",
			       reader->file, hop->line, hop->name);
	draft->hop.host = find_host(reader, draft->host ? draft->host : PATH_LOCAL);
	if (!draft->hop.host)
		return hl_fail(err, EBADMSG, "%s:%u: hop %s runs on \"%s\": no [host %s] here%s",
			       reader->file, draft->host_line, hop->name, draft->host, draft->host,
			       path_hint(reader, draft->host, names_of_hosts(reader)));
	return 0;
}

static struct path_draft *find_draft(struct path_reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->nr_drafts; i++) {
		if (!strcmp(reader->drafts[i].hop.name, name))
			return &reader->drafts[i];
	}
	return NULL;
}

/* "After" is the hop before it unless said; "-" is none: the hop is a root. */
static int set_parents(struct path_reader *reader, struct hl_error *err)
{
	for (size_t i = 0; i < reader->nr_drafts; i++) {
		struct path_draft *draft = &reader->drafts[i];

		if (!draft->after && i > 0)
			draft->after = reader->drafts[i - 1].hop.name;
		if (draft->after && !strcmp(draft->after, "-"))
			draft->after = NULL;
		if (draft->after && !find_draft(reader, draft->after))
			return hl_fail(
				err, EBADMSG, "%s:%u: hop %s is after \"%s\", which is no hop%s",
				reader->file, draft->after_line, draft->hop.name, draft->after,
				path_hint(reader, draft->after, names_of_hops(reader)));
	}
	return 0;
}

/* Puts parents before children; what can never be placed is a cycle. */
static int place_hops(struct path_reader *reader, struct hl_error *err)
{
	struct hl_path_hop *hops = hl_arena_alloc(reader->arena,
						  (reader->nr_drafts + 1) * sizeof(*hops));
	const struct hl_path_hop **placed_as = hl_arena_alloc(
		reader->arena, (reader->nr_drafts + 1) * sizeof(void *));
	size_t nr = 0;

	for (size_t before = SIZE_MAX; nr < reader->nr_drafts && nr != before;) {
		before = nr;
		for (size_t i = 0; i < reader->nr_drafts; i++) {
			struct path_draft *draft = &reader->drafts[i];
			struct path_draft *after = draft->after ? find_draft(reader, draft->after)
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
		const struct path_draft *draft = &reader->drafts[i];

		if (!draft->is_placed)
			return hl_fail(err, EBADMSG,
				       "%s:%u: hop %s is after itself, by way of %s: name the hop "
				       "towards the drive",
				       reader->file,
				       draft->after_line ? draft->after_line : draft->hop.line,
				       draft->hop.name, draft->after);
	}
	reader->path->hops = hops;
	reader->path->nr_hops = nr;
	return 0;
}

int path_resolve(struct path_reader *reader, struct hl_error *err)
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
