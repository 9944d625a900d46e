/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that was taken out of the source of a web page: its tags, and entities as "&quot;".
 */
#ifndef HOPLOSS_ENTITY_H
#define HOPLOSS_ENTITY_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the entity that bytes begin with, and what it stands for; 0 = it is none. */
size_t hl_entity(const char *bytes, size_t len, char *ret_c);

/*
 * Whether the line is one of JSON whose quotes are entities: such a quote is the first thing in it
 * behind brackets, commas and tags.
 */
bool hl_entity_is_json(const char *line, size_t len);
/* Puts in the place of all entities what they stand for; returns the new length. */
size_t hl_entity_replace(char *bytes, size_t len);
/*
 * Takes away the tags that text is set with ("<pre>", "<span ...>", "<b>" where "</b>" is in the
 * line, too); XML stays. Returns the new length.
 */
size_t hl_entity_drop_tags(char *line, size_t len);
/*
 * Of a forum: which of "[CODE]" and its like are closed in the text, and one line without these.
 * What is never closed may be a section of that name.
 */
unsigned hl_forum_tags(const char *text, size_t len);
size_t hl_forum_drop_tags(char *line, size_t len, unsigned found);
/* Puts a blank for each "&nbsp;" and its like; returns the new length. */
size_t hl_entity_plain_blanks(char *line, size_t len);

#endif
