/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Admin commands by libnvme: see nvme_device.h.
 *
 * Surprising: libnvme's functions that look for devices pull in a JSON library that collides with
 * ours in a static link; those that send one command do not. A command that a controller does not
 * know is counted by it as an error, so who calls looks first whether it says it can.
 */
#include "nvme_device.h"
#include <errno.h>
#include <stdbool.h>

#include <libnvme.h>

_Static_assert(sizeof(struct nvme_id_ctrl) == HL_NVME_IDENTIFY_BYTES, "size of Identify");
_Static_assert(sizeof(struct nvme_smart_log) == HL_NVME_SMART_BYTES, "size of the SMART log");
_Static_assert(sizeof(struct nvme_error_log_page) == HL_NVME_ERROR_BYTES, "size of an error");
_Static_assert(sizeof(struct nvme_self_test_log) == HL_NVME_SELF_TEST_BYTES, "size of the tests");

/* libnvme: -1 with errno set, or the status that the controller gave. */
static int result_of(int r)
{
	if (r < 0)
		return errno ? -errno : -EIO;
	return r ? -EOPNOTSUPP : 0;
}

int hl_nvme_identify_controller(int fd, void *page)
{
	return result_of(nvme_identify_ctrl(fd, page));
}

int hl_nvme_identify_namespace(int fd, uint32_t nsid, void *page)
{
	return result_of(nvme_identify_ns(fd, nsid, page));
}

int hl_nvme_log_smart(int fd, void *page)
{
	return result_of(nvme_get_log_smart(fd, NVME_NSID_ALL, true, page));
}

int hl_nvme_log_errors(int fd, unsigned nr_entries, void *entries)
{
	return result_of(nvme_get_log_error(fd, nr_entries, true, entries));
}

int hl_nvme_log_self_tests(int fd, void *page)
{
	return result_of(nvme_get_log_device_self_test(fd, page));
}

int hl_nvme_self_test(int fd, enum hl_nvme_self_test code)
{
	enum { STATUS = 0x7ff, RUNS_ALREADY = 0x11d };
	struct nvme_dev_self_test_args args = {
		.args_size = sizeof(args),
		.fd = fd,
		.timeout = NVME_DEFAULT_IOCTL_TIMEOUT,
		.nsid = NVME_NSID_ALL,
		.stc = (enum nvme_dst_stc)code,
	};
	int r = nvme_dev_self_test(&args);

	return r > 0 && (r & STATUS) == RUNS_ALREADY ? -EBUSY : result_of(r);
}

/* libnvme 1.3's own function for the write cache asks for another feature, so none is used. */
int hl_nvme_get_feature(int fd, enum hl_nvme_feature feature, uint32_t *ret_value)
{
	struct nvme_feat_auto_pst table = { 0 }; /* the one of these that comes with data */
	uint32_t value = 0;
	struct nvme_get_features_args args = {
		.result = &value,
		.data = feature == HL_NVME_APST ? &table : NULL,
		.data_len = feature == HL_NVME_APST ? sizeof(table) : 0,
		.args_size = sizeof(args),
		.fd = fd,
		.timeout = NVME_DEFAULT_IOCTL_TIMEOUT,
		.nsid = NVME_NSID_NONE,
		.sel = NVME_GET_FEATURES_SEL_CURRENT,
		.fid = (uint8_t)feature,
		.uuidx = NVME_UUID_NONE,
	};
	int r = result_of(nvme_get_features(&args));

	if (r == 0)
		*ret_value = value;
	return r;
}
