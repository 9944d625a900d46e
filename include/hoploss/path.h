/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A path file: the hops of one I/O path, the hosts they run on and the workloads to measure. INI,
 * as fio job files are; README and "hoploss help run" show one. Parsing is pure and strict: every
 * mistake is one error that names file and line and says what to write instead.
 *
 * Path files execute (`via`): they are scripts, to be treated as such.
 */
#ifndef HOPLOSS_PATH_H
#define HOPLOSS_PATH_H

#include "hoploss/error.h"
#include "hoploss/layer.h"
#include <stdbool.h>
#include <stddef.h>

struct hl_path_host {
	const char *name;
	const char *const *via; /* words of the command that reaches it; NULL = this machine */
	const char *on;         /* name of the host that it is a guest or a pod of; NULL */
	const char *vm;         /* Proxmox number or libvirt domain on that host; NULL */
	unsigned line;
};

struct hl_path_hop {
	const char *name;
	enum hl_layer layer;
	const struct hl_path_host *host; /* NULL for a datasheet */
	const struct hl_path_hop *after; /* NULL = a root */
	const char *const *targets;      /* NULL-terminated; several = drives of one pool */
	const char *spec;                /* datasheet hops: its name */
	unsigned drives;
	const char *initiator; /* iSCSI: InitiatorName to use; NULL = one of our own */
	bool is_ownerless;     /* owner = none: that name is nobody else's */
	const char *chap_file; /* iSCSI: file with user and password, read by the coordinator */
	double size;           /* bytes to use of the target, NAN = all of it */
	unsigned line;         /* of its section */
	unsigned target_line;  /* of its first target */
};

struct hl_path {
	const char *name;
	const char
		*workloads; /* as written: names and @files by blanks; NULL = the default suite */
	unsigned workloads_line;
	bool is_ram_medium; /* medium = ram: cache findings are silent */
	const struct hl_path_host *hosts;
	size_t nr_hosts; /* the first is "local" */
	const struct hl_path_hop *hops;
	size_t nr_hops; /* a hop stands behind the one it is after */
};

/* -EBADMSG: err has file and line. */
int hl_path_parse(const char *name, const char *bytes, size_t len, struct hl_path **ret_path,
		  struct hl_error *err);
/*
 * The text of a path of one hop on this machine, to be freed: what "hoploss run TARGET" measures.
 */
char *hl_path_text_of_target(const char *target);
/* Is a hop on it, or a host of the path a guest of it? "local" is in every path, used or not. */
bool hl_path_is_host_used(const struct hl_path *path, const struct hl_path_host *host);
void hl_path_free(struct hl_path *path); /* NULL allowed */

#endif
