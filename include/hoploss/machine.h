/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine under diagnosis: the only door to its files. Paths are absolute on that machine and
 * are read relative to a root: "/" live, a recorded tree in a bundle.
 */
#ifndef HOPLOSS_MACHINE_H
#define HOPLOSS_MACHINE_H

#include "hoploss/error.h"
#include "hoploss/record.h"
#include <stddef.h>

struct hl_machine;

/*
 * record_dir (may be NULL; made if need be): every file read is also copied there under its real
 * path, with the links that led to it and the listings of directories, so that a machine opened
 * with record_dir as its root gives the same. A file read twice keeps what was read last. A root
 * or record_dir that cannot be opened is an error of each call.
 */
struct hl_machine *hl_machine_open(const char *root, const char *record_dir);
/* The same with any place to record into; sink must outlive the machine. */
struct hl_machine *hl_machine_open_to(const char *root, struct hl_capture_sink *sink);
/* A recorded tree whose directory is open; it stays the caller's. */
struct hl_machine *hl_machine_open_at(int root_fd);
void hl_machine_close(struct hl_machine *machine); /* NULL allowed */

/*
 * The whole regular file (at most 16 MiB; -EFBIG), NUL-terminated, to be freed. No path leaves the
 * root, not by ".." and not by a symbolic link. -ENOENT, -EACCES … as open(2) says; -EINVAL for a
 * device or a pipe, or a path that does not begin with '/'.
 */
int hl_machine_read(struct hl_machine *machine, const char *path, char **ret_bytes, size_t *ret_len,
		    struct hl_error *err);
/* The same without recording it: for what has secrets in it, of which a probe keeps only a part. */
int hl_machine_peek(struct hl_machine *machine, const char *path, char **ret_bytes, size_t *ret_len,
		    struct hl_error *err);
/*
 * A device node for reading only, for ioctls that ask and change nothing, or start the self-test
 * that the person asked for; the caller closes it.
 * Nothing is recorded. -ENODEV: a recorded tree has none; -EINVAL: what is there is no device.
 */
int hl_machine_open_device(struct hl_machine *machine, const char *path, int *ret_fd,
			   struct hl_error *err);
/* Where the link points, as text; -EINVAL if it is no link. */
int hl_machine_readlink(struct hl_machine *machine, const char *path, char **ret_target,
			struct hl_error *err);
/* Names in a directory without "." and "..", sorted; each and the array to be freed. */
int hl_machine_list(struct hl_machine *machine, const char *path, char ***ret_names, size_t *ret_nr,
		    struct hl_error *err);
/* It gave less than it has, as some files do to whom they do not refuse. */
void hl_machine_deny(struct hl_machine *machine, const char *path);
/* How often one of these was refused for want of privilege; ret_first: the first path, or NULL. */
unsigned hl_machine_denied(const struct hl_machine *machine, const char **ret_first);
/* The same without recording it. */
int hl_machine_peek_list(struct hl_machine *machine, const char *path, char ***ret_names,
			 size_t *ret_nr, struct hl_error *err);
void hl_machine_free_names(char **names, size_t nr);

#endif
