/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * That the hops of a path read the same written medium, proved before anything is measured.
 *
 * A target, a wire, a vNIC, a virtual disk and an initiator show the medium of the hop before them;
 * a pool and a file system make a new one of it. Hops that show one medium must have its size (or
 * its serial number) and hold the same in sampled blocks. A file on a file system on it is looked
 * up in the medium where its file system says that it is; if it is there, all hops read just the
 * file's own extents from then on. A hop whose samples are zeros is not measured: a block that was
 * never written is answered without the medium.
 *
 * Surprising: sizes differ where a pool that is no hop of the path lies between a drive and what
 * is exported of it; there the export is a medium of its own.
 */
#include "hoploss/mark.h"
#include "hoploss/random.h"
#include "run.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NR_SAMPLES      64
#define LEAST_UNIT      65536
#define MOST_ZERO_PCT   5
#define LEAST_ALIKE_PCT 90 /* somebody may be writing meanwhile */
#define SIZE_SLACK      4096.0

struct view { /* of a hop on its medium */
	size_t hop;
	struct hl_block_digest digests[NR_SAMPLES];
};

struct medium {
	struct hl_run *run;
	size_t root;
	const struct view *first; /* the hop that the others are compared with; NULL = none */
	size_t leaf;              /* the file whose extents are read; SIZE_MAX = none */
	struct hl_extent *in_file, *on_device;
	size_t nr_map;
	double space; /* bytes of the map */
};

static bool is_open(const struct hl_run *run, size_t hop)
{
	return !isnan(run->sizes[hop]);
}

/* ---- who shows whose medium ---- */

static bool is_same_size(const struct hl_run *run, size_t a, size_t b)
{
	return fabs(run->whole_sizes[a] - run->whole_sizes[b]) < SIZE_SLACK;
}

static bool shows_parent(const struct hl_run *run, size_t hop)
{
	static const bool is_view[HL_NR_LAYERS] = {
		[HL_LAYER_TARGET] = true, [HL_LAYER_WIRE] = true,      [HL_LAYER_VNIC] = true,
		[HL_LAYER_VDISK] = true,  [HL_LAYER_INITIATOR] = true,
	};
	const struct hl_path_hop *at = run->hops[hop].hop, *after = at->after;

	if (!after || after->layer == HL_LAYER_DATASHEET || !is_view[at->layer])
		return false;
	if (after->layer != HL_LAYER_DRIVE && after->layer != HL_LAYER_LINK)
		return true;
	return is_same_size(run, hop, (size_t)(after - run->options.path->hops));
}

static size_t medium_of(const struct hl_run *run, size_t hop)
{
	while (shows_parent(run, hop))
		hop = (size_t)(run->hops[hop].hop->after - run->options.path->hops);
	return hop;
}

/* A file on a file system is a leaf; a file elsewhere is a medium like a disk. */
static bool is_file(const struct hl_run *run, size_t hop)
{
	return run->hops[hop].hop->layer == HL_LAYER_FILESYSTEM &&
	       !strcmp(run->hops[hop].kind, "file");
}

static bool is_file_on(const struct hl_run *run, size_t hop, size_t root)
{
	const struct hl_path_hop *at = run->hops[hop].hop;

	if (!is_file(run, hop))
		return false;
	while (at && at->layer == HL_LAYER_FILESYSTEM)
		at = at->after;
	if (!at || at->layer == HL_LAYER_DATASHEET)
		return hop == root;
	return medium_of(run, (size_t)(at - run->options.path->hops)) == root;
}

/* ---- samples ---- */

static void draw_offsets(uint64_t seed, double size, uint64_t *offsets)
{
	uint64_t nr_blocks = (uint64_t)size / HL_AGENT_BLOCK;

	for (size_t i = 0; i < NR_SAMPLES; i++)
		offsets[i] = hl_random_next(&seed) % nr_blocks * HL_AGENT_BLOCK;
}

/* Samples in the space of a map, or of the target as it is. */
static int sample(const struct hl_run *run, size_t hop, const struct hl_extent *map, size_t nr_map,
		  double space, struct hl_block_digest *ret_digests, struct hl_error *err)
{
	uint64_t offsets[NR_SAMPLES];

	if (space < HL_AGENT_BLOCK) {
		for (size_t i = 0; i < NR_SAMPLES; i++)
			ret_digests[i] = (struct hl_block_digest){ .hex = "?" };
		return 0;
	}
	draw_offsets(run->options.seed, space, offsets);
	for (size_t i = 0; map && i < NR_SAMPLES; i++)
		offsets[i] = hl_extent_find(map, nr_map, offsets[i], HL_AGENT_BLOCK);
	return hl_agent_sample(run_agent_of(run, hop), run->hops[hop].hop->name, offsets,
			       NR_SAMPLES, ret_digests, err);
}

static unsigned nr_zero(const struct hl_block_digest *digests)
{
	unsigned nr = 0;

	for (size_t i = 0; i < NR_SAMPLES; i++)
		nr += digests[i].is_zero;
	return nr;
}

/* Zeros on both sides prove nothing. */
static bool is_alike(const struct hl_block_digest *a, const struct hl_block_digest *b)
{
	unsigned nr = 0, nr_alike = 0;

	for (size_t i = 0; i < NR_SAMPLES; i++) {
		if (a[i].is_zero && b[i].is_zero)
			continue;
		nr++;
		nr_alike += !strcmp(a[i].hex, b[i].hex);
	}
	return nr_alike * 100 >= nr * LEAST_ALIKE_PCT;
}

static bool refuse_unwritten(struct hl_run *run, size_t hop, const struct hl_block_digest *digests)
{
	unsigned nr = nr_zero(digests);
	HL_FREE char *reason = NULL;

	if (nr * 100 <= NR_SAMPLES * MOST_ZERO_PCT)
		return false;
	reason = hl_printf(HL_NEVER_WRITTEN
			   ": %u of %u sampled blocks are nothing but zeros, which are "
			   "answered without the medium; measure a file on it that was written "
			   "full (a filesystem hop \"target = file:...\"), or fill it if it is "
			   "empty scratch",
			   nr, NR_SAMPLES);
	if (run->hops[hop].may_write)
		run->hops[hop].no_read = hl_arena_strdup(run->arena, reason);
	else
		run_refuse(run, hop, reason);
	return !run->hops[hop].may_write;
}

/* ---- the file at the end ---- */

static double unit_of(const struct hl_run *run)
{
	double unit = LEAST_UNIT;

	for (size_t i = 0; i < run->options.nr_workloads; i++) {
		while (unit < run->options.workloads[i].bs)
			unit *= 2;
	}
	return unit;
}

/* Holes and unwritten extents of a file. */
static bool refuse_holes(struct hl_run *run, size_t hop, const struct hl_file_place *place)
{
	double size = run->whole_sizes[hop];
	double missing = 100 - 100 * (double)place->extents.written / size;
	HL_FREE char *reason = NULL;

	if (missing <= MOST_ZERO_PCT)
		return false;
	reason = hl_printf(HL_NEVER_WRITTEN
			   ": %.0f %% of the file are holes or unwritten extents, which are "
			   "answered without the medium; write it full once",
			   missing);
	run_refuse(run, hop, reason);
	return true;
}

static void note(struct hl_run *run, size_t hop, const char *text)
{
	const char *said = run->hops[hop].note;

	run->hops[hop].note = said ? hl_arena_printf(run->arena, "%s; %s", said, text)
				   : hl_arena_strdup(run->arena, text);
}

/* Extents are sorted: the first ones hold the mark. */
static struct hl_extents without_mark(const struct hl_extents *all)
{
	struct hl_extents rest = *all;

	while (rest.nr && rest.items->from < HL_MARK_AREA) {
		uint64_t left = HL_MARK_AREA - rest.items->from;

		if (rest.items->length > left) {
			rest.items->from += left;
			rest.items->to += left;
			rest.items->length -= left;
			break;
		}
		rest.items++;
		rest.nr--;
	}
	return rest;
}

static int fail_elsewhere(const struct medium *medium, struct hl_error *err)
{
	return hl_fail(
		err, EXDEV,
		"another volume: what the file holds is not on %s where its file system says",
		medium->run->hops[medium->first->hop].hop->name);
}

/* Is the file in the medium, where its file system says? Then it is what all hops read. */
static int prove_file(struct medium *medium, size_t hop, const struct hl_file_place *place,
		      struct hl_error *err)
{
	struct hl_run *run = medium->run;
	size_t nr = place->extents.nr;
	struct hl_extents extents = run->hops[hop].may_write ? without_mark(&place->extents)
							     : place->extents;
	struct hl_extent *in_file = hl_arena_alloc(run->arena, nr * sizeof(*in_file));
	struct hl_extent *on_device = hl_arena_alloc(run->arena, nr * sizeof(*on_device));
	HL_FREE struct view *there = hl_alloc(sizeof(*there)), *here = hl_alloc(sizeof(*here));
	double space, end = 0;
	int rc;

	space = (double)hl_extents_cut(&extents, (uint64_t)unit_of(run), (uint64_t)place->start,
				       in_file, on_device, &nr);
	if (!nr) {
		note(run, hop,
		     "its extents are smaller than a block, so the hops below read "
		     "all of their medium");
		return 0;
	}
	for (size_t i = 0; i < nr; i++)
		end = fmax(end, (double)on_device[i].to + (double)on_device[i].length);
	if (end > run->whole_sizes[medium->first->hop])
		return fail_elsewhere(medium, err);
	rc = sample(run, hop, in_file, nr, space, here->digests, err);
	if (rc == 0)
		rc = sample(run, medium->first->hop, on_device, nr, space, there->digests, err);
	if (rc < 0)
		return rc;
	if (!is_alike(here->digests, there->digests))
		return fail_elsewhere(medium, err);
	if (medium->leaf == SIZE_MAX)
		*medium = (struct medium){ run,       medium->root, medium->first, hop, in_file,
					   on_device, nr,           space };
	return 0;
}

/* Both hops read one file: then it is where it is. */
static bool is_itself(const struct medium *medium, const struct view *view)
{
	return medium->first && is_same_size(medium->run, view->hop, medium->first->hop) &&
	       is_alike(view->digests, medium->first->digests);
}

static void look_at_file(struct medium *medium, size_t hop)
{
	struct hl_run *run = medium->run;
	HL_FREE struct view *view = hl_alloc(sizeof(*view));
	struct hl_file_place place;
	struct hl_error err;
	int rc = hl_agent_place(run_agent_of(run, hop), run->hops[hop].hop->name, run->arena,
				&place, &err);

	if (rc == 0 && refuse_holes(run, hop, &place))
		return;
	if (rc == 0)
		rc = sample(run, hop, NULL, 0, run->whole_sizes[hop], view->digests, &err);
	view->hop = hop;
	if (rc == 0 && (refuse_unwritten(run, hop, view->digests) || is_itself(medium, view)))
		return;
	if (rc == 0 && medium->first && (!place.extents.nr || isnan(place.start)))
		note(run, hop,
		     "its file system does not say where the file lies, so the hops "
		     "below read all of their medium");
	else if (rc == 0 && medium->first)
		rc = prove_file(medium, hop, &place, &err);
	if (rc < 0)
		run_refuse(run, hop, err.text);
}

/* ---- the hops that show it ---- */

static bool has_same_serial(const struct hl_run *run, size_t a, size_t b)
{
	return run->serials[a][0] && !strcmp(run->serials[a], run->serials[b]);
}

static int check_size(const struct medium *medium, size_t hop, struct hl_error *err)
{
	const struct hl_run *run = medium->run;
	size_t first = medium->first->hop;

	if (is_same_size(run, hop, first) || has_same_serial(run, hop, first))
		return 0;
	return hl_fail(err, EXDEV, "another volume: it has %.0f bytes, %s has %.0f",
		       run->whole_sizes[hop], run->hops[first].hop->name, run->whole_sizes[first]);
}

static int sample_view(const struct medium *medium, struct view *view, struct hl_error *err)
{
	const struct hl_run *run = medium->run;
	double whole = run->whole_sizes[view->hop];

	if (medium->first)
		whole = fmin(whole, run->whole_sizes[medium->first->hop]);
	return sample(run, view->hop, medium->on_device, medium->nr_map,
		      medium->nr_map ? medium->space : whole, view->digests, err);
}

/* The first is not held against itself: somebody may be writing to it. */
static int compare(const struct medium *medium, const struct view *view, struct hl_error *err)
{
	int rc;

	assert(medium->first); /* or nothing is looked at */
	if (view->hop == medium->first->hop)
		return 0;
	rc = check_size(medium, view->hop, err);
	if (rc == 0 && !is_alike(view->digests, medium->first->digests))
		rc = hl_fail(err, EXDEV,
			     "another volume: sampled blocks are not those of %s: check the target",
			     medium->run->hops[medium->first->hop].hop->name);
	return rc;
}

static void look_at_hop(const struct medium *medium, size_t hop)
{
	HL_FREE struct view *view = hl_alloc(sizeof(*view));
	struct hl_error err;
	int rc;

	view->hop = hop;
	rc = sample_view(medium, view, &err);
	if (rc == 0)
		rc = compare(medium, view, &err);
	if (rc < 0)
		run_refuse(medium->run, hop, err.text);
	else
		refuse_unwritten(medium->run, hop, view->digests);
}

/* ---- a medium ---- */

static bool is_shown_by(const struct hl_run *run, size_t hop, size_t root)
{
	const struct hl_path_hop *at = run->hops[hop].hop;

	return at->layer != HL_LAYER_DATASHEET && !is_file(run, hop) && is_open(run, hop) &&
	       medium_of(run, hop) == root;
}

static void map_hop(const struct medium *medium, size_t hop)
{
	struct hl_run *run = medium->run;
	const struct hl_extent *map = hop == medium->leaf ? medium->in_file : medium->on_device;
	struct hl_error err;

	if (hl_agent_map(run_agent_of(run, hop), run->hops[hop].hop->name, map, medium->nr_map,
			 &err) < 0) {
		run_refuse(run, hop, err.text);
		return;
	}
	run->sizes[hop] = medium->space;
	run->hops[hop].is_mapped = medium->leaf != SIZE_MAX;
}

static bool is_of(const struct medium *medium, size_t hop)
{
	return is_open(medium->run, hop) &&
	       (hop == medium->leaf || is_shown_by(medium->run, hop, medium->root));
}

/* What is written keeps off the mark, and all hops use the same bytes. */
static void leave_mark_out(struct medium *medium)
{
	struct hl_run *run = medium->run;
	double least = INFINITY;
	bool is_written = false;

	for (size_t hop = 0; hop < run->options.path->nr_hops; hop++) {
		if (!is_of(medium, hop) &&
		    !(is_open(run, hop) && is_file_on(run, hop, medium->root)))
			continue;
		is_written |= run->hops[hop].may_write;
		least = fmin(least, run->whole_sizes[hop]);
	}
	if (!is_written || medium->nr_map)
		return;
	medium->space = least - HL_MARK_AREA;
	medium->nr_map = 1;
	medium->on_device = hl_arena_alloc(run->arena, sizeof(*medium->on_device));
	*medium->on_device = (struct hl_extent){ 0, HL_MARK_AREA, (uint64_t)medium->space };
	medium->in_file = medium->on_device;
}

/* A file that is written, but not what the hops below it read. */
static void keep_off_mark(struct hl_run *run, size_t hop)
{
	struct hl_extent map = { 0, HL_MARK_AREA, (uint64_t)run->whole_sizes[hop] - HL_MARK_AREA };
	struct hl_error err;

	if (hl_agent_map(run_agent_of(run, hop), run->hops[hop].hop->name, &map, 1, &err) < 0) {
		run_refuse(run, hop, err.text);
		return;
	}
	run->sizes[hop] = run->hops[hop].size = fmin(run->sizes[hop], (double)map.length);
}

/* Equal sizes give all hops parts that do not overlap. */
static void settle(const struct medium *medium)
{
	struct hl_run *run = medium->run;
	size_t nr = run->options.path->nr_hops;
	double least = INFINITY;

	for (size_t hop = 0; hop < nr; hop++) {
		if (is_of(medium, hop) && medium->nr_map)
			map_hop(medium, hop);
		if (is_of(medium, hop))
			least = fmin(least,
				     fmin(run->sizes[hop], isnan(run->hops[hop].hop->size)
								   ? INFINITY
								   : run->hops[hop].hop->size));
	}
	for (size_t hop = 0; hop < nr; hop++) {
		if (is_of(medium, hop))
			run->sizes[hop] = run->hops[hop].size = least;
	}
}

/* The first that can be read. It stays that, though it be refused as unwritten later. */
static void choose_first(struct medium *medium, struct view *first)
{
	struct hl_run *run = medium->run;
	struct hl_error err;

	for (size_t hop = 0; hop < run->options.path->nr_hops && !medium->first; hop++) {
		if (!is_shown_by(run, hop, medium->root))
			continue;
		first->hop = hop;
		if (sample_view(medium, first, &err) == 0)
			medium->first = first;
		else
			run_refuse(run, hop, err.text);
	}
}

static void prove(struct hl_run *run, size_t root)
{
	HL_FREE struct view *first = hl_alloc(sizeof(*first));
	struct medium medium = { .run = run, .root = root, .leaf = SIZE_MAX };
	size_t nr = run->options.path->nr_hops;
	struct hl_error err;

	choose_first(&medium, first);
	for (size_t hop = 0; hop < nr; hop++) {
		if (is_open(run, hop) && is_file_on(run, hop, root))
			look_at_file(&medium, hop);
	}
	if (medium.nr_map && sample_view(&medium, first, &err) < 0)
		run_refuse(run, first->hop, err.text);
	for (size_t hop = 0; hop < nr; hop++) {
		if (is_shown_by(run, hop, root))
			look_at_hop(&medium, hop);
	}
	leave_mark_out(&medium);
	settle(&medium);
	for (size_t hop = 0; hop < nr; hop++) {
		if (is_open(run, hop) && is_file_on(run, hop, root) && hop != medium.leaf &&
		    run->hops[hop].may_write)
			keep_off_mark(run, hop);
	}
}

void run_prove_media(struct hl_run *run)
{
	for (size_t hop = 0; hop < run->options.path->nr_hops; hop++) {
		if (run->hops[hop].hop->layer != HL_LAYER_DATASHEET && medium_of(run, hop) == hop)
			prove(run, hop);
	}
}
