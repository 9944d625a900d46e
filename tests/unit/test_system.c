/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

extern const struct hl_probe hl_probe_system;

static char scratch[] = "/tmp/hoploss-test-XXXXXX";

static const char make_tree[] =
	"set -e; mkdir -p root/proc/sys/kernel root/sys/class/dmi/id root/etc empty garbage/proc;"
	"echo pve >root/proc/sys/kernel/hostname; echo 6.8.12-4-pve "
	">root/proc/sys/kernel/osrelease;"
	"printf '350735.47 234388.90\\n' >root/proc/uptime; echo QEMU "
	">root/sys/class/dmi/id/sys_vendor;"
	"printf 'NAME=Debian\\nPRETTY_NAME=\"Debian GNU/Linux 12\"\\n' >root/etc/os-release;"
	"printf 'processor\\t: 0\\nflags\\t\\t: fpu vme hypervisor\\n\\n' >root/proc/cpuinfo;"
	"printf 'up' >garbage/proc/uptime; head -c 300 /dev/urandom >garbage/proc/cpuinfo";

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) && chdir(scratch) == 0 ? system(make_tree) : -1;
}

static int remove_scratch(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", scratch);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

static struct hl_graph *decode(const char *root)
{
	struct hl_machine *machine = hl_machine_open(root, NULL);
	struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { .host = "pve" };

	assert_int_equal(0, hl_probe_system.decode(machine, &origin, graph, NULL));
	hl_machine_close(machine);
	return graph;
}

static const char *text_of(const struct hl_graph *graph, const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(graph, NULL, key);

	return fact ? fact->string : NULL;
}

static void a_recorded_machine_says_what_it_is(void **state)
{
	HL_GRAPH struct hl_graph *graph = decode("root");
	const struct hl_fact *uptime = hl_graph_find_fact(graph, NULL, "system.uptime_s");

	(void)state;
	assert_string_equal("pve", text_of(graph, "system.hostname"));
	assert_string_equal("6.8.12-4-pve", text_of(graph, "system.kernel_release"));
	assert_string_equal("Debian GNU/Linux 12", text_of(graph, "system.os"));
	assert_string_equal("QEMU", text_of(graph, "system.vendor"));
	assert_true(uptime->number == 350735.47);
	assert_string_equal("pve", uptime->host);
	assert_string_equal("/proc/uptime", uptime->source);
	assert_true(hl_graph_find_fact(graph, NULL, "system.is_guest")->boolean);
	assert_null(hl_graph_find_fact(graph, NULL, "system.product"));
}

static void what_is_missing_or_garbage_is_no_fact(void **state)
{
	HL_GRAPH struct hl_graph *empty = decode("empty");
	HL_GRAPH struct hl_graph *garbage = decode("garbage");

	(void)state;
	assert_int_equal(0, empty->nr_facts);
	assert_int_equal(0, garbage->nr_facts);
}

static void what_is_read_live_decodes_alike_from_the_recording(void **state)
{
	struct hl_capture_sink *sink = hl_record_dir_open("recorded", NULL);
	struct hl_machine *machine = hl_machine_open_to("root", sink);
	struct hl_capture capture = { machine, sink };
	HL_GRAPH struct hl_graph *direct = decode("root");
	HL_GRAPH struct hl_graph *replayed = NULL;

	(void)state;
	assert_int_equal(0, hl_probe_system.acquire(&capture, NULL));
	replayed = decode("recorded");
	assert_int_equal(direct->nr_facts, replayed->nr_facts);
	hl_machine_close(machine);
	hl_record_sink_close(sink);
}

static void a_machine_without_proc_and_sys_has_no_such_layer(void **state)
{
	struct hl_machine *machine = hl_machine_open("empty", NULL);
	struct hl_capture capture = { .machine = machine };
	struct hl_error err;

	(void)state;
	assert_int_equal(-ENOENT, hl_probe_system.acquire(&capture, &err));
	hl_machine_close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_machine_says_what_it_is),
		cmocka_unit_test(what_is_missing_or_garbage_is_no_fact),
		cmocka_unit_test(what_is_read_live_decodes_alike_from_the_recording),
		cmocka_unit_test(a_machine_without_proc_and_sys_has_no_such_layer),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
