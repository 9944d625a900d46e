/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cuts a text into segments and has each read by its format: see hoploss/format.h.
 *
 * Surprising: a piece whose format says -ENODATA is a lead-in (fio names its jobs, then prints
 * JSON): it belongs to the segment that follows at once. A run that the file holds twice is taken
 * once; the repeated segment is listed, and what it brought is dropped.
 */
#include "hoploss/format.h"
#include "hoploss/json_extent.h"
#include "repeat.h"
#include <errno.h>
#include <string.h>

#define SNIFF_BYTES 4096 /* looked at to tell text from binary data */

struct cutter {
	const struct hl_text *text;
	struct hl_reading *reading;
	struct hl_repeat *repeat;
	size_t prose_first, prose_end; /* lines that no format claimed; no blank ones at the ends */
	struct hl_input *lead_in;      /* the last segment, while it had no results of its own */
	int nr_read, nr_known;
	unsigned nr_repeats;
	char first_reason[240]; /* of the first segment that was unusable */
};

struct hl_hop *hl_reading_hop(struct hl_reading *reading)
{
	if (reading->hop)
		return reading->hop;
	reading->hop = hl_graph_find_hop(reading->graph, reading->hop_name);
	if (reading->hop)
		return reading->hop;
	reading->hop = hl_graph_add_hop(reading->graph, reading->hop_name);
	reading->hop->layer = reading->layer;
	reading->hop->host = hl_arena_strdup(reading->graph->arena, reading->host);
	return reading->hop;
}

/* The name in the arena; mostly that of the measurement before. */
static const char *keep_name(struct hl_reading *reading, const struct hl_hop *hop, const char *name)
{
	const char *last = hop->nr_measurements ? hop->measurements[hop->nr_measurements - 1]->file
						: NULL;

	return last && !strcmp(last, name) ? last : hl_arena_strdup(reading->graph->arena, name);
}

struct hl_measurement *hl_reading_measurement(struct hl_reading *reading,
					      const struct hl_text *slice, unsigned line)
{
	struct hl_hop *hop = hl_reading_hop(reading);
	const char *file = keep_name(reading, hop, slice->name);
	struct hl_measurement *at = hl_graph_add_measurement(reading->graph, hop);

	at->file = file;
	at->run = reading->nr_runs;
	at->line = line;
	at->status = HL_STATUS_IMPORTED;
	return at;
}

/* ---- what was cut ---- */

static struct hl_input *add_input(struct cutter *cutter, size_t first, size_t end)
{
	struct hl_graph *graph = cutter->reading->graph;
	const struct hl_input *last = graph->nr_inputs ? graph->inputs[graph->nr_inputs - 1] : NULL;
	bool is_same_file = last && !strcmp(last->file, cutter->text->name);
	struct hl_input *input = hl_graph_add_input(graph);

	input->file = is_same_file ? last->file : hl_arena_strdup(graph->arena, cutter->text->name);
	input->first_line = first < end ? cutter->text->lines[first].number : 0;
	input->last_line = first < end ? cutter->text->lines[end - 1].number : 0;
	return input;
}

static void end_prose(struct cutter *cutter)
{
	if (cutter->prose_first < cutter->prose_end)
		add_input(cutter, cutter->prose_first, cutter->prose_end)->status = HL_INPUT_PROSE;
	cutter->prose_first = cutter->prose_end = 0;
}

static void add_prose(struct cutter *cutter, size_t at)
{
	if (!hl_line_trim(cutter->text->lines[at]).len)
		return;
	if (cutter->prose_first == cutter->prose_end)
		cutter->prose_first = at;
	cutter->prose_end = at + 1;
	cutter->lead_in = NULL;
}

/* ---- one segment ---- */

struct counts {
	size_t measurements, disks; /* of this hop */
	size_t all;                 /* measurements of all hops: a table brings its own */
	size_t facts;
	unsigned runs;
};

static struct counts count(const struct hl_reading *reading)
{
	size_t all = 0;

	for (size_t i = 0; i < reading->graph->nr_hops; i++)
		all += reading->graph->hops[i]->nr_measurements;
	return (struct counts){
		.all = all,
		.measurements = reading->hop ? reading->hop->nr_measurements : 0,
		.disks = reading->hop ? reading->hop->nr_disks : 0,
		.facts = reading->graph->nr_facts,
		.runs = reading->nr_runs,
	};
}

static bool has_new(const struct hl_reading *reading, const struct counts *before)
{
	struct counts now = count(reading);

	return now.all > before->all || now.facts > before->facts;
}

static void drop_repeat(struct cutter *cutter, struct hl_input *input, const struct counts *before)
{
	struct hl_reading *reading = cutter->reading;
	const struct hl_measurement *original;

	if (!reading->hop || reading->graph->nr_facts > before->facts)
		return;
	original = hl_repeat_add(cutter->repeat, reading->hop, before->measurements);
	if (!original)
		return;
	reading->hop->nr_measurements = before->measurements;
	reading->hop->nr_disks = before->disks;
	reading->nr_runs = before->runs;
	input->reason = hl_arena_printf(reading->graph->arena,
					"the same run as at line %u, counted once", original->line);
	cutter->nr_repeats++;
}

static void take_reason(struct cutter *cutter, struct hl_input *input, const struct hl_error *err)
{
	input->reason = hl_arena_strdup(cutter->reading->graph->arena, err->text);
	if (!cutter->first_reason[0])
		memcpy(cutter->first_reason, err->text, sizeof(cutter->first_reason));
}

/* A lead-in and what follows at once are listed as one. */
static struct hl_input *begin_input(struct cutter *cutter, const struct hl_format *format,
				    size_t at, size_t nr)
{
	struct hl_input *input = cutter->lead_in;

	cutter->lead_in = NULL;
	if (!input || !format->read || input->format == format->name)
		return add_input(cutter, at, at + nr);
	cutter->first_reason[0] = '\0';
	input->last_line = cutter->text->lines[at + nr - 1].number;
	input->reason = NULL;
	return input;
}

/* JSON that is open where the text ends. Pieces of it that were pasted close what they open. */
static bool is_cut_json(const struct hl_text *slice)
{
	size_t depth = 0;
	bool is_string = false;

	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct hl_line line = slice->lines[i];

		for (size_t k = 0; k < line.len; k++) {
			char c = line.start[k];

			if (is_string && c == '\\')
				k++;
			else if (c == '"')
				is_string = !is_string;
			else if (!is_string && (c == '{' || c == '['))
				depth++;
			else if (!is_string && (c == '}' || c == ']'))
				depth -= depth > 0;
		}
	}
	return depth;
}

static bool begins_json(const struct hl_text *slice)
{
	struct hl_line line = hl_line_trim(slice->lines[0]);

	return line.len && strchr("{[\"", *line.start);
}

/* State that is known only in part is not known: what is missing may be the illness. */
static void check_end(struct cutter *cutter, struct hl_input *input, const struct hl_text *slice,
		      bool is_last, int r)
{
	input->is_partial = r == -EBADMSG;
	if (r < 0 || !is_last || !begins_json(slice) || !is_cut_json(slice))
		return;
	input->is_partial = true;
	input->reason = hl_arena_printf(cutter->reading->graph->arena, "%s:%u: the JSON ends early",
					slice->name, slice->lines[slice->nr_lines - 1].number);
}

static bool is_rest_blank(const struct hl_text *text, size_t at)
{
	while (at < text->nr_lines && !hl_line_trim(text->lines[at]).len)
		at++;
	return at == text->nr_lines;
}

static void read_segment(struct cutter *cutter, const struct hl_format *format, size_t at,
			 size_t nr)
{
	struct hl_text slice = hl_text_slice(cutter->text, at, nr);
	struct counts before = count(cutter->reading);
	struct hl_error err = { 0 };
	struct hl_input *input;
	int r;

	end_prose(cutter);
	cutter->nr_known++;
	input = begin_input(cutter, format, at, nr);
	input->format = format->name;
	input->status = format->read ? HL_INPUT_READ : HL_INPUT_RECOGNISED;
	if (!format->read)
		return;
	r = format->read(&slice, cutter->reading, &err);
	if (r < 0)
		take_reason(cutter, input, &err);
	if (r < 0 && !has_new(cutter->reading, &before)) {
		input->status = HL_INPUT_UNUSABLE;
		cutter->lead_in = r == -ENODATA ? input : NULL;
		return;
	}
	cutter->nr_read++;
	if (cutter->reading->graph->nr_facts > before.facts)
		check_end(cutter, input, &slice, is_rest_blank(cutter->text, at + nr), r);
	drop_repeat(cutter, input, &before);
}

static size_t claim_by_other(const struct hl_text *text, size_t at, const struct hl_format *but)
{
	for (const struct hl_format *const *format = hl_formats; *format; format++) {
		size_t nr = *format == but ? 0 : (*format)->claim(text, at);

		if (nr)
			return nr;
	}
	return 0;
}

/* What is only named ends where something else begins. */
static size_t limit_named(const struct hl_text *text, size_t at, size_t nr,
			  const struct hl_format *format)
{
	if (hl_json_extent(text, at)) /* that is exact, and values in it look like others */
		return nr;
	for (size_t i = 1; i < nr; i++) {
		if (claim_by_other(text, at + i, format))
			return i;
	}
	return nr;
}

static size_t claim(const struct hl_text *text, size_t at, const struct hl_format **ret_format)
{
	for (const struct hl_format *const *format = hl_formats; *format; format++) {
		size_t nr = (*format)->claim(text, at);

		if (!nr)
			continue;
		*ret_format = *format;
		if (nr > text->nr_lines - at)
			nr = text->nr_lines - at;
		return (*format)->read ? nr : limit_named(text, at, nr, *format);
	}
	return 0;
}

/* ---- the whole ---- */

static bool is_control(unsigned char c)
{
	return c < 0x20 && c != '\t' && c != '\n' && c != '\f';
}

static bool is_binary(const char *bytes, size_t len)
{
	size_t nr = 0;

	if (len > SNIFF_BYTES)
		len = SNIFF_BYTES;
	for (size_t i = 0; i < len; i++)
		nr += is_control((unsigned char)bytes[i]);
	return nr * 20 > len;
}

static bool is_empty(const struct hl_text *text)
{
	for (size_t i = 0; i < text->nr_lines; i++) {
		if (hl_line_trim(text->lines[i]).len)
			return false;
	}
	return true;
}

static int refuse(struct cutter *cutter, struct hl_error *err, const char *reason)
{
	struct hl_input *input = add_input(cutter, 0, cutter->text->nr_lines);

	input->status = HL_INPUT_UNKNOWN;
	input->reason = reason;
	return hl_fail(err, ENODATA, "%s: %s", cutter->text->name, reason);
}

static void cut(struct cutter *cutter)
{
	const struct hl_text *text = cutter->text;

	for (size_t at = 0; at < text->nr_lines;) {
		const struct hl_format *format;
		size_t nr = claim(text, at, &format);

		if (nr)
			read_segment(cutter, format, at, nr);
		else
			add_prose(cutter, at);
		at += nr ? nr : 1;
	}
}

static int finish(struct cutter *cutter, struct hl_error *err)
{
	if (!cutter->nr_known)
		return refuse(cutter, err, "nothing in it was recognised");
	end_prose(cutter);
	if (cutter->nr_repeats)
		hl_graph_warn(cutter->reading->graph,
			      "%s: %u segment%s a run that is in the file already; counted once",
			      cutter->text->name, cutter->nr_repeats,
			      cutter->nr_repeats == 1 ? " repeats" : "s repeat");
	if (!cutter->nr_read && cutter->first_reason[0])
		return hl_fail(err, ENODATA, "%s", cutter->first_reason);
	return cutter->nr_read;
}

int hl_formats_read(const struct hl_text *text, struct hl_reading *reading, struct hl_error *err)
{
	struct cutter cutter = { .text = text, .reading = reading };
	size_t len;
	const char *bytes = hl_text_bytes(text, &len);
	int r;

	if (is_empty(text))
		return refuse(&cutter, err,
			      "empty file: fio was killed or crashed before it printed");
	if (is_binary(bytes, len))
		return refuse(&cutter, err, "binary data, not text");
	cutter.repeat = hl_repeat_new();
	cut(&cutter);
	r = finish(&cutter, err);
	hl_repeat_free(cutter.repeat);
	return r;
}
