/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss compare: states of a system beside each other.
 */
#include "hoploss/alloc.h"
#include "hoploss/anonymize.h"
#include "hoploss/args.h"
#include "hoploss/comparison_report.h"
#include "hoploss/console.h"
#include "hoploss/given.h"
#include "hoploss/show.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct request {
	const struct hl_comparison_report *report;
	struct hl_report_style style;
	struct hl_arena *arena;
	struct hl_sources sources;
	struct hl_hop_match *matches;
	size_t nr_matches;
	struct hl_given *given;
	size_t nr_given;
	struct hl_compared *states;
	size_t nr_states;
};

static void request_clear(struct request *request)
{
	for (size_t i = 0; i < request->nr_given; i++)
		hl_given_clear(&request->given[i]);
	free(request->given);
	hl_sources_clear(&request->sources);
	hl_arena_free(request->arena);
}
#define REQUEST __attribute__((cleanup(request_clear)))

static int read_match(struct request *request, const char *value, struct hl_error *err)
{
	const char *equals = strchr(value, '=');
	struct hl_hop_match *match;

	if (!equals || equals == value || !equals[1])
		return hl_fail(err, EINVAL, "--match %s: write it as OLD=NEW", value);
	request->matches = hl_arena_extend(request->arena, request->matches, request->nr_matches,
					   sizeof(*match));
	match = &request->matches[request->nr_matches++];
	match->old_name = hl_arena_strndup(request->arena, value, (size_t)(equals - value));
	match->new_name = equals + 1;
	return 0;
}

static int read_format(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *format;
	int rc = hl_console_format(args, &format, err);

	if (rc < 0)
		return rc;
	request->report = hl_comparison_report_find(format);
	if (!request->report)
		return hl_fail(err, EINVAL, "--format %s: text, json or html", format);
	return hl_console_style(args, &request->style, err);
}

/* A state that is held against itself would be "the same" whatever happened. */
static int check_distinct(const struct hl_sources *sources, struct hl_error *err)
{
	for (size_t i = 0; i < sources->nr; i++) {
		if (hl_source_is_repeat(sources, i))
			return hl_fail(err, EINVAL, "%s is given twice", sources->items[i].path);
	}
	return 0;
}

static int read_request(const struct hl_args *args, struct request *request, struct hl_error *err)
{
	const char *value;
	int rc = read_format(args, request, err);

	request->style.is_anonymised = hl_args_has(args, "anonymize");
	request->arena = hl_arena_new();
	if (rc == 0 && !hl_args_nr_operands(args))
		rc = hl_fail(err, EINVAL, "compare needs bundles or files, in the order of time");
	if (rc == 0)
		rc = hl_sources_read(args, &request->sources, err);
	if (rc == 0)
		rc = check_distinct(&request->sources, err);
	for (size_t i = 0; rc == 0 && (value = hl_args_value(args, "match", i)); i++)
		rc = read_match(request, value, err);
	return rc;
}

/* A table holds several states. */
static void add_states(struct request *request, const struct hl_given *given)
{
	size_t nr;
	const struct hl_compared *states = hl_compared_split(request->arena, given->name,
							     given->graph, &nr);

	for (size_t i = 0; i < nr; i++) {
		request->states = hl_arena_extend(request->arena, request->states,
						  request->nr_states, sizeof(*states));
		request->states[request->nr_states++] = states[i];
	}
}

static int read_states(struct request *request, struct hl_error *err)
{
	const struct hl_given_how how = { .is_nameless = request->style.is_anonymised };

	request->given = hl_alloc(request->sources.nr * sizeof(*request->given));
	for (size_t i = 0; i < request->sources.nr; i++) {
		const struct hl_sources one = { &request->sources.items[i], 1 };
		struct hl_given *given = &request->given[request->nr_given];
		int rc = hl_given_read(&one, &how, given, err);

		if (rc < 0)
			return rc;
		request->nr_given++;
		if (how.is_nameless)
			given->name = hl_arena_printf(request->arena, "state-%zu", i + 1);
	}
	for (size_t i = 0; i < request->nr_given; i++)
		add_states(request, &request->given[i]);
	return 0;
}

/* What names machines, after it was judged by: the same thing has one stand-in in all states. */
static void take_names(const struct request *request, struct hl_comparison *comparison)
{
	HL_FREE struct hl_graph **graphs = hl_alloc((request->nr_given + 1) * sizeof(*graphs));
	size_t nr_texts;
	const char ***texts = hl_comparison_texts(comparison, &nr_texts);

	for (size_t i = 0; i < request->nr_given; i++)
		graphs[i] = request->given[i].graph;
	hl_anonymize_graphs(graphs, request->nr_given, texts, nr_texts);
}

static bool has_failed_check(const struct hl_comparison *comparison)
{
	for (size_t i = 0; i < comparison->nr_checks; i++) {
		if (comparison->checks[i].status == HL_CHECK_FAIL)
			return true;
	}
	return false;
}

/* Of one state without a VF nothing is said, and that is no "nothing got worse". */
static enum hl_exit exit_of(const struct request *request, const struct hl_comparison *comparison)
{
	bool is_nothing = request->nr_states == 1 && !comparison->nr_checks;

	if (comparison->has_worse || has_failed_check(comparison))
		return HL_EXIT_FINDINGS;
	for (size_t i = 0; i < request->nr_given; i++)
		is_nothing |= request->given[i].is_missing;
	return is_nothing ? HL_EXIT_INCOMPLETE : HL_EXIT_OK;
}

static enum hl_exit compare_run(const struct hl_args *args)
{
	REQUEST struct request request = { 0 };
	HL_COMPARISON struct hl_comparison *comparison = NULL;
	struct hl_error err;

	if (read_request(args, &request, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (read_states(&request, &err) < 0 ||
	    hl_comparison_make(request.states, request.nr_states, request.matches,
			       request.nr_matches, &comparison, &err) < 0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_INCOMPLETE;
	}
	if (request.style.is_anonymised)
		take_names(&request, comparison);
	if (hl_comparison_report_write(request.report, comparison, &request.style, stdout, &err) <
	    0) {
		hl_console_say("%s", err.text);
		return HL_EXIT_UNABLE;
	}
	return exit_of(&request, comparison);
}

static const struct hl_option options[] = {
	{ .name = "match",
	  .arg = "OLD=NEW",
	  .help = "a hop that is called otherwise in the later state",
	  .may_repeat = true },
	{ .name = "format",
	  .arg = "FORMAT",
	  .help = "text, json or html (default text)",
	  .values = "text json html" },
	{ .name = "anonymize",
	  .help = "replace serials, addresses, host names, paths and the names of files" },
	HL_COLOR_OPTION,
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss compare before after", "Two runs: what the change between them gave." },
	{ "hoploss compare --match virtio=vf before after",
	  "The hop over the vNIC, and what took its place." },
	{ "hoploss compare tuning.csv", "A table with a column \"change\": each step of it." },
	{ "hoploss compare after", "One capture: is SR-IOV configured right?" },
	{ 0 },
};

const struct hl_command hl_command_compare = {
	.name = "compare",
	.summary = "what a change of the system gave, and whether that is real",
	.usage = "BEFORE [AFTER...] [--match OLD=NEW]... [--format FORMAT] [--anonymize] [--json] "
		 "[--color WHEN]",
	.details = "Each word is a bundle or a file of results, in the order of time; a table "
		   "with a column \"change\" is a series by itself. Each workload of each hop is "
		   "held against the state before it: better, worse, same, or unclear, with how "
		   "many rounds would tell. Same is within 10 % (p99 50 %, p99.9 100 %), or within "
		   "what two rounds of one state differ by half of the time, at most 25 %.\n\n"
		   "Days lie between two runs. So a hop is judged by its ratio to the hop before "
		   "it, round by round; where that hop moved too, the row is unclear. Single "
		   "values, as imports have, are called better or worse only beyond twice, and "
		   "never the same.\n\n"
		   "Facts that differ between the states are listed, those first that can matter "
		   "most. What only one state has is said. Exit code 0: nothing got worse and no "
		   "check failed; 1: something did; 4: what was given cannot be compared, or not "
		   "whole.",
	.options = options,
	.examples = examples,
	.max_operands = -1,
	.operand_values = "FILE",
	.run = compare_run,
};
