/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree that lspci -t draws: which bridge stands above which function.
 *
 * Source: lspci(8). A line goes on where the line above branched off, so each branch is kept with
 * its column:
 *
 *	-[0000:00]-+-00.0
 *	           +-01.1-[01]----00.0
 *	           \-03.1-[02-05]--+-00.0
 */
#include "hoploss/format.h"
#include "hoploss/number.h"
#include "pci.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 64

struct branch { /* what stands behind a '+' or '\' in that column */
	size_t column;
	unsigned domain, bus;
	char parent[PCI_NODE]; /* the bridge to that bus; "" = it is a root bus */
};

struct tree {
	struct branch stack[MAX_DEPTH];
	size_t depth;
	struct branch here;
	char last[PCI_NODE]; /* the function read last */
	struct pci_listing *listing;
	const char *source;
};

static bool is_bus(const char *text, size_t len)
{
	return len >= 2 && isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1]);
}

static unsigned hex(const char *text, size_t len)
{
	uint64_t value = 0;

	hl_number_hex(text, len, &value);
	return (unsigned)value;
}

/* "[0000:00]", "[01]", "[02-05]", "[0000:02-05]"; returns its length, 0 = none */
static size_t read_bus(struct tree *tree, const char *text, size_t len)
{
	const char *close = memchr(text, ']', len);
	size_t at = 1;

	if (*text != '[' || !close)
		return 0;
	if (len > 6 && text[5] == ':') {
		tree->here.domain = hex(text + 1, 4);
		at = 6;
	}
	if (!is_bus(text + at, (size_t)(close - text) - at))
		return 0;
	tree->here.bus = hex(text + at, 2);
	snprintf(tree->here.parent, sizeof(tree->here.parent), "%s", tree->last);
	return (size_t)(close - text) + 1;
}

/* "01.1" */
static size_t read_function(struct tree *tree, const char *text, size_t len)
{
	struct pci_function at = { .domain = tree->here.domain, .bus = tree->here.bus };
	struct pci_function *added;

	if (len < 4 || !is_bus(text, len) || text[2] != '.' || text[3] < '0' || text[3] > '7' ||
	    hex(text, 2) > 0x1f)
		return 0;
	at.device = hex(text, 2);
	at.function = (unsigned)(text[3] - '0');
	added = hl_pci_listing_add(tree->listing, &at);
	added->source = tree->source;
	hl_pci_set_string(tree->listing, added, PCI_PARENT,
			  tree->here.parent[0] ? tree->here.parent : NULL, tree->source);
	memcpy(tree->last, added->node, sizeof(tree->last));
	return 4;
}

/* Back to where the line above branched off, or a new branch of what stands here. */
static void branch(struct tree *tree, size_t column)
{
	while (tree->depth && tree->stack[tree->depth - 1].column > column)
		tree->depth--;
	if (tree->depth && tree->stack[tree->depth - 1].column == column) {
		tree->here = tree->stack[tree->depth - 1];
		return;
	}
	if (tree->depth == MAX_DEPTH)
		return;
	tree->here.column = column;
	tree->stack[tree->depth++] = tree->here;
}

/* A root stands at the very start; what is above it is forgotten. */
static void begin_root(struct tree *tree)
{
	tree->depth = 0;
	tree->here = (struct branch){ 0 };
	tree->last[0] = '\0';
}

static void read_line(struct tree *tree, struct hl_line line)
{
	for (size_t i = 0; i < line.len;) {
		const char *text = line.start + i;
		size_t used = 0;

		if (*text == '+' || *text == '\\')
			branch(tree, i);
		else if (*text == '[')
			used = read_bus(tree, text, line.len - i);
		else if (isxdigit((unsigned char)*text))
			used = read_function(tree, text, line.len - i);
		else if (*text != '-' && *text != '|' && *text != ' ')
			return; /* names of lspci -tv */
		if (used == 4 && i + used < line.len && line.start[i + used] == ' ')
			return;
		i += used ? used : 1;
	}
}

static bool is_root_line(struct hl_line line)
{
	const char *open = memchr(line.start, '[', line.len);
	size_t before = open ? (size_t)(open - line.start) : 0;
	size_t len = open ? line.len - before : 0;

	if (!open || !before || before > 4 || strspn(line.start, "-+\\ ") < before)
		return false;
	return (len > 8 && open[5] == ':' && is_bus(open + 6, 2) && memchr(open, ']', len)) ||
	       (len > 3 && is_bus(open + 1, 2) && open[3] == ']');
}

/* Nothing but what a tree is drawn with before its first function. */
static bool goes_on(struct hl_line line)
{
	size_t skip = strspn(line.start, " |");

	return skip && skip < line.len && (line.start[skip] == '+' || line.start[skip] == '\\') &&
	       skip + 1 < line.len && line.start[skip + 1] == '-';
}

static size_t tree_claim(const struct hl_text *text, size_t at)
{
	size_t nr = 1;

	if (!is_root_line(text->lines[at]))
		return 0;
	while (at + nr < text->nr_lines &&
	       (goes_on(text->lines[at + nr]) || is_root_line(text->lines[at + nr])))
		nr++;
	return nr;
}

static int tree_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct pci_listing listing = { .arena = reading->graph->arena };
	struct tree tree = { .listing = &listing };

	for (size_t i = 0; i < slice->nr_lines; i++) {
		tree.source = hl_arena_printf(listing.arena, "%s:%u", slice->name,
					      slice->lines[i].number);
		if (is_root_line(slice->lines[i]))
			begin_root(&tree);
		read_line(&tree, slice->lines[i]);
	}
	if (!listing.nr)
		return hl_fail(err, ENODATA, "%s:%u: a tree of PCI devices with none in it",
			       slice->name, slice->lines[0].number);
	hl_pci_facts_add(&listing, reading->host, reading->graph);
	return 0;
}

const struct hl_format hl_format_lspci_tree = {
	.name = "lspci-tree",
	.summary = "the tree of lspci -t and -tv",
	.claim = tree_claim,
	.read = tree_read,
};
