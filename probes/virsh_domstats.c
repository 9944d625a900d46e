/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of domains, as `virsh domstats` prints them.
 *
 * Source: virsh(1), virConnectGetAllDomainStats. Of a disk the path is told that is really open,
 * also where the definition names a volume of a pool; of a vCPU how long it was ready and waited
 * for a CPU of the host, which the guest sees as steal.
 */
#include "hoploss/format.h"
#include "hoploss/number.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "  block.0.name=vda" */
struct statistic {
	const char *group; /* "block" */
	unsigned index;
	const char *name; /* "name" */
	const char *value;
};

static bool read_statistic(struct hl_arena *arena, struct hl_line line, struct statistic *ret)
{
	struct hl_line trimmed = hl_line_trim(line);
	char *text = hl_arena_strndup(arena, trimmed.start, trimmed.len);
	char *value = strchr(text, '='), *name = strchr(text, '.'), *behind;
	uint64_t index = 0;

	if (!value || !name || name > value || name == text)
		return false;
	*value++ = '\0';
	*name++ = '\0';
	behind = strchr(name, '.');
	if (behind && hl_number_u64(name, (size_t)(behind - name), &index) == 0)
		name = behind + 1;
	*ret = (struct statistic){ text, (unsigned)index, name, value };
	return *name != '\0' && index < 10000;
}

static bool is_header(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	return hl_line_starts(trimmed, "Domain: '") && trimmed.start[trimmed.len - 1] == '\'' &&
	       trimmed.len > strlen("Domain: '") + 1;
}

static size_t domstats_claim(const struct hl_text *text, size_t at)
{
	struct hl_arena *arena;
	struct statistic statistic;
	size_t end = at + 1;

	if (!is_header(text->lines[at]))
		return 0;
	arena = hl_arena_new();
	while (end < text->nr_lines && read_statistic(arena, text->lines[end], &statistic))
		end++;
	hl_arena_free(arena);
	return end > at + 1 ? end - at : 0;
}

struct domain {
	struct hl_reading *reading;
	const struct hl_text *slice;
	const char *name;
	const char *disk; /* node of the block that is read */
	double delay_ns, time_ns;
};

static double number_of(const char *text)
{
	uint64_t number;

	return hl_number_u64(text, strlen(text), &number) == 0 ? (double)number : NAN;
}

/* NAN and a number that is not known give what is known. */
static double add_known(double sum, double number)
{
	return isnan(number) ? sum : isnan(sum) ? number : sum + number;
}

static void take_nic(const struct domain *domain, const struct hl_origin *origin,
		     const struct statistic *statistic)
{
	static const char *const keys[][2] = { { "rx.drop", "vnic.rx_dropped" },
					       { "tx.drop", "vnic.tx_dropped" },
					       { "rx.errs", "vnic.rx_errors" },
					       { "tx.errs", "vnic.tx_errors" } };
	struct hl_graph *graph = domain->reading->graph;
	struct hl_origin of_nic = *origin;

	of_nic.node = hl_arena_printf(graph->arena, "%s/net%u", domain->name, statistic->index);
	if (!strcmp(statistic->name, "name"))
		hl_graph_add_string(graph, &of_nic, "vnic.host_device", statistic->value);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!strcmp(statistic->name, keys[i][0]))
			hl_graph_add_number(graph, &of_nic, keys[i][1],
					    number_of(statistic->value));
	}
}

static void take(struct domain *domain, const struct hl_origin *origin,
		 const struct statistic *statistic)
{
	struct hl_graph *graph = domain->reading->graph;
	struct hl_origin of_disk = *origin;

	if (!strcmp(statistic->group, "state") && !strcmp(statistic->name, "state"))
		hl_graph_add_boolean(graph, origin, "vm.is_running",
				     !strcmp(statistic->value, "1"));
	if (!strcmp(statistic->group, "vcpu") && !strcmp(statistic->name, "delay"))
		domain->delay_ns = add_known(domain->delay_ns, number_of(statistic->value));
	if (!strcmp(statistic->group, "vcpu") && !strcmp(statistic->name, "time"))
		domain->time_ns = add_known(domain->time_ns, number_of(statistic->value));
	if (!strcmp(statistic->group, "net"))
		take_nic(domain, origin, statistic);
	if (strcmp(statistic->group, "block") != 0)
		return;
	if (!strcmp(statistic->name, "name"))
		domain->disk = hl_arena_printf(graph->arena, "%s/%s", domain->name,
					       statistic->value);
	of_disk.node = domain->disk;
	if (!strcmp(statistic->name, "path") && domain->disk)
		hl_graph_add_string(graph, &of_disk, "vdisk.source", statistic->value);
}

static int domstats_read(const struct hl_text *slice, struct hl_reading *reading,
			 struct hl_error *err)
{
	struct hl_arena *arena = reading->graph->arena;
	struct hl_line header = hl_line_trim(slice->lines[0]);
	struct domain domain = { reading, slice, NULL, NULL, NAN, NAN };
	const size_t nr = strlen("Domain: '");
	size_t before = reading->graph->nr_facts;
	struct hl_origin origin = { .host = reading->host };

	domain.name = hl_arena_strndup(arena, header.start + nr, header.len - nr - 1);
	origin.node = domain.name;
	for (size_t i = 1; i < slice->nr_lines; i++) {
		struct statistic statistic;

		origin.source = hl_arena_printf(arena, "%s:%u", slice->name,
						slice->lines[i].number);
		if (read_statistic(arena, slice->lines[i], &statistic))
			take(&domain, &origin, &statistic);
	}
	hl_graph_add_number(reading->graph, &origin, "vm.vcpu_delay_ns", domain.delay_ns);
	hl_graph_add_number(reading->graph, &origin, "vm.vcpu_time_ns", domain.time_ns);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: statistics without a figure that counts",
			       slice->name, header.number);
	return 0;
}

const struct hl_format hl_format_virsh_domstats = {
	.name = "virsh-domstats",
	.summary = "virsh domstats",
	.claim = domstats_claim,
	.read = domstats_read,
};
