/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * virsh domstats: what is really open, and how long vCPUs waited.
 */
#include "fact_reader.h"
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

static void domains_have_their_statistics(void **state)
{
	struct import import = import_text(text);

	(void)state;
	assert_int_equal(2, import.rc);
	assert_int_equal(1, boolean_of(&import, "web", "vm.is_running"));
	assert_int_equal(0, boolean_of(&import, "off", "vm.is_running"));
	assert_near(42, number_of(&import, "web", "vm.vcpu_delay_ns"));
	assert_near(3000, number_of(&import, "web", "vm.vcpu_time_ns"));
	assert_text("vnet7", &import, "web/net0", "vnic.host_device");
	assert_near(9, number_of(&import, "web/net0", "vnic.rx_dropped"));
	assert_text("/dev/zvol/tank/b", &import, "web/vdb", "vdisk.source");
	assert_string_equal("f.txt:15", fact_of(&import, "web/vda", "vdisk.source")->source);
	assert_false(has(&import, "off", "vm.vcpu_delay_ns"));
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
