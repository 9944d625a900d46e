/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pasted XML: where an element ends, and making well-formed XML of what people paste.
 */
#ifndef PROBES_MARKUP_H
#define PROBES_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

struct markup {
	const char *bytes;
	size_t len, at;
};

struct markup_tag {
	bool is_close, is_empty;
	const char *name;
	size_t name_len;
	size_t start, attributes, end; /* offsets: '<', behind the name, behind '>' */
};

/* The next tag; comments, declarations and everything else in between is passed over. */
bool markup_next(struct markup *markup, struct markup_tag *ret_tag);
bool markup_tag_is(const struct markup_tag *tag, const char *name);

struct markup_attribute {
	const char *name, *value;
	size_t name_len, value_len;
};

/* The next attribute of a tag; *at starts at its attributes. Values without quotes are taken. */
bool markup_attribute_next(const struct markup *markup, const struct markup_tag *tag, size_t *at,
			   struct markup_attribute *ret_attribute);

/* Behind a comment, a declaration or an instruction that begins at at; 0 = none does. */
size_t markup_skip_other(const struct markup *markup, size_t at);

/* Text in which every tag is written "&lt;name&gt;", as a web page has it: the text meant. */
bool markup_is_escaped(const char *bytes, size_t len);
/* Unescaped one time; the number of lines stays. To be freed. */
char *markup_unescape(const char *bytes, size_t len, size_t *ret_len);

/* What may pass, to be kept; the lists end with NULL. */
struct markup_rules {
	const char *const *elements;
	const char *const *attributes;
};

/*
 * Well-formed XML: open elements are closed, stray ends, comments and declarations dropped, values
 * without quotes and stray '<' and '&' mended. Lines stay the same. To be freed.
 * ret_is_cut (may be NULL): elements were open at its end.
 * rules NULL: with one root, "fragment", around all. Else only what the rules let pass: an element
 * that they do not name goes with all that is in it.
 */
char *markup_mend(const char *bytes, size_t len, const struct markup_rules *rules, size_t *ret_len,
		  bool *ret_is_cut);

#endif
