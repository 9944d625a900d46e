/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of a Proxmox VM, as a file, as qm prints it, and as people paste it.
 */
#include "fact_reader.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <math.h>

static const char config[] =
	"#a VM that serves%3A files\n"
	"affinity: 0-3,8\n"
	"agent: 1\n"
	"boot: order=scsi0;ide2;net0\n"
	"cipassword: $5$secret\n"
	"cores: 4\n"
	"cpu: host,flags=+aes\n"
	"cpulimit: 2.5\n"
	"efidisk0: local-zfs:vm-101-disk-9,efitype=4m,size=1M\n"
	"hostpci0: 0000:41:00.0;0000:41:00.1,pcie=1,rombar=0\n"
	"hostpci1: mapping=fastNic,mdev=x\n"
	"hostpci2: host=d0:13.0\n"
	"hugepages: 1024\n"
	"ide0: local-zfs:vm-101-disk-5,iothread=1\n"
	"ide2: local:iso/debian.iso,media=cdrom,size=600M\n"
	"ide3: local-zfs:vm-101-cloudinit,media=cdrom\n"
	"machine: pc-q35-9.0+pve1,viommu=intel\n"
	"memory: 8192\n"
	"name: truenas\n"
	"net0: virtio=BC:24:11:00:53:01,bridge=vmbr0,firewall=1,mtu=9000,queues=8,rate=100,tag=20\n"
	"net1: e1000,bridge=vmbr1,link_down=1\n"
	"net2: model=vmxnet3,macaddr=BC:24:11:00:53:02,bridge=vmbr2\n"
	"numa: 1\n"
	"numa0: cpus=0-3,hostnodes=1,memory=8192,policy=bind\n"
	"sata0: /dev/disk/by-id/ata-X_1,size=1T\n"
	"scsi0: "
	"local-zfs:vm-101-disk-0,aio=native,cache=none,discard=on,iothread=1,mbps=100,size=32G\n"
	"scsi1: local-zfs:vm-101-disk-1,size=32G\n"
	"scsihw: virtio-scsi-single\n"
	"smbios1: uuid=3dd750ce-d910-44d0-9493-525c0be4e687\n"
	"sockets: 2\n"
	"virtio0: local-zfs:vm-101-disk-2,iothread=1,size=32G\n"
	"\n"
	"[PENDING]\n"
	"cores: 6\n"
	"delete: net1\n"
	"\n"
	"[special:cloudinit]\n"
	"name: other\n"
	"\n"
	"[before]\n"
	"cores: 1\n"
	"name: older\n"
	"scsi0: local-zfs:vm-101-disk-7,cache=writeback\n"
	"scsihw: virtio-scsi-pci\n";

static const struct fact_row of_config[] = {
	{ "truenas", "vm.cores", NULL, 4 },
	{ "truenas", "vm.sockets", NULL, 2 },
	{ "truenas", "vm.vcpus", NULL, 8 },
	{ "truenas", "vm.cpuset", "0-3,8", 0 },
	{ "truenas", "vm.cpu_model", "host", 0 },
	{ "truenas", "vm.cpu_limit", NULL, 2.5 },
	{ "truenas", "vm.machine", "pc-q35-9.0+pve1", 0 },
	{ "truenas", "vm.memory", NULL, 8589934592.0 },
	{ "truenas", "vm.hugepage_size", NULL, 1073741824.0 },
	{ "truenas", "vm.scsihw", "virtio-scsi-single", 0 },
	{ "truenas", "vm.numa_nodeset", "1", 0 },
	{ "truenas", "vm.numa_mode", "bind", 0 },
	{ "truenas", "vm.pending", "cores net1", 0 },
	{ "truenas", "vm.snapshots", NULL, 1 },
	{ "truenas/hostpci0", "passthrough.address", "0000:41:00.0;0000:41:00.1", 0 },
	{ "truenas/hostpci1", "passthrough.mapping", "fastNic", 0 },
	{ "truenas/hostpci2", "passthrough.address", "d0:13.0", 0 },
	{ "truenas/net0", "vnic.model", "virtio", 0 },
	{ "truenas/net0", "vnic.mac", "BC:24:11:00:53:01", 0 },
	{ "truenas/net0", "vnic.bridge", "vmbr0", 0 },
	{ "truenas/net0", "vnic.queues", NULL, 8 },
	{ "truenas/net0", "vnic.mtu", NULL, 9000 },
	{ "truenas/net0", "vnic.limit_bw", NULL, 104857600.0 },
	{ "truenas/net0", "vnic.vlan", NULL, 20 },
	{ "truenas/net1", "vnic.model", "e1000", 0 },
	{ "truenas/net2", "vnic.model", "vmxnet3", 0 },
	{ "truenas/net2", "vnic.mac", "BC:24:11:00:53:02", 0 },
	{ "truenas/sata0", "vdisk.source", "/dev/disk/by-id/ata-X_1", 0 },
	{ "truenas/sata0", "vdisk.bus", "sata", 0 },
	{ "truenas/scsi0", "vdisk.source", "local-zfs:vm-101-disk-0", 0 },
	{ "truenas/scsi0", "vdisk.io", "native", 0 },
	{ "truenas/scsi0", "vdisk.cache", "none", 0 },
	{ "truenas/scsi0", "vdisk.discard", "on", 0 },
	{ "truenas/scsi0", "vdisk.limit_bw", NULL, 104857600.0 },
};

static void check_config(const char *text, const char *how)
{
	struct import import = import_text(text);

	if (import.rc != 1)
		fail_msg("%s: %d %s", how, import.rc, import.err.text);
	assert_rows(&import, of_config, NR(of_config));
	import_free(&import);
}

static void the_vm_as_it_is_now_is_read(void **state)
{
	struct import import = import_text(config);

	(void)state;
	check_config(config, "as it is");
	assert_int_equal(1, boolean_of(&import, "truenas/scsi0", "vdisk.iothread"));
	assert_int_equal(0, boolean_of(&import, "truenas/scsi1", "vdisk.iothread"));
	assert_int_equal(0, boolean_of(&import, "truenas/net1", "vnic.is_up"));
	assert_int_equal(-1, boolean_of(&import, "truenas/net0", "vnic.is_up"));
	assert_int_equal(1, boolean_of(&import, "truenas/hostpci0", "passthrough.is_pcie"));
	assert_string_equal("f.txt:6", fact_of(&import, "truenas", "vm.cores")->source);
	import_free(&import);
}

static void sections_do_not_override_it(void **state)
{
	struct import import = import_text(config);
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; i < import.graph->nr_facts; i++) {
		const struct hl_fact *fact = import.graph->facts[i];

		nr += !strcmp(fact->key, "vm.cores");
		assert_true(!strncmp(fact->node, "truenas", 7));
		assert_true(!fact->string || !strstr(fact->string, "disk-7"));
	}
	assert_int_equal(1, nr);
	import_free(&import);
}

static void drives_without_data_and_secrets_are_no_facts(void **state)
{
	struct import import = import_text(config);

	(void)state;
	assert_false(has(&import, "truenas/ide2", "vdisk.bus"));
	assert_false(has(&import, "truenas/ide3", "vdisk.bus"));
	assert_false(has(&import, "truenas/efidisk0", "vdisk.bus"));
	for (size_t i = 0; i < import.graph->nr_facts; i++) {
		const char *string = import.graph->facts[i]->string;

		assert_true(!string || !strstr(string, "secret"));
	}
	import_free(&import);
}

static void an_iothread_has_an_effect_only_where_it_can(void **state)
{
	static const struct {
		const char *scsihw, *disk, *node;
		int effect; /* -1 = not known */
	} cases[] = {
		{ "scsihw: virtio-scsi-single\n", "scsi0: a:b,iothread=1\n", "f/scsi0", 1 },
		{ "scsihw: virtio-scsi-pci\n", "scsi0: a:b,iothread=1\n", "f/scsi0", 0 },
		{ "scsihw: lsi\n", "scsi0: a:b,iothread=1\n", "f/scsi0", 0 },
		{ "", "scsi0: a:b,iothread=1\n", "f/scsi0", -1 },
		{ "scsihw: virtio-scsi-single\n", "scsi0: a:b\n", "f/scsi0", -1 },
		{ "scsihw: virtio-scsi-single\n", "scsi0: a:b,iothread=0\n", "f/scsi0", -1 },
		{ "scsihw: virtio-scsi-pci\n", "virtio0: a:b,iothread=on\n", "f/virtio0", 1 },
		{ "scsihw: virtio-scsi-single\n", "sata0: a:b,iothread=1\n", "f/sata0", 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = hl_printf("cores: 1\n%s%s", cases[i].disk, cases[i].scsihw);
		struct import import = import_text(text);

		assert_int_equal(cases[i].effect,
				 boolean_of(&import, cases[i].node, "vdisk.iothread_has_effect"));
		import_free(&import);
	}
}

/* The first occurrence of from replaced; to be freed. */
static char *replace(const char *text, const char *from, const char *to)
{
	const char *found = strstr(text, from);

	return hl_printf("%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
}

static void pasted_ones_are_read_alike(void **state)
{
	static const struct {
		const char *how, *from, *to;
	} cases[] = {
		{ "behind a command", "#a VM", "Here it is:\n\nroot@pve:~# qm config 101\n#a VM" },
		{ "wrapped behind the key", "scsi0: local", "scsi0:\nlocal" },
		{ "wrapped at a comma", ",firewall=1,", ",firewall=1,\n" },
		{ "wrapped before a comma", ",firewall=1,", "\n,firewall=1," },
		{ "with a tab", "cores: 4", "cores:\t4  " },
		{ "indented", "sockets: 2", "    sockets: 2" },
		{ "with blanks", "aio=native,cache", "aio=native, cache" },
		{ "with a digest", "efidisk0:", "digest: 0123abcd\nefidisk0:" },
		{ "empty lines", "cores: 4\n", "\ncores: 4\n\n" },
		{ "with an answer", "scsihw: virtio-scsi-pci\n",
		  "scsihw: virtio-scsi-pci\n\nIs that right?\n" },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = replace(config, cases[i].from, cases[i].to);

		check_config(text, cases[i].how);
	}
}

static void the_number_of_a_vm_is_in_a_command_or_the_name_of_its_file(void **state)
{
	static const char vm[] = "cores: 2\nscsihw: virtio-scsi-pci\nsockets: 1\n";
	static const char *const before[] = {
		"root@pve:~# qm config 117 --current 1\n",
		"$ cat /etc/pve/qemu-server/117.conf\n",
		"==> /etc/pve/qemu-server/117.conf <==\n",
		"root@pve:/etc/pve/qemu-server# cat 117.conf\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(before); i++) {
		HL_FREE char *text = hl_printf("%s%s", before[i], vm);
		struct import import = import_text(text);

		assert_row(&import, &(struct fact_row){ "f", "vm.id", NULL, 117 });
		import_free(&import);
	}
	{
		struct import import = import_text("see my117.conf\ncores: 2\nscsihw: lsi\n");

		assert_false(has(&import, NULL, "vm.id"));
		import_free(&import);
	}
}

static void a_file_that_a_capture_kept_is_of_its_node(void **state)
{
	static const char vm[] = "cores: 2\nscsihw: lsi\n";
	struct hl_text *text = hl_text_new("101.conf", vm, strlen(vm));
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_reading reading = { .graph = graph, .hop_name = "x", .host = "pve" };

	(void)state;
	reading.node = "101";
	reading.stem = "qm-config";
	assert_int_equal(1, hl_formats_read(text, &reading, NULL));
	assert_true(hl_graph_find_fact(graph, "101", "vm.id")->number == 101);
	assert_string_equal("pve", hl_graph_find_fact(graph, "101", "vm.cores")->host);
	hl_text_free(text);
}

static void files_printed_one_after_another_are_several_vms(void **state)
{
	struct import import = import_text("cores: 1\nname: a\nscsihw: lsi\nsockets: 1\n"
					   "\n[snap]\ncores: 3\nname: a\nscsihw: lsi\n"
					   "boot: order=scsi0\ncores: 2\nname: b\nscsihw: lsi\n"
					   "cores: 4\nname: c\nscsihw: lsi\nsockets: 1\n");

	(void)state;
	assert_int_equal(3, import.rc);
	assert_row(&import, &(struct fact_row){ "a", "vm.cores", NULL, 1 });
	assert_row(&import, &(struct fact_row){ "b", "vm.cores", NULL, 2 });
	assert_row(&import, &(struct fact_row){ "c", "vm.cores", NULL, 4 });
	import_free(&import);
}

static void disks_alone_are_of_a_vm_without_a_name(void **state)
{
	struct import import = import_text("scsi0: s:1/d.raw,aio=threads\n"
					   "scsi9: s:2/d.raw\nscsi10: s:3/d.raw,cache=writeback\n");

	(void)state;
	assert_row(&import, &(struct fact_row){ "f/scsi0", "vdisk.io", "threads", 0 });
	assert_row(&import, &(struct fact_row){ "f/scsi10", "vdisk.cache", "writeback", 0 });
	assert_false(has(&import, NULL, "vm.scsihw"));
	assert_false(has(&import, NULL, "vm.vcpus"));
	import_free(&import);
}

static void sockets_and_cores_are_one_where_they_are_not_said(void **state)
{
	static const struct {
		const char *text;
		double vcpus; /* NAN: not known */
	} cases[] = {
		{ "cores: 4\n", 4 },
		{ "sockets: 2\n", 2 },
		{ "smp: 2\ncores: 3\n", 6 },
		{ "smp: 2\nsockets: 4\n", 4 },
		{ "cores: 4\nsockets: 2\n", 8 },
		{ "cores: 4\nsockets: 2\nvcpus: 3\n", 3 },
		{ "cores: 4\nvcpus: 0\n", 4 },
		{ "cores: 4\nvcpus: 16\n", 4 },
		{ "vcpus: 3\n", 3 },
		{ "cores: x\n", NAN },
		{ "memory: 512\n", NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_FREE char *text = hl_printf("%sscsihw: lsi\nscsi0: a:b\n", cases[i].text);
		struct import import = import_text(text);

		if (isnan(cases[i].vcpus))
			assert_false(has(&import, NULL, "vm.vcpus"));
		else
			assert_row(&import,
				   &(struct fact_row){ "f", "vm.vcpus", NULL, cases[i].vcpus });
		import_free(&import);
	}
}

static void no_limit_of_processors_is_no_fact(void **state)
{
	struct import import = import_text("cores: 4\ncpulimit: 0\nscsihw: lsi\n");

	(void)state;
	assert_false(has(&import, NULL, "vm.cpu_limit"));
	import_free(&import);
}

static void the_kind_of_guest_makes_it_a_vm(void **state)
{
	struct import import = import_text("cpu: host,level=30\nmemory: 768\nnuma: 0\n"
					   "ostype: win11\nsockets: 1\n");

	(void)state;
	assert_true(has(&import, NULL, "vm.sockets"));
	import_free(&import);
}

static void other_files_are_not_taken_for_it(void **state)
{
	static const char *const cases[] = {
		"name: web\nmemory: 512\ncpu: 2\n",
		"arch: amd64\ncores: 2\nhostname: ct\nmemory: 512\n"
		"net0: name=eth0,bridge=vmbr0,ip=dhcp\nostype: debian\nrootfs: local:1,size=8G\n",
		"net0 is slow\nscsi0 too\n",
		"[PENDING]\n",
		"# a comment\n\n# another\n",
		"root@pve:~# qm config 100\nConfiguration file 'nodes/pve/qemu-server/100.conf' "
		"does "
		"not exist\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.rc != -ENODATA || import.graph->nr_facts)
			fail_msg("claimed: %s", cases[i]);
		import_free(&import);
	}
}

static void one_cut_short_gives_what_it_has(void **state)
{
	(void)state;
	for (size_t len = 0; len < strlen(config); len += 5) {
		struct import import = import_bytes(config, len);

		if (strstr(config, "sockets") < config + len)
			assert_row(&import, &of_config[0]);
		import_free(&import);
	}
}

static void figures_that_are_none_are_no_facts(void **state)
{
	struct import import = import_text("cores: many\nmemory: -1\nnet0: virtio=X,queues=two\n"
					   "scsihw:\nsockets: 1\n");

	(void)state;
	assert_false(has(&import, NULL, "vm.cores"));
	assert_false(has(&import, NULL, "vm.memory"));
	assert_false(has(&import, NULL, "vnic.queues"));
	assert_false(has(&import, NULL, "vm.scsihw"));
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vm_as_it_is_now_is_read),
		cmocka_unit_test(sections_do_not_override_it),
		cmocka_unit_test(drives_without_data_and_secrets_are_no_facts),
		cmocka_unit_test(an_iothread_has_an_effect_only_where_it_can),
		cmocka_unit_test(pasted_ones_are_read_alike),
		cmocka_unit_test(the_number_of_a_vm_is_in_a_command_or_the_name_of_its_file),
		cmocka_unit_test(a_file_that_a_capture_kept_is_of_its_node),
		cmocka_unit_test(files_printed_one_after_another_are_several_vms),
		cmocka_unit_test(disks_alone_are_of_a_vm_without_a_name),
		cmocka_unit_test(sockets_and_cores_are_one_where_they_are_not_said),
		cmocka_unit_test(no_limit_of_processors_is_no_fact),
		cmocka_unit_test(the_kind_of_guest_makes_it_a_vm),
		cmocka_unit_test(other_files_are_not_taken_for_it),
		cmocka_unit_test(one_cut_short_gives_what_it_has),
		cmocka_unit_test(figures_that_are_none_are_no_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
