/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was given as one state: see hoploss/given.h.
 */
#include "hoploss/given.h"
#include "hoploss/alloc.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/sources.h"
#include <errno.h>
#include <string.h>

void hl_given_clear(struct hl_given *given)
{
	hl_graph_free(given->graph);
	hl_bundle_free(given->bundle);
	*given = (struct hl_given){ 0 };
}

/* "a/b.c.txt" gives "b.c". */
static char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot != base ? hl_strndup(base, (size_t)(dot - base)) : hl_strdup(base);
}

static int add_file(struct hl_bundle *bundle, const char *path, struct hl_error *err)
{
	HL_FREE char *hop = stem_of(path);
	struct hl_source source = { .path = (char *)path, .hop = hop };
	struct hl_bundle_input input = hl_source_input(&source);
	HL_FREE char *bytes = NULL;
	int rc;

	if (hl_source_can_wait(&source))
		return hl_bundle_add_file(bundle, &input, path, err);
	rc = hl_console_read(path, &bytes, &input.len, err);
	input.bytes = bytes;
	return rc < 0 ? rc : hl_bundle_add_input(bundle, &input, err);
}

static int open_bundle(const char *const *words, size_t nr, struct hl_bundle **ret_bundle,
		       size_t *ret_missing, struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;

	if (nr == 1 && hl_bundle_is_dir(words[0]))
		return hl_bundle_open(words[0], ret_bundle, err);
	bundle = hl_bundle_new();
	for (size_t i = 0; i < nr; i++) {
		struct hl_error why;

		if (hl_bundle_is_dir(words[i]))
			return hl_fail(err, EINVAL, "%s is a bundle, which stands alone", words[i]);
		if (add_file(bundle, words[i], &why) == 0)
			continue;
		hl_console_say("%s", why.text);
		(*ret_missing)++;
	}
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}

static void say_unusable(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_inputs; i++) {
		const struct hl_input *input = graph->inputs[i];

		if (input->status != HL_INPUT_PROSE && input->status != HL_INPUT_READ)
			hl_console_say("%s: %s", input->file,
				       input->reason ? input->reason
						     : "nothing in it was recognised");
	}
}

int hl_given_read(const char *const *words, size_t nr, struct hl_given *ret_given,
		  size_t *ret_missing, struct hl_error *err)
{
	struct hl_given given = { .name = words[0] };
	int rc = open_bundle(words, nr, &given.bundle, ret_missing, err);

	if (rc == 0)
		rc = hl_diagnose(given.bundle, NULL, &given.graph, err);
	if (rc == 0 && hl_diagnose_exit(given.graph) == HL_EXIT_UNABLE) {
		say_unusable(given.graph);
		rc = hl_fail(err, ENODATA, "%s: nothing usable in it", words[0]);
	}
	if (rc < 0) {
		hl_given_clear(&given);
		return rc;
	}
	*ret_given = given;
	return 0;
}
