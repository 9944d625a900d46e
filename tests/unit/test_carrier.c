/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes in a /proc that is made by hand: which of them carry the I/O to a portal or a disk.
 */
#include "../../probes/carrier.h"
#include "probe_tree.h"

#define HEAD                                                                                       \
	"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  "      \
	"timeout inode\n"
#define TAIL               " 00000000:00000000 00:00000000 00000000     0        0 "
#define LINE(local, inode) "   0: " local " 00000000:0000 0A" TAIL inode " 1 0 100 0 0 10 0\n"

static const struct tree_row rows[] = {
	/* listens on 10.77.0.1:3260 */
	{ "/proc/100/stat", "100 (tgtd) S 1 100 100 0 -1\n" },
	{ "/proc/100/net/tcp", HEAD LINE("01004D0A:0CBC", "555") },
	{ "/proc/100/fd/7", "-> socket:[555]" },
	/* listens on any address, in a namespace of its own */
	{ "/proc/101/stat", "101 (a (b) c) S 1 101 101 0 -1\n" },
	{ "/proc/101/net/tcp", HEAD LINE("00000000:0CBC", "556") },
	{ "/proc/101/fd/3", "-> socket:[556]" },
	/* others: another port, another address, somebody else's socket */
	{ "/proc/102/stat", "102 (postgres) S 1 102 102 0 -1\n" },
	{ "/proc/102/net/tcp", HEAD LINE("01004D0A:1538", "557") },
	{ "/proc/102/fd/3", "-> socket:[557]" },
	{ "/proc/103/stat", "103 (tgtd) S 1 103 103 0 -1\n" },
	{ "/proc/103/net/tcp", HEAD LINE("02004D0A:0CBC", "558") },
	{ "/proc/103/fd/3", "-> socket:[558]" },
	{ "/proc/104/stat", "104 (burn) R 1 104 104 0 -1\n" },
	{ "/proc/104/net/tcp", HEAD LINE("01004D0A:0CBC", "555") },
	{ "/proc/104/fd/3", "-> /dev/null" },
	/* serves a file system */
	{ "/proc/105/stat", "105 (sshfs) S 1 105 105 0 -1\n" },
	{ "/proc/105/fd/4", "-> /dev/fuse" },
	/* kernel threads, and one that only calls itself so */
	{ "/proc/106/stat", "106 (md0_raid1) S 2 0 0 0 -1\n" },
	{ "/proc/107/stat", "107 (vhost-4711) S 2 0 0 0 -1\n" },
	{ "/proc/108/stat", "108 (kworker/3:1H-nvmet_tcp_wq) S 2 0 0 0 -1\n" },
	{ "/proc/109/stat", "109 (kswapd0) S 2 0 0 0 -1\n" },
	{ "/proc/110/stat", "110 (md0_raid1) S 1 0 0 0 -1\n" },
	{ "/proc/net/arp", "IP address  HW type  Flags  HW address  Mask  Device\n"
			   "10.77.0.9  0x1  0x2  02:00:00:00:00:09  *  br0\n"
			   "10.77.0.1  0x1  0x2  52:54:00:aa:00:01  *  br0\n" },
	{ "/proc/111/stat", "111 (kvm) S 1 0 0 0 -1\n" },
	{ "/proc/111/cmdline", "kvm -device virtio-net-pci,mac=52:54:00:AA:00:01,netdev=n" },
	{ "/proc/114/stat", "114 (kvm) S 1 0 0 0 -1\n" },
	{ "/proc/114/cmdline", "kvm -device virtio-net-pci,mac=52:54:00:AA:00:02,netdev=n" },
	{ "/proc/115/stat", "115 (vhost-111) S 2 0 0 0 -1\n" },
	{ "/proc/112/stat", "garbage" },
	{ "/proc/113/stat", "113 (ctld) S 1 113 113 0 -1\n" },
	{ "/proc/113/net/tcp6", HEAD LINE("00000000000000000000000000000000:0CBC", "559") },
	{ "/proc/113/fd/3", "-> socket:[559]" },
};

static const struct hl_meter_target portal = { .address = "10.77.0.1", .port = 3260 };
static const struct hl_meter_target portal6 = { .address = "fd00::1", .port = 3260 };
static const struct hl_meter_target disk = { .path = "/dev/loop0" };

static void a_process_is_known_by_its_socket_its_device_or_its_name(void **state)
{
	static const struct {
		uint64_t pid;
		const struct hl_meter_target *target;
		bool is_carrier;
	} cases[] = {
		{ 100, &portal, true },  { 101, &portal, true },    { 102, &portal, false },
		{ 103, &portal, false }, { 104, &portal, false },   { 105, &portal, false },
		{ 105, &disk, true },    { 100, &disk, false },     { 106, &disk, true },
		{ 107, &portal, false }, { 108, &portal, true },    { 109, &portal, false },
		{ 110, &disk, false },   { 111, &portal, true },    { 111, &disk, false },
		{ 112, &portal, false }, { 99999, &portal, false }, { 113, &portal6, true },
		{ 113, &portal, false }, { 114, &portal, false },   { 115, &portal, true },
		{ 115, &disk, false },
	};
	struct hl_machine *machine = hl_machine_open("host", NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (carrier_is(machine, cases[i].target, cases[i].pid) != cases[i].is_carrier)
			fail_msg("case %zu, process %u", i, (unsigned)cases[i].pid);
	}
	hl_machine_close(machine);
}

static void this_program_carries_it(void **state)
{
	struct hl_machine *machine = hl_machine_open("host", NULL);

	(void)state;
	assert_true(carrier_is(machine, &disk, (uint64_t)getpid()));
	hl_machine_close(machine);
}

static int setup(void **state)
{
	int rc = tree_setup(state);

	tree_make("host", rows, NR_ROWS(rows));
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_is_known_by_its_socket_its_device_or_its_name),
		cmocka_unit_test(this_program_carries_it),
	};

	return cmocka_run_group_tests(tests, setup, tree_remove);
}
