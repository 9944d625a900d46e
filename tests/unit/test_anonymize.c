/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An anonymised graph holds no identity, in no string of it, and stays consistent in itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/anonymize.h"
#include <string.h>

static void add_text_fact(struct hl_graph *graph, const char *node, const char *key,
			  const char *value)
{
	struct hl_origin origin = { .host = "pve7", .node = node, .source = "10.1.1.1.txt:3" };

	hl_graph_add_string(graph, &origin, key, value);
}

static void the_same_thing_gets_the_same_stand_in(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	add_text_fact(graph, "eth0", "link.peer", "10.0.0.2 and 10.0.0.3, again 10.0.0.2");
	hl_graph_warn(graph, "nothing from 10.0.0.3:3260");
	hl_anonymize_graph(graph);
	assert_string_equal(graph->facts[0]->string, "198.18.0.1 and 198.18.0.2, again 198.18.0.1");
	assert_string_equal(graph->warnings[0], "nothing from 198.18.0.2:3260");
	assert_string_equal(graph->facts[0]->key, "link.peer");
}

static void names_that_the_graph_knows_are_replaced_everywhere(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_finding *finding = hl_graph_add_finding(graph);

	(void)unused;
	add_text_fact(graph, "nvme0", "drive.serial", "X9A0A001");
	add_text_fact(graph, "web-vm", "vm.scsihw", "virtio-scsi-single");
	finding->text = "on pve7 the drive X9A0A001 of web-vm; pve70 and web-vm2 are others";
	hl_anonymize_graph(graph);
	assert_string_equal(graph->facts[0]->host, "host-1");
	assert_string_equal(graph->facts[0]->string, "name-2");
	assert_string_equal(graph->facts[1]->node, "machine-3");
	assert_string_equal(graph->facts[1]->string, "virtio-scsi-single");
	assert_string_equal(
		finding->text,
		"on host-1 the drive name-2 of machine-3; pve70 and web-vm2 are others");
}

static void a_host_called_like_a_common_word_does_not_spoil_the_report(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	hl_graph_add_hop(graph, "a")->host = "target";
	hl_graph_warn(graph, "the target reads");
	hl_anonymize_graph(graph);
	assert_string_equal(graph->warnings[0], "the target reads");
}

static void measurements_and_disks_are_part_of_it(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = hl_graph_add_hop(graph, "pvc");
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);
	struct hl_disk *disk = hl_graph_add_disk(graph, hop);

	(void)unused;
	at->workload.name = "/mnt/acme/job";
	at->reason = "no space left on /mnt/acme/job";
	disk->name = "naa.5000c500a1b2c3d4";
	hl_anonymize_graph(graph);
	assert_string_equal(at->workload.name, "/path-1");
	assert_string_equal(at->reason, "no space left on /path-1");
	assert_string_equal(disk->name, "naa.5000000000000001");
	assert_string_equal(hop->name, "pvc");
}

static void commands_to_paste_keep_their_paths_only(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_finding *finding = hl_graph_add_finding(graph);

	(void)unused;
	finding->paste = "ls /MOUNTED/AT\nping 10.0.0.2\n";
	assert_true(hl_anonymize_is_needed(graph));
	hl_anonymize_graph(graph);
	assert_string_equal(finding->paste, "ls /MOUNTED/AT\nping 198.18.0.1\n");
}

static void a_clean_graph_needs_nothing_and_is_left(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	hl_graph_add_measurement(graph, hl_graph_add_hop(graph, "pvc"))->file = "acme.txt";
	hl_graph_warn(graph, "863 MiB/s at 0000:01:00.0");
	assert_false(hl_anonymize_is_needed(graph));
	hl_anonymize_graph(graph);
	assert_string_equal(graph->warnings[0], "863 MiB/s at 0000:01:00.0");
}

static void one_address_or_one_host_makes_it_needed(void **unused)
{
	HL_GRAPH struct hl_graph *first = hl_graph_new(), *second = hl_graph_new();

	(void)unused;
	hl_graph_add_input(first)->reason = "from 52:54:00:ab:cd:ef";
	assert_true(hl_anonymize_is_needed(first));
	hl_graph_add_hop(second, "a")->host = "pve7";
	assert_true(hl_anonymize_is_needed(second));
}

static void seed_and_mark_go_too(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	graph->seed = 7;
	graph->has_identities = true;
	hl_anonymize_graph(graph);
	assert_int_equal(graph->seed, 0);
	assert_false(graph->has_identities);
}

static void a_host_called_like_a_word_is_replaced_where_it_is_the_host(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { .host = "pool", .node = "cpu", .source = "/proc/stat" };

	(void)state;
	hl_graph_add_string(graph, &origin, "system.kernel", "a pool of 6.1");
	hl_graph_add_hop(graph, "raw")->host = "pool";
	hl_anonymize_graph(graph);
	assert_string_equal(graph->facts[0]->host, graph->hops[0]->host);
	assert_string_equal("a pool of 6.1", graph->facts[0]->string);
	assert_null(strstr(graph->hops[0]->host, "pool"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_thing_gets_the_same_stand_in),
		cmocka_unit_test(names_that_the_graph_knows_are_replaced_everywhere),
		cmocka_unit_test(a_host_called_like_a_common_word_does_not_spoil_the_report),
		cmocka_unit_test(measurements_and_disks_are_part_of_it),
		cmocka_unit_test(commands_to_paste_keep_their_paths_only),
		cmocka_unit_test(a_clean_graph_needs_nothing_and_is_left),
		cmocka_unit_test(one_address_or_one_host_makes_it_needed),
		cmocka_unit_test(seed_and_mark_go_too),
		cmocka_unit_test(a_host_called_like_a_word_is_replaced_where_it_is_the_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
