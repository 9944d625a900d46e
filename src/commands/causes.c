/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss causes: the reasons that a diagnosis can name, and how each explains itself.
 */
#include "hoploss/args.h"
#include "hoploss/cause.h"
#include "hoploss/console.h"
#include "hoploss/json.h"
#include "hoploss/near.h"
#include "hoploss/usage.h"
#include <errno.h>

static void put_cause(struct hl_json_out *out, const struct hl_cause *cause)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "id", cause->id);
	hl_json_put_string(out, "summary", cause->summary);
	hl_json_put_string(out, "layer", hl_layer_name(cause->layer));
	hl_json_put_string(out, "explain", cause->explain);
	hl_json_array(out, "rivals");
	for (size_t i = 0; cause->rivals && cause->rivals[i]; i++)
		hl_json_put_string(out, NULL, cause->rivals[i]);
	hl_json_close(out);
	hl_json_close(out);
}

static void put_json(const struct hl_cause *only)
{
	struct hl_json_out *out = hl_json_out_new(stdout);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.causes/1");
	hl_json_array(out, "causes");
	for (size_t i = 0; hl_causes[i]; i++) {
		if (!only || hl_causes[i] == only)
			put_cause(out, hl_causes[i]);
	}
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

static void print_cause(const struct hl_cause *cause)
{
	const char *layer = hl_layer_name(cause->layer);

	printf("%s: %s\n\nlayer: %s\n", cause->id, cause->summary,
	       layer ? layer : "any, where it is measured");
	if (cause->rivals && cause->rivals[0]) {
		fputs("looks like:", stdout);
		for (size_t i = 0; cause->rivals[i]; i++)
			printf(" %s", cause->rivals[i]);
		putchar('\n');
	}
	hl_usage_paragraphs(stdout, cause->explain);
}

static int find_cause(const char *id, const struct hl_cause **ret_cause, struct hl_error *err)
{
	const struct hl_cause *cause = hl_cause_find(id);
	struct hl_near near;

	if (cause) {
		*ret_cause = cause;
		return 0;
	}
	hl_near_start(&near, id);
	for (size_t i = 0; hl_causes[i]; i++)
		hl_near_offer(&near, hl_causes[i]->id);
	return hl_fail(err, EINVAL, "there is no cause \"%s\"%s", id, hl_near_hint(&near));
}

static enum hl_exit causes_run(const struct hl_args *args)
{
	const char *id = hl_args_operand(args, 0);
	const struct hl_cause *cause = NULL;
	struct hl_error err;

	if (id && find_cause(id, &cause, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (hl_args_json(args)) {
		put_json(cause);
		return HL_EXIT_OK;
	}
	if (cause) {
		print_cause(cause);
		return HL_EXIT_OK;
	}
	for (size_t i = 0; hl_causes[i]; i++)
		hl_usage_row(stdout, hl_causes[i]->id, hl_causes[i]->summary);
	return HL_EXIT_OK;
}

static const struct hl_example examples[] = {
	{ "hoploss causes", "Lists them." },
	{ "hoploss causes serial-stage",
	  "What it is, how it is recognised, what looks like it, what decides, what to do." },
	{ 0 },
};

const struct hl_command hl_command_causes = {
	.name = "causes",
	.summary = "list the causes that a diagnosis can name, or explain one",
	.usage = "[ID] [--json]",
	.examples = examples,
	.max_operands = 1,
	.operand_values = "CAUSE",
	.run = causes_run,
};
