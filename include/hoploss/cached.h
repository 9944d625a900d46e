/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of a file's region is in the page cache.
 *
 * Source: cachestat(2) where the kernel has it (6.5), else mincore(2). Neither fetches anything;
 * preadv2(2) with RWF_NOWAIT does.
 */
#ifndef HOPLOSS_CACHED_H
#define HOPLOSS_CACHED_H

#include <stdint.h>

/* Bytes of [offset, offset + length) that are cached; NAN = cannot be told. */
double hl_cached_bytes(int fd, uint64_t offset, uint64_t length);

#endif
