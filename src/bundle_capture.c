/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures in a bundle, keeping names out of it, and joining bundles: see hoploss/bundle.h.
 */
#include "bundle_inside.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

/* ---- keeping names out ---- */

bool bundle_is_held(const struct hl_bundle *bundle)
{
	return bundle->hold && !bundle->is_released;
}

char *bundle_cleaned(const struct hl_bundle *bundle, const char *text)
{
	if (bundle->hold && bundle->is_released)
		return hl_scrub_text(hl_hold_scrub(bundle->hold), text);
	return hl_strdup(text);
}

/* ---- captures ---- */

int hl_bundle_begin_capture(struct hl_bundle *bundle, const char *host, enum hl_capture_stage stage,
			    struct hl_capture_sink **ret_sink, struct hl_error *err)
{
	assert(bundle->dir_fd >= 0);
	if (bundle->hold) {
		*ret_sink = hl_hold_begin(bundle->hold, host, stage);
		return 0;
	}
	return bundle_failed(
		bundle,
		hl_captures_begin(bundle->captures, bundle->dir_fd, host, stage, ret_sink, err),
		err);
}

void hl_bundle_say_status(struct hl_bundle *bundle, const struct hl_capture_status *status)
{
	if (bundle->hold)
		hl_hold_say(bundle->hold, status);
	else
		hl_captures_say(bundle->captures, status);
}

int hl_bundle_end_capture(struct hl_bundle *bundle, struct hl_error *err)
{
	if (bundle->hold) {
		hl_hold_end(bundle->hold);
		return 0;
	}
	int r = hl_captures_end(bundle->captures, err);

	return r < 0 ? bundle_failed(bundle, r, err) : bundle_write(bundle, err);
}

void hl_bundle_scrub(struct hl_bundle *bundle)
{
	bundle->hold = hl_hold_new();
	bundle->is_scrubbed = true;
}

/* What came before anything was known of the hosts. */
static int release_first(struct hl_bundle *bundle, struct hl_error *err)
{
	const struct hl_bundle_path *path = bundle->path;
	HL_FREE char *text = path ? hl_hold_path(bundle->hold, path->text) : NULL;

	int r = bundle_release_inputs(bundle, err);

	if (r < 0)
		return r;
	bundle->is_released = true;
	bundle->path = NULL;
	for (size_t i = 0; i < bundle->nr_notes; i++) {
		HL_FREE char *note = bundle_cleaned(bundle, bundle->notes[i]);

		bundle->notes[i] = bundle_copy_text(bundle->arena, note);
	}
	if (!path)
		return bundle_write(bundle, err);
	return hl_bundle_set_path(
		bundle, &(struct hl_bundle_path){ HL_BUNDLE_PATH, text, strlen(text) }, err);
}

/* Names in files that were given are names in captures, too. */
static void learn_inputs(const struct hl_bundle *bundle)
{
	struct hl_scrub *scrub = hl_hold_scrub(bundle->hold);

	for (size_t i = 0; i < bundle->nr_inputs; i++) {
		const struct hl_bundle_input *given = &bundle->inputs[i]->given;
		const struct hl_record record = { .kind = HL_RECORD_KEPT,
						  .path = given->file ? given->file : "input",
						  .bytes = given->bytes,
						  .len = given->len };

		if (given->hop && given->is_ordered)
			hl_scrub_keep_name(scrub, given->hop);
		hl_scrub_learn(scrub, &record);
	}
}

int hl_bundle_release(struct hl_bundle *bundle, struct hl_error *err)
{
	int r;

	if (!bundle->hold)
		return 0;
	if (!bundle->is_released)
		learn_inputs(bundle);
	r = hl_hold_release(bundle->hold, bundle->captures, bundle->dir_fd, err);
	if (r == 0 && !bundle->is_released)
		return release_first(bundle, err);
	return r < 0 ? bundle_failed(bundle, r, err) : bundle_write(bundle, err);
}

bool hl_bundle_is_scrubbed(const struct hl_bundle *bundle)
{
	return bundle->is_scrubbed;
}

void hl_bundle_set_scrubbed(struct hl_bundle *bundle, bool is_scrubbed)
{
	bundle->is_scrubbed = is_scrubbed;
}

struct hl_captures *hl_bundle_captures(const struct hl_bundle *bundle)
{
	return bundle->captures;
}

/* ---- joining ---- */

static void join_input(struct hl_bundle *bundle, const struct input *input)
{
	struct input *kept = bundle_keep_input(bundle, &input->given, input->stored, input->path);

	kept->digest = hl_arena_strdup(bundle->arena, input->digest);
	kept->size = input->size;
}

int hl_bundle_join(struct hl_bundle *bundle, const struct hl_bundle *other, const char *name,
		   struct hl_error *err)
{
	int r = 0;

	assert(bundle->dir_fd < 0);
	if (other->path)
		return hl_fail(err, EEXIST, "%s is a run of its own", name);
	for (size_t i = 0; r == 0 && i < other->nr_inputs; i++) {
		const struct input *input = other->inputs[i];

		r = bundle_take_room(bundle, input->given.len, err);
		if (r == 0)
			join_input(bundle, input);
	}
	for (size_t i = 0; i < other->nr_losses; i++)
		bundle_add_loss(bundle, "%s", other->losses[i]);
	for (size_t i = 0; r == 0 && i < other->nr_notes; i++)
		r = hl_bundle_add_note(bundle, other->notes[i], err);
	bundle->is_scrubbed &= other->is_scrubbed;
	if (other->begun && (!bundle->begun || strcmp(other->begun, bundle->begun) < 0))
		bundle->begun = hl_arena_strdup(bundle->arena, other->begun);
	hl_captures_join(bundle->captures, other->captures, name);
	return r;
}
