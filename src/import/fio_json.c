/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio's JSON and JSON+ output, all versions, of a local run or of clients (fio(1), "JSON output").
 *
 * Surprising: --status-interval prints one document per interval, of which only the last counts.
 * With several processes per job and no group_reporting each process is an entry of its own.
 * Behind the entries of several clients stands their sum, "All clients", which is left out.
 */
#include "fio_json.h"
#include "formats.h"
#include "hoploss/json_extent.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How deep in arrays and objects of other programs a document of fio is looked for. */
#define MAX_WRAPPERS 6
/* fio counts elapsed time and older timestamps in whole seconds. */
#define SLACK_MS 1100

static const char *const sides[] = { "read", "write", "trim", "mixed" };
#define NR_SIDES (sizeof(sides) / sizeof(*sides))

struct reader {
	struct hl_reading *reading;
	const struct hl_text *slice;
	size_t next_line; /* index of the line from which the next job is looked for */
	size_t nr_jobs;   /* read so far */
	unsigned cut_line;
};

static const char *string(const struct hl_json *object, const char *key)
{
	return hl_json_string(hl_json_get(object, key));
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static const struct hl_json *jobs_of(const struct hl_json *document)
{
	const struct hl_json *jobs = hl_json_get(document, "client_stats");

	return jobs ? jobs : hl_json_get(document, "jobs");
}

/* ---- jobs ---- */

static unsigned line_of_job(struct reader *reader)
{
	const struct hl_text *slice = reader->slice;

	for (size_t i = reader->next_line; i < slice->nr_lines; i++) {
		if (!hl_line_has(slice->lines[i], "\"jobname\""))
			continue;
		reader->next_line = i + 1;
		return slice->lines[i].number;
	}
	/* all jobs in one line */
	return slice->nr_lines ? slice->lines[slice->nr_lines - 1].number : 0;
}

static bool has_any_figures(const struct hl_json *job)
{
	for (size_t i = 0; i < NR_SIDES; i++) {
		if (hl_fio_json_has_figures(job, sides[i]))
			return true;
	}
	return false;
}

static void read_job(struct reader *reader, const struct hl_fio_json_run *run,
		     const struct hl_json *job, double same_entries, bool is_cut)
{
	unsigned line = line_of_job(reader);

	if (is_cut && !has_any_figures(job))
		return; /* nothing is known of it */
	hl_fio_json_job(run, job, same_entries, is_cut,
			hl_reading_measurement(reader->reading, reader->slice, line));
	reader->nr_jobs++;
}

static bool is_same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool is_same_entry(const struct hl_json *a, const struct hl_json *b)
{
	return is_same_text(string(a, "jobname"), string(b, "jobname")) &&
	       is_same_text(string(a, "hostname"), string(b, "hostname")) &&
	       is_same_number(hl_fio_json_number(a, "port"), hl_fio_json_number(b, "port")) &&
	       is_same_number(hl_fio_json_number(a, "groupid"), hl_fio_json_number(b, "groupid"));
}

static void read_jobs(struct reader *reader, const struct hl_fio_json_run *run,
		      const struct hl_json *jobs)
{
	size_t nr = hl_json_length(jobs);

	for (size_t first = 0, end = 0; first < nr; first = end) {
		const struct hl_json *entry = hl_json_at(jobs, first);
		bool is_sum = run->is_client && nr > 1 &&
			      is_same_text(string(entry, "jobname"), "All clients");

		for (end = first + 1; end < nr && is_same_entry(entry, hl_json_at(jobs, end));)
			end++;
		for (size_t i = first; i < end && !is_sum; i++) {
			if (hl_json_is_object(hl_json_at(jobs, i)))
				read_job(reader, run, hl_json_at(jobs, i), (double)(end - first),
					 run->cut_line && i == nr - 1);
		}
	}
}

/* ---- disks ---- */

static void read_disk(struct reader *reader, const struct hl_json *object, const char *prefix)
{
	struct hl_graph *graph = reader->reading->graph;
	struct hl_hop *hop = hl_reading_hop(reader->reading);
	struct hl_disk *disk = hl_graph_add_disk(graph, hop);
	struct {
		const char *name;
		double *field;
	} rows[] = {
		{ "read_ios", &disk->ios[0] },         { "write_ios", &disk->ios[1] },
		{ "read_merges", &disk->merges[0] },   { "write_merges", &disk->merges[1] },
		{ "read_sectors", &disk->sectors[0] }, { "write_sectors", &disk->sectors[1] },
		{ "read_ticks", &disk->ticks_ms[0] },  { "write_ticks", &disk->ticks_ms[1] },
		{ "in_queue", &disk->in_queue_ms },    { "util", &disk->util_pct },
	};
	char key[32];

	disk->name = hl_arena_strdup(graph->arena, string(object, "name"));
	disk->file = hop->measurements[hop->nr_measurements - 1]->file;
	disk->run = reader->reading->nr_runs;
	disk->is_aggregate = *prefix;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(key, sizeof(key), "%s%s", prefix, rows[i].name);
		*rows[i].field = hl_fio_json_number(object, key);
	}
}

static void read_disks(struct reader *reader, const struct hl_json *disks)
{
	for (size_t i = 0; i < hl_json_length(disks); i++) {
		const struct hl_json *disk = hl_json_at(disks, i);

		if (!string(disk, "name"))
			continue;
		read_disk(reader, disk, "");
		if (hl_json_get(disk, "aggr_read_ios"))
			read_disk(reader, disk, "aggr_");
	}
}

/* ---- documents ---- */

static void read_document(struct reader *reader, const struct hl_json *document)
{
	const char *tool = string(document, "fio version");
	struct hl_graph *graph = reader->reading->graph;
	struct hl_fio_json_run run = {
		.graph = graph,
		.slice = reader->slice,
		.globals = hl_json_get(document, "global options"),
		.tool = hl_arena_strdup(graph->arena, tool),
		.version = hl_fio_json_version(tool),
		.is_client = hl_json_get(document, "client_stats"),
		/* all jobs are there if what follows them is */
		.cut_line = hl_json_get(document, "disk_util") ? 0 : reader->cut_line,
	};
	size_t nr_before = reader->nr_jobs;

	reader->reading->nr_runs++;
	if (jobs_of(document))
		read_jobs(reader, &run, jobs_of(document));
	else /* a job that somebody cut out */
		read_job(reader, &run, document, 1, run.cut_line);
	if (reader->nr_jobs > nr_before)
		read_disks(reader, hl_json_get(document, "disk_util"));
	else
		reader->reading->nr_runs--;
}

static bool is_document(const struct hl_json *value)
{
	if (hl_json_get(hl_json_at(jobs_of(value), 0), "jobname") ||
	    (hl_json_get(value, "fio version") && hl_json_is_array(jobs_of(value))))
		return true;
	return hl_json_get(value, "jobname") && has_any_figures(value);
}

/* Reads the documents in value, which may be wrapped into what another program wrote. */
static void read_value(struct reader *reader, const struct hl_json *value, unsigned depth)
{
	const struct hl_json *member = NULL;
	const char *key = NULL;
	void *iter = NULL;

	if (is_document(value)) {
		read_document(reader, value);
		return;
	}
	if (depth == MAX_WRAPPERS)
		return;
	for (size_t i = 0; i < hl_json_length(value); i++)
		read_value(reader, hl_json_at(value, i), depth + 1);
	while (hl_json_is_object(value) && hl_json_next(value, &iter, &key, &member))
		read_value(reader, member, depth + 1);
}

/* ---- documents of one run ---- */

static double time_ms(const struct hl_json *document)
{
	double ms = hl_fio_json_number(document, "timestamp_ms");

	return isnan(ms) ? hl_fio_json_number(document, "timestamp") * 1000 : ms;
}

/* When fio was started, NAN where it is not said. */
static double start_ms(const struct hl_json *document)
{
	return time_ms(document) -
	       hl_fio_json_number(hl_json_at(jobs_of(document), 0), "elapsed") * 1000;
}

/*
 * How long a job ran on between two documents, if the second can be of the same run: what was done
 * has not become less, and is the same where it ran no longer. NAN if it cannot.
 */
static double ran_on_ms(const struct hl_json *a, const struct hl_json *b)
{
	double longest = 0;

	for (size_t i = 0; i < NR_SIDES; i++) {
		const struct hl_json *before = hl_json_get(a, sides[i]);
		const struct hl_json *after = hl_json_get(b, sides[i]);
		double ran = hl_fio_json_number(after, "runtime") -
			     hl_fio_json_number(before, "runtime");
		double did = hl_fio_json_number(after, "io_bytes") -
			     hl_fio_json_number(before, "io_bytes");

		if (ran < 0 || did < 0 || (ran == 0 && did > 0))
			return NAN;
		longest = fmax(longest, ran);
	}
	return longest;
}

/*
 * Two documents are of one run if fio started at the same time, as far as they say it, and jobs
 * ran on for all the time between them.
 */
static bool is_same_run(const struct hl_json *a, const struct hl_json *b)
{
	const struct hl_json *jobs_a = jobs_of(a), *jobs_b = jobs_of(b);
	double apart = time_ms(b) - time_ms(a), ran = 0, ran_group = 0;
	double started = start_ms(b) - start_ms(a);
	size_t nr = hl_json_length(jobs_a);

	if (!nr || nr > hl_json_length(jobs_b) || !(apart >= 0) || fabs(started) > SLACK_MS)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const struct hl_json *job = hl_json_at(jobs_a, i);
		double ran_job = ran_on_ms(job, hl_json_at(jobs_b, i));

		if (!is_same_entry(job, hl_json_at(jobs_b, i)) || isnan(ran_job))
			return false;
		ran_group = fmax(ran_group, ran_job);
		if (i + 1 == nr ||
		    hl_fio_json_number(job, "groupid") !=
			    hl_fio_json_number(hl_json_at(jobs_a, i + 1), "groupid")) {
			ran += ran_group;
			ran_group = 0;
		}
	}
	return ran >= apart - SLACK_MS;
}

/* ---- format ---- */

static void read_piece(struct reader *reader, const struct hl_json_piece *piece)
{
	if (!piece->root)
		return;
	reader->next_line = piece->first;
	reader->cut_line = piece->is_cut ? reader->slice->lines[piece->last].number : 0;
	read_value(reader, piece->root, 0);
}

static int read_pieces(struct reader *reader, struct hl_error *err)
{
	struct hl_json_piece last = { 0 }, piece;
	unsigned cut_line = 0;
	size_t cursor = 0;
	int rc;

	while (!(rc = hl_json_piece_next(reader->slice, &cursor, &piece, err))) {
		bool is_same = last.root && is_same_run(last.root, piece.root);
		struct hl_json_piece *outdated = is_same && piece.is_cut ? &piece : &last;

		if (piece.is_cut)
			cut_line = reader->slice->lines[piece.last].number;
		if (!is_same)
			read_piece(reader, &last);
		hl_json_free(outdated->root);
		if (outdated == &last)
			last = piece;
	}
	read_piece(reader, &last);
	hl_json_free(last.root);
	if (rc != -ENODATA)
		return rc;
	if (cut_line)
		return hl_fail(err, EBADMSG, "%s:%u: fio's JSON ends early", reader->slice->name,
			       cut_line);
	return 0;
}

static int fio_json_read(const struct hl_text *slice, struct hl_reading *reading,
			 struct hl_error *err)
{
	struct reader reader = { .reading = reading, .slice = slice };
	int rc = read_pieces(&reader, err);

	if (!rc && !reader.nr_jobs)
		return hl_fail(err, EBADMSG, "%s:%u: fio's JSON has no job in it", slice->name,
			       slice->lines[0].number);
	return rc;
}

const struct hl_format hl_format_fio_json = {
	.name = "fio-json",
	.summary = "fio's JSON and JSON+ output, 2.x and 3.x, local or of clients",
	.claim = hl_fio_json_claim,
	.read = fio_json_read,
};
