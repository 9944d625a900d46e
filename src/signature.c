/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signatures by libblkid: see hoploss/signature.h.
 *
 * Surprising: the library reads the device through its own buffer, so a probe is made anew for each
 * look; and a "safe" probe says "ambivalent" where two signatures are, which is a signature too.
 */
#include "hoploss/signature.h"
#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void keep(blkid_probe probe, const char *key, char *ret_name, size_t size)
{
	const char *value;

	if (blkid_probe_lookup_value(probe, key, &value, NULL) == 0)
		snprintf(ret_name, size, "%s", value);
}

/* Of a ZFS member it is the name of its pool, of a RAID member that of the array. */
static void add_label(blkid_probe probe, char *name, size_t size)
{
	size_t len = strlen(name);
	const char *value;

	if (blkid_probe_lookup_value(probe, "LABEL", &value, NULL) == 0 && *value)
		snprintf(name + len, size - len, " \"%s\"", value);
}

static int run(blkid_probe probe, char *ret_name, size_t size, struct hl_error *err)
{
	int rc;

	if (blkid_probe_enable_superblocks(probe, 1) < 0 ||
	    blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
							     BLKID_SUBLKS_MAGIC |
							     BLKID_SUBLKS_BADCSUM) < 0 ||
	    blkid_probe_enable_partitions(probe, 1) < 0 ||
	    blkid_probe_set_partitions_flags(probe, BLKID_PARTS_MAGIC) < 0)
		return hl_fail(err, ENOMEM, "libblkid cannot be used");
	rc = blkid_do_probe(probe);
	if (rc < 0)
		return hl_fail(err, EIO, "signatures cannot be read");
	if (rc > 0)
		return 0;
	snprintf(ret_name, size, "unknown");
	keep(probe, "PTTYPE", ret_name, size);
	keep(probe, "TYPE", ret_name, size);
	add_label(probe, ret_name, size);
	return 1;
}

/* The library reads into buffers of any place, which a direct descriptor refuses. */
static int set_direct(int fd, bool is_direct)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return flags;
	return fcntl(fd, F_SETFL, is_direct ? flags | O_DIRECT : flags & ~O_DIRECT);
}

/* What the page cache has of it may be older than the medium. */
static int with_fresh_pages(int fd, char *ret_name, size_t size, struct hl_error *err)
{
	blkid_probe probe = blkid_new_probe();
	int rc;

	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (!probe || blkid_probe_set_device(probe, fd, 0, 0) < 0)
		rc = hl_fail(err, EIO, "signatures cannot be read");
	else
		rc = run(probe, ret_name, size, err);
	blkid_free_probe(probe);
	return rc;
}

int hl_signature_find(int fd, char *ret_name, size_t size, struct hl_error *err)
{
	int flags = fcntl(fd, F_GETFL), rc;

	if (flags < 0 || set_direct(fd, false) < 0)
		return hl_fail(err, EIO, "signatures cannot be read: %s", strerror(errno));
	rc = with_fresh_pages(fd, ret_name, size, err);
	if (flags & O_DIRECT && set_direct(fd, true) < 0)
		return hl_fail(err, EIO, "signatures cannot be read: %s", strerror(errno));
	return rc;
}
