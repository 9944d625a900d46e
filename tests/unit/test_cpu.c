/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe "cpu" and its meter, on a tree made by hand in the form of proc and sysfs.
 */
#include "hoploss/meter.h"
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

extern const struct hl_probe hl_probe_cpu;
extern const struct hl_meter hl_meter_cpu_load;

#define CPU   "sys/devices/system/cpu/"
#define NODES "sys/devices/system/node/"

static char scratch[] = "/tmp/hoploss-test-XXXXXX";

static const struct {
	const char *path, *text;
} files[] = {
	{ "proc/cpuinfo",
	  "processor\t: 0\nmodel name\t: Made 9000\nphysical id\t: 0\nsiblings\t: 4\n"
	  "cpu cores\t: 2\n\nprocessor\t: 1\nmodel name\t: Other\nphysical id\t: 1\n"
	  "siblings\t: 4\ncpu cores\t: 2\n" },
	{ "proc/stat", "cpu  100 0 50 800 10 1 20 19 0 0\ncpu0 50 0 25 400 5 1 20 9 0 0\n"
		       "cpu1 50 0 25 400 5 0 0 10 0 0\nintr 5\n" },
	{ "proc/pressure/cpu", "some avg10=1.00 avg60=2.50 avg300=0.00 total=1000000\n" },
	{ "proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=500\nfull avg10=0.00 "
			      "avg60=9.00 avg300=0.00 total=9\n" },
	{ CPU "online", "0-1\n" },
	{ CPU "isolated", "\n" },
	{ CPU "nohz_full", "  (null)\n" },
	{ CPU "vulnerabilities/spectre_v2", "Mitigation: Retpolines\n" },
	{ CPU "vulnerabilities/meltdown", "Not affected\n" },
	{ CPU "vulnerabilities/mds", "Vulnerable: no microcode\n" },
	{ CPU "cpufreq/policy0/scaling_governor", "powersave\n" },
	{ CPU "cpufreq/policy1/scaling_governor", "performance\n" },
	{ CPU "cpufreq/policy10/scaling_governor", "powersave\n" },
	{ CPU "cpufreq/policy0/scaling_driver", "acpi-cpufreq\n" },
	{ CPU "cpufreq/policy0/scaling_max_freq", "2000000\n" },
	{ CPU "cpufreq/policy0/cpuinfo_max_freq", "4000000\n" },
	{ CPU "cpufreq/boost", "0\n" },
	{ CPU "cpu0/cpufreq/scaling_cur_freq", "1000000\n" },
	{ CPU "cpu0/cpufreq/cpuinfo_max_freq", "4000000\n" },
	{ CPU "cpu1/cpufreq/scaling_cur_freq", "3000000\n" },
	{ CPU "cpu1/cpufreq/cpuinfo_max_freq", "4000000\n" },
	{ CPU "cpu0/cpuidle/state0/name", "POLL\n" },
	{ CPU "cpu0/cpuidle/state0/latency", "0\n" },
	{ CPU "cpu0/cpuidle/state1/name", "C1\n" },
	{ CPU "cpu0/cpuidle/state1/latency", "2\n" },
	{ CPU "cpu0/cpuidle/state1/disable", "0\n" },
	{ CPU "cpu0/cpuidle/state2/name", "C6\n" },
	{ CPU "cpu0/cpuidle/state2/latency", "133\n" },
	{ CPU "cpu0/cpuidle/state2/disable", "1\n" },
	{ NODES "node0/cpulist", "0\n" },
	{ NODES "node0/distance", "10 32\n" },
	{ NODES "node0/meminfo", "Node 0 MemTotal:       2048 kB\nNode 0 MemFree:     1024 kB\n" },
	{ NODES "node1/cpulist", "1\n" },
	{ NODES "online", "0-1\n" },
	{ "sys/kernel/iommu_groups/0/type", "DMA-FQ\n" },
	{ "sys/kernel/iommu_groups/1/type", "identity\n" },
	{ "sys/kernel/iommu_groups/2/type", "identity\n" },
	{ "proc/77/task/77/comm", "vhost-70\n" },
	{ "proc/77/task/77/stat", "77 (vhost-70) S 2 0 0 0 -1 2 0 0 0 0 5 7 0 0 20 0 1 0 9 "
				  "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0\n" },
	{ "proc/77/task/77/status", "Name:\tvhost-70\nCpus_allowed_list:\t0-1\n" },
	{ "proc/78/task/78/comm", "bash\n" },
	{ "proc/78/task/78/status", "Name:\tbash\nCpus_allowed_list:\t0\n" },
	{ "proc/90/task/90/comm", "IO a\n" },
	{ "proc/90/task/91/comm", "IO a\n" },
	{ "proc/90/task/90/status", "Cpus_allowed_list:\t0\n" },
	{ "proc/90/task/91/status", "Cpus_allowed_list:\t1\n" },
};

static void put(const char *path, const char *text)
{
	HL_FREE char *command = hl_printf("mkdir -p root/$(dirname '%s')", path);
	HL_FREE char *name = hl_printf("root/%s", path);
	FILE *out;

	assert_int_equal(0, system(command));
	out = fopen(name, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(0, fclose(out));
}

static int make_scratch(void **state)
{
	(void)state;
	if (!mkdtemp(scratch) || chdir(scratch) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		put(files[i].path, files[i].text);
	return 0;
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

	assert_int_equal(0, hl_probe_cpu.decode(machine, &origin, graph, NULL));
	hl_machine_close(machine);
	return graph;
}

static const struct hl_fact *fact_of(const struct hl_graph *graph, const char *node,
				     const char *key)
{
	const struct hl_fact *fact = hl_graph_find_fact(graph, node, key);

	if (!fact)
		fail_msg("no %s of %s", key, node);
	assert_true(!fact->host || !strcmp(fact->host, "pve"));
	return fact;
}

static void check_text(const struct hl_graph *graph, const char *node, const char *key,
		       const char *expected)
{
	assert_string_equal(expected, fact_of(graph, node, key)->string);
}

static void check_number(const struct hl_graph *graph, const char *node, const char *key,
			 double expected)
{
	assert_true(fact_of(graph, node, key)->number == expected);
}

static void check_all(const struct hl_graph *graph)
{
	check_text(graph, "cpu", "cpu.model", "Made 9000");
	check_number(graph, "cpu", "cpu.count", 2);
	check_number(graph, "cpu", "cpu.sockets", 2);
	check_number(graph, "cpu", "cpu.threads_per_core", 2);
	check_number(graph, "cpu", "cpu.steal_time_ns", 190e6);
	check_number(graph, "cpu", "cpu.softirq_time_ns", 200e6);
	check_number(graph, "cpu", "psi.cpu_avg60_pct", 2.5);
	check_number(graph, "cpu", "psi.io_avg60_pct", 0);
	check_text(graph, "cpu", "cpu.governor", "powersave performance");
	check_text(graph, "cpu", "cpu.frequency_driver", "acpi-cpufreq");
	check_number(graph, "cpu", "cpu.max_hz", 2e9);
	check_number(graph, "cpu", "cpu.hardware_max_hz", 4e9);
	assert_false(fact_of(graph, "cpu", "cpu.may_boost")->boolean);
	check_text(graph, "cpu", "cpu.idle_states", "POLL C1");
	check_number(graph, "cpu", "cpu.idle_exit_ns", 2000);
	check_text(graph, "cpu", "cpu.mitigations", "spectre_v2");
	check_text(graph, "cpu", "cpu.vulnerable", "mds");
	check_number(graph, "cpu", "cpu.numa_nodes", 2);
	check_text(graph, "node0", "numa.distances", "10 32");
	check_number(graph, "node0", "numa.memory", 2097152);
	check_number(graph, "cpu", "iommu.groups", 3);
	check_text(graph, "cpu", "iommu.mode", "DMA-FQ identity");
	check_number(graph, "vhost-70/77", "thread.cpu_time_ns", 120e6);
	check_number(graph, "vhost-70/77", "thread.last_cpu", 1);
	check_text(graph, "vhost-70/77", "thread.cpus_allowed", "0-1");
	check_number(graph, "IO a/90", "thread.count", 2);
	assert_null(hl_graph_find_fact(graph, "IO a/90", "thread.cpus_allowed"));
	assert_null(hl_graph_find_fact(graph, "bash/78", "thread.name"));
	assert_null(hl_graph_find_fact(graph, "cpu", "cpu.isolated"));
	assert_null(hl_graph_find_fact(graph, "cpu", "cpu.nohz_full"));
}

static void processors_nodes_and_threads_are_facts(void **state)
{
	HL_GRAPH struct hl_graph *graph = decode("root");

	(void)state;
	check_all(graph);
}

static void a_recording_of_it_is_decoded_alike_and_holds_no_other_threads(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", "recorded");
	struct hl_capture capture = { .machine = machine };
	struct hl_graph *graph;

	(void)state;
	assert_int_equal(0, hl_probe_cpu.acquire(&capture, NULL));
	hl_machine_close(machine);
	graph = decode("recorded");
	check_all(graph);
	hl_graph_free(graph);
	assert_int_equal(0, access("recorded/proc/77/task/77/status", F_OK));
	assert_int_not_equal(0, access("recorded/proc/78", F_OK));
}

static void an_empty_machine_has_no_facts(void **state)
{
	struct hl_machine *machine;
	struct hl_capture capture = { 0 };
	struct hl_graph *graph;

	(void)state;
	assert_int_equal(0, mkdir("empty", 0700));
	graph = decode("empty");
	assert_int_equal(0, graph->nr_facts);
	hl_graph_free(graph);
	machine = capture.machine = hl_machine_open("empty", NULL);
	assert_int_equal(-ENOENT, hl_probe_cpu.acquire(&capture, NULL));
	hl_machine_close(machine);
}

static void garbage_is_no_fact(void **state)
{
	static const char *const paths[] = {
		"proc/cpuinfo", "proc/stat", "proc/pressure/cpu",
		"sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq", "proc/77/task/77/stat"
	};
	struct hl_graph *graph;

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		put(paths[i], "cpu model name some avg60=x ) 1 2\n\x01");
	graph = decode("root");
	assert_null(hl_graph_find_fact(graph, NULL, "cpu.model"));
	assert_null(hl_graph_find_fact(graph, NULL, "cpu.steal_time_ns"));
	assert_null(hl_graph_find_fact(graph, NULL, "psi.cpu_avg60_pct"));
	assert_null(hl_graph_find_fact(graph, NULL, "cpu.max_hz"));
	assert_null(hl_graph_find_fact(graph, "vhost-70/77", "thread.cpu_time_ns"));
	hl_graph_free(graph);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		put(files[i].path, files[i].text);
}

static void a_slot_has_what_was_taken_and_who_waited(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", NULL);
	const struct hl_meter_target target = { 0 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { .node = "hop/job" };
	void *load = hl_meter_cpu_load.begin(machine, &target);
	struct hl_meter_points points = { .graph = graph };

	(void)state;
	for (int i = 0; i < 3; i++)
		hl_meter_cpu_load.tick(load, machine, &points);
	put("proc/stat", "cpu  110 0 55 860 10 1 30 34 0 0\ncpu0 55 0 25 440 5 1 30 14 0 0\n"
			 "cpu1 55 0 30 420 5 0 0 20 0 0\nintr 5\n");
	put("proc/pressure/cpu", "some avg10=1.00 avg60=2.50 avg300=0.00 total=1500000\n");
	hl_meter_cpu_load.end(load, machine, 2, graph, &origin);
	check_number(graph, "hop/job", "cpu.steal_pct", 15);
	check_number(graph, "hop/job", "cpu.softirq_pct", 10);
	assert_true(fabs(fact_of(graph, "hop/job", "cpu.softirq_max_pct")->number - 1000. / 60) <
		    1e-9);
	check_number(graph, "hop/job", "psi.cpu_pct", 25);
	check_number(graph, "hop/job", "psi.io_pct", 0);
	check_number(graph, "hop/job", "cpu.frequency_pct", 75);
	assert_null(hl_graph_find_fact(graph, NULL, "psi.memory_pct")); /* not counted here */
	hl_machine_close(machine);
}

static void a_machine_that_does_not_count_has_no_meter(void **state)
{
	struct hl_machine *machine = hl_machine_open("empty", NULL);
	const struct hl_meter_target target = { 0 };

	(void)state;
	assert_null(hl_meter_cpu_load.begin(machine, &target));
	hl_machine_close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processors_nodes_and_threads_are_facts),
		cmocka_unit_test(a_recording_of_it_is_decoded_alike_and_holds_no_other_threads),
		cmocka_unit_test(an_empty_machine_has_no_facts),
		cmocka_unit_test(garbage_is_no_fact),
		cmocka_unit_test(a_slot_has_what_was_taken_and_who_waited),
		cmocka_unit_test(a_machine_that_does_not_count_has_no_meter),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
