/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places in sysfs as rows, and drives that answer as a table says: the program's own ioctl(2)
 * stands for the kernel's.
 */
#include "hoploss/shared.h"
#include "probe_tree.h"
#include <linux/ioctl.h>
#include <linux/nvme_ioctl.h>
#include <scsi/sg.h>
#include <stdint.h>
#include <sys/sysmacros.h>

#define NO_FD (-1)
#define A_FD  77

static struct {
	int nsid; /* 0 = it is no NVMe drive */
	unsigned char nmic, reservation_type, nvme_status;
	unsigned char scsi_status, scsi_length; /* of READ RESERVATION */
	unsigned nr_others;                     /* commands that nobody expects */
} drive;

int ioctl(int fd, unsigned long request, ...);

static int answer_nvme(unsigned long request, struct nvme_passthru_cmd *sent)
{
	unsigned char *data = (unsigned char *)(uintptr_t)sent->addr;

	if (request == NVME_IOCTL_ADMIN_CMD && sent->opcode == 0x06 && !sent->cdw10)
		data[30] = drive.nmic;
	else if (request == NVME_IOCTL_IO_CMD && sent->opcode == 0x0e)
		data[4] = drive.reservation_type;
	else
		drive.nr_others++;
	assert_int_equal(drive.nsid, sent->nsid);
	return drive.nvme_status;
}

int ioctl(int fd, unsigned long request, ...)
{
	void *sent;
	va_list args;

	va_start(args, request);
	sent = va_arg(args, void *);
	va_end(args);
	if (fd == A_FD && request == (unsigned)NVME_IOCTL_ID && drive.nsid)
		return drive.nsid;
	if (fd == A_FD && drive.nsid)
		return answer_nvme(request, sent);
	if (fd == A_FD && request == SG_IO) {
		struct sg_io_hdr *command = sent;

		drive.nr_others += command->cmdp[0] != 0x5e || command->cmdp[1] != 1;
		command->status = drive.scsi_status;
		((unsigned char *)command->dxferp)[7] = drive.scsi_length;
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

static const char *shared_at(const char *root, int fd)
{
	static char how[160];
	struct hl_machine *machine = hl_machine_open(root, NULL);
	bool is_shared = hl_shared_find(machine, makedev(8, 0), fd, how, sizeof(how));

	hl_machine_close(machine);
	assert_int_equal(0, drive.nr_others);
	return is_shared ? how : NULL;
}

static void plain_disk_is_not_shared(void **state)
{
	static const struct tree_row rows[] = {
		{ "/sys/dev/block/8:0", "-> ../../devices/pci0/host0/target0:0:0/block/sda" },
		{ "/sys/devices/pci0/host0/target0:0:0/block/sda/dev", "8:0\n" },
		{ "/sys/devices/pci0/host0/target0:0:0/block/sda/device/wwid", "naa.1\n" },
		{ "/sys/block/sda", "-> ../devices/pci0/host0/target0:0:0/block/sda" },
		{ "/sys/block/sdb/dev", "8:16\n" },
		{ "/sys/dev/block/8:16/device/wwid", "naa.2\n" },
	};

	(void)state;
	tree_make("plain", rows, NR_ROWS(rows));
	memset(&drive, 0, sizeof(drive));
	assert_null(shared_at("plain", NO_FD));
	assert_null(shared_at("plain", A_FD));
}

static void second_path_is_known_by_its_wwid(void **state)
{
	static const struct tree_row rows[] = {
		{ "/sys/dev/block/8:0/device/wwid", "naa.1\n" },
		{ "/sys/block/sdb/dev", "8:16\n" },
		{ "/sys/dev/block/8:16/device/wwid", "naa.1\n" },
	};

	(void)state;
	tree_make("twin", rows, NR_ROWS(rows));
	assert_string_equal("sdb is another path to it", shared_at("twin", NO_FD));
}

static void hidden_path_of_its_only_controller_is_no_twin(void **state)
{
	static const struct tree_row rows[] = {
		{ "/sys/dev/block/8:0", "-> ../../devices/virtual/nvme-subsystem/s/nvme0n1" },
		{ "/sys/devices/virtual/nvme-subsystem/s/nvme0n1/wwid", "eui.1\n" },
		{ "/sys/devices/virtual/nvme-subsystem/s/nvme0n1/device", "-> .." },
		{ "/sys/devices/virtual/nvme-subsystem/s/nvme0/transport", "pcie\n" },
		{ "/sys/block/nvme0c0n1/wwid", "eui.1\n" },
		{ "/sys/block/nvme0c0n1/hidden", "1\n" },
	};

	(void)state;
	tree_make("hidden", rows, NR_ROWS(rows));
	assert_null(shared_at("hidden", NO_FD));
}

static void partition_is_shared_as_its_disk_is(void **state)
{
	static const struct tree_row rows[] = {
		{ "/sys/dev/block/8:0", "-> ../../devices/pci0/nvme/nvme0/nvme0n1/nvme0n1p1" },
		{ "/sys/devices/pci0/nvme/nvme0/nvme0n1/nvme0n1p1/partition", "1\n" },
		{ "/sys/devices/pci0/nvme/nvme0/nvme0n1/device/transport", "tcp\n" },
	};

	(void)state;
	tree_make("part", rows, NR_ROWS(rows));
	assert_string_equal("it is an NVMe drive of a network (tcp)", shared_at("part", NO_FD));
}

static void drive_is_asked_for_sharing_and_reservations(void **state)
{
	(void)state;
	memset(&drive, 0, sizeof(drive));
	drive.nsid = 1;
	assert_null(shared_at("plain", A_FD));
	drive.nmic = 1;
	assert_non_null(strstr(shared_at("plain", A_FD), "NMIC"));
	drive.nmic = 0;
	drive.reservation_type = 1;
	assert_string_equal("somebody holds a reservation on it", shared_at("plain", A_FD));
	drive.nvme_status = 1; /* invalid opcode: what lies there is no answer */
	assert_null(shared_at("plain", A_FD));
}

static void scsi_reservation_counts_and_a_refusal_does_not(void **state)
{
	(void)state;
	memset(&drive, 0, sizeof(drive));
	drive.scsi_length = 16;
	assert_string_equal("somebody holds a reservation on it", shared_at("plain", A_FD));
	drive.scsi_status = 2; /* CHECK CONDITION */
	assert_null(shared_at("plain", A_FD));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_disk_is_not_shared),
		cmocka_unit_test(second_path_is_known_by_its_wwid),
		cmocka_unit_test(hidden_path_of_its_only_controller_is_no_twin),
		cmocka_unit_test(partition_is_shared_as_its_disk_is),
		cmocka_unit_test(drive_is_asked_for_sharing_and_reservations),
		cmocka_unit_test(scsi_reservation_counts_and_a_refusal_does_not),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
