/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pci.cfg of a Proxmox cluster: which devices a mapping means.
 */
#include "import_reader.h"
#include <errno.h>

static const char config[] =
	"fastNic\n"
	"\tmap id=8086:10c9,iommugroup=1,node=pve1,path=0000:01:10.0,subsystem-id=8086:0001\n"
	"\tmap id=8086:10c9,iommugroup=2,node=pve2,path=0000:02:10.0\n"
	"\n"
	"gpu\n"
	"\tdescription of nothing\n"
	"\tmap id=10de:1234,node=pve1,path=0000:41:00\n";

/* Of that host. */
static struct hl_graph *read_of(const char *bytes, const char *host)
{
	struct hl_text *text = hl_text_new("pci.cfg", bytes, strlen(bytes));
	struct hl_graph *graph = hl_graph_new();
	struct hl_reading reading = {
		.graph = graph, .hop_name = "x", .host = host, .stem = "pci"
	};

	hl_formats_read(text, &reading, NULL);
	hl_text_free(text);
	return graph;
}

static void check(const struct hl_graph *graph, const char *node, const char *key,
		  const char *expected)
{
	const struct hl_fact *fact = hl_graph_find_fact(graph, node, key);

	assert_int_equal(expected != NULL, fact != NULL);
	if (fact)
		assert_string_equal(expected, fact->string);
}

static void all_devices_of_a_mapping_are_told(void **state)
{
	HL_GRAPH struct hl_graph *graph = read_of(config, NULL);

	(void)state;
	check(graph, "fastNic", "mapping.addresses", "0000:01:10.0 0000:02:10.0");
	check(graph, "fastNic", "mapping.nodes", "pve1 pve2");
	check(graph, "fastNic", "mapping.address", NULL); /* which of the two */
}

static void the_one_of_the_host_is_known(void **state)
{
	HL_GRAPH struct hl_graph *graph = read_of(config, "pve2");
	HL_GRAPH struct hl_graph *alone = read_of("a-b\nmap id=1:2,path=0000:03:00.0\n", NULL);

	(void)state;
	check(graph, "fastNic", "mapping.address", "0000:02:10.0");
	check(alone, "a-b", "mapping.address", "0000:03:00.0");
	check(alone, "a-b", "mapping.nodes", "?");
}

static void other_sections_are_not_claimed(void **state)
{
	HL_GRAPH struct hl_graph *usb = read_of("stick\n\tmap id=1234:5678,node=pve1\n", NULL);
	HL_GRAPH struct hl_graph *prose = read_of("see\nthe map of path=x\n", NULL);
	HL_GRAPH struct hl_graph *cut = read_of("fastNic\n", NULL);

	(void)state;
	assert_int_equal(0, usb->nr_facts + prose->nr_facts + cut->nr_facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_devices_of_a_mapping_are_told),
		cmocka_unit_test(the_one_of_the_host_is_known),
		cmocka_unit_test(other_sections_are_not_claimed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
