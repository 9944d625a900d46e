/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judging drives: see hoploss/acceptance.h. Each drive by all groups of checks, then all of them
 * beside each other.
 */
#include "hoploss/acceptance.h"
#include "headline.h"
#include "hoploss/accept_plan.h"
#include "peers.h"
#include "subject.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const status_names[] = {
	[HL_CHECK_PASS] = "PASS",
	[HL_CHECK_FAIL] = "FAIL",
	[HL_CHECK_NOT_MEASURED] = "NOT MEASURED",
	[HL_CHECK_SHOWN] = "shown",
	[HL_CHECK_NOT_ASKED] = "not asked for",
};

static const char *const verdict_names[] = {
	[HL_ACCEPT_PASS] = "PASS",
	[HL_ACCEPT_INCOMPLETE] = "INCOMPLETE",
	[HL_ACCEPT_FAIL] = "FAIL",
};

const char *hl_check_status_name(enum hl_check_status status)
{
	return status_names[status];
}

const char *hl_relation_name(enum hl_relation relation)
{
	static const char *const names[HL_NR_RELATIONS] = {
		[HL_RELATION_AT_MOST] = "<=",    [HL_RELATION_AT_LEAST] = ">=",
		[HL_RELATION_BELOW] = "<",       [HL_RELATION_EQUAL] = "=",
		[HL_RELATION_ONE_OF] = "one of",
	};

	return names[relation];
}

const char *hl_acceptance_verdict_name(enum hl_acceptance_verdict verdict)
{
	return verdict_names[verdict];
}

static void free_spec(void *spec)
{
	hl_spec_free(spec);
}

static const struct hl_spec *find_spec(const struct subject *subject)
{
	const char *model = subject_string(subject, "drive.model");
	struct hl_spec *spec = model ? hl_accept_find_spec(model) : NULL;

	if (spec)
		hl_arena_adopt(subject->arena, spec, free_spec);
	return spec;
}

static const struct hl_purchase *find_purchase(const struct subject *subject)
{
	const char *serial = subject_string(subject, "drive.serial");

	for (size_t i = 0; serial && i < subject->how->nr_purchases; i++) {
		if (!strcasecmp(subject->how->purchases[i].serial, serial))
			return &subject->how->purchases[i];
	}
	return NULL;
}

static void judge_kind(const struct subject *subject, const struct check_kind *kind,
		       struct hl_acceptance *acceptance)
{
	if (kind->kinds & subject->kinds)
		kind->judge(subject, kind, check_add(subject, acceptance, kind->id, kind->title));
}

static bool is_of_earlier(const struct hl_check *check)
{
	for (size_t i = 0; i < check->nr_evidence; i++) {
		if (check->evidence[i]->is_earlier)
			return true;
	}
	return false;
}

/* A drive that was well before the test, and then did not answer, is not known to be well. */
static void doubt(const struct subject *subject, struct hl_check *check)
{
	if (check->status == HL_CHECK_PASS && is_of_earlier(check))
		check_miss(subject, check,
			   "known from before the test only: not every probe answered after it");
}

static void judge_all(const struct subject *subject, struct hl_acceptance *acceptance)
{
	for (size_t g = 0; check_groups[g]; g++) {
		const struct check_group *group = check_groups[g];
		size_t first = acceptance->nr_checks;

		for (size_t i = 0; i < group->nr; i++)
			judge_kind(subject, &group->kinds[i], acceptance);
		if (group->add)
			group->add(subject, acceptance);
		for (size_t i = first; group->is_of_now && i < acceptance->nr_checks; i++)
			doubt(subject, &acceptance->checks[i]);
	}
}

static enum hl_acceptance_verdict verdict_of(const struct hl_acceptance *acceptance, bool may_miss)
{
	if (acceptance->count[HL_CHECK_FAIL])
		return HL_ACCEPT_FAIL;
	if (acceptance->count[HL_CHECK_NOT_MEASURED] && !may_miss)
		return HL_ACCEPT_INCOMPLETE;
	return acceptance->count[HL_CHECK_PASS] ? HL_ACCEPT_PASS : HL_ACCEPT_INCOMPLETE;
}

static const char *find_bdf(const struct subject *subject)
{
	for (size_t i = 0; i < subject->nr_nodes; i++) {
		const char *colon = strchr(subject->nodes[i], ':');

		if (colon && strchr(colon, '.'))
			return subject->nodes[i];
	}
	return NULL;
}

static void judge_one(struct subject *subject, struct hl_acceptance *acceptance)
{
	subject->spec = subject->how->spec ? subject->how->spec : find_spec(subject);
	subject->purchase = find_purchase(subject);
	*acceptance = (struct hl_acceptance){
		.device = subject->nodes[0],
		.host = subject->host,
		.serial = subject_string(subject, "drive.serial"),
		.model = subject_string(subject, "drive.model"),
		.firmware = subject_string(subject, "drive.firmware"),
		.slot = subject_string(subject, "pcie.slot"),
		.bdf = find_bdf(subject),
		.spec = subject->spec ? subject->spec->name : NULL,
		.is_spec_by_model = subject->spec && !subject->how->spec,
	};
	judge_all(subject, acceptance);
	for (size_t i = 0; i < acceptance->nr_checks; i++)
		acceptance->count[acceptance->checks[i].status]++;
	acceptance->verdict = verdict_of(acceptance, subject->how->may_miss);
	headline_put(subject, acceptance);
}

/* What a reader must know beside the checks, the same live and from the bundle. */
static void take_notes(const struct hl_graph *graph, const struct subject *subjects,
		       struct hl_acceptance_set *set)
{
	set->notes = hl_arena_alloc(set->arena,
				    (set->nr_devices + graph->nr_warnings + graph->nr_probes) *
					    sizeof(*set->notes));
	for (size_t i = 0; i < set->nr_devices; i++) {
		if (subjects[i].note)
			set->notes[set->nr_notes++] = subjects[i].note;
	}
	for (size_t i = 0; i < graph->nr_warnings; i++)
		set->notes[set->nr_notes++] = graph->warnings[i];
	for (size_t i = 0; i < graph->nr_probes; i++) {
		const struct hl_probe_status *probe = graph->probes[i];

		if (strcmp(probe->status, "hung") != 0 && strcmp(probe->status, "failed") != 0)
			continue;
		set->notes[set->nr_notes++] = hl_arena_printf(
			set->arena, "%s: the probe %s %s: %s", probe->host ? probe->host : "?",
			probe->probe, probe->status, probe->reason ? probe->reason : "no reason");
	}
}

int hl_acceptance_judge(const struct hl_graph *graph, const struct hl_acceptance_how *how,
			struct hl_acceptance_set **ret_set, struct hl_error *err)
{
	HL_ACCEPTANCE struct hl_acceptance_set *set = hl_alloc(sizeof(*set));
	struct subject *subjects;
	int rc;

	set->arena = hl_arena_new();
	rc = subjects_find(graph, how, set->arena, &subjects, &set->nr_devices, err);
	if (rc < 0)
		return rc;
	set->devices = hl_arena_alloc(set->arena, set->nr_devices * sizeof(*set->devices));
	for (size_t i = 0; i < set->nr_devices; i++) {
		judge_one(&subjects[i], &set->devices[i]);
		if (set->devices[i].verdict > set->verdict)
			set->verdict = set->devices[i].verdict;
	}
	peers_compare(set, graph, how);
	take_notes(graph, subjects, set);
	headline_put_set(set, how, graph);
	*ret_set = set;
	set = NULL;
	return 0;
}

void hl_acceptance_free(struct hl_acceptance_set *set)
{
	if (!set)
		return;
	hl_arena_free(set->arena);
	free(set);
}
