/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that was named on the command line in one bundle: see hoploss/gather.h.
 */
#include "hoploss/gather.h"
#include "hoploss/alloc.h"
#include "hoploss/console.h"
#include <string.h>

bool hl_source_is_bundle(const struct hl_source *source)
{
	return !source->is_ordered && hl_bundle_is_dir(source->path);
}

/* Adds what source holds; what cannot be read is said. is_read: now, for it is to be recorded. */
static int add_source(const struct hl_source *source, bool is_read, struct hl_bundle *bundle,
		      bool *ret_is_missing, struct hl_error *err)
{
	struct hl_bundle_input input = hl_source_input(source);
	bool waits = !is_read && hl_source_can_wait(source);
	HL_FREE char *bytes = NULL;
	struct hl_error why;
	int r;

	if (waits)
		r = hl_bundle_add_file(bundle, &input, source->path, &why);
	else
		r = hl_console_read(source->path, &bytes, &input.len, &why);
	if (r < 0) {
		hl_console_say("%s", why.text);
		*ret_is_missing = true;
		return 0;
	}
	hl_bundle_set_scrubbed(bundle, false); /* who knows what is in it */
	input.bytes = bytes;
	return waits ? 0 : hl_bundle_add_input(bundle, &input, err);
}

static int add_bundle(const struct hl_source *source, struct hl_bundle *bundle,
		      struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *other = NULL;
	int r = hl_bundle_open(source->path, &other, err);

	return r < 0 ? r : hl_bundle_join(bundle, other, source->path, err);
}

/* The one that holds a run, else the first; the others are joined to it. NULL = there is none. */
static int open_first(const struct hl_sources *sources, struct hl_bundle **ret_bundle,
		      const struct hl_source **ret_source, struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *first = NULL;

	*ret_source = NULL;
	for (size_t i = 0; i < sources->nr; i++) {
		HL_BUNDLE struct hl_bundle *bundle = NULL;
		int r = hl_source_is_bundle(&sources->items[i])
				? hl_bundle_open(sources->items[i].path, &bundle, err)
				: 0;

		if (r < 0)
			return r;
		if (!bundle || (first && !hl_bundle_path(bundle)))
			continue;
		hl_bundle_free(first);
		first = bundle;
		bundle = NULL;
		*ret_source = &sources->items[i];
		if (hl_bundle_path(first))
			break;
	}
	*ret_bundle = first;
	first = NULL;
	return 0;
}

static bool is_empty(const struct hl_bundle *bundle)
{
	return !hl_bundle_nr_inputs(bundle) && !hl_bundle_path(bundle) &&
	       !hl_captures_nr(hl_bundle_captures(bundle));
}

/* All of it in memory; NULL = not one file could be read. */
static int gather(const struct hl_sources *sources, bool is_read, struct hl_bundle **ret_bundle,
		  bool *ret_is_missing, struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	const struct hl_source *first;
	int r = open_first(sources, &bundle, &first, err);

	if (r == 0 && !bundle)
		bundle = hl_bundle_new();
	for (size_t i = 0; r == 0 && i < sources->nr; i++) {
		const struct hl_source *source = &sources->items[i];

		if (source == first || hl_source_is_repeat(sources, i))
			continue;
		r = hl_source_is_bundle(source)
			    ? add_bundle(source, bundle, err)
			    : add_source(source, is_read, bundle, ret_is_missing, err);
	}
	if (r == 0 && (first || !is_empty(bundle))) {
		*ret_bundle = bundle;
		bundle = NULL;
	}
	return r;
}

int hl_gather(const struct hl_sources *sources, const char *out, bool is_scrubbed,
	      struct hl_bundle **ret_bundle, bool *ret_is_missing, struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int r = gather(sources, out != NULL, &bundle, ret_is_missing, err);

	if (r == 0 && bundle && out)
		return hl_bundle_record(bundle, out, is_scrubbed, ret_bundle, err);
	if (r == 0) {
		*ret_bundle = bundle;
		bundle = NULL;
	}
	return r;
}
