/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of QEMU: as qm showcmd, a log of libvirt and ps print it, and what is kept of
 * it.
 */
#include "../../probes/qemu.h"
#include "import_reader.h"
#include <errno.h>

static const char *const words[] = {
	"/usr/bin/kvm",
	"-id",
	"101",
	"-name",
	"truenas,debug-threads=on",
	"-no-shutdown",
	"-chardev",
	"socket,id=qmp,path=/var/run/qemu-server/101.qmp,server=on",
	"-smp",
	"8,sockets=2,cores=4",
	"-object",
	"iothread,id=iothread-virtioscsi0",
	"-object",
	"secret,id=x,data=swordfish",
	"-device",
	"vfio-pci,host=0000:41:00.0,id=hostpci0,bus=pci.0,addr=0x10",
	"-device",
	"vfio-pci,host=0000:42:00.0,id=hostpci1,bus=ich9-pcie-port-2,addr=0x0",
	"-device",
	("{\"driver\":\"vfio-pci\",\"host\":\"0000:43:00.1\",\"id\":\"hostdev0\",\"bus\":\"pcie."
	 "0\","
	 "\"addr\":\"0x2.0x1\"}"),
	"-drive",
	"file=/dev/zvol/rpool/vm-101-disk-0,if=none,id=drive-scsi0,cache=none,aio=io_uring",
	"-drive",
	"file=rbd:pool/img:id=admin:key=swordfish,if=none,id=drive-scsi1",
	"-drive",
	"file=/iso,if=none,media=cdrom,id=drive-ide2",
	"-blockdev",
	("{\"driver\":\"throttle\",\"file\":{\"driver\":\"raw\",\"file\":{\"driver\":\"host_"
	 "device\","
	 "\"filename\":\"/dev/zvol/rpool/vm-101-disk-2\",\"aio\":\"native\"},\"node-name\":\"f\"},"
	 "\"node-name\":\"drive-virtio0\",\"key-secret\":\"swordfish\"}"),
	"-device",
	"virtio-blk-pci,drive=drive-virtio0,id=virtio0,bus=pci.0,addr=0xa,num-queues=4",
	"-netdev",
	"type=tap,id=net0,ifname=tap101i0,script=/x,vhost=on,queues=8",
	"-device",
	("virtio-net-pci,mac=BC:24:11:00:53:01,netdev=net0,bus=pci.0,addr=0x12,id=net0,"
	 "rx_queue_size=1024,tx_queue_size=256,host_mtu=9000"),
	"-netdev",
	"{\"type\":\"tap\",\"fds\":\"23:24:25\",\"vhost\":true,\"id\":\"hostnet1\"}",
	"-vnc",
	"unix:/var/run/101.vnc,password=on",
	"-machine",
	"type=pc-q35-9.0+pve0",
};

static const struct {
	const char *node, *key, *string;
	double number; /* where string is NULL */
} expected[] = {
	{ "truenas", "vm.id", NULL, 101 },
	{ "truenas", "vm.vcpus", NULL, 8 },
	{ "truenas", "vm.iothreads", NULL, 1 },
	{ "truenas", "vm.machine", "pc-q35-9.0+pve0", 0 },
	{ "truenas/hostpci0", "passthrough.address", "0000:41:00.0", 0 },
	{ "truenas/hostpci0", "passthrough.guest_address", "0000:00:10.0", 0 },
	{ "truenas/hostpci1", "passthrough.address", "0000:42:00.0", 0 },
	{ "truenas/hostpci1", "passthrough.guest_bus", "ich9-pcie-port-2", 0 },
	{ "truenas/hostpci1", "passthrough.guest_port", "0000:00:1c.1", 0 },
	{ "truenas/hostdev0", "passthrough.address", "0000:43:00.1", 0 },
	{ "truenas/hostdev0", "passthrough.guest_address", "0000:00:02.1", 0 },
	{ "truenas/scsi0", "vdisk.source", "/dev/zvol/rpool/vm-101-disk-0", 0 },
	{ "truenas/scsi0", "vdisk.cache", "none", 0 },
	{ "truenas/scsi1", "vdisk.source", "rbd:pool/img", 0 },
	{ "truenas/virtio0", "vdisk.source", "/dev/zvol/rpool/vm-101-disk-2", 0 },
	{ "truenas/virtio0", "vdisk.io", "native", 0 },
	{ "truenas/virtio0", "vdisk.queues", NULL, 4 },
	{ "truenas/virtio0", "vdisk.guest_address", "0000:00:0a.0", 0 },
	{ "truenas/net0", "vnic.host_device", "tap101i0", 0 },
	{ "truenas/net0", "vnic.driver", "vhost", 0 },
	{ "truenas/net0", "vnic.queues", NULL, 8 },
	{ "truenas/net0", "vnic.mac", "BC:24:11:00:53:01", 0 },
	{ "truenas/net0", "vnic.rx_queue_size", NULL, 1024 },
	{ "truenas/net0", "vnic.mtu", NULL, 9000 },
	{ "truenas/net1", "vnic.queues", NULL, 3 },
	{ "truenas/net1", "vnic.driver", "vhost", 0 },
};

/* The words with something before each, and in quotes or not; to be freed. */
static char *line_of(const char *between, const char *quote)
{
	char *line = hl_strdup(words[0]);

	for (size_t i = 1; i < NR(words); i++) {
		bool is_option = words[i][0] == '-';
		char *next = hl_printf("%s%s%s%s%s", line, is_option ? between : " ",
				       is_option ? "" : quote, words[i], is_option ? "" : quote);

		free(line);
		line = next;
	}
	return line;
}

static void check(const struct import *import, const char *how)
{
	if (import->rc != 1)
		fail_msg("%s: %d %s", how, import->rc, import->err.text);
	for (size_t i = 0; i < NR(expected); i++) {
		const struct hl_fact *fact = hl_graph_find_fact(import->graph, expected[i].node,
								expected[i].key);

		if (!fact)
			fail_msg("%s: no %s of %s", how, expected[i].key, expected[i].node);
		if (expected[i].string)
			assert_string_equal(expected[i].string, fact->string);
		else
			assert_near(expected[i].number, fact->number);
	}
	for (size_t i = 0; i < import->graph->nr_facts; i++) {
		const char *string = import->graph->facts[i]->string;

		assert_true(!string || !strstr(string, "swordfish"));
		assert_null(strstr(import->graph->facts[i]->node, "ide2"));
	}
}

static void devices_of_a_command_line_are_facts(void **state)
{
	static const char *const before[] = {
		"",
		"root@pve:~# qm showcmd 101\n",
		"2025-01-01 00:00:00.000+0000: starting up libvirt version: 9.0.0\nLC_ALL=C \\\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(before); i++) {
		HL_FREE char *line = line_of(" ", "'");
		HL_FREE char *pretty = line_of(" \\\n  ", "'");
		HL_FREE char *one = hl_printf("%s%s\n", before[i], line);
		HL_FREE char *many = hl_printf("%s%s\n\nIs that right?\n", before[i], pretty);
		struct import import = import_text(one);

		check(&import, "one line");
		assert_null(hl_graph_find_fact(import.graph, NULL, "vm.pid"));
		import_free(&import);
		import = import_text(many);
		check(&import, "many lines");
		import_free(&import);
	}
}

static void a_vm_without_a_name_is_called_by_its_number(void **state)
{
	struct import import = import_text("/usr/bin/kvm -id 101 -name vm101,debug-threads=on "
					   "-device vfio-pci,host=0000:01:00.0,id=hostpci0\n");

	(void)state;
	assert_non_null(hl_graph_find_fact(import.graph, "101/hostpci0", "passthrough.address"));
	import_free(&import);
	import = import_text("/usr/bin/kvm -id 101 -name vm102 "
			     "-device vfio-pci,host=0000:01:00.0,id=hostpci0\n");
	assert_non_null(hl_graph_find_fact(import.graph, "vm102/hostpci0", "passthrough.address"));
	import_free(&import);
}

static void what_smp_leaves_out_is_one(void **state)
{
	static const struct {
		const char *value;
		double vcpus;
	} cases[] = {
		{ "3", 3 },
		{ "1,sockets=2,cores=2,maxcpus=4", 1 },
		{ "cpus=6,maxcpus=8", 6 },
		{ "sockets=2,cores=4", 8 },
		{ "cores=2,threads=2", 4 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = hl_printf("/usr/bin/kvm -name a -smp %s -device "
					       "vfio-pci,host=0000:01:00.0,id=hostpci0\n",
					       cases[i].value);
		struct import import = import_text(text);
		const struct hl_fact *fact = hl_graph_find_fact(import.graph, "a", "vm.vcpus");

		assert_non_null(fact);
		assert_true(fact->number == cases[i].vcpus);
		import_free(&import);
	}
}

static void ps_tells_the_process_too(void **state)
{
	static const char *const before[] = {
		"4711 ",
		"root        4711       1 12 Nov29 ?        01:00:00 ",
		"root        4711  5.0  1.0 123456 7890 ?      Sl   Nov29  60:00 ",
	};

	(void)state;
	for (size_t i = 0; i < NR(before); i++) {
		HL_FREE char *line = line_of(" ", "'");
		HL_FREE char *text = hl_printf("%s%s\n", before[i], line);
		struct import import = import_text(text);

		check(&import, before[i]);
		assert_near(4711, hl_graph_find_fact(import.graph, "truenas", "vm.pid")->number);
		import_free(&import);
	}
}

static void what_is_kept_has_no_secrets_and_is_read_alike(void **state)
{
	HL_FREE char *kept = NULL;
	HL_FREE char *line = hl_alloc(16384);
	struct import import;
	size_t len = 0, kept_len = 0;

	(void)state;
	for (size_t i = 0; i < NR(words); i++) {
		memcpy(line + len, words[i], strlen(words[i]) + 1);
		len += strlen(words[i]) + 1;
	}
	kept = qemu_keep(line, len, &kept_len);
	assert_non_null(kept);
	assert_null(strstr(kept, "swordfish"));
	assert_null(strstr(kept, "qmp"));
	assert_null(strstr(kept, "vnc"));
	assert_null(strstr(kept, "secret"));
	import = import_bytes(kept, kept_len);
	check(&import, "kept");
	import_free(&import);
}

static void only_the_emulator_is_kept(void **state)
{
	static const char other[] = "/usr/bin/ssh\0-device\0x";
	static const char unended[] = { '/', 'k', 'v', 'm' };
	size_t len;

	(void)state;
	assert_null(qemu_keep(other, sizeof(other), &len));
	assert_null(qemu_keep(unended, sizeof(unended), &len));
	assert_null(qemu_keep("", 0, &len));
}

static void prose_about_it_is_not_claimed(void **state)
{
	static const char *const cases[] = {
		"I start qemu-system-x86_64 with a -device vfio-pci\n",
		"/usr/bin/kvm -version\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.graph->nr_facts)
			fail_msg("claimed: %s", cases[i]);
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_of_a_command_line_are_facts),
		cmocka_unit_test(a_vm_without_a_name_is_called_by_its_number),
		cmocka_unit_test(what_smp_leaves_out_is_one),
		cmocka_unit_test(ps_tells_the_process_too),
		cmocka_unit_test(what_is_kept_has_no_secrets_and_is_read_alike),
		cmocka_unit_test(only_the_emulator_is_kept),
		cmocka_unit_test(prose_about_it_is_not_claimed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
