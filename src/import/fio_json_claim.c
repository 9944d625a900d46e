/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines belong to fio's JSON: the documents, and what fio printed on the terminal before.
 *
 * Surprising: above the JSON stands the same as above fio's text, the jobs and the errors; only
 * what follows tells whose it is.
 */
#include "fio_json.h"
#include "hoploss/json_extent.h"
#include <stdio.h>
#include <string.h>

/* Lines that may stand above; fio says of each process that it lays out its file. */
#define MAX_ABOVE 64

/* ---- what fio says above ---- */

/* "name: (g=0): rw=read, bs=…", "name: Laying out IO file …" */
static bool is_of_job(struct hl_line line)
{
	return (hl_line_has(line, ": (g=") && hl_line_has(line, " rw=")) ||
	       hl_line_has(line, ": Laying out IO file");
}

static bool is_above(struct hl_line line)
{
	static const char *const starts[] = { "fio: ", "fio-", "Starting ", "...", "Jobs: " };

	line = hl_line_trim(line);
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (hl_line_starts(line, starts[i]))
			return true;
	}
	return is_of_job(line);
}

static bool is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

/* Index of the line under those that fio prints first, from at on. */
static size_t skip_above(const struct hl_text *text, size_t at)
{
	size_t end = at;

	for (size_t i = at; i < text->nr_lines && i < at + MAX_ABOVE; i++) {
		if (is_above(text->lines[i]))
			end = i + 1;
		else if (!is_blank(text->lines[i]))
			break;
	}
	while (end > at && end < text->nr_lines && is_blank(text->lines[end]))
		end++;
	return end;
}

struct hl_line hl_fio_json_error(const struct hl_text *slice, int number)
{
	static const char label[] = "error=";
	char mark[32];

	snprintf(mark, sizeof(mark), " err=%d/", number);
	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct hl_line line = hl_line_trim(slice->lines[i]);
		const char *at = memmem(line.start, line.len, label, strlen(label));

		if (line.len && !is_above(line))
			break;
		if (!at || !hl_line_has(line, mark))
			continue;
		at += strlen(label);
		line.len -= (unsigned)(at - line.start);
		line.start = at;
		return line;
	}
	return (struct hl_line){ 0 };
}

/* ---- documents ---- */

static size_t claim_one(const struct hl_text *text, size_t at)
{
	size_t nr = at < text->nr_lines ? hl_json_extent(text, at) : 0;
	struct hl_text slice = hl_text_slice(text, at, nr);

	if (nr && (hl_json_mentions(&slice, "fio version") ||
		   (hl_json_mentions(&slice, "jobname") && hl_json_mentions(&slice, "io_bytes"))))
		return nr;
	return 0;
}

static bool is_between(struct hl_line line)
{
	line = hl_line_trim(line);
	return !line.len || (line.len == 1 && *line.start == ',');
}

/* Documents that follow at once belong together: they may be of one run. */
static size_t claim_all(const struct hl_text *text, size_t at)
{
	size_t nr = claim_one(text, at), next = at, more = nr;

	while (more) {
		next += more;
		nr = next - at;
		while (next < text->nr_lines && is_between(text->lines[next]))
			next++;
		more = claim_one(text, next);
	}
	return nr;
}

size_t hl_fio_json_claim(const struct hl_text *text, size_t at)
{
	size_t document = at, nr = claim_all(text, at);

	if (!nr) {
		document = skip_above(text, at);
		nr = document > at ? claim_all(text, document) : 0;
	}
	return nr ? document - at + nr : 0;
}
