/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job lines, what fio says while it starts, heads of results, and failures.
 *
 *   name: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) …, (T) …, ioengine=libaio, iodepth=32
 *   name: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=16      (2.x)
 *   name: (groupid=0, jobs=4): err= 0: pid=11: Sat Jul 12 14:02:46 2025
 *
 * Surprising: 3.x rounds a block size of 12345 to "12.1KiB"; only sizes that are whole sectors are
 * taken for exact.
 */
#include "fio_text.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 512

static const struct fio_size unknown_size = { NAN, false };

/* ---- job lines ---- */

/* "4096B-4096B", "4K-4K": one size; a range is no size. */
static struct fio_size take_size(const char **at)
{
	struct fio_range low, high;
	double bytes;

	if (!fio_scan_quantity(at, FIO_STYLE_NEW, 1024, &low) || !fio_scan_word(at, "-") ||
	    !fio_scan_quantity(at, FIO_STYLE_NEW, 1024, &high) || low.low != high.low)
		return unknown_size;
	bytes = low.high - low.low == 1 ? low.low : low.low + (low.high - low.low) * 0.5 / 1.01;
	bytes = round(bytes);
	return (struct fio_size){ bytes, fmod(bytes, SECTOR) == 0 || fmod(bytes, 1000) == 0 ||
						 low.high - low.low == 1 };
}

/* "bs=(R)4096B-4096B,(W)4096B-4096B,(T)…", and with "bs_is_seq_rand" instead of (T). */
static void take_sizes_3(struct fio_job *job, const char *at)
{
	static const char *const words[] = { "(R)", "(W)", "(T)" };

	for (int i = 0; i < 3; i++) {
		const char *size = strstr(at, words[i]);

		if (size) {
			size += strlen(words[i]);
			job->bs[i] = take_size(&size);
		}
	}
	if (strstr(at, "bs_is_seq_rand")) /* then they are not of reads and writes */
		job->bs[0] = job->bs[1] = job->bs[2] = unknown_size;
}

/* "bs=4K-4K/4K-4K/4K-4K"; the oldest have two pairs, 2.18 has commas. */
static void take_sizes_2(struct fio_job *job, const char *at)
{
	for (int i = 0; i < 3; i++) {
		job->bs[i] = take_size(&at);
		if (!fio_scan_word(&at, "/") && !fio_scan_word(&at, ","))
			break;
	}
}

static char *copy_word(struct fio_run *run, const char *at)
{
	size_t len = strcspn(at, ",");

	return at[len] == ',' ? hl_arena_strndup(run->arena, at, len) : NULL;
}

static char *job_name(struct fio_run *run, const struct fio_line *line)
{
	size_t len = line->name_len;

	while (len && (isspace((unsigned char)line->name[len - 1])))
		len--;
	if (len && line->name[len - 1] == ':')
		len--;
	return fio_text_plain(line->name, len, run->arena);
}

/* Behind the last "word": the name in front of it may hold anything. */
static const char *find_last(const char *text, const char *word)
{
	const char *last = NULL;

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		last = at + strlen(word);
	return last;
}

static void take_pattern(struct fio_run *run, struct fio_job *job, const char *at)
{
	char *rw = at ? copy_word(run, at) : NULL;

	if (rw && hl_rw_parse(rw, &job->rw) < 0)
		job->rw = HL_RW_UNKNOWN;
}

void fio_take_job(struct fio_run *run, const struct fio_line *line)
{
	const char *rest = find_last(line->text, "(g=");
	struct fio_job *job;
	const char *at;

	run->jobs = hl_arena_extend(run->arena, run->jobs, run->nr_jobs, sizeof(*run->jobs));
	job = &run->jobs[run->nr_jobs++];
	*job = (struct fio_job){
		.name = job_name(run, line),
		.bs = { unknown_size, unknown_size, unknown_size },
		.iodepth = NAN,
		.size = NAN,
		.line = line->number,
	};
	if (!rest)
		return;
	fio_scan_unsigned(&rest, &job->group);
	take_pattern(run, job, fio_find(rest, "rw="));
	at = fio_find(rest, "bs=");
	if (at && strstr(at, "(R)"))
		take_sizes_3(job, at);
	else if (at)
		take_sizes_2(job, at);
	else if ((at = fio_find(rest, "bs(seq/rand)=")))
		job->bs[0] = unknown_size;
	at = fio_find(rest, "ioengine=");
	job->engine = at ? copy_word(run, at) : NULL;
	at = fio_find(rest, "iodepth=");
	if (at)
		fio_scan_number(&at, &job->iodepth);
}

/* ---- while it starts ---- */

/* How decimals are to be taken: see fio_text_scan.c. */
static void take_version(struct fio_run *run, const char *version)
{
	unsigned major = 0, minor = 0;

	if (!isdigit((unsigned char)*version))
		return;
	run->tool = hl_arena_printf(run->reading->graph->arena, "fio-%s", version);
	if (fio_scan_unsigned(&version, &major) && fio_scan_word(&version, "."))
		fio_scan_unsigned(&version, &minor);
	if (major < 2 || (major == 2 && minor < 20))
		run->style = FIO_STYLE_ROUGH;
	else if (major == 2 || (major == 3 && minor < 26))
		run->style = FIO_STYLE_LOST_CARRY;
	else
		run->style = FIO_STYLE_NEW;
}

void fio_take_banner(struct fio_run *run, const struct fio_line *line)
{
	take_version(run, line->text + strlen("fio") + (line->text[3] == '-'));
}

/* "hostname=a,be=0,64-bit,os=Linux,arch=x86-64,fio=fio-3.25,flags=1" */
void fio_take_host(struct fio_run *run, const struct fio_line *line)
{
	const char *at = fio_find(line->text, "fio=fio-");
	char *version = at ? copy_word(run, at) : NULL;

	if (version)
		take_version(run, version);
}

/* "Starting 2 threads and 3 processes" */
void fio_take_start(struct fio_run *run, const struct fio_line *line)
{
	double sum = 0;

	for (const char *at = line->text; *at;) {
		double number;

		if (fio_scan_number(&at, &number))
			sum += number;
		else
			at++;
	}
	run->nr_processes = isnan(run->nr_processes) ? sum : run->nr_processes + sum;
}

static struct fio_job *find_job(const struct fio_run *run, const char *name)
{
	for (size_t i = 0; i < run->nr_jobs; i++) {
		if (!strcmp(run->jobs[i].name, name))
			return &run->jobs[i];
	}
	return NULL;
}

/* "name:LayingoutIOfile(s)(1file(s)/512MB)": MB is MiB; "4files/total64MiB". Once a process. */
void fio_take_layout(struct fio_run *run, const struct fio_line *line)
{
	struct fio_job *job = find_job(run, job_name(run, line));
	const char *at = strstr(line->text, ":LayingoutIOfile");
	double mib;

	at = at ? strchr(at, '/') : NULL;
	if (!job || !at)
		return;
	at++;
	fio_scan_word(&at, "total");
	if (fio_scan_number(&at, &mib) && *at == 'M' && mib > 0)
		job->size = (isnan(job->size) ? 0 : job->size) + mib * 1048576;
}

/* ---- failures ---- */

/* Behind "error=", without "): pid=…" and what else follows. */
static const char *error_text(struct fio_run *run, const struct fio_line *line)
{
	const char *spaced = fio_line_spaced(&run->lines, line, run->arena);
	const char *rest = find_last(spaced, "(groupid=");
	const char *text = strstr(rest ? rest : spaced, "error=");
	const char *end;

	if (!text)
		return NULL;
	text += strlen("error=");
	end = strstr(text, "): pid=");
	return hl_arena_strndup(run->arena, text, end ? (size_t)(end - text) : strlen(text));
}

static int scan_error(const char **at)
{
	unsigned error = 0;

	fio_scan_word(at, "-");
	fio_scan_unsigned(at, &error);
	return error < INT32_MAX ? (int)error : 0;
}

/* "fio: pid=19192, err=28/file:io_u.c:1803, func=io_u error, error=No space left on device" */
void fio_take_error(struct fio_run *run, const struct fio_line *line)
{
	const char *pid = fio_find(line->text, "pid=");
	const char *at = fio_find(line->text, "err=");
	struct fio_failure failure = { 0 };

	if (!pid || !at)
		return;
	fio_scan_unsigned(&pid, &failure.pid);
	failure.error = scan_error(&at);
	failure.text = error_text(run, line);
	if (!failure.error)
		return;
	run->failures = hl_arena_extend(run->arena, run->failures, run->nr_failures,
					sizeof(*run->failures));
	run->failures[run->nr_failures++] = failure;
}

/* "fio: terminating on signal 2" */
void fio_take_note(struct fio_run *run, const struct fio_line *line)
{
	const char *at = strstr(line->text, "terminatingonsignal");
	unsigned number;

	if (!at)
		return;
	at += strlen("terminatingonsignal");
	if (fio_scan_unsigned(&at, &number) && number < 128)
		run->signal = (int)number;
}

/* ---- heads of results ---- */

static struct fio_result *add_result(struct fio_run *run)
{
	run->results = hl_arena_extend(run->arena, run->results, run->nr_results,
				       sizeof(*run->results));
	return &run->results[run->nr_results++];
}

struct fio_result *fio_result_begin(struct fio_run *run, unsigned line)
{
	struct fio_result *result = add_result(run);

	*result = (struct fio_result){
		.line = line,
		.last_line = line,
		.issued = { NAN, NAN, NAN },
		.depth = NAN,
		.cpu_user_pct = NAN,
		.cpu_system_pct = NAN,
		.nr_errors = NAN,
	};
	run->result = result;
	run->rate = NULL;
	run->row_of = NULL;
	return result;
}

void fio_take_result(struct fio_run *run, const struct fio_line *line)
{
	struct fio_result *result = fio_result_begin(run, line->number);
	const char *at = find_last(line->text, "(groupid=");

	result->name = job_name(run, line);
	if (!at)
		return;
	fio_scan_unsigned(&at, &result->group);
	if (fio_scan_word(&at, ",jobs="))
		fio_scan_unsigned(&at, &result->jobs);
	if (fio_scan_word(&at, "):err="))
		result->error = scan_error(&at);
	if (result->error)
		result->error_text = error_text(run, line);
	at = fio_find(at, "pid=");
	if (at)
		fio_scan_unsigned(&at, &result->pid);
}
