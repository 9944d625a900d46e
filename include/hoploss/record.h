/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records: what was read of a machine, one file, link, listing or kept text each, on its way to
 * where it is stored. A record can come from another host, so its names are checked where it is
 * written.
 */
#ifndef HOPLOSS_RECORD_H
#define HOPLOSS_RECORD_H

#include "hoploss/error.h"
#include <stddef.h>

enum hl_record_kind {
	HL_RECORD_FILE,    /* bytes are its contents */
	HL_RECORD_LINK,    /* bytes are where it points */
	HL_RECORD_LISTING, /* bytes are the names in a directory, each with a newline */
	HL_RECORD_KEPT,    /* what a library or a tool said */
};

struct hl_record {
	enum hl_record_kind kind;
	const char *path; /* real, below the root: "sys/block"; of what was kept, its name */
	const char *node; /* what a kept text is about; NULL */
	const char *bytes;
	size_t len;
};

/* Where records go: a directory, or the line to the coordinator. */
struct hl_capture_sink {
	int (*put)(struct hl_capture_sink *sink, const struct hl_record *record); /* 0 or -errno */
	void (*close)(struct hl_capture_sink *sink);
};

/*
 * Files, links and listings into root_dir, so that a machine opened with it as its root gives the
 * same; what was kept into kept_dir. Either may be NULL (-ENOENT of what would go there) and is
 * made if need be. A directory that cannot be made is the error of each put.
 */
struct hl_capture_sink *hl_record_dir_open(const char *root_dir, const char *kept_dir);
void hl_record_sink_close(struct hl_capture_sink *sink); /* NULL allowed */

/*
 * One record into a directory. No name of it leaves dir_fd, not by "..", not by a link that was
 * recorded before: -EINVAL, -ENOTDIR or -ELOOP. A file that is there is replaced, a link stays.
 */
int hl_record_write(int dir_fd, const struct hl_record *record);

#define HL_RECORD_LISTING_NAME ".listing" /* of the file in a directory that has its listing */

/*
 * A foreign word (a domain, a data set) as one plain file name, to be freed, and back: what is not
 * of [A-Za-z0-9_+:@,=-] or an inner '.' is %XX. -EINVAL: no such name.
 */
char *hl_record_name(const char *word);
int hl_record_word(const char *name, char **ret_word);

#endif
