/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine written down as rows, for the tests of probes: files with their bytes and links with
 * their targets, below a directory of its own.
 */
#ifndef PROBE_TREE_H
#define PROBE_TREE_H

#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct tree_row {
	const char *path;  /* "/sys/block/sda/ro" */
	const char *bytes; /* "-> WHERE": a link */
};

#define NR_ROWS(rows) (sizeof(rows) / sizeof(*(rows)))

static char tree_dir[] = "/tmp/hoploss-test-XXXXXX";

__attribute__((unused)) static int tree_setup(void **state)
{
	(void)state;
	return mkdtemp(tree_dir) && chdir(tree_dir) == 0 ? 0 : -1;
}

__attribute__((unused)) static int tree_remove(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", tree_dir);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

static void make_parents(char *path)
{
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

__attribute__((unused)) static void tree_make(const char *root, const struct tree_row *rows,
					      size_t nr)
{
	mkdir(root, 0755);
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s%s", root, rows[i].path);
		FILE *file;

		make_parents(path);
		if (!strncmp(rows[i].bytes, "-> ", 3)) {
			assert_int_equal(0, symlink(rows[i].bytes + 3, path));
			continue;
		}
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(rows[i].bytes, file);
		assert_int_equal(0, fclose(file));
	}
}

/* What a probe makes of the tree at root. */
__attribute__((unused)) static struct hl_graph *tree_decode(const struct hl_probe *probe,
							    const char *root)
{
	struct hl_machine *machine = hl_machine_open(root, NULL);
	struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { .host = "nas" };

	assert_int_equal(0, probe->decode(machine, &origin, graph, NULL));
	hl_machine_close(machine);
	return graph;
}

/* The same of what it recorded of that tree into the directory "to". */
__attribute__((unused)) static struct hl_graph *tree_record(const struct hl_probe *probe,
							    const char *root, const char *to)
{
	HL_FREE char *kept = hl_printf("%s.kept", to);
	struct hl_capture_sink *sink = hl_record_dir_open(to, kept);
	struct hl_machine *machine = hl_machine_open_to(root, sink);
	struct hl_capture capture = { machine, sink };

	assert_int_equal(0, probe->acquire(&capture, NULL));
	hl_machine_close(machine);
	hl_record_sink_close(sink);
	return tree_decode(probe, to);
}

__attribute__((unused)) static const char *tree_text(const struct hl_graph *graph, const char *node,
						     const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(graph, node, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : "";
}

__attribute__((unused)) static double tree_number(const struct hl_graph *graph, const char *node,
						  const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(graph, node, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

/* Both have the same facts. */
__attribute__((unused)) static void assert_same_facts(const struct hl_graph *a,
						      const struct hl_graph *b)
{
	assert_int_equal(a->nr_facts, b->nr_facts);
	for (size_t i = 0; i < a->nr_facts; i++) {
		const struct hl_fact *left = a->facts[i], *right = b->facts[i];

		assert_string_equal(left->key, right->key);
		assert_string_equal(left->node ? left->node : "", right->node ? right->node : "");
		assert_string_equal(left->source, right->source);
		assert_int_equal(left->type, right->type);
		if (left->type == HL_FACT_STRING)
			assert_string_equal(left->string, right->string);
		else if (left->type == HL_FACT_NUMBER)
			assert_true(left->number == right->number);
		else
			assert_int_equal(left->boolean, right->boolean);
	}
}

#endif
