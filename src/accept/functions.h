/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which function in lspci's output is the drive: lspci names no drives, so one that is alone is
 * taken, and among several the person chooses by --bdf.
 */
#ifndef ACCEPT_FUNCTIONS_H
#define ACCEPT_FUNCTIONS_H

#include "check.h"

/* The one NVMe function that may be of that machine (NULL = of any); NULL: none, or several. */
const struct hl_fact *functions_only(const struct hl_graph *graph, const char *host);
/* "0000:01:00.0, 0000:02:00.0, …" of that machine; NULL: there is none. */
const char *functions_list(const struct subject *subject);
bool functions_is_nvme(const struct hl_graph *graph, const char *bdf);
/* Whether anything is known of that address. */
bool functions_know(const struct hl_graph *graph, const char *bdf);

#endif
