/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded tree as the records that it was made of: hoploss/record.h backwards.
 */
#ifndef HOPLOSS_RECORDED_TREE_H
#define HOPLOSS_RECORDED_TREE_H

#include "hoploss/record.h"

/* All files, links and listings below root_fd, sorted; no file may be larger than most bytes. */
int hl_recorded_tree_put(int root_fd, size_t most, struct hl_capture_sink *sink,
			 struct hl_error *err);

#endif
