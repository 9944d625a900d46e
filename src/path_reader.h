/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A path file while it is read, shared by the two files that do so.
 */
#ifndef HOPLOSS_SRC_PATH_READER_H
#define HOPLOSS_SRC_PATH_READER_H

#include "hoploss/alloc.h"
#include "hoploss/path.h"

#define PATH_LOCAL  "local" /* the host that every path has */
#define PATH_LAYERS "datasheet link drive pool target wire vnic vdisk initiator filesystem"

/* A hop while names are not resolved yet. */
struct path_draft {
	struct hl_path_hop hop;
	const char *host, *after;
	unsigned host_line, after_line; /* where they are said; 0 = they are not */
	size_t nr_targets;
	bool is_placed;
};

struct path_reader {
	struct hl_arena *arena;
	struct hl_path *path;
	const char *file;
	struct hl_path_host *hosts;
	size_t nr_hosts;
	struct path_draft *drafts;
	size_t nr_drafts;
	struct path_seen *seen; /* keys of the section being read */
	size_t nr_seen;
};

struct path_seen {
	const char *key;
	unsigned line;
};

/* "; did you mean …?", else "; one of: …". The text is the arena's. */
const char *path_hint(const struct path_reader *reader, const char *wanted, const char *known);
/* Resolves names, puts the hops in order and gives them to the path. -EBADMSG. */
int path_resolve(struct path_reader *reader, struct hl_error *err);

#endif
