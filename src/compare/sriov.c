/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding the VF of a path on both sides, and judging it: see sriov.h.
 *
 * The guest knows a NIC with a VF's driver and a MAC; the host knows VFs with MACs and functions;
 * the definition of a VM knows functions. The MAC and the function join them. One machine can be
 * both sides: a VF that the host itself uses.
 */
#include "sriov.h"
#include "hoploss/model.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

/* ---- facts ---- */

static bool is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool is_on(const struct hl_fact *fact, const char *host)
{
	return is_same(fact->host, host) || (!fact->host && !host);
}

const struct hl_fact *sriov_fact(const struct sriov_vf *vf, const char *host, const char *node,
				 const char *key)
{
	for (size_t i = 0; node && i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];

		if (!strcmp(fact->key, key) && is_same(fact->node, node) && is_on(fact, host))
			return fact;
	}
	return NULL;
}

const char *sriov_text(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_STRING ? fact->string : NULL;
}

double sriov_number(const struct hl_fact *fact)
{
	if (!fact || fact->type == HL_FACT_STRING)
		return NAN;
	return fact->type == HL_FACT_BOOLEAN ? fact->boolean : fact->number;
}

bool sriov_is_vf_driver(const char *driver)
{
	static const char *const drivers[] = {
		"iavf",     "i40evf",    "ixgbevf",   "igbvf",    "fm10kvf",     "bnxt_vf",
		"cxgb4vf",  "qlcnicvf",  "sfc_vf",    "hinic_vf", "liquidio_vf", "nfp_netvf",
		"octep_vf", "rvu_nicvf", "funeth_vf", "mlx4_vf",  "mlx5_vf",     "idpf",
		"hclgevf",  "ionic_vf",  NULL,
	};

	for (size_t i = 0; driver && drivers[i]; i++) {
		if (!strcmp(driver, drivers[i]))
			return true;
	}
	return false;
}

void sriov_evidence(const struct sriov_vf *vf, struct hl_check *check, const struct hl_fact *fact)
{
	if (!fact)
		return;
	check->evidence = hl_arena_extend(vf->arena, check->evidence, check->nr_evidence,
					  sizeof(*check->evidence));
	check->evidence[check->nr_evidence++] = fact;
}

void sriov_miss(const struct sriov_vf *vf, struct hl_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check->status = HL_CHECK_NOT_MEASURED;
	check->reason = hl_arena_vprintf(vf->arena, format, args);
	va_end(args);
}

void sriov_fail(const struct sriov_vf *vf, struct hl_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check->status = HL_CHECK_FAIL;
	check->reason = hl_arena_vprintf(vf->arena, format, args);
	va_end(args);
}

void sriov_say(const struct sriov_vf *vf, struct hl_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check->reason = hl_arena_vprintf(vf->arena, format, args);
	va_end(args);
}

/* ---- finding it ---- */

/* "d0:13.0" and "0000:d0:13.0" are one function. */
static bool is_same_function(const char *a, const char *b)
{
	if (!a || !b)
		return false;
	if (!strncmp(a, "0000:", 5) && strchr(a + 5, ':'))
		a += 5;
	if (!strncmp(b, "0000:", 5) && strchr(b + 5, ':'))
		b += 5;
	return !strcasecmp(a, b);
}

/* A NIC that is a VF, by its driver, its PF or its function. */
static bool is_vf_nic(const struct sriov_vf *vf, const char *host, const char *nic)
{
	const char *function = sriov_text(sriov_fact(vf, host, nic, "link.pci_address"));

	return sriov_is_vf_driver(sriov_text(sriov_fact(vf, host, nic, "link.driver"))) ||
	       sriov_fact(vf, host, nic, "link.pf") ||
	       sriov_number(sriov_fact(vf, host, function, "pcie.is_vf")) == 1;
}

/* The VF of that MAC on any host. */
static void find_by_mac(struct sriov_vf *vf, const char *mac)
{
	for (size_t i = 0; mac && i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];

		if (strcmp(fact->key, "vf.mac") != 0 || !sriov_text(fact) ||
		    strcasecmp(fact->string, mac) != 0)
			continue;
		vf->host = fact->host;
		vf->node = fact->node;
		return;
	}
}

/* A definition that has the function, as a device or as an interface of type hostdev. */
static void find_vm(struct sriov_vf *vf)
{
	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];
		const char *slash = fact->node ? strchr(fact->node, '/') : NULL;

		if (!slash || (strcmp(fact->key, "passthrough.address") != 0 &&
			       strcmp(fact->key, "vnic.host_address") != 0))
			continue;
		if (vf->function ? !is_same_function(sriov_text(fact), vf->function)
				 : !vf->guest || strcmp(fact->key, "vnic.host_address") != 0)
			continue;
		vf->vm = hl_arena_strndup(vf->arena, fact->node, (size_t)(slash - fact->node));
		return;
	}
}

static const char *dup_until(const struct sriov_vf *vf, const char *text, char end)
{
	return text ? hl_arena_strndup(vf->arena, text, strcspn(text, (char[]){ end, '\0' }))
		    : NULL;
}

/* From the guest's NIC, or from the function, all that hangs together with it. */
static void find_rest(struct sriov_vf *vf)
{
	if (!vf->node && vf->guest_nic)
		find_by_mac(vf, sriov_text(sriov_fact(vf, vf->guest, vf->guest_nic, "link.mac")));
	vf->pf_nic = dup_until(vf, vf->node, '/');
	if (!vf->function)
		vf->function = sriov_text(sriov_fact(vf, vf->host, vf->node, "vf.pci_address"));
	vf->pf_function = sriov_text(sriov_fact(vf, vf->host, vf->pf_nic, "link.pci_address"));
	if (!vf->pf_function)
		vf->pf_function = sriov_text(sriov_fact(vf, vf->host, vf->function, "pcie.physfn"));
	find_vm(vf);
}

/* The NIC that a flow to a portal leaves by: a session of the kernel, or a route that was asked. */
static bool is_flow(const struct sriov_vf *vf, const struct hl_fact *fact, const char **ret_host)
{
	const struct hl_hop *hop;

	*ret_host = fact->host;
	if (!strcmp(fact->key, "iscsi.nic"))
		return sriov_text(fact);
	if (strcmp(fact->key, "route.device") != 0 || !sriov_text(fact) || !fact->node)
		return false;
	hop = hl_graph_find_hop(vf->graph, fact->node);
	if (hop && hop->host)
		*ret_host = hop->host;
	return hop && strcmp(fact->string, "lo") != 0;
}

static void find_flow(struct sriov_vf *vf)
{
	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];
		const char *host;

		if (!is_flow(vf, fact, &host) || !is_same(host, vf->guest))
			continue;
		vf->has_flow = true;
		if (!vf->flow)
			vf->flow = fact;
		if (!is_same(fact->string, vf->guest_nic))
			continue;
		vf->is_in_path = true;
		vf->flow = fact;
	}
}

/* How much is known: the VF in the path counts most. */
static unsigned weight_of(const struct sriov_vf *vf)
{
	return (vf->is_in_path ? 8u : 0u) + (vf->vm ? 4u : 0u) + (vf->node ? 2u : 0u) +
	       (vf->guest_nic ? 1u : 0u);
}

/* What a fact is the beginning of: a NIC that is a VF, or a function of a VM that is one. */
static bool begin_at(struct sriov_vf *vf, const struct hl_fact *fact)
{
	if (!strcmp(fact->key, "link.driver") || !strcmp(fact->key, "link.pf")) {
		if (!is_vf_nic(vf, fact->host, fact->node))
			return false;
		vf->guest = fact->host;
		vf->guest_nic = fact->node;
		return true;
	}
	if (!strcmp(fact->key, "vf.pci_address") || !strcmp(fact->key, "vf.mac")) {
		vf->host = fact->host;
		vf->node = fact->node;
		return true;
	}
	if (!strcmp(fact->key, "vnic.host_address")) {
		vf->host = fact->host;
		vf->function = sriov_text(fact);
		return true;
	}
	return false;
}

static bool find_best(const struct hl_graph *graph, struct hl_arena *arena, struct sriov_vf *ret_vf)
{
	bool is_found = false;

	for (size_t i = 0; i < graph->nr_facts; i++) {
		struct sriov_vf vf = { .graph = graph, .arena = arena };

		if (!begin_at(&vf, graph->facts[i]))
			continue;
		find_rest(&vf);
		find_flow(&vf);
		if (is_found && weight_of(&vf) <= weight_of(ret_vf))
			continue;
		*ret_vf = vf;
		is_found = true;
	}
	return is_found;
}

/* ---- judging ---- */

static void judge_table(struct hl_comparison *comparison, const struct sriov_vf *vf,
			const struct sriov_check *checks)
{
	for (; checks->id; checks++) {
		struct hl_check *check;

		comparison->checks = hl_arena_extend(comparison->arena, comparison->checks,
						     comparison->nr_checks,
						     sizeof(*comparison->checks));
		check = &comparison->checks[comparison->nr_checks++];
		*check = (struct hl_check){
			.id = checks->id,
			.title = checks->title,
			.status = HL_CHECK_PASS,
			.measured = NAN,
			.required = NAN,
		};
		checks->judge(vf, check);
	}
}

void sriov_judge(struct hl_comparison *comparison, const struct hl_graph *graph)
{
	struct sriov_vf vf;

	if (!find_best(graph, comparison->arena, &vf))
		return;
	judge_table(comparison, &vf, sriov_guest_checks);
	judge_table(comparison, &vf, sriov_host_checks);
}
