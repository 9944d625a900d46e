/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Path files to fill in parse as they stand and have the hops that a leaf of that layer can have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"
#include "hoploss/path.h"
#include "hoploss/path_template.h"
#include "hoploss/suite.h"

/* Parses the template of a leaf of that name and layer; the path to be freed. */
static struct hl_path *parse(const char *name, enum hl_layer layer)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "KCD61LUL7T68", 5);
	struct hl_hop *leaf = hl_graph_add_hop(graph, name);
	struct hl_path *path = NULL;
	struct hl_error err = { 0 };
	const char *text;

	leaf->layer = layer;
	text = hl_path_template(graph, leaf);
	if (hl_path_parse("template", text, strlen(text), &path, &err))
		fail_msg("%s\n%s", err.text, text);
	assert_non_null(spec);
	return path;
}

static void a_file_system_behind_iscsi_has_all_hops(void **unused)
{
	static const char *const names[] = { "sheet",   "drives",    "volume", "loopback",
					     "network", "initiator", "pvc" };
	struct hl_path *path = parse("pvc", HL_LAYER_FILESYSTEM);

	(void)unused;
	assert_int_equal(path->nr_hops, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_string_equal(path->hops[i].name, names[i]);
		assert_true(i == 0 || path->hops[i].after == &path->hops[i - 1]);
	}
	assert_string_equal(path->workloads, "seq-read-128k rand-read-4k rand-read-4k-qd1");
	assert_non_null(hl_suite_job("seq-read-128k"));
	assert_non_null(hl_suite_job("rand-read-4k"));
	assert_non_null(hl_suite_job("rand-read-4k-qd1"));
	assert_string_equal(path->hops[0].spec, "KCD61LUL7T68");
	assert_int_equal(path->hops[0].drives, 5);
	assert_non_null(path->hops[1].targets[4]);
	assert_null(path->hops[1].targets[5]);
	hl_path_free(path);
}

static void every_layer_has_a_path_that_parses(void **unused)
{
	static const size_t nr_hops[HL_NR_LAYERS] = {
		[HL_LAYER_NONE] = 7,      [HL_LAYER_DATASHEET] = 2,  [HL_LAYER_LINK] = 2,
		[HL_LAYER_DRIVE] = 2,     [HL_LAYER_POOL] = 3,       [HL_LAYER_TARGET] = 4,
		[HL_LAYER_WIRE] = 5,      [HL_LAYER_VNIC] = 5,       [HL_LAYER_VDISK] = 4,
		[HL_LAYER_INITIATOR] = 6, [HL_LAYER_FILESYSTEM] = 7,
	};

	(void)unused;
	for (int layer = 0; layer < HL_NR_LAYERS; layer++) {
		struct hl_path *path = parse("leaf-of-mine", layer);

		assert_int_equal(path->nr_hops, nr_hops[layer]);
		assert_string_equal(path->hops[path->nr_hops - 1].name, "leaf-of-mine");
		hl_path_free(path);
	}
}

static void a_name_that_cannot_stand_in_a_section_is_replaced(void **unused)
{
	static const char *const names[] = { "",        "a]b",   "x\n[hop y]", "drives",
					     "network", "sheet", "Übel" };

	(void)unused;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct hl_path *path = parse(names[i], HL_LAYER_FILESYSTEM);

		assert_string_equal(path->hops[6].name, "leaf");
		assert_int_equal(path->nr_hops, 7);
		hl_path_free(path);
	}
}

static void without_a_sheet_there_is_no_hop_for_it(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	assert_null(strstr(hl_path_template(graph, hl_graph_add_hop(graph, "pvc")), "datasheet"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_system_behind_iscsi_has_all_hops),
		cmocka_unit_test(every_layer_has_a_path_that_parses),
		cmocka_unit_test(a_name_that_cannot_stand_in_a_section_is_replaced),
		cmocka_unit_test(without_a_sheet_there_is_no_hop_for_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
