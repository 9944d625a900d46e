/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where one run of fio begins and ends in a text that may hold several and prose between.
 *
 * A run is: job lines, banner, progress; then results; then group summaries and disk statistics.
 * With --status-interval results and summaries come again and again, of the same jobs; a client
 * prints them host by host. Noise in a run (a kernel's message, a broken line) is gone over when
 * more of the same run follows soon.
 */
#include "fio_text.h"
#include "idset.h"
#include <ctype.h>
#include <string.h>

#define MAX_LEAD_IN       60   /* lines without a job or a result */
#define MAX_NOISE_IN_JOBS 3    /* lines between two job lines */
#define MAX_THINGS        8192 /* twice fio's own limit of jobs (REAL_MAX_JOBS) */
#define MAX_BROKEN        16   /* lines that one may have been broken into, with empty ones */

enum phase { LEAD_IN, RESULTS, SUMMARY, NR_PHASES };

/* How many lines of noise may stand in each phase. */
static const unsigned max_noise[NR_PHASES] = { [LEAD_IN] = 60, [RESULTS] = 15, [SUMMARY] = 6 };

struct scan {
	const struct hl_text *text;
	enum phase phase;
	struct hl_idset things; /* jobs, results, groups, disks and failures of this run */
	uint64_t first_result;  /* 0 = none yet */
	unsigned last_group;    /* of the summary */
	unsigned dirs;          /* rates since the last head of a result */
	bool has_banner, has_start, has_head, has_content;
};

/* ---- who is it? ---- */

static uint64_t name_hash(const struct fio_mark *mark)
{
	const char *end = mark->name_end;
	uint64_t hash = 0;

	while (end > mark->start && (isspace((unsigned char)end[-1]) || end[-1] == ':'))
		end--;
	for (const char *c = mark->start; c < end; c++) {
		if (!isspace((unsigned char)*c))
			hash = hl_idset_hash(hash, c, 1);
	}
	return hash;
}

/* The digits behind word, mixed into hash; as they are if there are none. */
static uint64_t number_hash(uint64_t hash, const struct hl_line *line, const char *word)
{
	const char *at = memmem(line->start, line->len, word, strlen(word));
	const char *end = line->start + line->len;

	if (!at)
		return hash;
	for (at += strlen(word); at < end && isdigit((unsigned char)*at); at++)
		hash = hl_idset_hash(hash, at, 1);
	return hash;
}

static uint64_t job_id(const struct scan *scan, const struct fio_mark *mark, size_t at)
{
	const char *word = mark->kind == FIO_JOB ? "(g=" : "(groupid=";

	return number_hash(name_hash(mark), &scan->text->lines[at], word) | 1;
}

/* Of a result the name and the process. */
static uint64_t result_id(const struct scan *scan, const struct fio_mark *mark, size_t at)
{
	return number_hash(name_hash(mark) + FIO_RESULT, &scan->text->lines[at], ": pid=") | 1;
}

static unsigned group_id(const struct scan *scan, const struct fio_mark *mark, size_t at)
{
	const char *end = scan->text->lines[at].start + scan->text->lines[at].len;
	unsigned id = 0;

	for (const char *c = mark->start; c < end && *c != '('; c++) {
		if (isdigit((unsigned char)*c) && id < 100000000)
			id = id * 10 + (unsigned)(*c - '0');
	}
	return id;
}

/* What a run has no more of than fio has jobs; 0 for all other lines. */
static uint64_t thing_id(const struct scan *scan, const struct fio_mark *mark, size_t at)
{
	switch (mark->kind) {
	case FIO_JOB:
		return job_id(scan, mark, at);
	case FIO_RESULT:
		return result_id(scan, mark, at);
	case FIO_GROUP:
		return ((uint64_t)group_id(scan, mark, at) << 8) + FIO_GROUP;
	case FIO_DISK:
		return (name_hash(mark) + FIO_DISK) | 1;
	case FIO_ERROR:
		return number_hash(FIO_ERROR, &scan->text->lines[at], "pid=") | 1;
	default:
		return 0;
	}
}

/* A job of this run, or the sum over all hosts that a client prints last. */
static bool is_known(const struct scan *scan, const struct fio_mark *mark, size_t at)
{
	static const char all[] = "All clients:";

	if ((size_t)(mark->name_end - mark->start) >= sizeof(all) - 1 &&
	    !memcmp(mark->start, all, sizeof(all) - 1))
		return true;
	return result_id(scan, mark, at) == scan->first_result ||
	       hl_idset_has(&scan->things, job_id(scan, mark, at));
}

/* ---- does the line belong to it? ---- */

/* More than one run can have. */
static bool is_too_much(const struct scan *scan, const struct fio_mark *mark, size_t at)
{
	uint64_t id = scan->things.nr < MAX_THINGS ? 0 : thing_id(scan, mark, at);

	return id && !hl_idset_has(&scan->things, id);
}

static bool is_new_run(const struct scan *scan, const struct fio_mark *mark, size_t at,
		       bool is_behind_noise)
{
	if (is_too_much(scan, mark, at))
		return true;
	switch (mark->kind) {
	case FIO_JOB:
	case FIO_BANNER:
		return scan->phase != LEAD_IN || scan->has_banner;
	case FIO_START:
		return scan->phase != LEAD_IN || (scan->has_start && !scan->has_content);
	case FIO_HOST:
		return scan->phase != LEAD_IN;
	case FIO_LAYOUT:
		return scan->phase == SUMMARY;
	case FIO_RESULT:
		return (scan->phase == SUMMARY || (scan->phase == RESULTS && is_behind_noise)) &&
		       !is_known(scan, mark, at);
	case FIO_RATE:
		return scan->phase == SUMMARY ||
		       (is_behind_noise && !scan->has_head && scan->dirs & 1u << mark->dir);
	case FIO_GROUP:
		return scan->phase == SUMMARY &&
		       (is_behind_noise || group_id(scan, mark, at) <= scan->last_group);
	case FIO_GROUP_RATE:
		return scan->phase == SUMMARY && is_behind_noise;
	default:
		return false;
	}
}

static void take(struct scan *scan, const struct fio_mark *mark, size_t at)
{
	uint64_t id = thing_id(scan, mark, at);

	if (id)
		hl_idset_add(&scan->things, id);
	switch (mark->kind) {
	case FIO_BANNER:
		scan->has_banner = true;
		return;
	case FIO_START:
		scan->has_start = true;
		return;
	case FIO_RESULT:
		if (!scan->first_result)
			scan->first_result = id;
		scan->phase = RESULTS;
		scan->has_head = true;
		scan->dirs = 0;
		break;
	case FIO_RATE:
		scan->phase = RESULTS;
		scan->dirs |= 1u << mark->dir;
		break;
	case FIO_GROUP:
		scan->last_group = group_id(scan, mark, at);
		scan->phase = SUMMARY;
		break;
	case FIO_GROUP_RATE:
	case FIO_DISKS:
	case FIO_DISK:
		scan->phase = SUMMARY;
		break;
	case FIO_JOB:
	case FIO_ERROR:
		break;
	default:
		return;
	}
	scan->has_content = true;
}

/* ---- noise ---- */

/* A result in another format, which the job lines above it may belong to. */
static bool is_other_result(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	return trimmed.len &&
	       (trimmed.start[0] == '{' || (isdigit((unsigned char)trimmed.start[0]) &&
					    trimmed.len > 1 && trimmed.start[1] == ';'));
}

/* The line behind the noise at which the run goes on; nr_lines if it does not. */
static size_t find_more(const struct scan *scan, size_t at)
{
	size_t end = scan->text->nr_lines;
	unsigned nr_noise = 0;

	for (; at < end && nr_noise <= max_noise[scan->phase]; at++) {
		struct fio_mark mark = fio_mark_at(scan->text, at);

		if (mark.kind == FIO_BLANK)
			continue;
		if (mark.kind == FIO_NONE && is_other_result(scan->text->lines[at]))
			return end;
		nr_noise += mark.kind == FIO_NONE;
		if (mark.kind == FIO_NONE || (mark.kind == FIO_NOTE && scan->phase != LEAD_IN))
			continue;
		if (mark.kind == FIO_JOB && nr_noise > MAX_NOISE_IN_JOBS)
			return end;
		return is_new_run(scan, &mark, at, true) ? end : at;
	}
	return end;
}

/* ---- the whole ---- */

static bool may_begin(enum fio_kind kind)
{
	switch (kind) {
	case FIO_JOB:
	case FIO_BANNER:
	case FIO_START:
	case FIO_HOST:
	case FIO_ERROR:
	case FIO_RESULT:
	case FIO_RATE:
	case FIO_GROUP:
	case FIO_GROUP_RATE:
		return true;
	default:
		return false;
	}
}

/* Behind a line and its rest, if it was broken. */
static size_t end_of_line(const struct hl_text *text, size_t at)
{
	struct hl_text rest = hl_text_slice(text, at, MAX_BROKEN);
	struct fio_lines lines;
	struct fio_line line = { .nr = 1 };

	fio_lines_begin(&lines, &rest);
	fio_lines_next(&lines, &line);
	fio_lines_end(&lines);
	return at + line.nr;
}

/* A line that is not fio's: the rest of the last one, or noise. */
static size_t skip_none(const struct scan *scan, size_t at, size_t last, size_t *ret_end)
{
	size_t rest = *ret_end == last + 1 ? end_of_line(scan->text, last) : 0;

	if (rest <= at)
		return find_more(scan, at);
	*ret_end = rest;
	return rest;
}

static size_t scan_run(struct scan *scan, size_t first)
{
	size_t last = first, end = first;

	for (size_t at = first; at < scan->text->nr_lines;) {
		struct fio_mark mark = fio_mark_at(scan->text, at);

		if (mark.kind == FIO_NONE) {
			at = skip_none(scan, at, last, &end);
			continue;
		}
		if (mark.kind != FIO_BLANK) {
			if (is_new_run(scan, &mark, at, false))
				break;
			take(scan, &mark, at);
			last = at;
			end = at + 1;
		}
		at++;
		if (!scan->has_content && at - first > MAX_LEAD_IN)
			break;
	}
	return scan->has_content ? end - first : 0;
}

size_t fio_text_claim(const struct hl_text *text, size_t at)
{
	struct scan scan = { .text = text };
	size_t nr;

	if (!may_begin(fio_mark_at(text, at).kind))
		return 0;
	nr = scan_run(&scan, at);
	hl_idset_clear(&scan.things);
	return nr;
}
