/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison for programs. Its schema is tests/schema/comparison.schema.json. Rates are
 * bytes/s, latencies ns; keys are only ever added; what is unknown is absent.
 */
#include "hoploss/comparison_report.h"
#include "json_parts.h"

#define SCHEMA "hoploss.comparison/1"

static void put_change(struct hl_json_out *out, const struct hl_comparison *comparison,
		       const struct hl_change *change)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "hop", change->hop);
	hl_json_put_string(out, "hop_after", change->hop_after);
	hl_json_put_string(out, "workload", change->workload.name);
	hl_json_put_string(out, "direction", hl_dir_name(change->dir));
	hl_json_put_string(out, "metric", change->metric);
	hl_json_put_string(out, "from", comparison->states[change->from].name);
	hl_json_put_string(out, "to", comparison->states[change->to].name);
	hl_json_array(out, "values");
	hl_json_put_number(out, NULL, change->before);
	hl_json_put_number(out, NULL, change->after);
	hl_json_close(out);
	hl_json_put_number(out, "change_pct", change->change_pct);
	hl_json_put_number(out, "change_low", change->low_pct);
	hl_json_put_number(out, "change_high", change->high_pct);
	hl_json_put_string(out, "state", hl_change_state_name(change->state));
	hl_json_put_string(out, "reason", change->reason);
	hl_json_put_string(out, "control", change->control);
	hl_json_put_number(out, "needed_rounds", change->needed_rounds);
	hl_json_put_texts(out, "suspects", change->suspects, change->nr_suspects);
	hl_json_put_string(out, "next", change->next);
	hl_json_close(out);
}

static void put_side(struct hl_json_out *out, const char *key, const struct hl_fact *fact)
{
	if (!fact)
		return;
	hl_json_array(out, key);
	hl_json_put_fact(out, fact);
	hl_json_close(out);
}

static void put_fact(struct hl_json_out *out, const struct hl_comparison *comparison,
		     const struct hl_changed_fact *changed)
{
	const struct hl_fact *fact = hl_changed_fact_either(changed);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "host", fact->host);
	hl_json_put_string(out, "node", fact->node);
	hl_json_put_string(out, "key", fact->key);
	hl_json_put_string(out, "from", comparison->states[changed->from].name);
	hl_json_put_string(out, "to", comparison->states[changed->to].name);
	put_side(out, "before", changed->before);
	put_side(out, "after", changed->after);
	hl_json_put_number(out, "weight", changed->weight);
	hl_json_put_boolean(out, "is_worse", changed->is_worse);
	hl_json_close(out);
}

static void put_check(struct hl_json_out *out, const struct hl_check *check)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "id", check->id);
	hl_json_put_string(out, "status", hl_check_status_name(check->status));
	hl_json_put_string(out, "after", check->measured_text);
	hl_json_put_string(out, "text", check->reason ? check->reason : check->title);
	hl_json_array(out, "evidence");
	for (size_t i = 0; i < check->nr_evidence; i++)
		hl_json_put_fact(out, check->evidence[i]);
	hl_json_close(out);
	hl_json_close(out);
}

static void put_all(struct hl_json_out *out, const struct hl_comparison *comparison)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", SCHEMA);
	hl_json_array(out, "runs");
	for (size_t i = 0; i < comparison->nr_states; i++)
		hl_json_put_string(out, NULL, comparison->states[i].name);
	hl_json_close(out);
	hl_json_array(out, "workloads");
	for (size_t i = 0; i < comparison->nr_changes; i++)
		put_change(out, comparison, &comparison->changes[i]);
	hl_json_close(out);
	hl_json_array(out, "changed_facts");
	for (size_t i = 0; i < comparison->nr_facts; i++)
		put_fact(out, comparison, &comparison->facts[i]);
	hl_json_close(out);
	hl_json_array(out, "checks");
	for (size_t i = 0; i < comparison->nr_checks; i++)
		put_check(out, &comparison->checks[i]);
	hl_json_close(out);
	hl_json_put_string(out, "verdict", comparison->verdict);
	hl_json_put_texts(out, "warnings", comparison->warnings, comparison->nr_warnings);
	hl_json_close(out);
}

static void json_render(const struct hl_comparison *comparison, const struct hl_report_style *style,
			FILE *file)
{
	struct hl_json_out *out = hl_json_out_new(file);

	(void)style;
	put_all(out, comparison);
	hl_json_out_free(out);
}

const struct hl_comparison_report hl_comparison_json = {
	.name = "json",
	.render = json_render,
};
