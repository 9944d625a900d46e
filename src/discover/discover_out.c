/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The path file of what was discovered: hosts first, then hops, drive end first. What is to be
 * filled in stands there as comments.
 */
#include "discovery.h"
#include "hoploss/guest.h"
#include "hoploss/path.h"
#include "hoploss/text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_HOST 40 /* of a section's name */

/* A word that a line of a path file holds as it is. */
/* Neither a blank nor what a path file or a line of a worker could not hold. */
static bool is_word(const char *text)
{
	const char *at = text;

	while (*at) {
		size_t len = hl_text_utf8(at, strlen(at));

		if (!len || (unsigned char)*at <= ' ' || *at == 0x7f || strchr(";#\"'", *at))
			return false;
		at += len;
	}
	return *text;
}

/* ---- hosts ---- */

static bool is_listed(const struct texts *hosts, const char *host)
{
	for (size_t i = 0; i < hosts->nr; i++) {
		if (!strcmp(hosts->items[i], host))
			return true;
	}
	return false;
}

/* The host and those that it runs on. */
static void list_host(struct discovery *discovery, struct texts *hosts, const char *host)
{
	while (host && !is_listed(hosts, host)) {
		const struct hl_host *known = hl_guest_host(discovery->graph, host);

		hosts->items = hl_arena_extend(discovery->arena, hosts->items, hosts->nr,
					       sizeof(const char *));
		hosts->items[hosts->nr++] = host;
		host = known ? known->on : NULL;
	}
}

static const char *via_of(const struct discovery *discovery, const char *host)
{
	for (size_t i = 0; i < discovery->asked->nr_vias; i++) {
		if (!strcmp(discovery->asked->vias[i].host, host))
			return discovery->asked->vias[i].via;
	}
	return NULL;
}

static void put_via(FILE *out, struct discovery *discovery, const char *host)
{
	const char *via = via_of(discovery, host);
	struct texts open = { discovery->result->open, discovery->result->nr_open };

	if (via) {
		fprintf(out, "via = %s\n", via);
		return;
	}
	fprintf(out,
		"# to fill in: how this host is reached; without it, it is this machine\n"
		"# via = ssh root@%s\n",
		host);
	open.items = hl_arena_extend(discovery->arena, open.items, open.nr, sizeof(const char *));
	open.items[open.nr++] = print(discovery, "host %s: how it is reached", host);
	discovery->result->open = open.items;
	discovery->result->nr_open = open.nr;
}

/* Its number where it has one, as Proxmox knows it by. */
static const char *vm_of(struct discovery *discovery, const struct hl_host *host)
{
	const struct hl_fact *id = find_fact(discovery, host->on, host->vm, "vm.id");

	return id && id->type == HL_FACT_NUMBER ? print(discovery, "%.0f", id->number) : host->vm;
}

static void put_host(FILE *out, struct discovery *discovery, const char *host)
{
	const struct hl_host *known = hl_guest_host(discovery->graph, host);
	struct hl_guest_proof proof;

	fprintf(out, "\n[host %s]\n", host);
	put_via(out, discovery, host);
	if (!known || !known->on)
		return;
	if (hl_guest_prove(discovery->graph, known, &proof))
		fprintf(out, "# %s\n",
			print(discovery, "%s of %s (%s) is %s of %s on %s (%s)", proof.here->key,
			      proof.here->node ? proof.here->node : host, proof.here->source,
			      proof.there->key, proof.there->node, known->on, proof.there->source));
	fprintf(out, "on = %s\n", known->on);
	if (known->vm)
		fprintf(out, "vm = %s\n", vm_of(discovery, known));
}

static int check_hosts(const struct texts *hosts, struct hl_error *err)
{
	for (size_t i = 0; i < hosts->nr; i++) {
		if (!is_word(hosts->items[i]) || strchr(hosts->items[i], ']') ||
		    strlen(hosts->items[i]) > LONGEST_HOST)
			return hl_fail(err, EINVAL,
				       "host \"%s\": a path file cannot hold that name",
				       hosts->items[i]);
	}
	return 0;
}

/* ---- hops ---- */

/* A target that a line cannot hold is left to the person. */
static bool can_write(const struct found *hop)
{
	for (size_t i = 0; i < hop->targets.nr; i++) {
		if (!is_word(hop->targets.items[i]))
			return false;
	}
	return true;
}

static void put_targets(FILE *out, const struct found *hop, const char *start)
{
	for (size_t i = 0; i < hop->targets.nr; i++)
		fprintf(out, "%starget = %s\n", start, hop->targets.items[i]);
}

static void put_hop(FILE *out, struct discovery *discovery, const struct found *hop)
{
	bool is_open = hop->is_open || !can_write(hop);
	const char *start = is_open ? "# " : "";

	fprintf(out, "\n%s[hop %s]\n", start, hop->name);
	for (size_t i = 0; i < hop->notes.nr; i++)
		fprintf(out, "# %s\n", hop->notes.items[i]);
	if (hop->host)
		fprintf(out, "%shost = %s\n", start, hop->host);
	fprintf(out, "%slayer = %s\n", start, hl_layer_name(hop->layer));
	if (hop->spec)
		fprintf(out, "%sspec = %s\n%sdrives = %zu\n", start, hop->spec, start,
			hop->drives ? hop->drives : 1);
	if (is_open && !hop->is_open)
		fprintf(out, "# to fill in: a target with a blank or the like in it cannot be "
			     "written\n");
	for (size_t i = 0; i < hop->targets.nr; i++) {
		if (is_open)
			fprintf(out, "# target = %s\n",
				print(discovery, "%s", hop->targets.items[i]));
	}
	if (!is_open)
		put_targets(out, hop, start);
	for (size_t i = 0; i + 1 < hop->asks.nr; i += 2)
		fprintf(out, "# %s\n# %s\n", hop->asks.items[i], hop->asks.items[i + 1]);
}

/* ---- the file ---- */

static void put_head(FILE *out, struct discovery *discovery)
{
	const struct hl_discover *asked = discovery->asked;

	fprintf(out,
		"# Written by hoploss discover. A comment says where the line below it comes "
		"from:\n"
		"# the fact, the thing and host that it is of, and the file it was read from.\n"
		"\n[path]\nname = %s\n",
		print(discovery, "%s of %s", asked->path, asked->host));
}

/* What was written must be read back: a name that breaks it is refused. */
static int check_text(const char *text, struct hl_error *err)
{
	struct hl_path *path;
	int rc = hl_path_parse("discovered path", text, strlen(text), &path, err);

	if (rc == 0)
		hl_path_free(path);
	return rc == 0 ? 0 : -EINVAL;
}

int path_out(struct discovery *discovery, const char **ret_text, struct hl_error *err)
{
	HL_FREE char *text = NULL;
	struct texts hosts = { 0 };
	size_t len;
	FILE *out;
	int rc;

	for (size_t i = discovery->nr_hops; i-- > 0;) {
		if (!discovery->hops[i]->is_open || strcmp(discovery->hops[i]->host ?: "", "HOST"))
			list_host(discovery, &hosts, discovery->hops[i]->host);
	}
	rc = check_hosts(&hosts, err);
	out = rc == 0 ? open_memstream(&text, &len) : NULL;
	if (!out)
		return rc < 0 ? rc : hl_fail(err, ENOMEM, "write the path");
	put_head(out, discovery);
	for (size_t i = 0; i < hosts.nr; i++)
		put_host(out, discovery, hosts.items[i]);
	for (size_t i = discovery->nr_hops; i-- > 0;)
		put_hop(out, discovery, discovery->hops[i]);
	fclose(out);
	*ret_text = hl_arena_strdup(discovery->arena, text);
	return check_text(*ret_text, err);
}
