/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Printing a diagnosis: see hoploss/show.h.
 */
#include "hoploss/show.h"
#include "hoploss/anonymize.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/near.h"
#include <errno.h>
#include <string.h>

static int find_report(const char *name, const struct hl_report **ret_report, struct hl_error *err)
{
	const struct hl_report *report = hl_report_find(name);
	struct hl_near near;

	if (report) {
		*ret_report = report;
		return 0;
	}
	hl_near_start(&near, name);
	for (size_t i = 0; hl_reports[i]; i++)
		hl_near_offer(&near, hl_reports[i]->name);
	return hl_fail(err, EINVAL, "there is no report format \"%s\"%s", name,
		       hl_near_hint(&near));
}

int hl_show_prepare(const struct hl_args *args, struct hl_show *ret_show, struct hl_error *err)
{
	struct hl_show show = { 0 };
	const char *format;
	int r = hl_console_format(args, &format, err);

	if (r == 0)
		r = find_report(format, &show.report, err);
	if (r == 0)
		r = hl_console_style(args, &show.style, err);
	if (r < 0)
		return r;
	show.style.is_anonymised = hl_args_has(args, "anonymize");
	*ret_show = show;
	return 0;
}

static void say_input(const struct hl_input *input)
{
	const char *reason = input->reason ? input->reason : "nothing in it was recognised";
	size_t len = strlen(input->file);
	bool is_named = !strncmp(reason, input->file, len) && reason[len] == ':';

	if (input->status == HL_INPUT_RECOGNISED)
		hl_console_say("%s, lines %u to %u: %s: not read by this version", input->file,
			       input->first_line, input->last_line, input->format);
	else if (is_named)
		hl_console_say("%s", reason);
	else
		hl_console_say("%s: %s", input->file, reason);
}

/* What went wrong with one host is often so for each of its probes: told once. */
static bool is_told(const struct hl_graph *graph, size_t index)
{
	const struct hl_probe_status *status = graph->probes[index];

	for (size_t i = 0; i < index; i++) {
		const struct hl_probe_status *other = graph->probes[i];

		if (other->reason && !strcmp(other->reason, status->reason) &&
		    !strcmp(other->host, status->host))
			return true;
	}
	return false;
}

static void say_captures(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_probes; i++) {
		const struct hl_probe_status *status = graph->probes[i];

		bool is_lost = strcmp(status->status, "ok") != 0 &&
			       strcmp(status->status, "absent") != 0;

		if (status->reason && is_lost && !is_told(graph, i))
			hl_console_say("%s: %s", status->host, status->reason);
	}
	for (size_t i = 0; i < graph->nr_warnings; i++)
		hl_console_say("%s", graph->warnings[i]);
}

/* Where there is no report, every input and host is named with what is wrong with it. */
static void say_unusable(const struct hl_graph *graph)
{
	say_captures(graph);
	for (size_t i = 0; i < graph->nr_inputs; i++) {
		if (graph->inputs[i]->status != HL_INPUT_PROSE)
			say_input(graph->inputs[i]);
	}
	hl_console_say("nothing readable");
}

enum hl_exit hl_show_graph(const struct hl_show *show, struct hl_graph *graph)
{
	struct hl_error err;

	if (show->style.is_anonymised)
		hl_anonymize_graph(graph);
	if (hl_diagnose_exit(graph) == HL_EXIT_UNABLE) {
		say_unusable(graph);
		return HL_EXIT_UNABLE;
	}
	if (hl_report_write(show->report, graph, &show->style, stdout, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return hl_diagnose_exit(graph);
}

enum hl_exit hl_show_diagnosis(const struct hl_show *show, const struct hl_bundle *bundle)
{
	const struct hl_diagnose_how how = { show->spec, show->style.is_anonymised };
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_error err;

	if (hl_diagnose(bundle, &how, &graph, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return hl_show_graph(show, graph);
}
