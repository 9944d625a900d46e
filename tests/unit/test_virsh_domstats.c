/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * virsh domstats: what is really open, and how long vCPUs waited.
 */
#include "import_reader.h"
#include <errno.h>

static const char text[] = "Domain: 'web'\n"
			   "  state.state=1\n"
			   "  state.reason=1\n"
			   "  cpu.time=5000\n"
			   "  vcpu.current=2\n"
			   "  vcpu.0.time=1000\n"
			   "  vcpu.0.delay=30\n"
			   "  vcpu.1.time=2000\n"
			   "  vcpu.1.delay=12\n"
			   "  net.count=1\n"
			   "  net.0.name=vnet7\n"
			   "  net.0.rx.drop=9\n"
			   "  block.count=2\n"
			   "  block.0.name=vda\n"
			   "  block.0.path=/var/lib/a.qcow2\n"
			   "  block.1.name=vdb\n"
			   "  block.1.path=/dev/zvol/tank/b\n"
			   "\n"
			   "Domain: 'off'\n"
			   "  state.state=5\n"
			   "  block.0.name=sda\n"
			   "\n";

static const struct hl_fact *fact_of(const struct import *import, const char *node, const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(import->graph, node, key);

	if (!fact)
		fail_msg("no %s of %s", key, node);
	return fact;
}

static void domains_have_their_statistics(void **state)
{
	struct import import = import_text(text);

	(void)state;
	assert_int_equal(2, import.rc);
	assert_true(fact_of(&import, "web", "vm.is_running")->boolean);
	assert_false(fact_of(&import, "off", "vm.is_running")->boolean);
	assert_near(42, fact_of(&import, "web", "vm.vcpu_delay_ns")->number);
	assert_near(3000, fact_of(&import, "web", "vm.vcpu_time_ns")->number);
	assert_string_equal("vnet7", fact_of(&import, "web/net0", "vnic.host_device")->string);
	assert_near(9, fact_of(&import, "web/net0", "vnic.rx_dropped")->number);
	assert_string_equal("/dev/zvol/tank/b",
			    fact_of(&import, "web/vdb", "vdisk.source")->string);
	assert_string_equal("f.txt:15", fact_of(&import, "web/vda", "vdisk.source")->source);
	assert_null(hl_graph_find_fact(import.graph, "off", "vm.vcpu_delay_ns"));
	import_free(&import);
}

static void garbage_is_not_claimed(void **state)
{
	static const char *const cases[] = { "Domain: 'web'\n", "Domain: ''\n  state.state=1\n",
					     "Domain: web\n  state.state=1\n", "Domain: 'a'\nx\n" };

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.rc != -ENODATA || import.graph->nr_facts)
			fail_msg("claimed: %s", cases[i]);
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(domains_have_their_statistics),
		cmocka_unit_test(garbage_is_not_claimed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
