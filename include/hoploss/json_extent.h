/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON in the middle of pasted text: where a value begins and ends, and reading it although it was
 * cut short, has other lines in between, or was printed wrongly by the tool.
 */
#ifndef HOPLOSS_JSON_EXTENT_H
#define HOPLOSS_JSON_EXTENT_H

#include "hoploss/error.h"
#include "hoploss/json.h"
#include "hoploss/text.h"

/*
 * How many lines belong to the JSON value that begins in line "at": an object with a member or an
 * array of such objects. 0 = none does. A value that is cut short ends with its last good line. A
 * value that begins behind another one in its last line is included. Does not parse: cheap.
 */
size_t hl_json_extent(const struct hl_text *text, size_t at);

/* Whether the text of the slice has "key" in quotes. */
bool hl_json_mentions(const struct hl_text *slice, const char *key);

struct hl_json_piece {
	struct hl_json *root; /* free with hl_json_free */
	size_t first, last;   /* lines of the slice, by index */
	bool is_cut;          /* ends early: the last members of the innermost values are missing */
};

/*
 * The next JSON value of slice; *cursor starts at 0. Besides what hl_json_parse mends, it accepts
 * trailing commas, up to 16 lines of other output in between, and an early end. -ENODATA: no more
 * values. -EBADMSG: cannot be mended; err names file and line.
 */
int hl_json_piece_next(const struct hl_text *slice, size_t *cursor, struct hl_json_piece *ret_piece,
		       struct hl_error *err);

#endif
