/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's own ioctl(2) in place of the kernel's: admin commands of NVMe are answered by the
 * test that includes this.
 */
#ifndef TESTS_NVME_IOCTL_H
#define TESTS_NVME_IOCTL_H

#include "probe_tree.h"
#include <linux/ioctl.h>
#include <linux/nvme_ioctl.h>
#include <stdint.h>

/* Opcodes of admin commands, NVM Express Base 2.0, 5. */
enum { GET_LOG = 0x02, IDENTIFY = 0x06, GET_FEATURES = 0x0a, SELF_TEST = 0x14 };

/* Of the test: fills what the command points to; its status, or -errno. */
static int answer_admin(struct nvme_passthru_cmd *sent);

static inline unsigned char *data_of(const struct nvme_passthru_cmd *sent)
{
	return (unsigned char *)(uintptr_t)sent->addr;
}

int ioctl(int fd, unsigned long request, ...);

int ioctl(int fd, unsigned long request, ...)
{
	struct nvme_passthru_cmd *sent;
	va_list args;
	int status;

	(void)fd;
	va_start(args, request);
	sent = va_arg(args, struct nvme_passthru_cmd *);
	va_end(args);
	if (request != NVME_IOCTL_ADMIN_CMD && request != NVME_IOCTL_ADMIN64_CMD)
		fail_msg("ioctl %lx is no admin command", request);
	status = answer_admin(sent);
	if (status >= 0)
		return status;
	errno = -status;
	return -1;
}

#endif
