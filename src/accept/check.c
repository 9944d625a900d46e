/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all checks share: looking up the facts of a drive, comparing, and saying why.
 */
#include "check.h"
#include "hoploss/apart.h"
#include "hoploss/fact.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

static bool is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool is_of(const struct subject *subject, const struct hl_fact *fact, size_t node)
{
	return hl_apart_may_be_one(subject->graph, subject->host, fact->host) &&
	       is_same(fact->node, subject->nodes[node]);
}

/* Nearest name first: what is said of the namespace counts before what is said of its link. */
const struct hl_fact *subject_fact(const struct subject *subject, const char *key)
{
	for (size_t node = 0; node < subject->nr_nodes; node++) {
		for (size_t i = 0; i < subject->graph->nr_facts; i++) {
			const struct hl_fact *fact = subject->graph->facts[i];

			if (!strcmp(fact->key, key) && is_of(subject, fact, node))
				return fact;
		}
	}
	return NULL;
}

const struct hl_fact *subject_greatest(const struct subject *subject, const char *key)
{
	const struct hl_fact *greatest = NULL;

	for (size_t node = 0; node < subject->nr_nodes; node++) {
		for (size_t i = 0; i < subject->graph->nr_facts; i++) {
			const struct hl_fact *fact = subject->graph->facts[i];

			if (!strcmp(fact->key, key) && fact->type == HL_FACT_NUMBER &&
			    is_of(subject, fact, node) &&
			    (!greatest || fact->number > greatest->number))
				greatest = fact;
		}
	}
	return greatest;
}

double subject_number(const struct subject *subject, const char *key)
{
	const struct hl_fact *fact = subject_fact(subject, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

const char *subject_string(const struct subject *subject, const char *key)
{
	const struct hl_fact *fact = subject_fact(subject, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : NULL;
}

struct hl_check *check_add(const struct subject *subject, struct hl_acceptance *acceptance,
			   const char *id, const char *title)
{
	struct hl_check *check;

	acceptance->checks = hl_arena_extend(subject->arena, acceptance->checks,
					     acceptance->nr_checks, sizeof(*check));
	check = &acceptance->checks[acceptance->nr_checks++];
	*check = (struct hl_check){
		.id = id,
		.title = title,
		.status = HL_CHECK_PASS,
		.measured = NAN,
		.required = NAN,
	};
	return check;
}

void check_evidence(const struct subject *subject, struct hl_check *check,
		    const struct hl_fact *fact)
{
	if (!fact)
		return;
	check->evidence = hl_arena_extend(subject->arena, check->evidence, check->nr_evidence,
					  sizeof(*check->evidence));
	check->evidence[check->nr_evidence++] = fact;
}

void check_miss(const struct subject *subject, struct hl_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check->status = HL_CHECK_NOT_MEASURED;
	check->reason = hl_arena_vprintf(subject->arena, format, args);
	va_end(args);
}

void check_fail(const struct subject *subject, struct hl_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check->status = HL_CHECK_FAIL;
	check->reason = hl_arena_vprintf(subject->arena, format, args);
	va_end(args);
}

void check_show(const struct subject *subject, struct hl_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	check->status = HL_CHECK_SHOWN;
	check->reason = hl_arena_vprintf(subject->arena, format, args);
	va_end(args);
	check->required = NAN;
	check_require(check, HL_RELATION_NONE, NULL);
}

void check_require(struct hl_check *check, enum hl_relation relation, const char *text)
{
	check->required_text = text;
	check->relation = text ? relation : HL_RELATION_NONE;
}

void check_limit(struct hl_check *check, enum hl_relation relation, double limit)
{
	check->required = limit;
	check->relation = isnan(limit) ? HL_RELATION_NONE : relation;
}

static bool holds(double value, enum hl_relation relation, double limit)
{
	switch (relation) {
	case HL_RELATION_AT_MOST:
		return value <= limit;
	case HL_RELATION_AT_LEAST:
		return value >= limit;
	case HL_RELATION_BELOW:
		return value < limit;
	case HL_RELATION_EQUAL:
		return value == limit;
	default:
		return false;
	}
}

static double value_of(const struct hl_fact *fact)
{
	if (!fact || fact->type == HL_FACT_STRING)
		return NAN;
	return fact->type == HL_FACT_BOOLEAN ? fact->boolean : fact->number;
}

static void put_value(struct hl_check *check, const struct hl_fact *fact, enum hl_relation relation,
		      double limit)
{
	const struct hl_fact_key *row = hl_fact_key_find(fact->key);

	check->measured = value_of(fact);
	check_limit(check, relation, limit);
	check->unit = fact->unit ? fact->unit : row ? row->unit : NULL;
	if (fact->type != HL_FACT_BOOLEAN)
		return;
	check->measured_text = fact->boolean ? "yes" : "no";
	check_require(check, relation, limit != 0 ? "yes" : "no");
}

void check_compare(const struct subject *subject, const struct check_kind *kind, double limit,
		   struct hl_check *check)
{
	const struct hl_fact *fact = subject_fact(subject, kind->key);

	if (isnan(value_of(fact))) {
		check_miss(subject, check, "nothing tells its %s", kind->title);
		return;
	}
	put_value(check, fact, kind->relation, limit);
	check_evidence(subject, check, fact);
	if (!holds(check->measured, kind->relation, limit))
		check_fail(subject, check, "%s", kind->reason);
}
