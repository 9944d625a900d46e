/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interrupts of a NIC: see net_link.h.
 *
 * Source: msi_irqs of the function (Documentation/ABI/testing/sysfs-bus-pci) and /proc/irq/N
 * (Documentation/core-api/irq/irq-affinity.rst). Surprising: smp_affinity_list is what is allowed,
 * effective_affinity_list what the controller really does; the second counts where there is one.
 */
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include "net_link.h"
#include "sysfs.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS 4096

/* "0-3,8": sets each in cpus. */
static void take_list(const char *text, bool *cpus)
{
	while (*text) {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (end == text)
			return;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (unsigned long cpu = first; cpu <= last && cpu < MAX_CPUS; cpu++)
			cpus[cpu] = true;
		text = end + (*end == ',');
	}
}

static char *print_list(const bool *cpus)
{
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	for (unsigned cpu = 0; cpu < MAX_CPUS; cpu++) {
		unsigned first = cpu;

		if (!cpus[cpu])
			continue;
		while (cpu + 1 < MAX_CPUS && cpus[cpu + 1])
			cpu++;
		fprintf(file, ftell(file) > 0 ? ",%u" : "%u", first);
		if (cpu > first)
			fprintf(file, "-%u", cpu);
	}
	fclose(file);
	return text;
}

static void take_affinity(const struct net_link *link, const char *irq, bool *cpus)
{
	static const char *const files[] = { "effective_affinity_list", "smp_affinity_list" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		HL_FREE char *path = hl_printf("/proc/irq/%s/%s", irq, files[i]);
		HL_FREE char *list = hl_sysfs_text(link->machine, path);

		if (!list)
			continue;
		take_list(list, cpus);
		return;
	}
}

void net_link_interrupts(const struct net_link *link)
{
	HL_FREE char *path = hl_printf("%s/msi_irqs", link->function);
	HL_FREE bool *cpus = NULL;
	HL_FREE char *list = NULL;
	char **irqs;
	size_t nr;

	if (hl_machine_list(link->machine, path, &irqs, &nr, NULL) < 0)
		return;
	cpus = hl_alloc(MAX_CPUS * sizeof(*cpus));
	for (size_t i = 0; i < nr; i++) {
		uint64_t number;

		if (hl_number_u64(irqs[i], strlen(irqs[i]), &number) == 0)
			take_affinity(link, irqs[i], cpus);
	}
	list = print_list(cpus);
	net_link_add_number(link, "link.irqs", (double)nr, path);
	net_link_add_text(link, NULL, "link.irq_cpus", list, "/proc/irq/N/effective_affinity_list");
	hl_machine_free_names(irqs, nr);
}
