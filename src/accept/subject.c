/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drives of a graph: see subject.h. A drive has several names: its namespace, its controller,
 * its PCI function. Facts that are relations say which belong together.
 */
#include "subject.h"
#include "functions.h"
#include "hoploss/apart.h"
#include <errno.h>
#include <string.h>

static const char *const relations[] = { "block.controller", "block.pci_address",
					 "nvme.pci_address", NULL };

static bool is_relation(const struct hl_fact *fact)
{
	for (size_t i = 0; relations[i]; i++) {
		if (!strcmp(fact->key, relations[i]))
			return fact->type == HL_FACT_STRING && fact->node;
	}
	return false;
}

/* "HOP/WORKLOAD": what was seen while a hop was measured. */
static bool is_beside(const struct hl_hop *hop, const char *node)
{
	size_t len = strlen(hop->name);

	return !strncmp(node, hop->name, len) && node[len] == '/';
}

static bool is_beside_any(const struct hl_graph *graph, const char *node)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (is_beside(graph->hops[i], node))
			return true;
	}
	return false;
}

static bool is_about_drive(const struct hl_fact *fact)
{
	static const char *const layers[] = { "smart.", "drive.", "accept." };

	for (size_t i = 0; fact->node && i < sizeof(layers) / sizeof(*layers); i++) {
		if (!strncmp(fact->key, layers[i], strlen(layers[i])))
			return true;
	}
	return false;
}

/* Something that only a drive has. */
static bool is_of_drive(const struct hl_graph *graph, const struct hl_fact *fact)
{
	return is_about_drive(fact) && !is_beside_any(graph, fact->node);
}

static bool is_host(const struct subject *subject, const char *host)
{
	return hl_apart_may_be_one(subject->graph, subject->host, host);
}

static bool has_node(const struct subject *subject, const char *node)
{
	for (size_t i = 0; i < subject->nr_nodes; i++) {
		if (!strcmp(subject->nodes[i], node))
			return true;
	}
	return false;
}

static void add_node(struct subject *subject, const char *node)
{
	if (has_node(subject, node))
		return;
	subject->nodes = hl_arena_extend(subject->arena, subject->nodes, subject->nr_nodes,
					 sizeof(*subject->nodes));
	subject->nodes[subject->nr_nodes++] = node;
}

static bool tells_controller(const struct subject *subject, const char *node)
{
	for (size_t i = 0; i < subject->graph->nr_facts; i++) {
		const struct hl_fact *fact = subject->graph->facts[i];

		if (!strcmp(fact->key, "block.controller") && fact->node &&
		    !strcmp(fact->node, node) && is_host(subject, fact->host))
			return true;
	}
	return false;
}

/*
 * Saved output of nvme-cli does not say which namespace is whose: without a fact that does, the
 * kernel's names do. "nvme0" of "nvme0n1"; NULL.
 */
static const char *controller_by_name(const struct subject *subject, const char *node)
{
	size_t digits, len = 4;

	if (strncmp(node, "nvme", len) != 0)
		return NULL;
	digits = strspn(node + len, "0123456789");
	if (!digits || node[len + digits] != 'n' || tells_controller(subject, node))
		return NULL;
	return hl_arena_strndup(subject->arena, node, len + digits);
}

static bool is_controller_of(const struct subject *subject, const char *controller,
			     const char *node)
{
	const char *name = node ? controller_by_name(subject, node) : NULL;

	return name && !strcmp(name, controller);
}

/* A controller's namespaces come before it; what it hangs on comes behind. */
static void add_relatives(struct subject *subject)
{
	for (size_t n = 0; n < subject->nr_nodes; n++) {
		for (size_t i = 0; i < subject->graph->nr_facts; i++) {
			const struct hl_fact *fact = subject->graph->facts[i];

			if (!is_host(subject, fact->host))
				continue;
			if (is_of_drive(subject->graph, fact) &&
			    (is_controller_of(subject, subject->nodes[n], fact->node) ||
			     is_controller_of(subject, fact->node, subject->nodes[n])))
				add_node(subject, fact->node);
			if (!is_relation(fact))
				continue;
			if (!strcmp(fact->node, subject->nodes[n]))
				add_node(subject, fact->string);
			else if (!strcmp(fact->key, "block.controller") &&
				 !strcmp(fact->string, subject->nodes[n]))
				add_node(subject, fact->node);
		}
	}
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static void find_hop(struct subject *subject)
{
	for (size_t i = 0; i < subject->graph->nr_hops && !subject->hop; i++) {
		const struct hl_hop *hop = subject->graph->hops[i];
		const char *name = base_name(hop->target);

		if (!is_host(subject, hop->host))
			continue;
		if ((name && has_node(subject, name)) || has_node(subject, hop->name))
			subject->hop = hop;
	}
}

/* The hottest that it was, and what else was seen of it while it was measured. */
static void add_seen(struct subject *subject)
{
	for (size_t i = 0; subject->hop && i < subject->graph->nr_facts; i++) {
		const struct hl_fact *fact = subject->graph->facts[i];

		if (is_about_drive(fact) && is_host(subject, fact->host) &&
		    is_beside(subject->hop, fact->node))
			add_node(subject, fact->node);
	}
}

/* ATA's and SCSI's counters are no NVMe's. */
static void find_kinds(struct subject *subject)
{
	static const struct {
		const char *key;
		int kind;
	} signs[] = {
		{ "smart.available_spare_pct", DRIVE_NVME },
		{ "smart.critical_warning", DRIVE_NVME },
		{ "smart.data_units_written", DRIVE_NVME },
		{ "smart.pending", DRIVE_ATA },
		{ "smart.reallocated", DRIVE_ATA },
		{ "smart.crc_errors", DRIVE_ATA },
		{ "smart.grown_defects", DRIVE_SCSI },
		{ "drive.link_max_gbps", DRIVE_ATA },
	};

	subject->kinds = 0;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (subject_fact(subject, signs[i].key))
			subject->kinds |= signs[i].kind;
	}
	for (size_t i = 0; i < subject->nr_nodes; i++) {
		if (!strncmp(subject->nodes[i], "nvme", 4) ||
		    functions_is_nvme(subject->graph, subject->nodes[i]))
			subject->kinds |= DRIVE_NVME;
	}
	if (!subject->kinds)
		subject->kinds = DRIVE_ANY;
}

struct drives {
	struct subject *items;
	size_t nr;
};

static bool is_known(const struct drives *drives, const char *host, const char *node)
{
	for (size_t i = 0; i < drives->nr; i++) {
		if (is_host(&drives->items[i], host) && has_node(&drives->items[i], node))
			return true;
	}
	return false;
}

static void add_drive(struct drives *drives, const struct subject *like, const char *host,
		      const char *node)
{
	struct subject *subject;

	if (is_known(drives, host, node))
		return;
	drives->items = hl_arena_extend(like->arena, drives->items, drives->nr, sizeof(*subject));
	subject = &drives->items[drives->nr++];
	*subject = *like;
	subject->host = host;
	add_node(subject, node);
	add_relatives(subject);
}

static bool is_device(const struct hl_hop *hop)
{
	return hop->target && !strncmp(hop->target, "/dev/", 5);
}

/* Drives that were tested by themselves: others of that machine were only captured with them. */
static bool is_drive_test(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		if (hop->layer != HL_LAYER_DRIVE || hop->after || !is_device(hop))
			return false;
	}
	return graph->nr_hops > 0;
}

static void take_function(struct subject *subject, const struct hl_fact *function)
{
	add_node(subject, function->node);
	subject->note = hl_arena_printf(subject->arena,
					"%s is taken for the drive: it is the one NVMe function "
					"that lspci shows (--bdf names another)",
					function->node);
}

/* A link alone can be judged too. */
static void add_function(struct drives *drives, const struct subject *like)
{
	const struct hl_fact *only = functions_only(like->graph, NULL);

	if (like->how->bdf) {
		add_drive(drives, like, NULL, like->how->bdf);
	} else if (only) {
		add_drive(drives, like, only->host, only->node);
		take_function(&drives->items[0], only);
	}
}

/* Where the kernel told which drive is which function, none is guessed. */
static bool tells_functions(const struct subject *subject)
{
	for (size_t i = 0; i < subject->graph->nr_facts; i++) {
		const struct hl_fact *fact = subject->graph->facts[i];

		if (is_relation(fact) && strcmp(fact->key, "block.controller") != 0 &&
		    is_host(subject, fact->host))
			return true;
	}
	return false;
}

/* Of the one drive. */
static void choose_function(struct subject *subject)
{
	const struct hl_fact *only = functions_only(subject->graph, subject->host);

	if (subject->how->bdf)
		add_node(subject, subject->how->bdf);
	else if (only && (subject->kinds & DRIVE_NVME) && !has_node(subject, only->node) &&
		 !tells_functions(subject))
		take_function(subject, only);
}

static void add_all(struct drives *drives, const struct subject *like)
{
	bool is_tested = is_drive_test(like->graph);

	for (size_t i = 0; !is_tested && i < like->graph->nr_facts; i++) {
		const struct hl_fact *fact = like->graph->facts[i];

		if (is_of_drive(like->graph, fact))
			add_drive(drives, like, fact->host, fact->node);
	}
	for (size_t i = 0; i < like->graph->nr_hops; i++) {
		const struct hl_hop *hop = like->graph->hops[i];

		if (is_device(hop))
			add_drive(drives, like, hop->host, base_name(hop->target));
	}
	if (!drives->nr)
		add_function(drives, like);
}

static int pick(const struct hl_acceptance_how *how, struct drives *drives, struct hl_error *err)
{
	size_t nr = 0;

	for (size_t i = 0; i < how->nr_devices; i++) {
		const char *name = base_name(how->devices[i]);
		size_t at = nr;

		while (at < drives->nr && !has_node(&drives->items[at], name))
			at++;
		if (at == drives->nr)
			return hl_fail(err, ENODATA, "nothing is known of %s", how->devices[i]);
		struct subject found = drives->items[at];

		memmove(&drives->items[nr + 1], &drives->items[nr],
			(at - nr) * sizeof(*drives->items));
		drives->items[nr++] = found;
	}
	if (how->nr_devices)
		drives->nr = nr;
	return 0;
}

int subjects_find(const struct hl_graph *graph, const struct hl_acceptance_how *how,
		  struct hl_arena *arena, struct subject **ret_subjects, size_t *ret_nr,
		  struct hl_error *err)
{
	const struct subject like = { .graph = graph, .how = how, .arena = arena };
	struct drives drives = { 0 };
	int rc;

	if (how->bdf && !functions_know(graph, how->bdf))
		return hl_fail(err, ENODATA, "nothing is known of --bdf %s", how->bdf);
	add_all(&drives, &like);
	if (!drives.nr && functions_list(&like))
		return hl_fail(err, ENODATA,
			       "lspci shows several NVMe functions: --bdf says which is the drive");
	if (!drives.nr)
		return hl_fail(err, ENODATA,
			       "no drive is in what was given, and no NVMe function; --bdf names "
			       "another in lspci's output");
	rc = pick(how, &drives, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < drives.nr; i++) {
		find_kinds(&drives.items[i]);
		if (drives.nr == 1)
			choose_function(&drives.items[i]);
		find_hop(&drives.items[i]);
		add_seen(&drives.items[i]);
	}
	*ret_subjects = drives.items;
	*ret_nr = drives.nr;
	return 0;
}
