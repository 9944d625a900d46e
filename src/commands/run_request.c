/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading the words of "hoploss run": see run_request.h.
 *
 * Surprising: a TARGET becomes a path file of one hop, and a path file executes; so what is the
 * name of a file is looked at closely.
 */
#include "run_request.h"
#include "hoploss/alloc.h"
#include "hoploss/bundle.h"
#include "hoploss/console.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_ROUNDS 14
#define FULL_ROUNDS  20
#define LEAST_MAX_BW 1e5 /* with less a slot has no I/O */

void run_request_clear(struct run_request *request)
{
	hl_path_free(request->path);
	hl_spec_free(request->spec);
	free(request->path_text);
	hl_arena_free(request->arena);
}
static bool is_path_file(const char *word)
{
	size_t len = strlen(word);

	return len > 5 && !strcmp(word + len - 5, ".conf");
}

/* What a line of the path file says is wrong. */
static int fail_line(const struct run_request *request, unsigned line, const struct hl_error *why,
		     struct hl_error *err)
{
	return hl_fail(err, why->code, "%s:%u: %s", request->path_name, line, why->text);
}

/* A path file beside a bundle.json was written by whoever made that bundle. */
static int check_trust(const struct run_request *request, struct hl_error *err)
{
	const char *word = request->path_name, *slash = strrchr(word, '/');
	HL_FREE char *dir = slash ? hl_strndup(word, (size_t)(slash - word) + 1) : hl_strdup(".");

	if (request->is_trusted || !hl_bundle_is_dir(dir))
		return 0;
	return hl_fail(err, EPERM,
		       "%s was taken out of a bundle, and a path file executes: read it, then say "
		       "--trust",
		       word);
}

static int read_path_file(struct run_request *request, const char *word, struct hl_error *err)
{
	int rc = check_trust(request, err);

	return rc < 0 ? rc : hl_console_read(word, &request->path_text, &request->path_len, err);
}

/* Without a word, jobs of fio may name the one file that is measured. */
static const char *target_of(const struct hl_args *args, const struct hl_workset *workset)
{
	if (hl_args_nr_operands(args) == 1)
		return hl_args_operand(args, 0);
	if (hl_args_nr_operands(args) == 0 && workset->nr_filenames == 1)
		return workset->filenames[0];
	return NULL;
}

/*
 * The word becomes a line of a path file, and a path file executes: what is the name of a file must
 * not be able to add a line to it, nor a second target.
 */
static int check_target(const char *word, struct hl_error *err)
{
	if (!*word)
		return hl_fail(err, EINVAL, "the target is an empty word");
	for (const char *at = word; *at; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return hl_fail(err, EINVAL, "a control character in the target's name");
	}
	if (strchr(word, ' '))
		return hl_fail(
			err, EINVAL,
			"a blank in the target \"%s\": make a link to it whose name has none",
			word);
	return 0;
}

static int read_path(const struct hl_args *args, struct run_request *request, struct hl_error *err)
{
	const char *word = target_of(args, &request->workset);

	if (!word)
		return hl_fail(err, EINVAL, "run wants one path file (NAME.conf) or one target");
	request->path_name = word;
	if (is_path_file(word)) {
		int rc = read_path_file(request, word, err);

		if (rc < 0)
			return rc;
	} else {
		int rc = check_target(word, err);

		if (rc < 0)
			return rc;
		request->path_text = hl_path_text_of_target(word);
		request->path_len = strlen(request->path_text);
	}
	return hl_path_parse(word, request->path_text, request->path_len, &request->path, err);
}

/* ---- workloads ---- */

static bool is_target(const struct hl_path *path, const char *file)
{
	for (size_t i = 0; i < path->nr_hops; i++) {
		const char *const *target = path->hops[i].targets;

		for (; target && *target; target++) {
			if (!strcmp(*target, file))
				return true;
		}
	}
	return false;
}

static void note_filenames(struct run_request *request)
{
	struct hl_workset *set = &request->workset;

	for (size_t i = 0; i < set->nr_filenames; i++) {
		if (!is_target(request->path, set->filenames[i]))
			hl_workset_add_note(
				request->arena, set,
				hl_arena_printf(request->arena,
						"filename=%s of a fio job was not used: the hops "
						"say what is measured",
						set->filenames[i]));
	}
}

static void note_writing(struct run_request *request)
{
	struct hl_workset *set = &request->workset;
	const char *list = "";

	for (size_t i = 0; i < set->nr_writing; i++)
		list = hl_arena_printf(request->arena, "%s %s", list, set->writing[i]);
	if (set->nr_writing)
		hl_workset_add_note(
			request->arena, set,
			hl_arena_printf(request->arena, "left out, they write:%s", list));
}

static int choose(struct run_request *request, const struct hl_workset_request *wanted,
		  struct hl_error *err)
{
	return hl_workset_choose(request->arena, wanted, &request->workset, err);
}

static int choose_words(struct run_request *request, struct hl_workset_request *wanted,
			struct hl_error *err)
{
	struct hl_error why;

	if (wanted->words || !request->path->workloads)
		return choose(request, wanted, err);
	wanted->words = request->path->workloads;
	wanted->file = request->path_name;
	if (choose(request, wanted, &why) < 0)
		return fail_line(request, request->path->workloads_line, &why, err);
	return 0;
}

/* The command line of fio is read first: it may name the target. */
static int read_path_and_workloads(const struct hl_args *args, struct run_request *request,
				   struct hl_error *err)
{
	struct hl_workset_request wanted = {
		.words = hl_args_value(args, "workloads", 0),
		.may_write = hl_args_has(args, "write"),
	};
	int rc = 0;

	wanted.line = hl_args_rest(args, &wanted.nr_line);
	if (wanted.words && wanted.nr_line)
		return hl_fail(err, EINVAL,
			       "--workloads and a fio command line exclude each other");
	if (wanted.nr_line)
		rc = choose(request, &wanted, err);
	if (rc == 0)
		rc = read_path(args, request, err);
	if (rc == 0 && !wanted.nr_line)
		rc = choose_words(request, &wanted, err);
	if (rc < 0)
		return rc;
	note_filenames(request);
	note_writing(request);
	return 0;
}

static const char *const exclusive[][2] = {
	{ "quick", "full" },  { "quick", "precision" },  { "quick", "rounds" },
	{ "full", "rounds" }, { "precision", "rounds" },
};

static int read_rounds(const struct hl_args *args, struct run_request *request,
		       struct hl_error *err)
{
	bool is_quick = hl_args_has(args, "quick"), is_full = hl_args_has(args, "full");
	unsigned usual = is_quick ? RUN_QUICK_ROUNDS : is_full ? FULL_ROUNDS : USUAL_ROUNDS;

	for (size_t i = 0; i < sizeof(exclusive) / sizeof(*exclusive); i++) {
		const char *const *pair = exclusive[i];

		if (hl_args_has(args, pair[0]) && hl_args_has(args, pair[1]))
			return hl_fail(err, EINVAL, "--%s and --%s exclude each other", pair[0],
				       pair[1]);
	}
	return rounds_read(args, usual, &request->rounds, err);
}

/* It takes as many rounds as it takes. */
static int read_precision(const struct hl_args *args, struct run_request *request,
			  struct hl_error *err)
{
	const char *text = hl_args_value(args, "precision", 0);
	double pct;
	char *end;

	if (!text)
		return 0;
	pct = strtod(text, &end);
	if (end == text || (*end && strcmp(end, "%") != 0) || !(pct >= 0.1 && pct <= 50))
		return hl_fail(err, EINVAL, "--precision %s: percent, 0.1 to 50", text);
	request->precision = pct / 100;
	request->rounds.nr = FULL_ROUNDS;
	return 0;
}

/* The report says so, too: what is above it is not seen. */
static int read_max_bw(const struct hl_args *args, struct run_request *request,
		       struct hl_error *err)
{
	const char *text = hl_args_value(args, "max-bw", 0);

	if (!text)
		return 0;
	if (hl_unit_read_rate(text, strlen(text), 1000, &request->max_bw) < 0 ||
	    !(request->max_bw >= LEAST_MAX_BW))
		return hl_fail(err, EINVAL, "--max-bw %s: write it as 100MiB/s or 1Gbit/s", text);
	hl_workset_add_note(request->arena, &request->workset,
			    hl_arena_printf(request->arena,
					    "held back to %s by --max-bw: what a hop can do beyond "
					    "that is not seen, nor is a loss there",
					    text));
	return 0;
}

/* The datasheet on top of the path, if it has one. */
static int read_spec(struct run_request *request, struct hl_error *err)
{
	struct hl_error why;

	for (size_t i = 0; i < request->path->nr_hops; i++) {
		const struct hl_path_hop *hop = &request->path->hops[i];

		if (hop->layer != HL_LAYER_DATASHEET)
			continue;
		request->drives = hop->drives;
		if (hl_spec_load(hop->spec, &request->spec, &why) < 0)
			return fail_line(request, hop->line, &why, err);
		return 0;
	}
	return 0;
}

int run_request_read(const struct hl_args *args, struct run_request *request, struct hl_error *err)
{
	int rc = hl_show_prepare(args, &request->show, err);

	request->arena = hl_arena_new();
	request->out = hl_args_value(args, "out", 0);
	request->is_dry = hl_args_has(args, "dry-run");
	request->is_trusted = hl_args_has(args, "trust");
	if (rc == 0)
		rc = read_rounds(args, request, err);
	if (rc == 0)
		rc = read_precision(args, request, err);
	if (rc == 0)
		rc = read_path_and_workloads(args, request, err);
	if (rc == 0)
		rc = read_max_bw(args, request, err);
	return rc == 0 ? read_spec(request, err) : rc;
}
