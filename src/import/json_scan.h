/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scanner behind json_extent.c: where a JSON value ends, and a mended copy of it.
 */
#ifndef HL_JSON_SCAN_H
#define HL_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#define HL_JSON_DEPTH 64

enum hl_json_expect {
	EXPECT_VALUE, /* behind a colon */
	EXPECT_ITEM,  /* an element, or ']' */
	EXPECT_KEY,   /* a member, or '}' */
	EXPECT_COLON,
	EXPECT_COMMA, /* or a closing bracket */
	EXPECT_NOTHING,
};

struct hl_json_scan { /* start with bytes, len and at; the rest zero */
	const char *bytes;
	size_t len;
	size_t at;
	char open[HL_JSON_DEPTH]; /* '{' or '[' */
	unsigned depth;
	enum hl_json_expect expect;
	bool has_comma; /* read, not yet written */
	size_t good;    /* behind the last token that fitted */
	unsigned nr_noise;
	char *out; /* mended copy; NULL: only the end is wanted */
	size_t nr_out;
	size_t safe; /* the copy may be closed behind this many bytes */
};

enum hl_json_outcome { SCAN_DONE, SCAN_CUT, SCAN_BROKEN };

/*
 * Scans the value that begins at scan->at. With scan->out, which must have room for the rest of
 * bytes and HL_JSON_DEPTH more, writes the mended copy.
 */
enum hl_json_outcome hl_json_scan(struct hl_json_scan *scan);

size_t hl_json_skip_blanks(const char *bytes, size_t len, size_t at);
size_t hl_json_string_length(const char *bytes,
			     size_t len); /* with its quotes; 0 = it is cut short */

#endif
