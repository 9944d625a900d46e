/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mark of a target that a person gave away for writing: its first MiB, every block of which
 * names the same UUID, the size of the target and the machine. Whatever comes to live on the target
 * later (a partition table, a file system, RAID, LVM, LUKS) writes somewhere into that MiB, and
 * then it is no mark any more. hoploss itself never writes there again.
 */
#ifndef HOPLOSS_MARK_H
#define HOPLOSS_MARK_H

#include "hoploss/error.h"
#include <stddef.h>
#include <stdint.h>

#define HL_MARK_AREA  (1u << 20) /* bytes */
#define HL_MARK_LEAST (4u << 20) /* bytes that a target must have at least */
#define HL_MARK_XATTR "user.hoploss.uuid"

struct hl_mark {
	char uuid[37];
	char machine[33]; /* /etc/machine-id of who gave it away; "" = it has none */
	char date[32];
	uint64_t size; /* of the target, bytes */
};

/* A new UUID, this machine, now. */
int hl_mark_new(uint64_t size, struct hl_mark *ret_mark, struct hl_error *err);
/* Fills HL_MARK_AREA bytes. */
void hl_mark_write(const struct hl_mark *mark, char *ret_area);
/* -ENOMSG: HL_MARK_AREA bytes that are no mark, or none of a target of this size. */
int hl_mark_read(const char *area, uint64_t size, struct hl_mark *ret_mark, struct hl_error *err);

#endif
