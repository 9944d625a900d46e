/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-lba-format-slow: a namespace is formatted with blocks that its drive says are slower.
 *
 * Source: Identify Namespace (NVM Command Set 1.0, figures 97 and 98): each LBA format has a
 * relative performance, 0 the best. Surprising: many drives say 0 of all of them, and then nothing
 * is known; how much slower "good" is than "best" no drive says, so only a drive of the same model
 * in the better format confirms it.
 */
#include "drive_said.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include <math.h>
#include <string.h>

#define USED   "nvme.lba_relative_performance"
#define FASTER 1.1 /* times; less may be chance */

static const char *const signs[] = { USED, NULL };
static const char *const evidence[] = { "drive.lba_bytes", USED, "nvme.lba_best_bytes",
					"nvme.lba_best_relative_performance", NULL };

struct format {
	const struct hl_fact *at; /* the namespace */
	double used, best;        /* relative performance */
	double bytes, best_bytes;
	const char *model;        /* NULL */
	const struct hl_hop *hop; /* that stands on it; NULL */
};

/* ---- what is known ---- */

/* Of the namespace, or of its controller. */
static const char *model_of(const struct hl_graph *graph, const struct hl_fact *at)
{
	const struct hl_fact *model = hl_place_beside(graph, at, "drive.model");
	const struct hl_fact *controller = hl_place_beside(graph, at, "block.controller");

	for (size_t i = 0; !model && controller && i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!strcmp(fact->key, "drive.model") && fact->node && controller->string &&
		    !strcmp(fact->node, controller->string))
			model = fact;
	}
	return model ? model->string : NULL;
}

static struct format format_of(const struct hl_graph *graph, const struct hl_fact *at)
{
	struct format format = {
		.at = at,
		.used = drive_number(graph, at, USED),
		.best = drive_number(graph, at, "nvme.lba_best_relative_performance"),
		.bytes = drive_number(graph, at, "drive.lba_bytes"),
		.best_bytes = drive_number(graph, at, "nvme.lba_best_bytes"),
		.model = model_of(graph, at),
		.hop = hl_place_hop(graph, at),
	};

	return format;
}

static bool is_slow(const struct format *format)
{
	return format->used > format->best && format->bytes != format->best_bytes;
}

/* ---- a peer in the better format ---- */

struct pair {
	struct hl_trial slow, fast;
	const struct hl_fact *at; /* the peer */
};

static bool is_same_work(const struct hl_trial *a, const struct hl_trial *b)
{
	return hl_trial_is_same_kind(a, b) && a->depth == b->depth && a->jobs == b->jobs;
}

static bool find_pair(const struct hl_hop *slow, const struct hl_hop *fast, enum hl_dir dir,
		      struct pair *ret)
{
	HL_TRIALS struct hl_trials ours = { 0 }, theirs = { 0 };

	hl_trials_read(slow, dir, &ours);
	hl_trials_read(fast, dir, &theirs);
	for (size_t i = 0; i < ours.nr; i++) {
		for (size_t k = 0; k < theirs.nr; k++) {
			if (!is_same_work(&ours.items[i], &theirs.items[k]) ||
			    theirs.items[k].bw < ours.items[i].bw * FASTER)
				continue;
			ret->slow = ours.items[i];
			ret->fast = theirs.items[k];
			return true;
		}
	}
	return false;
}

/* A drive of the same model in the better format that does the same work faster. */
static bool find_peer(const struct hl_graph *graph, const struct format *format, struct pair *ret)
{
	const struct hl_fact *at;

	for (size_t i = 0; (at = drive_next(graph, signs, i)); i++) {
		struct format peer = format_of(graph, at);

		if (!peer.hop || peer.hop == format->hop || !peer.model || !format->model ||
		    strcmp(peer.model, format->model) != 0 || !(peer.used < format->used))
			continue;
		for (int dir = HL_DIR_READ; dir <= HL_DIR_WRITE; dir++) {
			if (find_pair(format->hop, peer.hop, (enum hl_dir)dir, ret)) {
				ret->at = at;
				return true;
			}
		}
	}
	return false;
}

/* ---- findings ---- */

static const char *performance_name(double performance)
{
	static const char *const names[] = { "best", "better", "good", "degraded" };

	return performance >= 0 && performance <= 3 ? names[(size_t)performance] : "?";
}

static const char *say_format(struct hl_graph *graph, const struct format *format)
{
	return hl_arena_printf(graph->arena,
			       "%s is formatted with blocks of %.0f bytes, which the drive itself "
			       "rates \"%s\"; blocks of %.0f bytes it rates \"%s\".",
			       drive_say(graph, format->at), format->bytes,
			       performance_name(format->used), format->best_bytes,
			       performance_name(format->best));
}

static void confirm(struct hl_graph *graph, struct hl_finding *finding, const struct pair *pair)
{
	finding->state = HL_CONFIRMED;
	hl_evidence_add(graph, finding, &pair->slow, HL_FIGURE_BW);
	hl_evidence_add(graph, finding, &pair->fast, HL_FIGURE_BW);
	drive_add_evidence(graph, finding, pair->at, evidence);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s %s of the same model in the better format does the same %s work "
		"at %s instead of %s.",
		finding->text, pair->at->node, pair->slow.dir == HL_DIR_READ ? "read" : "write",
		hl_say_rate(pair->fast.bw).text, hl_say_rate(pair->slow.bw).text);
	finding->predicted_bw = pair->fast.bw;
	finding->predicted_kind = HL_AT_MOST;
}

static void found(struct hl_graph *graph, const struct hl_cause *cause, const struct format *format)
{
	struct pair pair;
	bool has_peer = format->hop && find_peer(graph, format, &pair);
	struct hl_finding *finding = hl_cause_found(graph, cause, format->hop,
						    has_peer ? pair.slow.at : NULL,
						    has_peer ? pair.slow.dir : HL_DIR_READ);

	finding->text = say_format(graph, format);
	drive_add_evidence(graph, finding, format->at, evidence);
	finding->fix = "When it is empty: format it with the better blocks (nvme format --lbaf=N "
		       "erases all of it), and tell the layers above (ashift, volblocksize, file "
		       "system). What stands on it now must be moved first.";
	if (has_peer)
		confirm(graph, finding, &pair);
	else
		finding->next = "The same random job on a drive of that model in the better "
				"format, or on this one after it was emptied and formatted.";
	finding->paste = hl_arena_printf(
		graph->arena, "nvme id-ns -H /dev/%s | grep 'LBA Format'\n",
		strncmp(format->at->node, "nvme", 4) ? "nvme0n1" : format->at->node);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	size_t nr_facts = graph->nr_facts;
	const struct hl_fact *at;

	for (size_t i = 0; i < nr_facts && (at = drive_next(graph, signs, i)); i++) {
		struct format format = format_of(graph, at);

		if (is_slow(&format))
			found(graph, cause, &format);
	}
}

static const char *const rivals[] = { NULL };

const struct hl_cause hl_cause_nvme_lba_format_slow = {
	.id = "nvme-lba-format-slow",
	.summary = "a drive is formatted with blocks that it says are slower",
	.layer = HL_LAYER_DRIVE,
	.explain =
		"An NVMe drive can be formatted with blocks of several sizes, mostly 512 and 4,096 "
		"bytes. Drives come with 512, for old systems; inside they work with 4 KiB or "
		"more, and some are measurably slower when they have to translate.\n\n"
		"Recognised by the format in use (nvme id-ns) having a worse relative performance "
		"than another one without metadata. Confirmed by a drive of the same model in the "
		"better format that does the same work at least 1.1 times as fast; suspected "
		"without: the drive does not say how much it costs.\n\n"
		"A drive that rates all its formats alike says nothing, and nothing is told.\n\n"
		"Decided by the same job on a drive in the better format.\n\n"
		"What to do: format it while it is empty; that erases all of it.",
	.rivals = rivals,
	.match = match,
};
