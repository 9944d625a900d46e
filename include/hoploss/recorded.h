/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a capture recorded, so that what was changed since is noticed.
 *
 *   hosts/HOST/links.txt   "root/sys/class/block/vda -> ../../devices/…", a line each, sorted
 *   hosts/HOST/files.txt   "SHA256 SIZE root/proc/uptime", likewise
 *
 * A link that was not recorded is refused, for it was put in the place of a file. What is missing
 * of the links is no error: many ways to copy a directory leave them out, or copy what they point
 * to. A file that is missing, was cut or was changed is told, and the rest is read: somebody may
 * have taken a name out by hand. A capture without these files was made before there were any, and
 * is not checked.
 */
#ifndef HOPLOSS_RECORDED_H
#define HOPLOSS_RECORDED_H

#include "hoploss/error.h"
#include <stddef.h>

/* Of all below a directory of a capture, into it. */
int hl_recorded_write(int dir_fd, struct hl_error *err);
/* -ELOOP: err names a link that is there and was not recorded. dir: what it is called in err. */
int hl_recorded_check_links(int dir_fd, const char *dir, struct hl_error *err);
/* Calls tell with a sentence about each file that is not as it was recorded. */
int hl_recorded_check_files(int dir_fd, const char *dir,
			    void (*tell)(void *context, const char *text), void *context,
			    struct hl_error *err);
/*
 * What is wrong with bytes of which that size and digest were recorded, to be freed; NULL =
 * nothing. digest NULL: neither was.
 */
char *hl_recorded_compare(const char *bytes, size_t len, size_t size, const char *digest);

#endif
