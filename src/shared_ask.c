/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a drive answers when it is asked whether others may reach it: see hoploss/shared.h. Every
 * command only reads; one that it does not know is an answer too: it says nothing.
 */
#include "hoploss/alloc.h"
#include "hoploss/shared.h"
#include <linux/nvme_ioctl.h>
#include <scsi/sg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

#define TIMEOUT_MS 5000

/* ---- NVMe ---- */

static bool is_shared_namespace(int fd, uint32_t nsid)
{
	enum { IDENTIFY = 0x06, SIZE = 4096, NMIC = 30 };
	unsigned char data[SIZE] __attribute__((aligned(4096))) = { 0 };
	struct nvme_admin_cmd command = {
		.opcode = IDENTIFY, /* cdw10 0: this namespace */
		.nsid = nsid,
		.addr = (uintptr_t)data,
		.data_len = SIZE,
		.timeout_ms = TIMEOUT_MS,
	};

	return ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command) == 0 && data[NMIC] & 1;
}

static bool is_reserved_namespace(int fd, uint32_t nsid)
{
	enum { RESERVATION_REPORT = 0x0e, SIZE = 4096, TYPE = 4 };
	unsigned char data[SIZE] __attribute__((aligned(4096))) = { 0 };
	bool is_told = false;
	struct nvme_passthru_cmd command = {
		.opcode = RESERVATION_REPORT,
		.nsid = nsid,
		.addr = (uintptr_t)data,
		.data_len = SIZE,
		.cdw10 = SIZE / 4 - 1,
		.timeout_ms = TIMEOUT_MS,
	};

	/* a controller whose hosts are known by 128 bits gives the extended structure only */
	for (uint32_t extended = 0; extended <= 1 && !is_told; extended++) {
		command.cdw11 = extended;
		is_told = ioctl(fd, NVME_IOCTL_IO_CMD, &command) == 0;
	}
	return is_told && data[TYPE];
}

/* ---- SCSI ---- */

static bool is_reserved_unit(int fd)
{
	enum { SIZE = 24, ADDITIONAL_LENGTH = 7 };
	unsigned char command[] = { 0x5e, 1, 0, 0, 0, 0, 0, 0, SIZE, 0 }; /* READ RESERVATION */
	unsigned char data[SIZE] = { 0 }, sense[32];
	struct sg_io_hdr request = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmdp = command,
		.cmd_len = sizeof(command),
		.dxferp = data,
		.dxfer_len = sizeof(data),
		.sbp = sense,
		.mx_sb_len = sizeof(sense),
		.timeout = TIMEOUT_MS,
	};

	return ioctl(fd, SG_IO, &request) == 0 && !request.status && !request.host_status &&
	       !request.driver_status && data[ADDITIONAL_LENGTH];
}

bool hl_shared_ask(int fd, char *ret_how, size_t size)
{
	int nsid = ioctl(fd, NVME_IOCTL_ID);
	const char *how = NULL;

	if (nsid > 0 && is_shared_namespace(fd, (uint32_t)nsid))
		how = "its namespace may be shared with other controllers (NMIC), so with another "
		      "machine";
	else if (nsid > 0 ? is_reserved_namespace(fd, (uint32_t)nsid) : is_reserved_unit(fd))
		how = "somebody holds a reservation on it";
	if (how)
		snprintf(ret_how, size, "%s", how);
	return how;
}
