/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attributes of sysfs and the like: files of one value. What is not there is no value.
 */
#ifndef PROBES_SYSFS_H
#define PROBES_SYSFS_H

#include "hoploss/machine.h"

/* Without blanks at its ends, to be freed; NULL when it is not there or empty. */
char *hl_sysfs_text(struct hl_machine *machine, const char *path);
double hl_sysfs_number(struct hl_machine *machine, const char *path); /* decimal; NAN */
/* The last component of where a link points, to be freed; NULL when it is none. */
char *hl_sysfs_link(struct hl_machine *machine, const char *path);
/* The names in a directory with a blank between, to be freed; NULL when there are none. */
char *hl_sysfs_names(struct hl_machine *machine, const char *path);

#endif
