/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the other hosts of the path see while a slot runs on one of them: a thread of the target or
 * of the hypervisor that has no time left shows there only. Hosts on one kernel are one machine,
 * and that is looked at once.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

#define LATE_S     15.0 /* that the end of the slot may come after its time */
#define ISCSI_PORT 3260

static bool is_same_machine(const struct hl_agent *a, const struct hl_agent *b)
{
	const char *machine = hl_agent_machine(a);

	return a == b || (*machine && !strcmp(machine, hl_agent_machine(b)));
}

/* The slot's own machine, or one that is watched already. */
static bool is_seen(const struct hl_run *run, size_t host, const struct hl_agent *own)
{
	if (is_same_machine(run->hosts[host].agent, own))
		return true;
	for (size_t i = 0; i < host; i++) {
		if (run->hosts[i].is_watching &&
		    is_same_machine(run->hosts[host].agent, run->hosts[i].agent))
			return true;
	}
	return false;
}

/* "iscsi://[::1]:3261/…" */
static unsigned port_of(const char *target)
{
	const char *slashes = strstr(target, "://");
	const char *at = slashes ? slashes + 3 : target;
	unsigned long port;

	at += *at == '[' ? strcspn(at, "]") : 0;
	at += strcspn(at, ":/");
	port = *at == ':' ? strtoul(at + 1, NULL, 10) : ISCSI_PORT;
	return port >= 1 && port <= 65535 ? (unsigned)port : ISCSI_PORT;
}

/*
 * The LUN that a hop is measured over, its own or, of a disk or a file, that of a hop before it;
 * NULL = none.
 */
static const char *lun_of(const struct hl_path_hop *hop, char *ret_portal, size_t size)
{
	for (; hop && hop->targets && hop->targets[0]; hop = hop->after) {
		if (run_portal_of(hop->targets[0], ret_portal, size))
			return hop->targets[0];
	}
	return NULL;
}

void run_watch_others(struct hl_run *run, size_t hop, const struct hl_job *job)
{
	const char *name = run->hops[hop].hop->name;
	const char *workload = job->workload.name ? job->workload.name : "";
	HL_FREE char *node = hl_printf("%s/%s", name, workload);
	struct hl_watch_request asked = { .node = node,
					  .seconds = job->warmup + job->seconds + LATE_S };
	char portal[64];
	const char *lun = lun_of(run->hops[hop].hop, portal, sizeof(portal));

	if (lun) {
		asked.address = portal;
		asked.port = port_of(lun);
	}
	for (size_t i = 0; i < run->options.path->nr_hosts; i++) {
		struct run_host *host = &run->hosts[i];

		host->is_watching = host->agent &&
				    hl_path_is_host_used(run->options.path,
							 &run->options.path->hosts[i]) &&
				    !is_seen(run, i, run_agent_of(run, hop)) &&
				    hl_agent_watch(host->agent, &asked, NULL) == 0;
	}
}

static void take(struct hl_graph *graph, const char *host, struct hl_sample *seen,
		 struct hl_sample *sample)
{
	for (size_t i = 0; i < seen->nr_facts; i++) {
		seen->facts[i]->host = host;
		sample->facts = hl_arena_extend(graph->arena, sample->facts, sample->nr_facts,
						sizeof(*sample->facts));
		sample->facts[sample->nr_facts++] = seen->facts[i];
	}
	for (size_t i = 0; i < seen->nr_series; i++) {
		seen->series[i]->host = host;
		sample->series = hl_arena_extend(graph->arena, sample->series, sample->nr_series,
						 sizeof(*sample->series));
		sample->series[sample->nr_series++] = seen->series[i];
	}
}

void run_take_others(struct hl_run *run, struct hl_graph *graph, struct hl_sample *sample)
{
	for (size_t i = 0; i < run->options.path->nr_hosts; i++) {
		struct run_host *host = &run->hosts[i];
		struct hl_sample seen;

		if (host->is_watching && hl_agent_watched(host->agent, graph, &seen, NULL) == 0 &&
		    sample)
			take(graph, run->options.path->hosts[i].name, &seen, sample);
		host->is_watching = false;
	}
}
