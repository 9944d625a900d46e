/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole files: read to their end, and written so that a reader sees the old one or the new one.
 */
#ifndef HOPLOSS_FILE_H
#define HOPLOSS_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Everything from fd on, NUL-terminated, to be freed. Goes by end of file, not by size: files of
 * sysfs say 4096 and those of proc 0. -EFBIG: more than limit bytes.
 */
int hl_file_read_fd(int fd, size_t limit, char **ret_bytes, size_t *ret_len);
/* The regular file name of a directory. -ELOOP: a symbolic link; -EINVAL: of another kind. */
int hl_file_read_at(int dir_fd, const char *name, size_t limit, char **ret_bytes, size_t *ret_len);
/* How large that is, and that it can be read. Errors as hl_file_read_at. */
int hl_file_size_at(int dir_fd, const char *name, size_t *ret_size);
/* All len bytes, in as many writes as that takes. 0 or -errno. */
int hl_file_write_fd(int fd, const char *bytes, size_t len);
/* Writes a temporary file beside name and renames it; is_durable = it also outlives a power cut. */
int hl_file_write_at(int dir_fd, const char *name, const char *bytes, size_t len, bool is_durable);

/* Names in a directory, sorted, each and the list to be freed; none of one that cannot be read. */
char **hl_file_names(int dir_fd, size_t *ret_nr);

/* Removes it, a directory with all below it, never through a link. 0 also if it is not there. */
int hl_file_remove_at(int dir_fd, const char *name);

#endif
