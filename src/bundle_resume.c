/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Going on with a run whose bundle stands on disk: see hoploss/bundle.h.
 *
 * Surprising: bundle.json is written first, without what is taken out, and only then are its files
 * removed. So a crash in between leaves a bundle with files that nobody names, never one that names
 * what is not there.
 */
#include "bundle_inside.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int check(const struct hl_bundle *bundle, const char *dir, size_t nr_samples,
		 struct hl_error *err)
{
	if (!bundle->path)
		return hl_fail(err, ENODATA, "%s is of no run", dir);
	if (bundle->is_scrubbed)
		return hl_fail(err, ENODATA, "%s keeps names out: nothing can be added", dir);
	if (bundle->nr_samples < nr_samples)
		return hl_fail(err, ENODATA, "%s has %zu samples of %zu", dir, bundle->nr_samples,
			       nr_samples);
	for (size_t i = 0; i < nr_samples; i++) {
		if (!*bundle->samples[i])
			return hl_fail(err, ENODATA, "%s:%zu: no sample", HL_BUNDLE_SAMPLES, i + 1);
	}
	return 0;
}

static int open_parts(struct hl_bundle *bundle, const char *dir)
{
	const int dir_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	bundle->dir = hl_arena_strdup(bundle->arena, dir);
	bundle->dir_fd = open(dir, dir_flags);
	if (bundle->dir_fd < 0)
		return -errno;
	bundle->inputs_fd = openat(bundle->dir_fd, HL_BUNDLE_INPUTS, dir_flags | O_NOFOLLOW);
	if (bundle->inputs_fd < 0)
		return -errno;
	bundle->samples_fd = openat(bundle->dir_fd, HL_BUNDLE_SAMPLES,
				    O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	return bundle->samples_fd < 0 ? -errno : 0;
}

static void remove_inputs(const struct hl_bundle *bundle, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		unlinkat(bundle->inputs_fd, bundle->inputs[i]->stored, 0);
}

static int cut_samples(struct hl_bundle *bundle, size_t nr)
{
	off_t len = 0;

	for (size_t i = 0; i < nr; i++)
		len += (off_t)strlen(bundle->samples[i]) + 1;
	bundle->nr_samples = nr;
	bundle->samples_len = len;
	return ftruncate(bundle->samples_fd, len) < 0 ? -errno : 0;
}

static int take_out(struct hl_bundle *bundle, const char *dir, size_t nr_samples,
		    struct hl_error *err)
{
	size_t nr_inputs = bundle->nr_inputs;
	int r;

	bundle->nr_inputs = 0;
	bundle->stop_reason = NULL;
	hl_captures_forget(bundle->captures, HL_CAPTURE_AFTER);
	if (!nr_samples) /* then there will be a first round */
		hl_captures_forget(bundle->captures, HL_CAPTURE_BEFORE);
	r = bundle_write(bundle, err);
	if (r < 0)
		return r;
	remove_inputs(bundle, nr_inputs);
	r = cut_samples(bundle, nr_samples);
	return r < 0 ? hl_fail(err, -r, "%s/%s: %s", dir, HL_BUNDLE_SAMPLES, strerror(-r)) : 0;
}

int hl_bundle_resume(const char *dir, size_t nr_samples, struct hl_bundle **ret_bundle,
		     struct hl_error *err)
{
	HL_BUNDLE struct hl_bundle *bundle = NULL;
	int r = hl_bundle_open(dir, &bundle, err);

	if (r == 0)
		r = check(bundle, dir, nr_samples, err);
	if (r < 0)
		return r;
	r = open_parts(bundle, dir);
	if (r < 0)
		return hl_fail(err, -r, "go on with the bundle %s: %s", dir, strerror(-r));
	r = take_out(bundle, dir, nr_samples, err);
	if (r < 0)
		return r;
	*ret_bundle = bundle;
	bundle = NULL;
	return 0;
}
