/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * XML by libxml2's SAX interface: see hoploss/xml.h.
 *
 * Surprising: a document type may declare entities that grow without end or name files. No handler
 * takes declarations in, so the only entities that are ever known are those of XML itself.
 */
#include "hoploss/xml.h"
#include <ctype.h>
#include <errno.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <string.h>

#define TEXT_MAX 4096 /* of one element, give or take a piece */

struct reader {
	struct hl_arena *arena;
	xmlParserCtxtPtr parser;
	struct hl_xml *root, *open;
	struct hl_xml *last[HL_XML_DEPTH_MAX + 1]; /* child of each open element */
	unsigned depth;
	int rc;
};

static void stop(struct reader *reader, int rc)
{
	reader->rc = rc;
	xmlStopParser(reader->parser);
}

/* libxml2 gives five pointers an attribute: name, prefix, URI, value, end of value. */
static void take_attributes(struct reader *reader, struct hl_xml *element, int nr,
			    const xmlChar **fields)
{
	const struct hl_xml_attribute **tail = &element->attributes;

	for (; nr > 0; nr--, fields += 5) {
		struct hl_xml_attribute *attribute = hl_arena_alloc(reader->arena,
								    sizeof(*attribute));

		attribute->name = hl_arena_strdup(reader->arena, (const char *)fields[0]);
		attribute->value = hl_arena_strndup(reader->arena, (const char *)fields[3],
						    (size_t)(fields[4] - fields[3]));
		*tail = attribute;
		tail = &attribute->next;
	}
}

/* NOLINTNEXTLINE(readability-function-size): libxml2's type */
static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
			  const xmlChar *uri, int nr_namespaces, const xmlChar **namespaces,
			  int nr_attributes, int nr_defaulted, const xmlChar **attributes)
{
	struct reader *reader = context;
	struct hl_xml *element;

	(void)prefix, (void)uri, (void)nr_namespaces, (void)namespaces, (void)nr_defaulted;
	if (reader->depth == HL_XML_DEPTH_MAX) {
		stop(reader, -EFBIG);
		return;
	}
	element = hl_arena_alloc(reader->arena, sizeof(*element));
	element->name = hl_arena_strdup(reader->arena, (const char *)name);
	element->line = (unsigned)xmlSAX2GetLineNumber(reader->parser);
	element->parent = reader->open;
	take_attributes(reader, element, nr_attributes, attributes);
	if (!reader->open)
		reader->root = element;
	else if (reader->last[reader->depth])
		reader->last[reader->depth]->next = element;
	else
		reader->open->first = element;
	reader->last[reader->depth] = element;
	reader->open = element;
	reader->last[++reader->depth] = NULL;
}

static void trim_text(struct hl_xml *element)
{
	const char *text = element->text;
	size_t len;

	if (!text)
		return;
	while (isspace((unsigned char)*text))
		text++;
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	((char *)text)[len] = '\0'; /* it lies in the arena */
	element->text = len ? text : NULL;
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
			const xmlChar *uri)
{
	struct reader *reader = context;

	(void)name, (void)prefix, (void)uri;
	trim_text(reader->open);
	reader->open = reader->open->parent;
	reader->depth--;
}

/* Text of an element with children is blanks between them. It comes in many pieces. */
static void take_text(void *context, const xmlChar *text, int len)
{
	struct reader *reader = context;
	struct hl_xml *element = reader->open;

	if (!element || element->first || (element->text && strlen(element->text) > TEXT_MAX))
		return;
	element->text = hl_arena_printf(reader->arena, "%s%.*s", element->text ? element->text : "",
					len, (const char *)text);
}

static xmlEntityPtr get_entity(void *context, const xmlChar *name)
{
	(void)context;
	return xmlGetPredefinedEntity(name);
}

static void keep_quiet(void *context, const char *format, ...)
{
	(void)context, (void)format;
}

int hl_xml_parse(struct hl_arena *arena, const char *bytes, size_t len, struct hl_xml **ret_root,
		 struct hl_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	xmlSAXHandler handler = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = start_element,
		.endElementNs = end_element,
		.characters = take_text,
		.cdataBlock = take_text,
		.getEntity = get_entity,
		.error = keep_quiet,
		.fatalError = keep_quiet,
		.warning = keep_quiet,
	};
	struct reader reader = { .arena = arena };
	int line = 0;

	pthread_once(&once, xmlInitParser);
	if (len > HL_XML_SIZE_MAX)
		return hl_fail(err, EFBIG, "more than %lu bytes of XML", HL_XML_SIZE_MAX);
	reader.parser = xmlCreatePushParserCtxt(&handler, &reader, NULL, 0, NULL);
	if (!reader.parser)
		return hl_fail(err, ENOMEM, "no XML parser");
	xmlCtxtUseOptions(reader.parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	if (xmlParseChunk(reader.parser, bytes, (int)len, 1) != XML_ERR_OK && !reader.rc)
		reader.rc = -EBADMSG;
	line = reader.parser->lastError.line;
	xmlFreeParserCtxt(reader.parser);
	if (reader.rc == -EFBIG)
		return hl_fail(err, EFBIG, "XML deeper than %d elements", HL_XML_DEPTH_MAX);
	if (reader.rc < 0 || !reader.root)
		return hl_fail(err, EBADMSG, "broken XML in line %d", line);
	*ret_root = reader.root;
	return 0;
}
