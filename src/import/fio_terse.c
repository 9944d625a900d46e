/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio's terse output (--minimal), versions 2 to 5: one line a job, fields by ';' (fio(1), TERSE
 * OUTPUT; stat.c).
 *
 *   3;fio-3.33;name;group;error;READ…;WRITE…;[TRIM…;]usr%;sys%;ctx;majf;minf;depths…;latencies…;
 *   disks…
 *
 * Surprising: sizes are whole KiB and latencies whole usec, cut. Versions 2, 4 and 5 have a trim
 * part; with unified_rw_reporting there is one part only. Version 2 has no fio version. What the
 * percentiles are of is not said: clat unless lat_percentiles was asked for.
 */
#include "fio_text.h"
#include "formats.h"
#include "idset.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NR_PERCENTILES 20
#define MIN_FIELDS     12 /* fewer may be any text with semicolons */
#define MAX_PARTS      64 /* lines that a terminal may have broken one into */
#define US             1e3

struct field {
	const char *start;
	size_t len;
};

struct record { /* one line */
	char *text;
	struct field *fields;
	size_t nr, at; /* at: the next to be read */
	unsigned line;
	int version;
	bool is_cut;
};

static void free_record(struct record *record)
{
	free(record->text);
	free(record->fields);
}
#define HL_RECORD __attribute__((cleanup(free_record)))

/* ---- lines ---- */

static struct hl_line plain(struct hl_line line)
{
	return hl_line_trim(fio_drop_tags(line));
}

/* "3;fio-3.33;…", "2;name;0;0;…" */
static bool is_first(struct hl_line line)
{
	const char *at = line.start;

	return line.len > 4 && at[0] >= '2' && at[0] <= '5' && at[1] == ';' &&
	       (at[0] == '2' || !memcmp(at + 2, "fio", 3));
}

/*
 * Fields of a line that a terminal broke: no blank in them. Behind a full line the last bit may
 * have no semicolon, and the next may look like a beginning.
 */
static bool is_part(struct hl_line line, bool is_behind_full)
{
	bool has_field = line.len && memchr(line.start, ';', line.len);

	if (!line.len || (is_first(line) && !is_behind_full))
		return false;
	for (unsigned i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.start[i];

		if (isspace(c) || (!has_field && !isdigit(c) && c != '.' && c != '%'))
			return false;
	}
	return has_field || is_behind_full;
}

static size_t count_fields(const struct hl_text *text, size_t at, size_t nr)
{
	size_t fields = 1;

	for (size_t i = at; i < at + nr; i++) {
		for (unsigned k = 0; k < text->lines[i].len; k++)
			fields += text->lines[i].start[k] == ';';
	}
	return fields;
}

#define MAX_WIDTH 300 /* of a terminal */

/* Lines of the record that begins at at; 0 if none does. */
static size_t record_lines(const struct hl_text *text, size_t at)
{
	unsigned width = text->lines[at].len;
	size_t nr = 1;

	if (!is_first(plain(text->lines[at])))
		return 0;
	while (nr < MAX_PARTS && at + nr < text->nr_lines) {
		bool is_behind_full = width < MAX_WIDTH && text->lines[at + nr - 1].len == width;

		if (!is_part(plain(text->lines[at + nr]), is_behind_full))
			break;
		nr++;
	}
	return count_fields(text, at, nr) >= MIN_FIELDS ? nr : 0;
}

static size_t fio_terse_claim(const struct hl_text *text, size_t at)
{
	size_t end = at;

	for (size_t i = at; i < text->nr_lines;) {
		size_t nr = record_lines(text, i);
		bool is_blank = !hl_line_trim(text->lines[i]).len;

		if (!nr && !(is_blank && end > at))
			break;
		i += nr ? nr : 1;
		if (nr)
			end = i;
	}
	return end - at;
}

static void cut_fields(struct record *record, const struct hl_text *slice, size_t at, size_t nr)
{
	size_t len = 0;
	char *field;

	for (size_t i = at; i < at + nr; i++)
		len += slice->lines[i].len;
	record->text = hl_alloc(len + 1);
	record->fields = hl_grow(NULL, count_fields(slice, at, nr), sizeof(*record->fields));
	len = 0;
	for (size_t i = at; i < at + nr; i++) {
		struct hl_line line = plain(slice->lines[i]);

		memcpy(record->text + len, line.start, line.len);
		len += line.len;
	}
	for (field = record->text;; field++) {
		size_t size = strcspn(field, ";");

		record->fields[record->nr++] = (struct field){ field, size };
		field += size;
		if (!*field)
			break;
	}
	record->line = slice->lines[at].number;
	record->version = record->text[0] - '0';
}

/* ---- fields ---- */

/* The whole field is a number, but for stop at its end. */
static bool is_number(const struct record *record, size_t at, const char *stop, double *ret_value)
{
	const char *text;
	double value;

	if (at >= record->nr)
		return false;
	text = record->fields[at].start;
	if (!fio_scan_number(&text, &value) || !fio_scan_word(&text, stop) ||
	    text != record->fields[at].start + record->fields[at].len)
		return false;
	*ret_value = value;
	return true;
}

/* NAN from where the record is cut. */
static double take(struct record *record, const char *stop)
{
	double value = NAN;

	record->is_cut = record->is_cut || !is_number(record, record->at, stop, &value);
	record->at += !record->is_cut;
	return record->is_cut ? NAN : value;
}

/* 0 = not kept */
static double take_us(struct record *record)
{
	double value = take(record, "");

	return value > 0 ? value * US : NAN;
}

static struct hl_latency take_latency(struct record *record)
{
	struct hl_latency latency = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };

	latency.min = take_us(record);
	latency.max = take_us(record);
	latency.mean = take_us(record);
	latency.stddev = take_us(record);
	return latency;
}

/* "99.000000%=166", or "0%=0" for none. */
static void take_percentile(struct record *record, struct hl_latency *latency)
{
	const char *at = record->at < record->nr ? record->fields[record->at].start : "";
	double percent, value, *kept;

	if (!fio_scan_number(&at, &percent) || !fio_scan_word(&at, "%=") ||
	    !fio_scan_number(&at, &value) || (*at && *at != ';'))
		record->is_cut = true;
	if (record->is_cut)
		return;
	record->at++;
	kept = fio_percentile(latency, percent);
	if (kept && value > 0)
		*kept = value * US;
}

struct part { /* of one direction */
	struct fio_rate rate;
	struct hl_latency slat, clat, lat;
};

static struct fio_range at_least(double value, double step)
{
	return (struct fio_range){ .low = value * step, .high = (value + 1) * step };
}

static void take_part(struct record *record, struct part *ret_part)
{
	double kib = take(record, ""), bw = take(record, ""), iops = take(record, "");

	*ret_part = (struct part){ .rate.zone_resets = NAN };
	ret_part->rate.runtime_ms = take(record, "");
	ret_part->rate.bytes = (struct fio_range){ .low = kib * 1024, .high = kib * 1024 };
	ret_part->rate.bw = at_least(bw, 1024);
	ret_part->rate.iops = at_least(iops, 1);
	ret_part->slat = take_latency(record);
	ret_part->clat = take_latency(record);
	for (int i = 0; i < NR_PERCENTILES; i++)
		take_percentile(record, &ret_part->clat);
	ret_part->lat = take_latency(record);
	for (int i = 0; i < 5; i++) /* bandwidth: min, max, share, mean, deviation */
		take(record, i == 2 ? "%" : "");
	for (int i = 0; i < 6 && record->version == 5; i++) /* samples; the same of IOPS */
		take(record, "");
}

/* ---- a record ---- */

#define MAX_PARTS_OF_JOB 4

struct job {
	struct part parts[MAX_PARTS_OF_JOB];
	int nr_parts;
	double cpu_user_pct, cpu_system_pct;
};

/* Behind the head; the parts end where a percentage begins. */
static struct job take_job(struct record *record)
{
	struct job job = { .nr_parts = 0 };
	double number;

	while (job.nr_parts < MAX_PARTS_OF_JOB && !record->is_cut &&
	       !is_number(record, record->at, "%", &number))
		take_part(record, &job.parts[job.nr_parts++]);
	job.cpu_user_pct = take(record, "%");
	job.cpu_system_pct = take(record, "%");
	for (int i = 0; i < 3; i++) /* switches, major and minor faults */
		take(record, "");
	for (int i = 0; i < 7 + 10 + 12; i++) /* depths, latencies in usec and msec */
		take(record, "%");
	return job;
}

/* A record that was cut may end within a number, which then is another. */
static struct job take_whole_job(struct record *record)
{
	size_t first = record->at;
	struct job job = take_job(record);

	if (!record->is_cut)
		return job;
	record->nr--;
	record->at = first;
	record->is_cut = false;
	return take_job(record);
}

/* Name, group and error; the name may hold semicolons, numbers follow it. */
static bool take_head(struct record *record, struct hl_arena *arena, struct hl_measurement *at)
{
	size_t first = record->version == 2 ? 1 : 2;
	double group, error, number;

	for (size_t i = first; i + 5 < record->nr; i++) {
		const char *end = record->fields[i].start + record->fields[i].len;

		if (!is_number(record, i + 1, "", &group) ||
		    !is_number(record, i + 2, "", &error) ||
		    !is_number(record, i + 3, "", &number) ||
		    !is_number(record, i + 4, "", &number))
			continue;
		at->workload.name = hl_arena_strndup(arena, record->fields[first].start,
						     (size_t)(end - record->fields[first].start));
		at->group = (unsigned)fmin(group, UINT32_MAX);
		at->error = (int)fmin(error, INT32_MAX);
		record->at = i + 3;
		break;
	}
	if (first == 2)
		at->tool = hl_arena_strndup(arena, record->fields[1].start, record->fields[1].len);
	return record->at > 0;
}

/* ---- to the graph ---- */

static struct hl_latency *add_latency(struct hl_graph *graph, const struct hl_latency *latency)
{
	struct hl_latency *copy;

	if (!fio_latency_is_known(latency))
		return NULL;
	copy = hl_graph_new_latency(graph);
	*copy = *latency;
	return copy;
}

static void add_part(struct hl_graph *graph, struct hl_measurement *at, enum hl_dir dir,
		     const struct part *part)
{
	struct fio_size bs = fio_rate_guess_bs(&part->rate, NAN);
	struct hl_rate *rate;

	if (!(part->rate.runtime_ms > 0) || !(part->rate.bw.high > 0))
		return; /* none of this direction */
	rate = hl_graph_add_rate(graph, at, dir);
	fio_rate_finish(&part->rate, NAN, bs, rate);
	rate->slat = add_latency(graph, &part->slat);
	rate->clat = add_latency(graph, &part->clat);
	rate->lat = add_latency(graph, &part->lat);
	if (isnan(at->workload.bs))
		at->workload.bs = bs.bytes;
	else if (at->workload.bs != bs.bytes)
		at->workload.bs_write = bs.bytes;
}

static void add_parts(struct hl_graph *graph, struct hl_measurement *at, const struct job *job,
		      const struct record *record)
{
	static const enum hl_dir dirs[] = { HL_DIR_READ, HL_DIR_WRITE, HL_DIR_TRIM };
	int nr = record->version == 3 ? 2
				      : 3; /* the sum of unified_rw_reporting=both is left out */

	if (job->nr_parts == 1 && !record->is_cut) {
		add_part(graph, at, HL_DIR_MIXED, &job->parts[0]);
		return;
	}
	for (int i = 0; i < job->nr_parts && i < nr; i++)
		add_part(graph, at, dirs[i], &job->parts[i]);
}

static struct hl_disk *find_disk(struct hl_graph *graph, const struct hl_measurement *at,
				 const struct field *name)
{
	struct hl_disk *disk;

	for (size_t i = 0; i < at->hop->nr_disks; i++) {
		disk = at->hop->disks[i];
		if (disk->run == at->run && disk->file == at->file &&
		    strlen(disk->name) == name->len && !memcmp(disk->name, name->start, name->len))
			return disk;
	}
	disk = hl_graph_add_disk(graph, at->hop);
	disk->name = hl_arena_strndup(graph->arena, name->start, name->len);
	disk->file = at->file;
	disk->run = at->run;
	disk->line = at->line;
	return disk;
}

/* "sda;ios;ios;merges;merges;ticks;ticks;in_queue;util%", and "slaves;…" behind a stacked one. */
static void add_disks(struct hl_graph *graph, struct hl_measurement *at, struct record *record)
{
	double util;

	while (is_number(record, record->at + 8, "%", &util)) {
		const struct field *name = &record->fields[record->at++];
		bool is_aggregate = name->len == 6 && !memcmp(name->start, "slaves", 6);
		struct hl_disk *disk = is_aggregate ? NULL : find_disk(graph, at, name);
		double values[7];

		for (int i = 0; i < 7; i++)
			values[i] = take(record, "");
		record->at++;
		if (is_aggregate)
			continue;
		for (int i = 0; i < 2; i++) {
			disk->ios[i] = values[i];
			disk->merges[i] = values[2 + i];
			disk->ticks_ms[i] = values[4 + i];
		}
		disk->in_queue_ms = values[6];
		disk->util_pct = util;
	}
}

static bool add_record(const struct hl_text *slice, struct hl_reading *reading,
		       struct record *record)
{
	struct hl_graph *graph = reading->graph;
	struct hl_measurement *at = hl_reading_measurement(reading, slice, record->line);
	struct job job;

	if (!take_head(record, graph->arena, at)) {
		at->hop->nr_measurements--;
		return false;
	}
	job = take_whole_job(record);
	at->cpu_user_pct = job.cpu_user_pct;
	at->cpu_system_pct = job.cpu_system_pct;
	add_parts(graph, at, &job, record);
	if (!record->is_cut)
		add_disks(graph, at, record);
	if (at->error) {
		at->status = HL_STATUS_FAILED;
		at->reason = hl_arena_printf(graph->arena, "fio stopped with error %d", at->error);
	} else if (record->is_cut) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = "the line was cut";
	}
	return true;
}

/* A line that stands there twice is one job. */
static bool is_repeat(struct hl_idset *seen, const struct record *record)
{
	uint64_t id = hl_idset_hash(0, record->text, strlen(record->text));
	bool is_known = hl_idset_has(seen, id);

	hl_idset_add(seen, id);
	return is_known;
}

static int fio_terse_read(const struct hl_text *slice, struct hl_reading *reading,
			  struct hl_error *err)
{
	HL_IDSET struct hl_idset seen = { 0 };
	unsigned nr = 0, nr_repeats = 0;

	reading->nr_runs++;
	for (size_t i = 0; i < slice->nr_lines;) {
		HL_RECORD struct record record = { 0 };
		size_t nr_lines = record_lines(slice, i);

		if (nr_lines) {
			cut_fields(&record, slice, i, nr_lines);
			if (is_repeat(&seen, &record))
				nr_repeats++;
			else
				nr += add_record(slice, reading, &record);
		}
		i += nr_lines ? nr_lines : 1;
	}
	if (nr_repeats)
		hl_graph_warn(reading->graph, "%s:%u: %u lines stand here twice; counted once",
			      slice->name, slice->lines[0].number, nr_repeats);
	if (!nr)
		return hl_fail(err, EBADMSG, "%s:%u: fio's terse line is cut before its figures",
			       slice->name, slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_fio_terse = {
	.name = "fio-terse",
	.summary = "fio's terse output (--minimal), versions 2 to 5",
	.claim = fio_terse_claim,
	.read = fio_terse_read,
};
