/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What kind of line of fio's text this is, told by its beginning alone (fio 1.x to 3.42: stat.c,
 * init.c, backend.c, filesetup.c, client.c print them).
 *
 * Surprising: blanks mean nothing here. Copies from web pages have lost or collapsed them, so a
 * pattern matches with any number of blanks between any two of its characters. A job may have any
 * name: such lines are only known by what follows the name.
 */
#include "fio_text.h"
#include <string.h>

static const struct {
	const char *text;
	enum fio_kind kind;
} patterns[] = {
	{ "|", FIO_ROW },
	{ "slat(", FIO_LATENCY },
	{ "clat(", FIO_LATENCY },
	{ "sync(", FIO_LATENCY },
	{ "lat(nsec):min=", FIO_LATENCY },
	{ "lat(usec):min=", FIO_LATENCY },
	{ "lat(msec):min=", FIO_LATENCY },
	{ "lat(nsec):", FIO_DETAIL },
	{ "lat(usec):", FIO_DETAIL },
	{ "lat(msec):", FIO_DETAIL },
	{ "clatpercentiles(", FIO_PERCENTILES },
	{ "latpercentiles(", FIO_PERCENTILES },
	{ "slatpercentiles(", FIO_PERCENTILES },
	{ "syncpercentiles(", FIO_PERCENTILES },
	{ "clatprio", FIO_PERCENTILES }, /* of some I/Os only: taken for nobody's */
	{ "latprio", FIO_PERCENTILES },
	{ "highprio", FIO_PERCENTILES },
	{ "lowprio", FIO_PERCENTILES },
	{ "bw(", FIO_RATE_DETAIL },
	{ "iops:min=", FIO_RATE_DETAIL },
	{ "cpu:usr=", FIO_CPU },
	{ "IOdepths:1=", FIO_DETAIL },
	{ "submit:0=", FIO_DETAIL },
	{ "complete:0=", FIO_DETAIL },
	{ "issuedrwts:total=", FIO_ISSUED },
	{ "issuedrwt:total=", FIO_ISSUED },
	{ "issued:total=", FIO_ISSUED },
	{ "issuedr/w:total=", FIO_ISSUED },
	{ "issuedr/w/d:total=", FIO_ISSUED },
	{ "latency:target=", FIO_TARGET },
	{ "errors:total=", FIO_ERRORS },
	{ "fsync/fdatasync", FIO_SYNC },
	{ "Runstatusgroup", FIO_GROUP },
	{ "Diskstats(", FIO_DISKS },
	{ "Description:[", FIO_DETAIL },
	{ "steadystate:attained=", FIO_DETAIL },
	{ "blocklifetimepercentiles", FIO_DETAIL },
	{ "states:unwritten=", FIO_DETAIL },
	{ "fio:pid=", FIO_ERROR },
	{ "fio:", FIO_NOTE },
	{ "note:both", FIO_NOTE },
	{ "client<", FIO_NOTE },
	{ "hostname=", FIO_HOST },
};

static const struct {
	const char *name;
	enum hl_dir dir;
	enum fio_kind kind;
	const char *firsts[2]; /* the first figure: of 3.x, of 2.x */
} rates[] = {
	{ "read:", HL_DIR_READ, FIO_RATE, { "IOPS=", "io=" } },
	{ "write:", HL_DIR_WRITE, FIO_RATE, { "IOPS=", "io=" } },
	{ "trim:", HL_DIR_TRIM, FIO_RATE, { "IOPS=", "io=" } },
	{ "mixed:", HL_DIR_MIXED, FIO_RATE, { "IOPS=", "io=" } },
	{ "READ:", HL_DIR_READ, FIO_GROUP_RATE, { "bw=", "io=" } },
	{ "WRITE:", HL_DIR_WRITE, FIO_GROUP_RATE, { "bw=", "io=" } },
	{ "TRIM:", HL_DIR_TRIM, FIO_GROUP_RATE, { "bw=", "io=" } },
	{ "MIXED:", HL_DIR_MIXED, FIO_GROUP_RATE, { "bw=", "io=" } },
};

#define NR_PATTERNS  (sizeof(patterns) / sizeof(*patterns))
#define NR_RATES     (sizeof(rates) / sizeof(*rates))
#define NAME_MAX_LEN 1024 /* fio's own limit is 255, but a name may be escaped */

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end) {
		if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
			at++;
		else if (*at == '&' && end - at >= 6 && !memcmp(at, "&nbsp;", 6))
			at += 6;
		else
			break;
	}
	return at;
}

/* Behind pattern at the beginning of [at, end), or NULL. */
static const char *match(const char *at, const char *end, const char *pattern)
{
	for (; *pattern; pattern++) {
		if (at == end || *at != *pattern)
			at = skip_blanks(at, end);
		if (at == end || *at != *pattern)
			return NULL;
		at++;
	}
	return at;
}

static const char *match_digits(const char *at, const char *end)
{
	const char *first = at = skip_blanks(at, end);

	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at > first ? at : NULL;
}

static bool is_at_end(const char *at, const char *end)
{
	return skip_blanks(at, end) == end;
}

/* Behind a "<host> " of a client, escaped or not, or behind a tag of a page; or at itself. */
static const char *skip_mark(const char *at, const char *end)
{
	bool is_escaped = end - at > 4 && !memcmp(at, "&lt;", 4);
	const char *close;

	if (at == end || (*at != '<' && !is_escaped))
		return at;
	close = is_escaped ? memmem(at, (size_t)(end - at), "&gt;", 4)
			   : memchr(at, '>', (size_t)(end - at));
	if (!close || close - at > 256 || memchr(at, ' ', (size_t)(close - at)))
		return at;
	return skip_blanks(close + (is_escaped ? 4 : 1), end);
}

/* In front of a "<br>" or "</pre>" at the end; or end itself. */
static const char *drop_tag(const char *start, const char *end)
{
	size_t len = end - start > 8 ? 8 : (size_t)(end - start);
	const char *tag = len && end[-1] == '>' ? memrchr(end - len, '<', len) : NULL;

	return tag && !memchr(tag, ' ', (size_t)(end - tag)) ? tag : end;
}

struct hl_line fio_drop_tags(struct hl_line line)
{
	const char *end = line.start + line.len, *start = skip_blanks(line.start, end), *last;

	do {
		last = start;
		start = skip_mark(start, end);
	} while (start != last);
	do {
		last = end;
		end = drop_tag(start, end);
	} while (end != last);
	line.start = start;
	line.len = (unsigned)(end - start);
	return line;
}

static bool is_version(const char *at, const char *end)
{
	if (end - at > 40)
		return false;
	for (; at < end && !is_at_end(at, end); at++) {
		if (!*at || !strchr("0123456789.-_abcdefghijklmnopqrstuvwxyz", *at))
			return false;
	}
	return true;
}

/* "fio-3.36", and "fio 1.59" of old ones: the whole line. */
static bool is_banner(const char *at, const char *end)
{
	const char *number;

	if (end - at < 5 || memcmp(at, "fio", 3) || (at[3] != '-' && at[3] != ' '))
		return false;
	number = match_digits(at + 4, end);
	return number && number < end && *number == '.' && is_version(at + 4, end);
}

/* "Starting 2 processes", "Starting 1 thread and 1 process" */
static bool is_start(const char *at, const char *end)
{
	at = match(at, end, "Starting");
	at = at ? match_digits(at, end) : NULL;
	return at && (match(at, end, "process") || match(at, end, "thread"));
}

/* "Jobs: 4 (f=4): …"; "(f=4): …" of a client. Typing ^C may have hidden the beginning. */
static bool is_progress(const char *at, const char *end)
{
	const char *number = match(at, end, "Jobs:");

	number = number ? match_digits(number, end) : NULL;
	number = match(number ? number : at, end, "(f=");
	return number && match_digits(number, end);
}

/* "| 99.00th=[ 16057]", and the rest of such a row. */
static bool is_row(const char *at, const char *end)
{
	const char *bar = match(at, end, "|");

	at = match_digits(bar ? bar : at, end);
	if (!at)
		return false;
	if (at < end && *at == '.')
		at = match_digits(at + 1, end);
	return at && (match(at, end, "th=["));
}

static bool is_other(const char *at, const char *end, enum fio_kind *ret_kind)
{
	switch (*at) {
	case '.':
		*ret_kind = FIO_MORE;
		return end - at >= 3 && !memcmp(at, "...", 3) && is_at_end(at + 3, end);
	case 'f':
		*ret_kind = FIO_BANNER;
		return is_banner(at, end);
	case 'S':
		*ret_kind = FIO_START;
		return is_start(at, end);
	case 'J':
	case '(':
		*ret_kind = FIO_NOTE;
		return is_progress(at, end);
	case '0' ... '9':
		*ret_kind = FIO_ROW;
		return is_row(at, end);
	}
	return false;
}

/* "=====name: (g=0)": a script drew a line and did not end it. */
static void skip_drawn_line(struct fio_mark *mark)
{
	const char *behind = mark->start;

	for (const char *at = mark->start; at + 4 < mark->name_end; at++) {
		if (!memcmp(at, "====", 4))
			behind = at + 4;
	}
	while (behind < mark->name_end && *behind == ' ')
		behind++;
	if (behind < mark->name_end && *behind != ':')
		mark->start = behind;
}

/* "name: (g=0): rw=", "name: (groupid=0, jobs=": the last one, as the name may look like one. */
static bool is_named_group(struct fio_mark *mark, const char *end)
{
	const char *limit = end - mark->start > NAME_MAX_LEN ? mark->start + NAME_MAX_LEN : end;
	const char *at = mark->start;
	bool is_found = false;

	while (at < limit && (at = memchr(at, '(', (size_t)(limit - at)))) {
		const char *job = match(at, end, "(g=");
		const char *result = job ? NULL : match(at, end, "(groupid=");
		const char *digits = job || result ? match_digits(job ? job : result, end) : NULL;
		bool is_job = job && digits && match(digits, end, "):");

		if (is_job || (result && digits && match(digits, end, ","))) {
			mark->kind = is_job ? FIO_JOB : FIO_RESULT;
			mark->name_end = at;
			is_found = true;
		}
		at++;
	}
	if (is_found)
		skip_drawn_line(mark);
	return is_found;
}

static bool is_named_other(struct fio_mark *mark, const char *end)
{
	static const struct {
		const char *text;
		enum fio_kind kind;
	} rests[] = {
		{ ": Laying out IO file", FIO_LAYOUT },
		{ ": ios=", FIO_DISK },
	};
	size_t len = (size_t)(end - mark->start);

	if (len > NAME_MAX_LEN)
		len = NAME_MAX_LEN;
	for (size_t i = 0; i < sizeof(rests) / sizeof(*rests); i++) {
		mark->name_end = memmem(mark->start, len, rests[i].text, strlen(rests[i].text));
		mark->kind = rests[i].kind;
		if (mark->name_end)
			return true;
	}
	return false;
}

static bool is_rate(struct fio_mark *mark, const char *end)
{
	for (size_t i = 0; i < NR_RATES; i++) {
		const char *at;

		if (rates[i].name[0] != *mark->start)
			continue;
		at = match(mark->start, end, rates[i].name);
		if (!at ||
		    !(match(at, end, rates[i].firsts[0]) || match(at, end, rates[i].firsts[1])))
			continue;
		mark->kind = rates[i].kind;
		mark->dir = rates[i].dir;
		return true;
	}
	return false;
}

static bool is_pattern(struct fio_mark *mark, const char *end)
{
	for (size_t i = 0; i < NR_PATTERNS; i++) {
		if (patterns[i].text[0] != *mark->start ||
		    !match(mark->start, end, patterns[i].text))
			continue;
		mark->kind = patterns[i].kind;
		return mark->kind != FIO_ROW || is_row(mark->start, end);
	}
	return false;
}

static struct fio_mark mark_of(struct hl_line line)
{
	struct hl_line plain = fio_drop_tags(line);
	const char *end = plain.start + plain.len;
	struct fio_mark mark = { .start = plain.start };

	if (mark.start == end) {
		mark.kind = FIO_BLANK;
		return mark;
	}
	if (is_pattern(&mark, end) || is_rate(&mark, end) || is_other(mark.start, end, &mark.kind))
		return mark;
	if (memchr(mark.start, ':', (size_t)(end - mark.start)) &&
	    (is_named_group(&mark, end) || is_named_other(&mark, end)))
		return mark;
	mark.kind = FIO_NONE;
	mark.name_end = NULL;
	return mark;
}

/* A name so long, or indented so far, that a mailer broke the line behind it. */
static bool is_lone_name(const struct hl_text *text, size_t at)
{
	struct hl_line line = hl_line_trim(text->lines[at]);
	struct fio_mark next;

	if (!line.len || line.start[line.len - 1] != ':' || at + 1 == text->nr_lines)
		return false;
	next = mark_of(text->lines[at + 1]);
	return (next.kind == FIO_JOB || next.kind == FIO_RESULT) && next.name_end == next.start;
}

struct fio_mark fio_mark_at(const struct hl_text *text, size_t at)
{
	struct fio_mark mark = mark_of(text->lines[at]);

	if (mark.kind == FIO_NONE && is_lone_name(text, at)) {
		mark.kind = mark_of(text->lines[at + 1]).kind;
		mark.name_end = text->lines[at].start + text->lines[at].len;
	} else if (mark.name_end == mark.start) {
		mark.kind = FIO_NONE; /* the rest of such a line */
	}
	return mark;
}
