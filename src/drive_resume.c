/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Going on with a test of drives that was stopped, by Ctrl-C, a crash or a reboot: see
 * drive_session.h. How far it came stands in a file beside the bundle.
 *
 * Surprising: rounds that are finished count, also those before a reboot, if they measured the same
 * jobs for the same time on drives that carry the same mark, or, where nothing is written, have the
 * same serial numbers; the rule of a steady state then tells whether they are of one kind. The
 * round that was running is measured again as a whole, and so is a soak, which is one stretch of
 * heat.
 */
#include "drive_session.h"
#include "hoploss/console.h"
#include "hoploss/mark.h"
#include "hoploss/measure.h"
#include "hoploss/sample.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- keeping ---- */

int drive_keep_position(const struct drive_session *session, struct hl_error *err)
{
	return hl_fill_position_save(session->file, &session->position, session->fills,
				     (unsigned)session->test->nr_drives, err);
}

/* What the position counts must be on the disk before it. */
int drive_keep_round(void *context, unsigned round, struct hl_error *err)
{
	struct drive_session *session = context;
	int rc = hl_bundle_sync(session->bundle, err);

	session->position.rounds = round;
	session->position.samples = hl_bundle_nr_samples(session->bundle);
	return rc < 0 ? rc : drive_keep_position(session, err);
}

void drive_end_position(const struct drive_session *session)
{
	if (!hl_measure_is_interrupted())
		unlink(session->file);
	else
		hl_console_say("the same command with --out %s goes on", session->dir);
}

double drive_share_done(const struct drive_session *session)
{
	uint64_t size = HL_MARK_AREA + 1;

	for (size_t i = 0; i < session->test->nr_drives; i++)
		size = session->fills[i].size > size ? session->fills[i].size : size;
	return (double)(session->position.at - HL_MARK_AREA) / (double)(size - HL_MARK_AREA);
}

double drive_begun_s(const struct drive_session *session)
{
	size_t nr = hl_bundle_nr_samples(session->bundle);
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_sample sample;

	if (!nr ||
	    hl_sample_parse(graph, hl_bundle_sample_at(session->bundle, nr - 1), &sample, NULL) < 0)
		return 0;
	return fmax(sample.start_s + sample.seconds, 0);
}

/* ---- going on ---- */

/* Of what the rounds measure, and how long. */
static void digest_plan(const struct drive_session *session, char *ret_plan)
{
	const struct hl_workset *workset = &session->workset;
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	fprintf(out, "%g s:", session->test->time_s);
	for (size_t i = 0; i < workset->nr_jobs; i++)
		fprintf(out, " %s", workset->jobs[i].name);
	fclose(out);
	hl_digest(text, len, ret_plan);
}

/* What an earlier one recorded stands beside the new bundle. */
static int move_away(const char *dir, struct hl_error *err)
{
	enum { MOST = 100 };

	for (unsigned i = 1; i < MOST; i++) {
		HL_FREE char *old = hl_printf("%s.%u", dir, i);

		if (access(old, F_OK) == 0)
			continue;
		if (rename(dir, old) < 0)
			return hl_fail(err, errno, "%s: %s", dir, strerror(errno));
		hl_console_say("what was recorded before is now in %s", old);
		return 0;
	}
	return hl_fail(err, EEXIST, "%s was begun too often", dir);
}

static void say_position(const struct drive_session *session)
{
	const struct hl_fill_position *position = &session->position;

	if (!session->test->may_write)
		hl_console_say("going on with what %s says: %u rounds are finished", session->file,
			       position->rounds);
	else if (position->pass < DRIVE_PASSES)
		hl_console_say("going on with what %s says: %s, %.0f %% done", session->file,
			       drive_passes[position->pass].what, drive_share_done(session) * 100);
	else
		hl_console_say("going on with what %s says: the drives are full", session->file);
}

/* Whoever reads the certificate may think of what happened in between. */
static int note_break(const struct drive_session *session, struct hl_bundle *bundle,
		      struct hl_error *err)
{
	const struct hl_fill_position *position = &session->position;
	struct hl_arena *arena = session->test->arena;
	const char *soak = session->test->soak_s > 0
				   ? "; the soak is of after that, from its beginning"
				   : "";
	double passed = difftime(time(NULL), (time_t)position->saved);

	if (!position->rounds)
		return 0;
	return hl_bundle_add_note(bundle,
				  hl_arena_printf(arena,
						  "stopped after round %u and gone on %s later: "
						  "the rounds before that count, too%s",
						  position->rounds,
						  hl_accept_span(arena, fmax(passed, 0)), soak),
				  err);
}

static bool is_of_path(const struct hl_bundle *bundle, const char *text)
{
	const struct hl_bundle_path *path = hl_bundle_path(bundle);

	return path && path->len == strlen(text) && !memcmp(path->text, text, path->len);
}

/* -ENODATA: it cannot go on, and stays as it is. */
static int resume(struct drive_session *session, const char *text, const char *plan,
		  struct hl_bundle **ret_bundle, struct hl_error *err)
{
	const struct hl_fill_position *position = &session->position;
	HL_BUNDLE struct hl_bundle *old = NULL;

	if (position->rounds && strcmp(plan, position->plan) != 0)
		return hl_fail(err, ENODATA, "its rounds measured other jobs, or other --time");
	if (hl_bundle_open(session->dir, &old, err) < 0)
		return -ENODATA;
	if (!is_of_path(old, text))
		return hl_fail(err, ENODATA, "its drives had other names");
	return hl_bundle_resume(session->dir, position->samples, ret_bundle, err);
}

int drive_go_on(struct drive_session *session, const char *path, struct hl_bundle **ret_bundle,
		struct hl_error *err)
{
	struct hl_fill_position *position = &session->position;
	char plan[HL_DIGEST_TEXT];
	struct hl_error why;
	int rc = hl_fill_position_load(session->file, position, session->fills,
				       (unsigned)session->test->nr_drives, err);

	*ret_bundle = NULL;
	digest_plan(session, plan);
	if (rc == -ENOENT)
		position->at = HL_MARK_AREA;
	else if (rc < 0)
		return rc;
	else
		say_position(session);
	if (rc == 0 && access(session->dir, F_OK) == 0) {
		rc = resume(session, path, plan, ret_bundle, &why);
		if (rc == 0)
			rc = note_break(session, *ret_bundle, err);
		else
			rc = move_away(session->dir, err);
	}
	snprintf(position->plan, sizeof(position->plan), "%s", plan);
	if (!*ret_bundle)
		position->samples = position->rounds = 0;
	return rc == -ENOENT ? 0 : rc;
}
