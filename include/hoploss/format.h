/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A format: one kind of text or JSON that people already have (fio's text, iperf3's JSON, lspci
 * -vv).
 *
 * To add one: a const struct at the bottom of its own file in src/import/ (measurements) or
 * probes/ (facts), and one line in src/import/table.c. Pure: bytes to graph.
 */
#ifndef HOPLOSS_FORMAT_H
#define HOPLOSS_FORMAT_H

#include "hoploss/error.h"
#include "hoploss/graph.h"
#include "hoploss/text.h"

/* Where what is read goes. */
struct hl_reading {
	struct hl_graph *graph;
	struct hl_hop *hop;   /* made on first use by hl_reading_hop */
	const char *hop_name; /* name for it */
	enum hl_layer layer;  /* and layer, NONE = not said */
	const char *host;     /* NULL = not known */
	const char *node;     /* what it is about, where its text does not say so; NULL */
	const char *stem;     /* file name without its last suffix: a node's last resort */
	unsigned nr_runs;     /* fio runs read so far from this file; importers count it up */
};

struct hl_format {
	const char *name;    /* "fio-text" */
	const char *summary; /* "fio's normal output, 2.x and 3.x" */
	/*
	 * How many lines from line "at" on belong to one piece of this format; 0 = none starts
	 * here. Cheap, and never claims prose. The table's order decides between two claims.
	 */
	size_t (*claim)(const struct hl_text *text, size_t at);
	/*
	 * Reads one claimed slice. What can be known is added; -EBADMSG with file and line in err
	 * when nothing can, or when it ends early (then what was read stays, flagged partial).
	 * -ENODATA: no result in it; it may be the lead-in of the segment that follows at once.
	 * NULL: the kind is named to the user, not read.
	 */
	int (*read)(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err);
};

extern const struct hl_format *const hl_formats[]; /* NULL-terminated */

struct hl_hop *hl_reading_hop(struct hl_reading *reading);
/* A measurement with file, run, line and status "imported" filled in. */
struct hl_measurement *hl_reading_measurement(struct hl_reading *reading,
					      const struct hl_text *slice, unsigned line);

/*
 * Cuts text into segments, reads each by its format and lists them in graph->inputs. A run that
 * the text holds twice is taken once. Returns how many segments were read (0: known kinds only),
 * or -ENODATA when nothing in it was recognised or all that was is unusable.
 */
int hl_formats_read(const struct hl_text *text, struct hl_reading *reading, struct hl_error *err);

#endif
