/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts from files of one value, by a table: an allow-list of what a probe reads in a directory.
 */
#ifndef PROBES_ATTRIBUTE_H
#define PROBES_ATTRIBUTE_H

#include "hoploss/graph.h"
#include "hoploss/machine.h"
#include <stddef.h>

enum attribute_kind {
	ATTRIBUTE_TEXT,
	ATTRIBUTE_NUMBER, /* below 0 = not said */
	ATTRIBUTE_FLAG,   /* 0 or 1, No or Yes */
};

struct attribute {
	const char *file, *key;
	enum attribute_kind kind;
};

/*
 * Adds the facts of the first line of each of nr files of directory. "(null)" and "<NULL>" are no
 * values; nor is "[key]", with which SCST marks in a second line what was set by hand.
 */
void attribute_add_facts(struct hl_machine *machine, struct hl_graph *graph,
			 const struct hl_origin *origin, const char *directory,
			 const struct attribute *attributes, size_t nr);

/* The first line of that file of directory, to be freed; NULL as above. */
char *attribute_text(struct hl_machine *machine, const char *directory, const char *file);

#endif
