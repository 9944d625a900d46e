/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libvirt's XML as virsh prints it and as people paste it: domains, parts of them, node devices.
 */
#include "fact_reader.h"
#include <errno.h>

/* Only what is in devices counts; the name is that of the VM. */
static const char domain[] =
	"<domain type='kvm' id='7' xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>\n"
	"  <name>web</name>\n"
	"  <memory unit='GiB'>4</memory>\n"
	"  <vcpu placement='static' cpuset='0-7'>8</vcpu>\n"
	"  <iothreads>2</iothreads>\n"
	"  <cputune>\n"
	"    <vcpupin vcpu='0' cpuset='2'/>\n"
	"    <vcpupin vcpu='1' cpuset='3-4'/>\n"
	"    <emulatorpin cpuset='0-1'/>\n"
	"    <iothreadpin iothread='1' cpuset='5'/>\n"
	"  </cputune>\n"
	"  <numatune><memory mode='strict' nodeset='1'/></numatune>\n"
	"  <memoryBacking><hugepages><page size='1' unit='GiB'/></hugepages></memoryBacking>\n"
	"  <os><type arch='x86_64' machine='pc-q35-7.2'>hvm</type></os>\n"
	"  <metadata><a:x xmlns:a='urn:a'><disk type='file'><target dev='vdx'/></disk></a:x>"
	"</metadata>\n"
	"  <devices>\n"
	"    <disk type='block' device='disk'>\n"
	"      <driver name='qemu' type='raw' cache='none' io='native' iothread='1' queues='4'/>\n"
	"      <source dev='/dev/zvol/tank/web'/>\n"
	"      <backingStore type='file'><source file='/base'/></backingStore>\n"
	"      <target dev='vda' bus='virtio'/>\n"
	"      <address type='pci' domain='0x0000' bus='0x04' slot='0x00' function='0x0'/>\n"
	"    </disk>\n"
	"    <disk type='network' device='disk'>\n"
	"      <source protocol='rbd' name='pool/img'/>\n"
	"      <target dev='sda' bus='scsi'/>\n"
	"      <address type='drive' controller='1' bus='0' target='0' unit='0'/>\n"
	"    </disk>\n"
	"    <disk type='file' device='cdrom'><target dev='sdb' bus='sata'/></disk>\n"
	"    <controller type='scsi' index='0' model='lsilogic'/>\n"
	"    <controller type='scsi' index='1' model='virtio-scsi'><driver queues='8' "
	"iothread='2'/>"
	"</controller>\n"
	"    <interface type='bridge'>\n"
	"      <mac address='52:54:00:00:53:01'/><source bridge='br0'/><target dev='vnet3'/>\n"
	"      <model type='virtio'/><mtu size='9000'/><link state='down'/>\n"
	"      <driver name='vhost' queues='4' rx_queue_size='1024' tx_queue_size='256'>\n"
	"        <host csum='off' tso4='on'/><guest tso4='off'/></driver>\n"
	"    </interface>\n"
	"    <interface type='hostdev' managed='yes'>\n"
	"      <source><address type='pci' domain='0' bus='66' slot='0x02' "
	"function='0x5'/></source>\n"
	"      <address type='pci' domain='0x0000' bus='0x00' slot='0x0b' function='0x0'/>\n"
	"    </interface>\n"
	"    <hostdev mode='subsystem' type='usb'/>\n"
	"    <hostdev mode='subsystem' type='pci' managed='yes'>\n"
	"      <source><address domain='0x0000' bus='0x41' slot='0x00' function='0x0'/></source>\n"
	"      <address type='pci' domain='0x0000' bus='0x06' slot='0x00' function='0x0'/>\n"
	"    </hostdev>\n"
	"    <graphics type='vnc' passwd='swordfish'/>\n"
	"  </devices>\n"
	"</domain>\n";

static const struct fact_row of_domain[] = {
	{ "web", "vm.vcpus", NULL, 8 },
	{ "web", "vm.cpuset", "0-7", 0 },
	{ "web", "vm.memory", NULL, 4294967296.0 },
	{ "web", "vm.iothreads", NULL, 2 },
	{ "web", "vm.vcpu_pin", "0:2 1:3-4", 0 },
	{ "web", "vm.emulator_pin", "0-1", 0 },
	{ "web", "vm.iothread_pin", "1:5", 0 },
	{ "web", "vm.numa_mode", "strict", 0 },
	{ "web", "vm.numa_nodeset", "1", 0 },
	{ "web", "vm.hugepage_size", NULL, 1073741824.0 },
	{ "web", "vm.machine", "pc-q35-7.2", 0 },
	{ "web", "vm.type", "kvm", 0 },
	{ "web/vda", "vdisk.bus", "virtio", 0 },
	{ "web/vda", "vdisk.cache", "none", 0 },
	{ "web/vda", "vdisk.io", "native", 0 },
	{ "web/vda", "vdisk.iothread", NULL, 1 },
	{ "web/vda", "vdisk.queues", NULL, 4 },
	{ "web/vda", "vdisk.source", "/dev/zvol/tank/web", 0 },
	{ "web/vda", "vdisk.guest_address", "0000:04:00.0", 0 },
	{ "web/sda", "vdisk.source", "rbd:pool/img", 0 },
	{ "web/sda", "vdisk.controller", "virtio-scsi", 0 },
	{ "web/sda", "vdisk.controller_queues", NULL, 8 },
	{ "web/sda", "vdisk.controller_iothread", NULL, 2 },
	{ "web/net0", "vnic.type", "bridge", 0 },
	{ "web/net0", "vnic.model", "virtio", 0 },
	{ "web/net0", "vnic.bridge", "br0", 0 },
	{ "web/net0", "vnic.host_device", "vnet3", 0 },
	{ "web/net0", "vnic.driver", "vhost", 0 },
	{ "web/net0", "vnic.queues", NULL, 4 },
	{ "web/net0", "vnic.rx_queue_size", NULL, 1024 },
	{ "web/net0", "vnic.tx_queue_size", NULL, 256 },
	{ "web/net0", "vnic.offloads_off", "host.csum guest.tso4", 0 },
	{ "web/net0", "vnic.mtu", NULL, 9000 },
	{ "web/net1", "vnic.type", "hostdev", 0 },
	{ "web/net1", "vnic.host_address", "0000:42:02.5", 0 },
	{ "web/net1", "vnic.guest_address", "0000:00:0b.0", 0 },
	{ "web/hostdev1", "passthrough.address", "0000:41:00.0", 0 },
	{ "web/hostdev1", "passthrough.guest_address", "0000:06:00.0", 0 },
};

static void check_domain(const char *bytes, size_t len, const char *how)
{
	struct import import = import_bytes(bytes, len);

	if (import.rc != 1)
		fail_msg("%s: %d %s", how, import.rc, import.err.text);
	assert_rows(&import, of_domain, NR(of_domain));
	import_free(&import);
}

static void a_domain_says_what_its_devices_are(void **state)
{
	struct import import = import_text(domain);
	const struct hl_fact *effect;

	(void)state;
	check_domain(domain, strlen(domain), "as it is");
	effect = fact_of(&import, "web/sda", "vdisk.iothread_has_effect");
	assert_true(effect->boolean);
	assert_string_equal("f.txt:31", effect->source);
	assert_false(fact_of(&import, "web/net0", "vnic.is_up")->boolean);
	import_free(&import);
}

static void what_is_no_device_of_it_is_not_read(void **state)
{
	struct import import = import_text(domain);

	(void)state;
	assert_false(has(&import, NULL, "passthrough.mapping"));
	assert_false(has(&import, "web/vdx", "vdisk.target")); /* metadata */
	assert_false(has(&import, "web/sdb", "vdisk.bus"));    /* a CD drive */
	assert_false(has(&import, "web/sda", "vdisk.cache"));  /* not said */
	assert_false(has(&import, "web/?", "vdisk.queues"));   /* a controller's driver */
	for (size_t i = 0; i < import.graph->nr_facts; i++) {
		const char *string = import.graph->facts[i]->string;

		assert_true(!string || !strstr(string, "swordfish"));
	}
	import_free(&import);
}

/* Every occurrence of from replaced; to be freed. */
static char *replace(const char *text, const char *from, const char *to)
{
	char *out = hl_strdup(text);

	for (size_t at = 0;;) {
		char *found = strstr(out + at, from), *next;

		if (!found)
			return out;
		at = (size_t)(found - out) + strlen(to);
		next = hl_printf("%.*s%s%s", (int)(found - out), out, to, found + strlen(from));
		free(out);
		out = next;
	}
}

static void pasted_ones_are_read_alike(void **state)
{
	static const struct {
		const char *how, *from, *to;
	} cases[] = {
		{ "without indentation", "\n  ", "\n" },
		{ "in one line", "\n", " " },
		{ "wrapped", " ", "\n" },
		{ "double quotes", "'", "\"" },
		{ "elided", "  <iothreads>", "<snip>\n[...]\n<iothreads>" },
		{ "less than", "  <devices>", "  <devices>\n 1 < 2 && 3 & 4\n" },
		{ "comments", "<devices>", "<devices><!-- <disk> -- > --><!-- - -->" },
		{ "a second name", " bus='virtio'", " bus='virtio' bus='ide'" },
		{ "no quotes", "bus='virtio'", "bus=virtio" },
		{ "forgotten end", "<link state='down'/>", "<link state='down'>" },
		{ "a document", "<domain ",
		  "<?xml version='1.0' encoding='ISO-8859-1'?>\n<!DOCTYPE d [<!ENTITY a 'b'>]>\n"
		  "<domain " },
		{ "a page", "<domain ", "<html><pre><domain " },
		{ "behind a prompt", "<domain ", "root@kvm:~# virsh dumpxml web\n\n<domain " },
		{ "control characters", "<devices>", "<devices>\x01\x7f" },
		{ "not UTF-8", "<devices>", "<devices>\xe9\xff" },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = replace(domain, cases[i].from, cases[i].to);

		check_domain(text, strlen(text), cases[i].how);
	}
}

static void escaped_for_a_web_page_it_is_read_alike(void **state)
{
	HL_FREE char *less = replace(domain, "<", "&lt;");
	HL_FREE char *greater = replace(less, ">", "&gt;");
	HL_FREE char *quoted = replace(greater, "'", "&#39;");
	HL_FREE char *named = replace(greater, "'", "&quot;");
	HL_FREE char *typographic = replace(domain, "'", "\xe2\x80\x99");

	(void)state;
	check_domain(less, strlen(less), "&lt;");
	check_domain(quoted, strlen(quoted), "&#39;");
	check_domain(named, strlen(named), "&quot;");
	check_domain(typographic, strlen(typographic), "typographic quotes");
}

static void one_cut_short_gives_what_it_has(void **state)
{
	size_t len = strlen(domain);

	(void)state;
	for (size_t cut = 1; cut < len; cut += 7) {
		struct import import = import_bytes(domain, cut);

		assert_true(import.rc <= 1);
		if (strstr(domain, "<devices>") < domain + cut) {
			assert_row(&import, &of_domain[0]);
			assert_int_equal(import.graph->inputs[0]->status, HL_INPUT_READ);
			if (cut < len - 2)
				assert_non_null(
					strstr(import.graph->inputs[0]->reason, "XML ends early"));
		}
		import_free(&import);
	}
}

static void parts_without_a_root_belong_to_the_vm_of_the_file(void **state)
{
	static const char text[] =
		"I changed it to:\n"
		"  <iothreads>2</iothreads>\n"
		"\n"
		"  <driver name='qemu' type='qcow2' cache='none' iothread='1'/>\n"
		"  <interface type='network'><model type='virtio'/>\n"
		"    <driver name='vhost' queues='4'/></interface>\n"
		"  <interface type='hostdev'><source><address domain='0x0000' bus='0x42' "
		"slot='0x02'"
		" function='0x5'/></source></interface>\n"
		"and it helps.\n";
	static const struct fact_row rows[] = {
		{ "f", "vm.iothreads", NULL, 2 },
		{ "f/?", "vdisk.cache", "none", 0 },
		{ "f/?", "vdisk.iothread", NULL, 1 },
		{ "f/net0", "vnic.queues", NULL, 4 },
		{ "f/net1", "vnic.host_address", "0000:42:02.5", 0 },
	};
	struct import import = import_text(text);

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(3, import.graph->nr_inputs);
	assert_rows(&import, rows, NR(rows));
	assert_false(has(&import, "f/?", "vdisk.iothread_has_effect")); /* no bus is said */
	import_free(&import);
}

static void threads_of_a_disk_are_not_those_of_the_vm(void **state)
{
	struct import import = import_text(
		"<domain type='kvm'><name>a</name><vcpu>2</vcpu><devices><disk type='file'>"
		"<driver name='qemu'><iothreads><iothread id='2'/></iothreads></driver>"
		"<target dev='vda' bus='sata'/></disk></devices></domain>\n");

	(void)state;
	assert_false(has(&import, NULL, "vm.iothreads"));
	assert_false(fact_of(&import, "a/vda", "vdisk.iothread_has_effect")->boolean);
	import_free(&import);
}

static void several_domains_are_several_vms(void **state)
{
	struct import import = import_text(
		"<domain type='kvm'><name>a</name><vcpu>1</vcpu>\n"
		"<devices><interface type='user'/></devices></domain>\n"
		"<domain type='kvm'>\n<name>b</name><vcpu current='2'>8</vcpu>\n" /* cut short */
		"$ virsh dumpxml c\n"
		"<domain type='kvm'><name>c</name><vcpu>3</vcpu>\n"
		"<devices><interface type='user'/></devices></domain>\n");

	(void)state;
	assert_int_equal(3, import.rc);
	assert_row(&import, &(struct fact_row){ "a", "vm.vcpus", NULL, 1 });
	assert_row(&import, &(struct fact_row){ "b", "vm.vcpus", NULL, 2 });
	assert_row(&import, &(struct fact_row){ "c", "vm.vcpus", NULL, 3 });
	assert_true(has(&import, "a/net0", "vnic.type"));
	assert_true(has(&import, "c/net0", "vnic.type"));
	import_free(&import);
}

static void a_name_in_a_comment_is_none(void **state)
{
	struct import import = import_text("\n<!--\nWARNING: made by libvirt, use\n"
					   "  virsh edit other\n-->\n\n"
					   "<domain type='kvm'>\n  <uuid>0</uuid>\n"
					   "  <memory unit='KiB'>1024</memory>\n</domain>\n");

	(void)state;
	assert_row(&import, &(struct fact_row){ "f", "vm.memory", NULL, 1048576 });
	assert_false(has(&import, NULL, "vm.vcpus"));
	import_free(&import);
}

static void entities_of_a_document_are_not_known(void **state)
{
	struct import import = import_text(
		"<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">"
		"<!ENTITY f SYSTEM \"file:///etc/hostname\">]>\n"
		"<domain type='kvm'><name>x&f;&b;</name><vcpu>1</vcpu></domain>\n");

	(void)state;
	assert_row(&import, &(struct fact_row){ "x&f;&b;", "vm.vcpus", NULL, 1 });
	import_free(&import);
}

static void node_devices_say_what_is_where(void **state)
{
	static const struct fact_row rows[] = {
		{ "0000:42:02.5", "pcie.physfn", "0000:42:00.0", 0 },
		{ "0000:42:02.5", "pcie.driver", "vfio-pci", 0 },
		{ "0000:42:02.5", "pcie.parent", "0000:40:01.1", 0 },
		{ "0000:42:02.5", "pcie.iommu_group", NULL, 20 },
		{ "0000:42:02.5", "pcie.numa_node", NULL, 1 },
		{ "0000:41:00.0", "pcie.cap_speed_gts", NULL, 16 },
		{ "0000:41:00.0", "pcie.width", NULL, 1 },
		{ "eth0", "link.speed_mbps", NULL, 10000 },
		{ "eth0", "link.pci_address", "0000:42:00.0", 0 },
	};
	struct import import = import_text(
		"<device>\n  <name>pci_0000_42_02_5</name>\n  <path>/sys/devices/x</path>\n"
		"  <parent>pci_0000_40_01_1</parent>\n  <driver>\n    <name>vfio-pci</name>\n"
		"  </driver>\n  <capability type='pci'>\n    <domain>0</domain><bus>66</bus>\n"
		"    <slot>2</slot><function>5</function>\n"
		"    <capability type='phys_function'>\n      <address domain='0x0000' bus='0x42' "
		"slot='0x00' function='0x0'/>\n    </capability>\n"
		"    <iommuGroup number='20'><address domain='0x0000' bus='0x42' slot='0x02' "
		"function='0x5'/></iommuGroup>\n    <numa node='1'/>\n    <pci-express>\n"
		"      <link validity='cap' port='0' width='0'/>\n      <link validity='sta' "
		"width='0'/>\n    </pci-express>\n  </capability>\n</device>\n\n"
		"<device><name>pci_0000_41_00_0</name><capability type='pci'><pci-express>"
		"<link validity='cap' port='0' speed='16' width='4'/>"
		"<link validity='sta' speed='16' width='1'/></pci-express></capability></device>\n"
		"<device><name>net_eth0</name><parent>pci_0000_42_00_0</parent>"
		"<capability type='net'><interface>eth0</interface>"
		"<link speed='10000' state='up'/></capability></device>\n");

	(void)state;
	assert_rows(&import, rows, NR(rows));
	assert_false(has(&import, "0000:42:02.5", "pcie.width"));
	assert_true(fact_of(&import, "0000:41:00.0", "pcie.is_downgraded")->boolean);
	import_free(&import);
}

static void prose_and_other_xml_are_not_claimed(void **state)
{
	static const char *const cases[] = {
		"Set the <driver> element, and the <domain> too.\n",
		"<driver>\n",
		"<interface name='eth0' type='ethernet'><mtu size='9000'/></interface>\n",
		"<device><name>x</name><vendor>y</vendor></device>\n",
		"<html><body><p>disk</p></body></html>\n",
		"<!-- a comment -->\n<p>text</p>\n",
		"<!-- without an end\n",
		"&lt;p&gt;text&lt;/p&gt;\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.rc != -ENODATA || import.graph->nr_facts)
			fail_msg("claimed: %s", cases[i]);
		import_free(&import);
	}
}

static void deep_and_many_elements_do_no_harm(void **state)
{
	char *text = hl_strdup("<domain type='kvm'><name>deep</name><vcpu>1</vcpu>");
	struct import import;

	(void)state;
	for (int i = 0; i < 12; i++) {
		char *next = hl_printf("%s<a><b><c><d><e><f><g><h><i><j>", text);

		free(text);
		text = next;
	}
	import = import_text(text);
	assert_row(&import, &(struct fact_row){ "deep", "vm.vcpus", NULL, 1 });
	import_free(&import);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_domain_says_what_its_devices_are),
		cmocka_unit_test(what_is_no_device_of_it_is_not_read),
		cmocka_unit_test(pasted_ones_are_read_alike),
		cmocka_unit_test(escaped_for_a_web_page_it_is_read_alike),
		cmocka_unit_test(one_cut_short_gives_what_it_has),
		cmocka_unit_test(parts_without_a_root_belong_to_the_vm_of_the_file),
		cmocka_unit_test(threads_of_a_disk_are_not_those_of_the_vm),
		cmocka_unit_test(several_domains_are_several_vms),
		cmocka_unit_test(a_name_in_a_comment_is_none),
		cmocka_unit_test(entities_of_a_document_are_not_known),
		cmocka_unit_test(node_devices_say_what_is_where),
		cmocka_unit_test(prose_and_other_xml_are_not_claimed),
		cmocka_unit_test(deep_and_many_elements_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
