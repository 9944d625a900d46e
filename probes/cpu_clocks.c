/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the processors run and how deep they sleep: see cpu.h.
 *
 * Source: Documentation/admin-guide/pm/cpufreq.rst, intel_pstate.rst, amd-pstate.rst, cpuidle.rst.
 * Surprising: with intel_pstate and amd_pstate "powersave" is the usual governor and does not slow
 * down; there the energy preference decides.
 */
#include "cpu.h"
#include "sysfs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUFREQ "/sys/devices/system/cpu/cpufreq"
#define CPUIDLE "/sys/devices/system/cpu/cpu0/cpuidle"
#define KHZ     1e3

/* Each word once, by blanks, of one attribute of all policies. */
static void add_words(const struct cpu_reader *reader, char **policies, size_t nr,
		      const char *attribute, const char *key)
{
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, NULL);
	const char *all = NULL;

	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf(CPUFREQ "/%s/%s", policies[i], attribute);
		HL_FREE char *word = NULL;

		if (strncmp(policies[i], "policy", 6) != 0)
			continue;
		word = hl_sysfs_text(reader->machine, path);
		if (!word || (all && strstr(all, word)))
			continue;
		origin.source = hl_arena_printf(reader->graph->arena, CPUFREQ "/policy*/%s",
						attribute);
		all = hl_arena_printf(reader->graph->arena, "%s%s%s", all ? all : "",
				      all ? " " : "", word);
	}
	hl_graph_add_string(reader->graph, &origin, key, all);
}

static void add_frequencies(const struct cpu_reader *reader)
{
	static const struct {
		const char *path, *key;
	} rows[] = {
		{ CPUFREQ "/policy0/scaling_min_freq", "cpu.min_hz" },
		{ CPUFREQ "/policy0/scaling_max_freq", "cpu.max_hz" },
		{ CPUFREQ "/policy0/cpuinfo_max_freq", "cpu.hardware_max_hz" },
	};
	char **policies;
	size_t nr;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cpu_add_number(reader, CPU_NODE, rows[i].path, rows[i].key, KHZ);
	if (hl_machine_list(reader->machine, CPUFREQ, &policies, &nr, NULL) < 0)
		return;
	add_words(reader, policies, nr, "scaling_governor", "cpu.governor");
	add_words(reader, policies, nr, "scaling_driver", "cpu.frequency_driver");
	add_words(reader, policies, nr, "energy_performance_preference", "cpu.energy_preference");
	hl_machine_free_names(policies, nr);
}

static void add_boost(const struct cpu_reader *reader)
{
	static const char path[] = CPUFREQ "/boost";
	static const char intel[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
	double boost = hl_sysfs_number(reader->machine, path);
	double no_turbo = hl_sysfs_number(reader->machine, intel);
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, isnan(boost) ? intel : path);

	if (!isnan(boost) || !isnan(no_turbo))
		hl_graph_add_boolean(reader->graph, &origin, "cpu.may_boost",
				     isnan(boost) ? no_turbo == 0 : boost > 0);
}

/* "POLL C1 C6", those that may be entered, and the longest way back from one of them. */
static void add_idle_states(const struct cpu_reader *reader)
{
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, CPUIDLE);
	const char *all = NULL;
	double longest = NAN;
	char **names;
	size_t nr;

	cpu_add_text(reader, CPU_NODE, "/sys/devices/system/cpu/cpuidle/current_driver",
		     "cpu.idle_driver");
	if (hl_machine_list(reader->machine, CPUIDLE, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *name_path = hl_printf(CPUIDLE "/%s/name", names[i]);
		HL_FREE char *latency_path = hl_printf(CPUIDLE "/%s/latency", names[i]);
		HL_FREE char *disable_path = hl_printf(CPUIDLE "/%s/disable", names[i]);
		HL_FREE char *name = hl_sysfs_text(reader->machine, name_path);
		double latency_us = hl_sysfs_number(reader->machine, latency_path);

		if (!name || hl_sysfs_number(reader->machine, disable_path) > 0)
			continue;
		all = hl_arena_printf(reader->graph->arena, "%s%s%s", all ? all : "",
				      all ? " " : "", name);
		longest = fmax(longest, latency_us * 1e3);
	}
	hl_machine_free_names(names, nr);
	hl_graph_add_string(reader->graph, &origin, "cpu.idle_states", all);
	hl_graph_add_number(reader->graph, &origin, "cpu.idle_exit_ns", longest);
}

void cpu_add_clocks(const struct cpu_reader *reader)
{
	add_frequencies(reader);
	add_boost(reader);
	add_idle_states(reader);
}
