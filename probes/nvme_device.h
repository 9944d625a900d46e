/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Admin commands to an NVMe controller, all but hl_nvme_self_test such that only ask: libnvme
 * behind probes/nvme_device.c, the only file that includes it. fd: of /dev/nvmeN, opened for
 * reading (hl_machine_open_device).
 *
 * Pages come as the controller gives them. Each returns 0, -errno of the ioctl (-EACCES without
 * CAP_SYS_ADMIN), or -EOPNOTSUPP when the controller refuses the command.
 */
#ifndef PROBES_NVME_DEVICE_H
#define PROBES_NVME_DEVICE_H

#include <stdint.h>

#define HL_NVME_IDENTIFY_BYTES  4096
#define HL_NVME_SMART_BYTES     512
#define HL_NVME_ERROR_BYTES     64 /* of one entry */
#define HL_NVME_ERRORS_MAX      64
#define HL_NVME_SELF_TEST_BYTES 564

enum hl_nvme_feature { /* NVM Express Base 2.0, figure 317 */
		       HL_NVME_TEMPERATURE_THRESHOLD = 0x04,
		       HL_NVME_WRITE_CACHE = 0x06,
		       HL_NVME_APST = 0x0c,
		       HL_NVME_HCTM = 0x10,
};

int hl_nvme_identify_controller(int fd, void *page);
int hl_nvme_identify_namespace(int fd, uint32_t nsid, void *page);
/* The controller's own, without taking its event away from who waits for it. */
int hl_nvme_log_smart(int fd, void *page);
int hl_nvme_log_errors(int fd, unsigned nr_entries, void *entries);
int hl_nvme_log_self_tests(int fd, void *page);
enum hl_nvme_self_test { /* NVM Express Base 2.0, figure 161 */
			 HL_NVME_SELF_TEST_SHORT = 0x1,
			 HL_NVME_SELF_TEST_EXTENDED = 0x2,
			 HL_NVME_SELF_TEST_ABORT = 0xf,
};
/* Of the controller and all its namespaces; returns at once. -EBUSY: one is running already. */
int hl_nvme_self_test(int fd, enum hl_nvme_self_test code);

int hl_nvme_get_feature(int fd, enum hl_nvme_feature feature, uint32_t *ret_value);

#endif
