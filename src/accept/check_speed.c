/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is it as fast as its datasheet says: one check a figure of the sheet, against the best
 * measurement of that kind of I/O. Sheets are decimal; here all is bytes/s.
 *
 * Surprising: a figure of "QD 256" is met by any depth of a quarter of it or more, and never
 * refuted by one below.
 */
#include "check.h"
#include "hoploss/unit.h"
#include <math.h>
#include <string.h>

#define DEPTH_SHARE       0.25 /* of the figure's */
#define USUAL_TOLERANCE   10.0 /* percent */
#define LATENCY_TOLERANCE 2.0  /* times: a typical latency on a sheet is a best case */

static double depth_of(double iodepth, double numjobs)
{
	return (isnan(iodepth) ? 1 : iodepth) * (isnan(numjobs) ? 1 : numjobs);
}

static bool is_like(const struct hl_measurement *at, const struct hl_spec_figure *figure)
{
	double depth = depth_of(at->workload.iodepth, at->workload.numjobs);
	double asked = depth_of(figure->iodepth, figure->numjobs);

	if (at->experiment || at->workload.rw != figure->rw || at->workload.bs != figure->bs)
		return false;
	if (!isnan(figure->latency_ns))
		return depth == asked;
	return depth >= asked * DEPTH_SHARE;
}

static enum hl_dir dir_of(const struct hl_spec_figure *figure)
{
	return hl_rw_writes(figure->rw) ? HL_DIR_WRITE : HL_DIR_READ;
}

static double figure_of(const struct hl_measurement *at, const struct hl_spec_figure *figure)
{
	const struct hl_rate *rate = at->dir[dir_of(figure)];
	const struct hl_latency *latency = rate ? rate->lat ? rate->lat : rate->clat : NULL;

	if (!rate)
		return NAN;
	if (!isnan(figure->latency_ns))
		return latency ? latency->mean : NAN;
	return !isnan(figure->bw) ? rate->bw : rate->iops;
}

/* Of several the one that promises most is best, and what could not be measured says why. */
static const struct hl_measurement *find_best(const struct hl_hop *hop,
					      const struct hl_spec_figure *figure)
{
	const struct hl_measurement *best = NULL;
	double most = NAN;

	for (size_t i = 0; hop && i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];
		double value = is_like(at, figure) ? figure_of(at, figure) : NAN;
		bool is_better = isnan(figure->latency_ns) ? value > most : value < most;

		if (!is_like(at, figure))
			continue;
		if (!best || (!isnan(value) && (isnan(most) || is_better))) {
			best = at;
			most = value;
		}
	}
	return best;
}

/* "speed.randread-4k", and for a second figure of that kind "speed.randread-4k-qd1". */
static const char *name_figure(const struct subject *subject, const struct hl_spec_figure *figure)
{
	return hl_arena_printf(subject->arena, "speed.%s-%.0fk%s", hl_rw_name(figure->rw),
			       figure->bs / 1024,
			       depth_of(figure->iodepth, figure->numjobs) == 1 ? "-qd1" : "");
}

static const char *describe(const struct subject *subject, const struct hl_spec_figure *figure)
{
	char size[HL_UNIT_TEXT];

	return hl_arena_printf(subject->arena, "%s %s at depth %.0f%s%s", hl_rw_name(figure->rw),
			       hl_unit_size(size, figure->bs),
			       depth_of(figure->iodepth, figure->numjobs),
			       figure->state ? ", " : "", figure->state ? figure->state : "");
}

static double tolerance_of(const struct hl_spec_figure *figure)
{
	return isnan(figure->tolerance_pct) ? USUAL_TOLERANCE : figure->tolerance_pct;
}

/* What the sheet says, and what of it is required. */
static const char *promise_of(const struct subject *subject, const struct hl_spec_figure *figure)
{
	char text[HL_UNIT_TEXT];

	if (!isnan(figure->latency_ns))
		return hl_arena_printf(subject->arena, "%s, times %g",
				       hl_unit_time(text, figure->latency_ns), LATENCY_TOLERANCE);
	return hl_arena_printf(subject->arena, "%s%s, less %g %%",
			       isnan(figure->bw) ? hl_unit_count(text, figure->iops)
						 : hl_unit_rate_sheet(text, figure->bw),
			       isnan(figure->bw) ? " IOPS" : "", tolerance_of(figure));
}

static void require(struct hl_check *check, const struct hl_spec_figure *figure)
{
	if (!isnan(figure->latency_ns)) {
		check_limit(check, HL_RELATION_AT_MOST, figure->latency_ns * LATENCY_TOLERANCE);
		check->unit = "ns";
	} else {
		double promised = !isnan(figure->bw) ? figure->bw : figure->iops;

		check_limit(check, HL_RELATION_AT_LEAST,
			    promised * (1 - tolerance_of(figure) / 100));
		check->unit = !isnan(figure->bw) ? "bytes/s" : "IOPS";
	}
}

#define LINK_SHARE 0.1 /* bytes a bit of SATA's and SAS's 8b/10b */

/* A link that cannot carry what the sheet promises explains why it was not reached. */
static bool is_explained_by_link(const struct subject *subject, const struct hl_check *check,
				 const struct hl_spec_figure *figure)
{
	double per_io = !isnan(figure->bw) ? 1 : figure->bs;
	double rate = subject_number(subject, "drive.link_gbps") * 1e9 * LINK_SHARE;

	if (!isnan(figure->latency_ns))
		return false;
	if (rate < check->required * per_io)
		return true;

	for (size_t i = 0; i < subject->graph->nr_ceilings; i++) {
		const struct hl_ceiling *ceiling = subject->graph->ceilings[i];

		if (ceiling->layer == HL_LAYER_LINK && ceiling->hop == subject->hop &&
		    ceiling->dir == dir_of(figure) && ceiling->bw < check->required * per_io)
			return true;
	}
	return false;
}

static bool is_never_written(const struct hl_measurement *at)
{
	return at->reason && !strncmp(at->reason, HL_NEVER_WRITTEN, strlen(HL_NEVER_WRITTEN));
}

/* False: there is none, and why. */
static bool take_figure(const struct subject *subject, const struct hl_measurement *at,
			const struct hl_spec_figure *figure, struct hl_check *check)
{
	check->measured = figure_of(at, figure);
	if (!isnan(check->measured))
		return true;
	check_miss(subject, check, "%s", at->reason ? at->reason : "it gave no figure");
	if (is_never_written(at)) { /* what a run of a path would advise is not for here */
		check_miss(subject, check, "%.*s", (int)strcspn(at->reason, ";"), at->reason);
		check->needs_written = true;
		check->mend = "--write";
	}
	return false;
}

static void compare(const struct subject *subject, const struct hl_measurement *at,
		    const struct hl_spec_figure *figure, struct hl_check *check)
{
	bool is_slow;

	if (!take_figure(subject, at, figure, check))
		return;
	is_slow = isnan(figure->latency_ns) ? check->measured < check->required
					    : check->measured > check->required;
	if (is_slow)
		check_fail(subject, check, "%s than the datasheet promises (%s)%s",
			   isnan(figure->latency_ns) ? "less" : "longer",
			   promise_of(subject, figure),
			   is_explained_by_link(subject, check, figure)
				   ? ", explained by the link: it cannot carry it"
				   : "");
	else if (hl_rw_writes(figure->rw) && figure->state && !strcmp(figure->state, "steady") &&
		 at->steady_state != 1)
		check_miss(
			subject, check, "%s",
			isnan(subject_number(subject, "accept.written_bytes"))
				? "fresh-out-of-box: it was not filled before, so the figure may "
				  "fall"
				: "its last five rounds are not steady (SNIA PTS)");
}

static void add_figure(const struct subject *subject, struct hl_acceptance *acceptance,
		       const struct hl_spec_figure *figure)
{
	const struct hl_measurement *at = find_best(subject->hop, figure);
	struct hl_check *check = check_add(subject, acceptance, name_figure(subject, figure),
					   describe(subject, figure));

	require(check, figure);
	if (at) {
		compare(subject, at, figure, check);
	} else if (hl_rw_writes(figure->rw) && !subject->how->wants_write) {
		check->status = HL_CHECK_NOT_ASKED;
		check->mend = "--write";
	} else {
		check_miss(subject, check, "it was not measured");
	}
}

/* ---- without a sheet ---- */

#define LARGE_BS 65536.0 /* from here on bandwidth tells more than I/Os per second */

/* As a sheet would promise it: a latency at depth 1, else what can be promised of that size. */
static struct hl_spec_figure figure_like(const struct hl_measurement *at)
{
	struct hl_spec_figure figure = {
		.rw = at->workload.rw,
		.bs = at->workload.bs,
		.iodepth = at->workload.iodepth,
		.numjobs = at->workload.numjobs,
		.bw = NAN,
		.iops = NAN,
		.latency_ns = NAN,
		.tolerance_pct = NAN,
	};

	if (depth_of(figure.iodepth, figure.numjobs) == 1)
		figure.latency_ns = 1;
	else if (figure.bs >= LARGE_BS)
		figure.bw = 1;
	else
		figure.iops = 1;
	return figure;
}

static void show_figure(const struct subject *subject, struct hl_acceptance *acceptance,
			const struct hl_measurement *at)
{
	struct hl_spec_figure figure = figure_like(at);
	struct hl_check *check = check_add(subject, acceptance, name_figure(subject, &figure),
					   describe(subject, &figure));

	require(check, &figure); /* for its unit */
	check_show(subject, check, "%s: no datasheet to hold it against", check->title);
	take_figure(subject, at, &figure, check);
}

/* Flushes are shown by check_write.c. */
static void show_all(const struct subject *subject, struct hl_acceptance *acceptance)
{
	for (size_t i = 0; subject->hop && i < subject->hop->nr_measurements; i++) {
		const struct hl_measurement *at = subject->hop->measurements[i];

		if (!at->experiment && !(at->workload.fsync > 0))
			show_figure(subject, acceptance, at);
	}
}

static void speed_add(const struct subject *subject, struct hl_acceptance *acceptance)
{
	const struct hl_spec *spec = subject->spec;

	if (!spec || !spec->nr_figures) {
		struct hl_check *check = check_add(subject, acceptance, "speed",
						   "speed of its datasheet");

		check_miss(subject, check, "no datasheet of this model is built in");
		check->mend = "--spec NAME or --spec FILE.conf";
		show_all(subject, acceptance);
		return;
	}
	for (size_t i = 0; i < spec->nr_figures; i++)
		add_figure(subject, acceptance, &spec->figures[i]);
}

const struct check_group check_speed = { .add = speed_add };
