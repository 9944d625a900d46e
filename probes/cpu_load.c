/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What processors did, and who waited, while a slot ran: time taken by a hypervisor, softirqs,
 * pressure, and the highest frequency that was seen.
 *
 * Source: proc(5), /proc/stat; Documentation/accounting/psi.rst; scaling_cur_freq of
 * Documentation/admin-guide/pm/cpufreq.rst. Surprising: reading a frequency can wake the processor
 * that is asked, so only the first ones are, and only once a second.
 */
#include "hoploss/meter.h"
#include "hoploss/number.h"
#include "sysfs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAT            "/proc/stat"
#define CPUS_MAX        1024
#define CPUS_ASKED      32
#define FREQUENCY_TICKS 10
#define STAT_TICKS      5
#define NR_PRESSURES    3

enum column { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, NR_COLUMNS };

struct times {
	double columns[NR_COLUMNS];
};

struct load {
	struct times all, each[CPUS_MAX];
	size_t nr_each;
	struct times drawn;             /* all, when a point was drawn last */
	double pressures[NR_PRESSURES]; /* us, in total */
	double frequency_pct;           /* NAN = not known */
	unsigned nr_ticks;
};

static const struct {
	const char *path, *key;
} pressures[NR_PRESSURES] = {
	{ "/proc/pressure/cpu", "psi.cpu_pct" },
	{ "/proc/pressure/io", "psi.io_pct" },
	{ "/proc/pressure/memory", "psi.memory_pct" },
};

/* ---- reading ---- */

/* "cpu3 1 2 3 …", behind its name; false if it has too few columns. */
static bool read_times(const char *at, struct times *ret_times)
{
	for (int i = 0; i < NR_COLUMNS; i++) {
		char *end;

		ret_times->columns[i] = strtod(at, &end);
		if (end == at)
			return false;
		at = end;
	}
	return true;
}

static bool read_stat(struct hl_machine *machine, struct load *load)
{
	HL_FREE char *text = NULL;
	char *rest, *line;
	bool is_read = false;
	size_t len;

	load->nr_each = 0;
	if (hl_machine_read(machine, STAT, &text, &len, NULL) < 0)
		return false;
	rest = text;
	while ((line = strsep(&rest, "\n")) && !strncmp(line, "cpu", 3)) {
		const char *columns = strchr(line, ' ');

		if (!columns)
			break;
		if (line[3] == ' ')
			is_read = read_times(columns, &load->all);
		else if (load->nr_each < CPUS_MAX &&
			 read_times(columns, &load->each[load->nr_each]))
			load->nr_each++;
	}
	return is_read;
}

/* Of the line "some": NAN where the kernel does not count it. */
static double read_pressure(struct hl_machine *machine, const char *path)
{
	HL_FREE char *text = hl_sysfs_text(machine, path);
	const char *found = text ? strstr(text, "total=") : NULL;
	uint64_t us;

	if (!found || hl_number_u64(found + 6, strcspn(found + 6, " \n"), &us) < 0)
		return NAN;
	return (double)us;
}

static void read_frequencies(struct hl_machine *machine, struct load *load)
{
	size_t nr = load->nr_each < CPUS_ASKED ? load->nr_each : CPUS_ASKED;

	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *now = hl_printf(
			"/sys/devices/system/cpu/cpu%zu/cpufreq/scaling_cur_freq", i);
		HL_FREE char *most = hl_printf(
			"/sys/devices/system/cpu/cpu%zu/cpufreq/cpuinfo_max_freq", i);
		double khz = hl_sysfs_number(machine, now);

		if (isnan(khz))
			return;
		load->frequency_pct = fmax(load->frequency_pct,
					   khz / hl_sysfs_number(machine, most) * 100);
	}
}

/* ---- the meter ---- */

static void *load_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct load *load = hl_alloc(sizeof(*load));

	(void)target;
	load->frequency_pct = NAN;
	if (!read_stat(machine, load)) {
		free(load);
		return NULL;
	}
	load->drawn = load->all;
	for (size_t i = 0; i < NR_PRESSURES; i++)
		load->pressures[i] = read_pressure(machine, pressures[i].path);
	return load;
}

/* Percent of the time that passed of one column; NAN if none did. */
static double share(const struct times *before, const struct times *after, enum column column)
{
	double all = 0;

	for (int i = 0; i < NR_COLUMNS; i++)
		all += after->columns[i] - before->columns[i];
	return all > 0 ? (after->columns[column] - before->columns[column]) / all * 100 : NAN;
}

/* Since the last time. */
static void draw(struct load *load, struct hl_machine *machine, struct hl_meter_points *points)
{
	struct load *now = hl_alloc(sizeof(*now));

	if (read_stat(machine, now)) {
		hl_meter_point(points, NULL, "cpu.steal_pct",
			       share(&load->drawn, &now->all, STEAL));
		hl_meter_point(points, NULL, "cpu.softirq_pct",
			       share(&load->drawn, &now->all, SOFTIRQ));
		load->drawn = now->all;
	}
	free(now);
}

static void load_tick(void *state, struct hl_machine *machine, struct hl_meter_points *points)
{
	struct load *load = state;
	unsigned tick = load->nr_ticks++;

	if (tick % FREQUENCY_TICKS == 1) /* not at once: the job has to get going */
		read_frequencies(machine, load);
	if (tick % STAT_TICKS == STAT_TICKS - 1)
		draw(load, machine, points);
}

static void add_shares(const struct load *before, const struct load *after, struct hl_graph *graph,
		       const struct hl_origin *origin)
{
	double busiest = NAN;

	for (size_t i = 0; i < before->nr_each && before->nr_each == after->nr_each; i++)
		busiest = fmax(busiest, share(&before->each[i], &after->each[i], SOFTIRQ));
	hl_graph_add_number(graph, origin, "cpu.steal_pct",
			    share(&before->all, &after->all, STEAL));
	hl_graph_add_number(graph, origin, "cpu.softirq_pct",
			    share(&before->all, &after->all, SOFTIRQ));
	hl_graph_add_number(graph, origin, "cpu.softirq_max_pct", busiest);
}

static void load_end(void *state, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	struct load *before = state, *after = hl_alloc(sizeof(*after));
	struct hl_origin where = *origin;

	where.source = STAT;
	if (read_stat(machine, after))
		add_shares(before, after, graph, &where);
	for (size_t i = 0; i < NR_PRESSURES; i++) {
		double us = read_pressure(machine, pressures[i].path) - before->pressures[i];

		where.source = pressures[i].path;
		if (us >= 0)
			hl_graph_add_number(graph, &where, pressures[i].key, us / 1e4 / seconds);
	}
	where.source = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq";
	hl_graph_add_number(graph, &where, "cpu.frequency_pct", before->frequency_pct);
	free(after);
	free(before);
}

const struct hl_meter hl_meter_cpu_load = {
	.name = "cpu-load",
	.summary = "steal, softirqs, pressure and frequency of the processors",
	.begin = load_begin,
	.tick = load_tick,
	.end = load_end,
};
