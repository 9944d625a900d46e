/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The certificate for programs: one drive, or a set of them. Its schema is
 * tests/schema/acceptance.schema.json. Keys are only ever added; what is unknown is absent.
 */
#include "hoploss/certificate.h"
#include "json_parts.h"
#include <math.h>

#define SCHEMA     "hoploss.acceptance/1"
#define SCHEMA_SET "hoploss.acceptance-set/1"

static void put_figure(struct hl_json_out *out, const char *key, const char *text, double number)
{
	if (text)
		hl_json_put_string(out, key, text);
	else
		hl_json_put_number(out, key, number);
}

static void put_check(struct hl_json_out *out, const struct hl_check *check)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "id", check->id);
	hl_json_put_string(out, "title", check->title);
	hl_json_put_string(out, "status", hl_check_status_name(check->status));
	put_figure(out, "measured", check->measured_text, check->measured);
	put_figure(out, "required", check->required_text, check->required);
	hl_json_put_string(out, "relation", hl_relation_name(check->relation));
	hl_json_put_string(out, "unit", check->unit);
	hl_json_put_string(out, "reason", check->reason);
	hl_json_put_string(out, "mend", check->mend);
	if (check->needs_written)
		hl_json_put_boolean(out, "needs_written", true);
	hl_json_array(out, "evidence");
	for (size_t i = 0; i < check->nr_evidence; i++)
		hl_json_put_fact(out, check->evidence[i]);
	hl_json_close(out);
	hl_json_close(out);
}

static void put_device(struct hl_json_out *out, const struct hl_acceptance *device)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", SCHEMA);
	hl_json_put_string(out, "device", device->device);
	hl_json_put_string(out, "host", device->host);
	hl_json_put_string(out, "serial", device->serial);
	hl_json_put_string(out, "model", device->model);
	hl_json_put_string(out, "firmware", device->firmware);
	hl_json_put_string(out, "bdf", device->bdf);
	hl_json_put_string(out, "slot", device->slot);
	hl_json_put_string(out, "spec", device->spec);
	hl_json_put_boolean(out, "is_spec_by_model", device->is_spec_by_model);
	hl_json_put_string(out, "verdict", hl_acceptance_verdict_name(device->verdict));
	hl_json_put_string(out, "text", device->headline);
	hl_json_put_number(out, "fill_bytes", device->fill_bytes);
	hl_json_put_number(out, "fill_s", device->fill_s);
	hl_json_array(out, "checks");
	for (size_t i = 0; i < device->nr_checks; i++)
		put_check(out, &device->checks[i]);
	hl_json_close(out);
	hl_json_close(out);
}

static void put_set(struct hl_json_out *out, const struct hl_acceptance_set *set)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", SCHEMA_SET);
	hl_json_put_string(out, "verdict", hl_acceptance_verdict_name(set->verdict));
	hl_json_put_string(out, "text", set->headline);
	hl_json_array(out, "devices");
	for (size_t i = 0; i < set->nr_devices; i++)
		put_device(out, &set->devices[i]);
	hl_json_close(out);
	hl_json_put_texts(out, "findings", set->findings, set->nr_findings);
	hl_json_put_texts(out, "notes", set->notes, set->nr_notes);
	hl_json_close(out);
}

static void json_render(const struct hl_acceptance_set *set, const struct hl_report_style *style,
			FILE *file)
{
	struct hl_json_out *out = hl_json_out_new(file);

	(void)style;
	put_set(out, set);
	hl_json_out_free(out);
}

const struct hl_certificate hl_certificate_json = {
	.name = "json",
	.render = json_render,
};
