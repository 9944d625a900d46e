/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking up the facts that lead from one thing to the next.
 */
#include "discovery.h"
#include "hoploss/disk_name.h"
#include "hoploss/guest.h"
#include <string.h>
#include <strings.h>

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

const struct hl_fact *find_fact(const struct discovery *discovery, const char *host,
				const char *node, const char *key)
{
	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (!strcmp(fact->key, key) && is_same(fact->host, host) &&
		    is_same(fact->node, node))
			return fact;
	}
	return NULL;
}

const char *find_text(const struct discovery *discovery, const char *host, const char *node,
		      const char *key)
{
	const struct hl_fact *fact = find_fact(discovery, host, node, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : NULL;
}

/* ---- names in /dev ---- */

/* Whether a word of text by blanks is that name. */
static bool has_word(const char *text, const char *name)
{
	size_t len = strlen(name);

	while (*(text += strspn(text, " "))) {
		size_t word = strcspn(text, " ");

		if (word == len && !memcmp(text, name, len))
			return true;
		text += word;
	}
	return false;
}

static const char *find_linked(const struct discovery *discovery, const char *host,
			       const char *name)
{
	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (!strcmp(fact->key, "block.links") && is_same(fact->host, host) &&
		    fact->type == HL_FACT_STRING && has_word(fact->string, name))
			return fact->node;
	}
	return NULL;
}

/* Any fact of the block layer about it. */
static bool is_known(const struct discovery *discovery, const char *host, const char *device)
{
	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (is_same(fact->host, host) && is_same(fact->node, device) &&
		    (!strncmp(fact->key, "block.", 6) || !strncmp(fact->key, "drive.", 6)))
			return true;
	}
	return false;
}

const char *find_device(const struct discovery *discovery, const char *host, const char *path)
{
	static const char *const directories[] = { "disk/by-id/", "disk/by-partuuid/",
						   "disk/by-path/", "disk/by-vdev/", "mapper/" };
	const char *name = strncmp(path, "/dev/", 5) ? path : path + 5;
	const char *device = NULL;
	char disk[64];

	if (is_known(discovery, host, name))
		return name;
	device = find_linked(discovery, host, name);
	for (size_t i = 0; !device && i < sizeof(directories) / sizeof(*directories); i++)
		device = find_linked(
			discovery, host,
			hl_arena_printf(discovery->arena, "%s%s", directories[i], name));
	if (!device && hl_disk_name_cut(name, disk, sizeof(disk)) &&
	    is_known(discovery, host, disk))
		device = hl_arena_strdup(discovery->arena, disk);
	return device;
}

/* How much a name in /dev is worth: it tells the thing itself, or the place it is plugged in at. */
static unsigned worth(const char *link)
{
	static const char *const best_last[] = {
		"disk/by-id/wwn-",  "disk/by-id/nvme-eui.", "disk/by-id/nvme-",
		"disk/by-id/scsi-", "disk/by-id/ata-",      "mapper/",
		"disk/by-path/ip-",
	};

	for (size_t i = sizeof(best_last) / sizeof(*best_last); i-- > 0;) {
		if (!strncmp(link, best_last[i], strlen(best_last[i])) &&
		    (i != 2 || strncmp(link, best_last[1], strlen(best_last[1])) != 0))
			return (unsigned)i + 1;
	}
	return 0;
}

const char *find_stable(const struct discovery *discovery, const char *host, const char *device)
{
	const char *links = find_text(discovery, host, device, "block.links");
	const char *best = hl_arena_printf(discovery->arena, "/dev/%s", device);
	unsigned most = 0;

	while (links && *(links += strspn(links, " "))) {
		size_t len = strcspn(links, " ");

		if (worth(links) > most) {
			most = worth(links);
			best = hl_arena_printf(discovery->arena, "/dev/%.*s", (int)len, links);
		}
		links += len;
	}
	return best;
}

const struct hl_fact *find_mount(const struct discovery *discovery, const char *host,
				 const char *path)
{
	const struct hl_fact *found = NULL;

	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];
		size_t len = fact->node ? strlen(fact->node) : 0;
		size_t depth = len > 1 ? len : 0; /* "/" holds every path */

		if (strcmp(fact->key, "mount.device") || !is_same(fact->host, host) || !len ||
		    fact->type != HL_FACT_STRING || strncmp(path, fact->node, depth) ||
		    (path[depth] && path[depth] != '/'))
			continue;
		if (!found || len >= strlen(found->node)) /* what was mounted last hides the rest */
			found = fact;
	}
	return found;
}

/* ---- machines ---- */

const struct hl_fact *find_part(const struct discovery *discovery, const struct hl_host *guest,
				const char *there_key, const char *value)
{
	const struct hl_fact *found = NULL;
	const char *machine = guest->vm;
	size_t len = strlen(machine);

	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (strcmp(fact->key, there_key) || !is_same(fact->host, guest->on) ||
		    !fact->node || strncmp(fact->node, machine, len) || fact->node[len] != '/' ||
		    fact->type != HL_FACT_STRING || strcasecmp(fact->string, value) != 0)
			continue;
		if (found && strcmp(found->node, fact->node) != 0)
			return NULL;
		found = found ? found : fact; /* several sources tell of it */
	}
	return found;
}

const char *find_bottom(const struct discovery *discovery, const char *host)
{
	for (size_t i = 0; i <= discovery->graph->nr_hosts; i++) { /* a circle ends */
		const struct hl_host *known = hl_guest_host(discovery->graph, host);

		if (!known || !known->on)
			return host;
		host = known->on;
	}
	return host;
}
