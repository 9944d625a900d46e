/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which links a capture recorded, so that one that was put in the place of a file since is noticed.
 *
 *   hosts/HOST/links.txt   "root/sys/class/block/vda -> ../../devices/…", a line each, sorted
 *
 * What is missing is no error: many ways to copy a directory leave links out, or copy what they
 * point to. Nor is a file with other bytes, for somebody may have taken a name out by hand. A
 * capture without the file was made before there was one, and is not checked.
 */
#ifndef HOPLOSS_RECORDED_LINKS_H
#define HOPLOSS_RECORDED_LINKS_H

#include "hoploss/error.h"

#define HL_RECORDED_LINKS "links.txt"

/* Of all below a directory of a capture, into it. */
int hl_recorded_links_write(int dir_fd, struct hl_error *err);
/* -ELOOP: err names one that is there and was not recorded. dir: what it is called in err. */
int hl_recorded_links_check(int dir_fd, const char *dir, struct hl_error *err);

#endif
