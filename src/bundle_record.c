/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recording what was joined in memory: see hoploss/bundle.h. It goes the road of what is measured:
 * put record by record, so that names are taken out by the same code.
 *
 * Surprising: samples come last, as in a run: they are scrubbed by what was learned before.
 */
#include "bundle_inside.h"
#include <errno.h>
#include <string.h>

/* On disk a capture stands below the name of its host. */
static int check_captures(const struct hl_captures *captures, struct hl_error *err)
{
	for (size_t i = 1; i < hl_captures_nr(captures); i++) {
		const struct hl_captured *later = hl_captures_at(captures, i);

		for (size_t k = 0; k < i; k++) {
			const struct hl_captured *first = hl_captures_at(captures, k);

			if (first->stage == later->stage && !strcmp(first->host, later->host))
				return hl_fail(err, EEXIST,
					       "host %s was captured in %s and in %s: one bundle "
					       "holds one capture of it, so give only one of them",
					       later->host,
					       first->from ? first->from : "the first bundle",
					       later->from ? later->from : "the first bundle");
		}
	}
	return 0;
}

/* In a new bundle what is left would look as if it were all. */
static int check_whole(const struct hl_bundle *from, struct hl_error *err)
{
	const char *loss = hl_bundle_loss_at(from, 0);

	if (!loss)
		return 0;
	return hl_fail(err, EBADMSG, "%s: a new bundle would not tell that any more", loss);
}

static int record_inputs(struct hl_bundle *bundle, const struct hl_bundle *from,
			 struct hl_error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < from->nr_inputs; i++) {
		struct hl_bundle_input input = from->inputs[i]->given;
		HL_FREE char *bytes = NULL;

		r = hl_bundle_read_input(from, i, &bytes, &input.len, err);
		input.bytes = bytes;
		if (r == 0)
			r = hl_bundle_add_input(bundle, &input, err);
	}
	return r;
}

static int record_capture(struct hl_bundle *bundle, const struct hl_captures *captures,
			  size_t index, struct hl_error *err)
{
	const struct hl_captured *captured = hl_captures_at(captures, index);
	struct hl_capture_sink *sink;
	int r = hl_bundle_begin_capture(bundle, captured->host, captured->stage, &sink, err);

	if (r == 0)
		r = hl_captures_put(captures, index, sink, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < captured->nr_statuses; i++)
		hl_bundle_say_status(bundle, &captured->statuses[i]);
	return hl_bundle_end_capture(bundle, err);
}

static int record_run(struct hl_bundle *bundle, const struct hl_bundle *from, struct hl_error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < from->nr_samples; i++)
		r = hl_bundle_add_sample(bundle, from->samples[i], err);
	if (r == 0 && from->stop_reason)
		r = hl_bundle_set_stop_reason(bundle, from->stop_reason, err);
	return r;
}

/* What may name something, in the order in which it is learned. */
static int record_named(struct hl_bundle *bundle, const struct hl_bundle *from,
			struct hl_error *err)
{
	int r = from->path ? hl_bundle_set_path(bundle, from->path, err) : 0;

	for (size_t i = 0; r == 0 && i < from->nr_notes; i++)
		r = hl_bundle_add_note(bundle, from->notes[i], err);
	if (r == 0)
		r = record_inputs(bundle, from, err);
	for (size_t i = 0; r == 0 && i < hl_captures_nr(from->captures); i++)
		r = record_capture(bundle, from->captures, i, err);
	return r == 0 ? hl_bundle_release(bundle, err) : r;
}

static int record(struct hl_bundle *bundle, const struct hl_bundle *from, bool is_scrubbed,
		  struct hl_error *err)
{
	int r = 0;

	if (from->path) /* its order was drawn */
		bundle->seed = from->seed;
	bundle->begun = hl_arena_strdup(bundle->arena, from->begun);
	bundle->is_scrubbed = from->is_scrubbed;
	if (is_scrubbed)
		hl_bundle_scrub(bundle);
	if (from->spec)
		r = hl_bundle_set_spec(bundle, from->spec, err);
	if (r == 0)
		r = record_named(bundle, from, err);
	return r == 0 ? record_run(bundle, from, err) : r;
}

int hl_bundle_record(const struct hl_bundle *from, const char *dir, bool is_scrubbed,
		     struct hl_bundle **ret_bundle, struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int r = check_captures(from->captures, err);

	if (r == 0)
		r = check_whole(from, err);
	if (r == 0)
		r = hl_bundle_create(dir, &bundle, err);
	if (r == 0)
		r = record(bundle, from, is_scrubbed, err);
	if (r < 0)
		return r;
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}
