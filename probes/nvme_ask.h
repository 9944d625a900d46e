/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One NVMe controller asked by admin commands that change nothing.
 */
#ifndef PROBES_NVME_ASK_H
#define PROBES_NVME_ASK_H

#include "hoploss/capture.h"

/*
 * Keeps identity, SMART, error and self-test logs, features and namespaces of the controller that
 * fd is a node of, as nvme-cli prints them. What it does not know is left out. -EACCES without
 * CAP_SYS_ADMIN.
 */
int hl_nvme_ask(struct hl_capture *capture, const char *name, int fd, struct hl_error *err);

#endif
