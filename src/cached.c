/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the page cache holds: see hoploss/cached.h.
 *
 * Surprising: mincore(2) tells who may not write the file that all of it is cached.
 */
#include "hoploss/cached.h"
#include "hoploss/alloc.h"
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE         4096u
#define WINDOW       ((uint64_t)256 << 20) /* mapped at a time */
#define CACHESTAT_NR 451                   /* on every architecture but alpha */

/* As the kernel has them; the headers of older systems do not. */
struct cache_range {
	uint64_t offset, length;
};

struct cache_state {
	uint64_t nr_cached, nr_dirty, nr_written_back, nr_evicted, nr_evicted_lately;
};

static double by_cachestat(int fd, uint64_t offset, uint64_t length)
{
	struct cache_range range = { offset, length };
	struct cache_state state;

	if (syscall(CACHESTAT_NR, fd, &range, &state, 0) < 0)
		return NAN;
	return fmin((double)state.nr_cached * PAGE, (double)length);
}

static double by_mincore(int fd, uint64_t offset, uint64_t length)
{
	uint64_t nr_pages = (length + PAGE - 1) / PAGE, nr_cached = 0;
	HL_FREE unsigned char *pages = hl_alloc(nr_pages);
	void *mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)offset);
	int rc;

	if (mapped == MAP_FAILED)
		return NAN;
	rc = mincore(mapped, length, pages);
	munmap(mapped, length);
	for (uint64_t i = 0; rc == 0 && i < nr_pages; i++)
		nr_cached += pages[i] & 1;
	return rc == 0 ? fmin((double)nr_cached * PAGE, (double)length) : NAN;
}

static bool is_ours(int fd)
{
	struct stat status;

	return geteuid() == 0 || (fstat(fd, &status) == 0 && status.st_uid == geteuid());
}

double hl_cached_bytes(int fd, uint64_t offset, uint64_t length)
{
	uint64_t start = offset / PAGE * PAGE, end = offset + length;
	double cached = by_cachestat(fd, start, end - start);

	if (!isnan(cached) || !is_ours(fd))
		return cached;
	cached = 0;
	for (; start < end; start += WINDOW)
		cached += by_mincore(fd, start, end - start < WINDOW ? end - start : WINDOW);
	return cached;
}
