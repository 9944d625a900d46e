/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of lspci as people save it: plain, with -v to -vvv, -k, -nn, -n, -mm, -D, and with a
 * dump of config space (-x to -xxxx), or several of these one after another.
 *
 * Surprising: a dump is exact and text is what one version of lspci made of it, so where both are
 * there the dump counts. A function that comes a second time begins a second listing; listings that
 * do not contradict each other are of one machine and are joined.
 */
#include "lspci.h"
#include "hoploss/format.h"
#include "saved.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

#define MAX_FUNCTIONS 4096 /* of one file */
#define MAX_LISTINGS  16   /* that are looked at for joining */
#define DENIED        "Capabilities: <access denied>"

/* ---- which lines ---- */

static bool is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

/* "root@pve:~# ", "$ ", "[root@pve ~]# " */
static bool is_prompt(struct hl_line line)
{
	const char *mark;

	if (!line.len || isblank((unsigned char)line.start[0]))
		return false;
	mark = memchr(line.start, '#', line.len);
	if (!mark)
		mark = memchr(line.start, '$', line.len);
	if (!mark)
		return false;
	return mark == line.start || memchr(line.start, '@', (size_t)(mark - line.start));
}

static bool is_header(struct hl_line line)
{
	struct pci_function at;

	return lspci_is_head(line, &at);
}

static bool begins_here(struct hl_line line)
{
	return is_header(line) || lspci_is_hex(line) || lspci_is_known(line);
}

/* A command that names a device, and fields of it below, but no head: they went through grep. */
static bool is_headless(const struct hl_text *text, size_t at)
{
	struct pci_function function;
	size_t row, skip;

	return at + 1 < text->nr_lines && lspci_is_command(text->lines[at], &function) &&
	       lspci_find_field(hl_line_trim(text->lines[at + 1]), &row, &skip);
}

/* A mailer put an empty line behind each: then one says nothing. */
static size_t usual_gap(const struct hl_text *text, size_t at)
{
	return at + 2 < text->nr_lines && is_blank(text->lines[at + 1]) &&
			       lspci_is_known(text->lines[at + 2])
		       ? 1
		       : 0;
}

static size_t lspci_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1, gap = usual_gap(text, at);

	if (!is_header(text->lines[at]) && !is_headless(text, at))
		return 0;
	for (size_t i = end; i < text->nr_lines; i++) {
		bool is_behind_blank = i > end + gap;

		if (is_blank(text->lines[i]))
			continue;
		if (is_prompt(text->lines[i]))
			break;
		if (is_behind_blank && !begins_here(text->lines[i]))
			break;
		end = i + 1;
	}
	return end - at;
}

/* ---- reading ---- */

struct reader {
	const struct hl_text *slice;
	struct hl_graph *graph;
	struct pci_listing listings[MAX_LISTINGS];
	size_t nr_listings, nr_functions;
};

static size_t function_end(const struct hl_text *slice, size_t first)
{
	size_t end = first + 1;

	while (end < slice->nr_lines && !is_header(slice->lines[end]))
		end++;
	return end;
}

static void begin_listing(struct reader *reader)
{
	reader->listings[reader->nr_listings++] = (struct pci_listing){
		.arena = reader->graph->arena
	};
}

/* Joins the last listing with one before it, if they can be of the same machine. */
static void end_listing(struct reader *reader)
{
	struct pci_listing *last = &reader->listings[reader->nr_listings - 1];

	for (size_t i = 0; i + 1 < reader->nr_listings; i++) {
		if (hl_pci_listing_merge(&reader->listings[i], last)) {
			reader->nr_listings--;
			return;
		}
	}
}

static bool read_one(struct reader *reader, size_t first, size_t end)
{
	struct pci_listing *listing = &reader->listings[reader->nr_listings - 1];
	struct pci_function head;

	if (!lspci_is_head(reader->slice->lines[first], &head) &&
	    !lspci_is_command(reader->slice->lines[first], &head))
		return false;
	if (hl_pci_listing_find(listing, &head)) {
		end_listing(reader);
		if (reader->nr_listings == MAX_LISTINGS)
			return false;
		begin_listing(reader);
		listing = &reader->listings[reader->nr_listings - 1];
	}
	lspci_read_function(reader->slice, first, end - first, listing,
			    hl_pci_listing_add(listing, &head));
	return ++reader->nr_functions < MAX_FUNCTIONS;
}

static bool is_denied(const struct hl_text *slice)
{
	for (size_t i = 0; i < slice->nr_lines; i++) {
		if (hl_line_has(slice->lines[i], DENIED))
			return true;
	}
	return false;
}

static bool has_dump(const struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++) {
		if (listing->functions[i]->config)
			return true;
	}
	return false;
}

static int finish(struct reader *reader, const char *host, struct hl_error *err)
{
	int r = 0;

	for (size_t i = 0; i < reader->nr_listings; i++) {
		struct pci_listing *listing = &reader->listings[i];
		int failed = has_dump(listing) ? hl_pci_config_read(listing, err) : 0;

		hl_pci_listing_sort(listing);
		r = failed ? failed : r;
		hl_pci_tree_fill(listing);
		hl_pci_chain_fill(listing);
		hl_pci_facts_add(listing, host, reader->graph);
	}
	return r;
}

static int read_whole(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct reader reader = { .slice = slice, .graph = reading->graph };

	begin_listing(&reader);
	for (size_t at = 0; at < slice->nr_lines;) {
		size_t end = function_end(slice, at);

		if (!read_one(&reader, at, end))
			break;
		at = end;
	}
	end_listing(&reader);
	if (is_denied(slice))
		hl_graph_warn(reading->graph,
			      "%s: lspci was not run as root: it does not say how the links are",
			      slice->name);
	return finish(&reader, reading->host, err);
}

/* ---- text that is cut off ---- */

/* A dump ends with the 64, 128, 256 or 4,096 bytes that were asked for. */
static bool is_dump_cut(struct hl_line line)
{
	size_t colon = line.start[2] == ':' ? 2 : 3;

	return line.len < colon + 1 + 3 * 16 || !strchr("37f", line.start[colon - 2]) ||
	       line.start[colon - 1] != '0';
}

/* Behind these there is always more, unless all went through grep; "Control:" comes first. */
static bool is_fields_cut(const struct hl_text *slice, struct hl_line last)
{
	static const char *const inner[] = {
		"Control:", "DevCap:", "DevCtl:", "DevSta:", "LnkCap:", "LnkCtl:", "LnkSta:",
		"SltCap:",  "SltCtl:", "UESta:",  "UEMsk:",  "UESvrt:", "CESta:",  "CEMsk:",
	};
	bool is_verbose = false, is_inner = false;

	for (size_t i = 0; i < slice->nr_lines; i++)
		is_verbose = is_verbose ||
			     hl_line_starts(hl_line_trim(slice->lines[i]), "Control:");
	for (size_t i = 0; i < sizeof(inner) / sizeof(*inner); i++)
		is_inner = is_inner || hl_line_starts(last, inner[i]) ||
			   (last.len > 2 && last.len < strlen(inner[i]) &&
			    !memcmp(last.start, inner[i], last.len));
	return is_verbose && is_inner && slice->is_open;
}

static int lspci_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	HL_FREE struct hl_line *lines = NULL;
	struct hl_line last = saved_last_line(slice);
	struct hl_text rest;
	bool is_hex = lspci_is_hex(last);
	int r;

	if (!(is_hex ? is_dump_cut(last) : is_fields_cut(slice, last)))
		return read_whole(slice, reading, err);
	/* half of a list of flags is none; of the link, what stands before is whole */
	rest = saved_drop_end(slice,
			      !is_hex && !hl_line_starts(last, "LnkCap:") &&
				      !hl_line_starts(last, "LnkSta:"),
			      &lines);
	r = read_whole(is_hex ? slice : &rest, reading, err);
	return r < 0 ? r : hl_fail(err, EBADMSG, "%s:%u: it is cut off", slice->name, last.number);
}

const struct hl_format hl_format_lspci = {
	.name = "lspci",
	.summary = "lspci, with -v, -vv, -nn, -k or -xxxx",
	.claim = lspci_claim,
	.read = lspci_read,
};
