/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which files are of different machines: see hoploss/apart.h.
 *
 * Surprising: one thing is written in several ways. lsblk cuts a model short, udev puts "_" for
 * blanks, sizes are rounded, and an older list of PCI names knows only "Device a808": what one way
 * may be of the other is no contradiction. Two logs of one drive are of one machine.
 */
#include "hoploss/apart.h"
#include "hoploss/fact.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

#define SIZE_TOLERANCE 1.15 /* GB for GiB, and rounding */

/* ---- one value and another ---- */

/* Letters and digits only, small, without what libata puts before a model. */
static char *plain_text(const char *text)
{
	char *plain, *to;

	if (!strncmp(text, "ATA ", 4))
		text += 4;
	plain = to = hl_strdup(text);
	for (; *text; text++) {
		if (isalnum((unsigned char)*text))
			*to++ = (char)tolower((unsigned char)*text);
	}
	*to = '\0';
	return plain;
}

static bool is_text_alike(const char *a, const char *b)
{
	HL_FREE char *left = plain_text(a);
	HL_FREE char *right = plain_text(b);

	return strstr(left, right) || strstr(right, left);
}

/* Where one has no name of the device, or only numbers, no more than the maker can be compared. */
static bool is_pci_alike(const char *a, const char *b)
{
	size_t maker = strcspn(a, " ");

	if (isdigit((unsigned char)*a) || isdigit((unsigned char)*b) || !strncmp(a, "Device ", 7) ||
	    !strncmp(b, "Device ", 7))
		return true;
	if (strstr(a, "Device ") || strstr(b, "Device "))
		return !strncmp(a, b, maker);
	return is_text_alike(a, b);
}

static bool is_kernel_list(const char *devices)
{
	return !strncmp(devices, "sd", 2) || !strncmp(devices, "vd", 2) ||
	       (!strncmp(devices, "nvme", 4) && isdigit((unsigned char)devices[4]));
}

static bool is_in_list(const char *list, const char *word, size_t len)
{
	for (size_t nr; *list; list += nr + (list[nr] == ' ')) {
		nr = strcspn(list, " ");
		if (nr == len && !memcmp(list, word, len))
			return true;
	}
	return false;
}

/* Names by the kernel say nothing of names by id; a disk that was replaced leaves the others. */
static bool is_list_alike(const char *a, const char *b)
{
	if (is_kernel_list(a) != is_kernel_list(b))
		return true;
	for (size_t nr; *a; a += nr + (a[nr] == ' ')) {
		nr = strcspn(a, " ");
		if (is_in_list(b, a, nr))
			return true;
	}
	return false;
}

/* What makes a node what it is. */
static const struct {
	const char *key;
	bool (*is_alike)(const char *a, const char *b); /* NULL: a size */
} identities[] = {
	{ "drive.serial", is_text_alike },  { "drive.model", is_text_alike },
	{ "drive.capacity_bytes", NULL },   { "block.serial", is_text_alike },
	{ "pcie.class", is_pci_alike },     { "pcie.name", is_pci_alike },
	{ "link.mac", is_text_alike },      { "zpool.layout", is_text_alike },
	{ "zpool.devices", is_list_alike }, { "zpool.size", NULL },
};

#define NR_IDENTITIES (sizeof(identities) / sizeof(*identities))

static size_t identity_of(const struct hl_fact *fact)
{
	size_t i = 0;

	while (i < NR_IDENTITIES && (!fact->node || strcmp(fact->key, identities[i].key) != 0))
		i++;
	return i;
}

static bool is_alike(const struct hl_fact *a, const struct hl_fact *b, size_t identity)
{
	if (a->type != b->type)
		return true;
	if (identities[identity].is_alike)
		return a->type != HL_FACT_STRING ||
		       identities[identity].is_alike(a->string, b->string);
	return a->type != HL_FACT_NUMBER ||
	       fmax(a->number, b->number) <= SIZE_TOLERANCE * fmin(a->number, b->number);
}

/* ---- one file and a machine ---- */

static bool is_host(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

struct likeness { /* of what was read from a file to what is known of a machine */
	bool agrees;
	const struct hl_fact *contradicted; /* NULL = none */
};

/* A machine may have several values of one fact: one that agrees will do. */
static void compare_fact(const struct hl_graph *graph, size_t nr, const char *host,
			 const struct hl_fact *fact, struct likeness *likeness)
{
	const struct hl_fact *other = NULL;
	size_t identity = identity_of(fact);

	for (size_t i = 0; identity < NR_IDENTITIES && i < nr; i++) {
		const struct hl_fact *known = graph->facts[i];

		if (!known->node || strcmp(known->key, fact->key) != 0 ||
		    strcmp(known->node, fact->node) != 0 || !is_host(known->host, host))
			continue;
		if (is_alike(known, fact, identity)) {
			likeness->agrees = true;
			return;
		}
		other = known;
	}
	if (other && !likeness->contradicted)
		likeness->contradicted = other;
}

static struct likeness compare(const struct hl_graph *graph, size_t first, const char *host)
{
	struct likeness likeness = { 0 };

	for (size_t i = first; i < graph->nr_facts; i++) {
		if (!graph->facts[i]->host)
			compare_fact(graph, first, host, graph->facts[i], &likeness);
	}
	return likeness;
}

/* ---- the whole ---- */

static bool is_apart(const struct hl_graph *graph, const char *host)
{
	for (size_t i = 0; i < graph->nr_apart; i++) {
		if (!strcmp(graph->apart[i], host))
			return true;
	}
	return false;
}

static const char *add_host(struct hl_graph *graph, const char *file)
{
	const char *name = hl_arena_strdup(graph->arena, file);

	for (unsigned n = 2; is_apart(graph, name); n++)
		name = hl_arena_printf(graph->arena, "%s-%u", file, n);
	graph->apart = hl_arena_extend(graph->arena, graph->apart, graph->nr_apart,
				       sizeof(*graph->apart));
	graph->apart[graph->nr_apart++] = name;
	return name;
}

/* Another that was told apart and is the same; NULL. */
static const char *find_host(const struct hl_graph *graph, size_t first)
{
	for (size_t i = 0; i < graph->nr_apart; i++) {
		struct likeness likeness = compare(graph, first, graph->apart[i]);

		if (likeness.agrees && !likeness.contradicted)
			return graph->apart[i];
	}
	return NULL;
}

static void warn(struct hl_graph *graph, const char *file, const struct hl_fact *other)
{
	const struct hl_fact_key *key = hl_fact_key_find(other->key);

	hl_graph_warn(graph, "%s is not of the machine of %s: %s is another there (%s)", file,
		      other->source ? other->source : "what was read before", other->node,
		      key ? key->label : other->key);
}

const char *hl_apart_tell(struct hl_graph *graph, size_t first, const char *file)
{
	struct likeness likeness = compare(graph, first, NULL);
	const char *host;

	if (likeness.agrees && !likeness.contradicted)
		return NULL;
	host = find_host(graph, first);
	if (!host && !likeness.contradicted)
		return NULL;
	if (likeness.contradicted)
		warn(graph, file, likeness.contradicted);
	if (!host)
		host = add_host(graph, file);
	for (size_t i = first; i < graph->nr_facts; i++) {
		if (!graph->facts[i]->host)
			graph->facts[i]->host = host;
	}
	return host;
}

bool hl_apart_may_be_one(const struct hl_graph *graph, const char *a, const char *b)
{
	if (a && b)
		return !strcmp(a, b);
	return a == b || !is_apart(graph, a ? a : b);
}
