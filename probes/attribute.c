/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts from files of one value: see attribute.h.
 */
#include "attribute.h"
#include "hoploss/alloc.h"
#include "saved.h"
#include "sysfs.h"
#include <stdlib.h>
#include <string.h>

char *attribute_text(struct hl_machine *machine, const char *directory, const char *file)
{
	HL_FREE char *path = hl_printf("%s/%s", directory, file);
	char *text = hl_sysfs_text(machine, path);

	if (!text)
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	if (*text && strcmp(text, "(null)") != 0 && strcmp(text, "<NULL>") != 0 &&
	    strcmp(text, "[key]") != 0)
		return text;
	free(text);
	return NULL;
}

static void add_fact(struct hl_graph *graph, const struct hl_origin *origin,
		     const struct attribute *attribute, const char *text)
{
	double number = saved_number(text);
	int flag = number == 0 || number == 1 ? (int)number : saved_boolean(text);

	if (attribute->kind == ATTRIBUTE_TEXT)
		hl_graph_add_string(graph, origin, attribute->key, text);
	else if (attribute->kind == ATTRIBUTE_NUMBER && number >= 0)
		hl_graph_add_number(graph, origin, attribute->key, number);
	else if (attribute->kind == ATTRIBUTE_FLAG && flag >= 0)
		hl_graph_add_boolean(graph, origin, attribute->key, flag);
}

void attribute_add_facts(struct hl_machine *machine, struct hl_graph *graph,
			 const struct hl_origin *origin, const char *directory,
			 const struct attribute *attributes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", directory, attributes[i].file);
		HL_FREE char *text = attribute_text(machine, directory, attributes[i].file);
		struct hl_origin where = *origin;

		where.source = path;
		if (text)
			add_fact(graph, &where, &attributes[i], text);
	}
}
