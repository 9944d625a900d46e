/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files named on the command line, and the hop that each belongs to.
 *
 * --hop NAME[:LAYER]=FILE[,FILE...] says it; a plain FILE is a hop of its own, named by its stem.
 */
#ifndef HOPLOSS_SOURCES_H
#define HOPLOSS_SOURCES_H

#include "hoploss/args.h"
#include "hoploss/bundle.h"
#include <sys/types.h>

struct hl_source {
	char *path;  /* "-" is standard input */
	char *shown; /* what reports call it: its name, with as much before as tells it apart */
	char *hop;   /* unique among plain files */
	enum hl_layer layer;
	bool is_ordered; /* by --hop */
	dev_t device;    /* and inode: which file it is; 0 = there is none */
	ino_t inode;
};

struct hl_sources { /* in the order of the command line */
	struct hl_source *items;
	size_t nr;
};

/* The row of --hop for the option table of a command that takes files. */
#define HL_SOURCES_OPTION                                                                          \
	{                                                                                          \
		.name = "hop", .arg = "NAME[:LAYER]=FILE[,FILE...]",                               \
		.help = "the files measured at one hop; give the hops in path order, drive end "   \
			"first",                                                                   \
		.values = "FILE", .may_repeat = true                                               \
	}

/* -EINVAL: err says which word is wrong. Clear with hl_sources_clear, also after an error. */
int hl_sources_read(const struct hl_args *args, struct hl_sources *ret_sources,
		    struct hl_error *err);
void hl_sources_clear(struct hl_sources *sources);
#define HL_SOURCES __attribute__((cleanup(hl_sources_clear)))

/* The same plain file or bundle stands before it: it is one, however often it is given. */
bool hl_source_is_repeat(const struct hl_sources *sources, size_t index);

/* What a bundle says about it, but for its bytes; the strings are those of source. */
struct hl_bundle_input hl_source_input(const struct hl_source *source);
/* A regular file, which can be read when its turn comes: not a pipe, not standard input. */
bool hl_source_can_wait(const struct hl_source *source);

#endif
