/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking around in XML that was read: see hoploss/xml.h.
 */
#include "hoploss/xml.h"
#include <string.h>

bool hl_xml_is(const struct hl_xml *element, const char *name)
{
	return element && !strcmp(element->name, name);
}

const struct hl_xml *hl_xml_find(const struct hl_xml *element, const char *path)
{
	size_t len = strcspn(path, "/");
	const struct hl_xml *child = element ? element->first : NULL;

	for (; child; child = child->next) {
		const struct hl_xml *found = child;

		if (strlen(child->name) != len || memcmp(child->name, path, len) != 0)
			continue;
		if (path[len])
			found = hl_xml_find(child, path + len + 1);
		if (found)
			return found;
	}
	return NULL;
}

const struct hl_xml *hl_xml_next(const struct hl_xml *element, const char *name)
{
	while (element && (element = element->next)) {
		if (hl_xml_is(element, name))
			return element;
	}
	return NULL;
}

const char *hl_xml_attribute(const struct hl_xml *element, const char *name)
{
	const struct hl_xml_attribute *attribute = element ? element->attributes : NULL;

	for (; attribute; attribute = attribute->next) {
		if (!strcmp(attribute->name, name))
			return attribute->value;
	}
	return NULL;
}
