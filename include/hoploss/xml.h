/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * XML: reading (libxml2 behind src/xml.c, the only file that includes it).
 *
 * What is read is a plain tree in an arena. Entities other than the five of XML itself are not
 * known and nothing outside the text is ever loaded, so no text can grow or reach out.
 */
#ifndef HOPLOSS_XML_H
#define HOPLOSS_XML_H

#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include <stdbool.h>

#define HL_XML_SIZE_MAX  (16UL << 20)
#define HL_XML_DEPTH_MAX 64

struct hl_xml_attribute {
	const char *name, *value;
	const struct hl_xml_attribute *next;
};

struct hl_xml {
	const char *name;
	const char *text; /* of its own, without blanks at both ends; NULL = none */
	const struct hl_xml_attribute *attributes;
	struct hl_xml *parent, *first, *next; /* elements only; first child, next sibling */
	unsigned line;                        /* within the text, from 1 */
};

/*
 * The root element of a well-formed text. -EBADMSG: it is not; err names the line. -EFBIG: larger
 * or deeper than the limits. -EOPNOTSUPP: this build has no libxml2.
 */
int hl_xml_parse(struct hl_arena *arena, const char *bytes, size_t len, struct hl_xml **ret_root,
		 struct hl_error *err);

/* The first element at that path of names below element ("source/address"); NULL = none. */
const struct hl_xml *hl_xml_find(const struct hl_xml *element, const char *path);
/* The next sibling of that name. */
const struct hl_xml *hl_xml_next(const struct hl_xml *element, const char *name);
/* NULL element and missing attribute: NULL. */
const char *hl_xml_attribute(const struct hl_xml *element, const char *name);
bool hl_xml_is(const struct hl_xml *element, const char *name); /* false for NULL */

#endif
