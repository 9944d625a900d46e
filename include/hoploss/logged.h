/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a log puts in front of each line of a program's output: a date and time (RFC 3339), syslog's
 * "May  1 10:00:00 host program[22]: ", or kubectl's "[pod/a/fio] ".
 */
#ifndef HOPLOSS_LOGGED_H
#define HOPLOSS_LOGGED_H

#include "hoploss/text.h"

/*
 * Takes it off each line of a block where all have it; what the kernel logs keeps it, for that is a
 * format of its own. Returns whether any line got shorter.
 */
bool hl_logged_strip(struct hl_line *lines, size_t nr);

#endif
