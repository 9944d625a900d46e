/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A LUN read and written whole pieces at a time.
 */
#ifndef HOPLOSS_SRC_LUN_H
#define HOPLOSS_SRC_LUN_H

#include "hoploss/error.h"
#include "hoploss/iscsi.h"
#include <stdbool.h>

int lun_read(struct hl_iscsi *session, uint64_t offset, char *bytes, size_t len,
	     struct hl_error *err);
int lun_write(struct hl_iscsi *session, uint64_t offset, char *bytes, size_t len,
	      struct hl_error *err); /* and flushes */
/* 0 if libblkid finds nothing in its first and last MiB; -EEXIST. */
int lun_check_signature(struct hl_iscsi *session, const char *url, struct hl_error *err);
/* 0 if both ends and samples between are zeros; -ENOTEMPTY. */
int lun_check_empty(struct hl_iscsi *session, const char *url, struct hl_error *err);

#endif
