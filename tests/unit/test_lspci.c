/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lspci prints, whole, broken and in all its ages: only what it says becomes a fact.
 */
#include "fact_reader.h"
#include "pci_maker.h"

#define NVME "0000:01:00.0"

static const char head[] = "01:00.0 Non-Volatile memory controller: Acme NVMe SSD (rev 01) "
			   "(prog-if 02 [NVM Express])\n";

static struct import import_lines(const char *lines)
{
	HL_FREE char *text = hl_printf("%s%s", head, lines);

	return import_text(text);
}

static void figures_decide_whether_a_link_is_downgraded_not_words(void **unused)
{
	static const struct {
		const char *cap, *status;
		double speed, width;
		int is_downgraded;
	} cases[] = {
		{ "Speed 8GT/s, Width x16", "Speed 2.5GT/s, Width x1", 2.5, 1, 1 },
		{ "Speed 16GT/s, Width x4", "Speed 16GT/s (ok), Width x2 (downgraded)", 16, 2, 1 },
		{ "Speed 16GT/s, Width x4", "Speed 8GT/s (downgraded), Width x4", 8, 4, 1 },
		{ "Speed 16GT/s, Width x4", "Speed 16GT/s (ok), Width x4 (ok)", 16, 4, 0 },
		{ "Speed 5GT/s, Width x8", "Speed 5GT/s, Width x8, TrErr- Train- SlotClk+", 5, 8,
		  0 },
		{ "Speed 16GT/s, Width x16", "Speed unknown (downgraded), Width x0 (downgraded)",
		  NAN, NAN, -1 },
		{ "Speed 8GT/s, Width x8", "Speed 2.5GT/s (downgraded), Width x0 (downgraded)", NAN,
		  NAN, -1 },
		{ "Speed unknown, Width x63", "Speed unknown (ok), Width x63 (ok)", NAN, NAN, -1 },
		{ "Speed 32GT/s, Width x4", "Speed 16GT/s (downgraded), Wid", 16, NAN, 1 },
		{ "Speed 16GT/s, Width x4", "Speed 16GT/s, Wid", 16, NAN, -1 },
		{ "Speed 64GT/s, Width x16", "Speed 64GT/s, Width x16", 64, 16, 0 },
	};

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *lines = hl_printf("\t\tLnkCap:\tPort #0, %s, ASPM not supported\n"
						"\t\tLnkSta:\t%s\n",
						cases[i].cap, cases[i].status);
		struct import import = import_lines(lines);

		if (isnan(cases[i].speed))
			assert_unknown(number_of(&import, NVME, "pcie.speed_gts"));
		else
			assert_near(cases[i].speed, number_of(&import, NVME, "pcie.speed_gts"));
		if (isnan(cases[i].width))
			assert_unknown(number_of(&import, NVME, "pcie.width"));
		else
			assert_near(cases[i].width, number_of(&import, NVME, "pcie.width"));
		assert_int_equal(boolean_of(&import, NVME, "pcie.is_downgraded"),
				 cases[i].is_downgraded);
		import_free(&import);
	}
}

static void a_field_goes_on_over_lines_that_a_mailer_broke(void **unused)
{
	struct import import = import_text(
		"> 0000:01:00.0 Non-Volatile memory controller [0108]: Samsung Electronics Co Ltd\n"
		"> NVMe SSD Controller PM9A1/PM9A3/980PRO [144d:a80a] (prog-if 02 [NVM Express])\n"
		"> \t\tDevCtl: CorrErr+ NonFatalErr+ FatalErr+ UnsupReq+\n"
		"> \t\t\tMaxPayload 256 bytes,\n"
		"> MaxReadReq 512 bytes\n"
		"> \t\tLnkCap:\tPort #0, Speed\n"
		"> 16GT/s, Width x4, ASPM L1, Exit Latency\n"
		"> L1 <64us\n"
		"> \t\tLnkCtl:\tASPM Disabled; RCB 64 bytes\n"
		"> \t\tLnkSta:\tSpeed 8GT/s\n"
		"> (downgraded), Width\n"
		"> x2 (downgraded)\n"
		"> \t\tLnkCtl2: Target Link Speed: 8GT/s, EnterCompliance- SpeedDis-\n"
		"> \t\tCESta:\tRxErr+ BadTLP- BadDLLP+ Rollover-\n"
		"> Timeout- AdvNonFatalErr+\n"
		"> \t\tCEMsk:\tRxErr+ BadTLP+ BadDLLP+ Rollover+ Timeout+ AdvNonFatalErr+\n");

	(void)unused;
	assert_near(16, number_of(&import, NVME, "pcie.cap_speed_gts"));
	assert_near(4, number_of(&import, NVME, "pcie.cap_width"));
	assert_near(8, number_of(&import, NVME, "pcie.speed_gts"));
	assert_near(2, number_of(&import, NVME, "pcie.width"));
	assert_near(8, number_of(&import, NVME, "pcie.target_speed_gts"));
	assert_near(256, number_of(&import, NVME, "pcie.mps"));
	assert_near(512, number_of(&import, NVME, "pcie.mrrs"));
	assert_string_equal(text_of(&import, NVME, "pcie.aspm"), "Disabled");
	assert_string_equal(text_of(&import, NVME, "pcie.aspm_cap"), "L1");
	assert_string_equal(text_of(&import, NVME, "pcie.aer_correctable"),
			    "RxErr BadDLLP AdvNonFatalErr");
	assert_string_equal(text_of(&import, NVME, "pcie.name"),
			    "Samsung Electronics Co Ltd NVMe SSD Controller PM9A1/PM9A3/980PRO");
	assert_string_equal(text_of(&import, NVME, "pcie.class"), "Non-Volatile memory controller");
	import_free(&import);
}

static void every_way_of_naming_a_device_is_read(void **unused)
{
	static const struct {
		const char *line, *node, *class, *name;
	} cases[] = {
		{ "01:00.0 SATA controller: Acme Disk (rev 02)\n", NVME, "SATA controller",
		  "Acme Disk" },
		{ "10000:e1:00.0 SATA controller [0106]: Acme Disk [8086:a102] (rev 31)\n",
		  "10000:e1:00.0", "SATA controller", "Acme Disk" },
		{ "0101:00:02.0 Ethernet controller: Mellanox [ConnectX-4 Lx Virtual Function]\n",
		  "0101:00:02.0", "Ethernet controller",
		  "Mellanox [ConnectX-4 Lx Virtual Function]" },
		{ "01:00.0 Ethernet controller: Mellanox Technologies MT27800 Family\n"
		  "[ConnectX-5] (rev 80)\n[...]\n",
		  NVME, "Ethernet controller",
		  "Mellanox Technologies MT27800 Family [ConnectX-5]" },
		{ "01:00.0 Ethernet controller: Qualcomm Atheros AR8151 v2.0\n[...]\n", NVME,
		  "Ethernet controller", "Qualcomm Atheros AR8151 v2.0" },
		{ "01:00.0 0108: 144d:a80a (prog-if 02)\n", NVME, "Non-Volatile memory controller",
		  "" },
		{ "01:00.0 Class 0200: 8086:1572 (rev 01)\n", NVME, "Ethernet controller", "" },
		{ "Slot:\t01:00.0\nClass:\tSATA controller\nVendor:\tAcme\nDevice:\tDisk\n"
		  "SVendor:\tOther\nDriver:\tahci\n",
		  NVME, "SATA controller", "Acme Disk" },
		{ "01:00.0 \"Ethernet controller\" \"Acme\" \"Ten\" -r01 \"Acme\" \"Card\"\n", NVME,
		  "Ethernet controller", "Acme Ten" },
	};

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i].line);

		assert_string_equal(text_of(&import, cases[i].node, "pcie.class"), cases[i].class);
		assert_string_equal(text_of(&import, cases[i].node, "pcie.name"), cases[i].name);
		import_free(&import);
	}
}

static void what_only_looks_like_lspci_is_left_alone(void **unused)
{
	static const char *const cases[] = {
		"- [one] a list\n- [two]\n",
		"[    1.234567] pci 0000:01:00.0: 31.504 Gb/s available PCIe bandwidth\n",
		"0000:01:00.0: 31.504 Gb/s available\n",
		"12:34.5 it was: a time\n",
		"00: 86 80 12 34\n",
		"01:00.8 SATA controller: no such function\n",
	};

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		for (size_t k = 0; k < import.graph->nr_inputs; k++)
			assert_string_not_equal(import.graph->inputs[k]->format
							? import.graph->inputs[k]->format
							: "none",
						"lspci");
		import_free(&import);
	}
}

static void lspci_ends_where_a_shell_or_something_else_begins(void **unused)
{
	struct import import = import_lines("\tKernel driver in use: nvme\n```\n"
					    "root@pve:~# uname -a\n"
					    "Linux pve 6.8.12-1-pve #1 SMP x86_64 GNU/Linux\n"
					    "\n"
					    "that was all\n");

	(void)unused;
	assert_string_equal(text_of(&import, NVME, "pcie.driver"), "nvme");
	assert_int_equal(import.graph->inputs[0]->last_line, 3);
	import_free(&import);
}

static void what_lspci_v_says_in_its_flags_is_read(void **unused)
{
	struct import import = import_lines(
		"\tFlags: bus master, fast devsel, latency 0, IRQ 16, NUMA node 1, IOMMU group 14\n"
		"\tBus: primary=00, secondary=0a, subordinate=1f, sec-latency=0\n");

	(void)unused;
	assert_near(1, number_of(&import, NVME, "pcie.numa_node"));
	assert_near(14, number_of(&import, NVME, "pcie.iommu_group"));
	import_free(&import);
}

static void records_of_lspci_vmm_are_read(void **unused)
{
	struct import import = import_text("Slot:\t00:1f.2\nClass:\tSATA controller\n"
					   "Vendor:\tAcme\nDevice:\tDisk\n\n"
					   "Slot:\t0000:01:00.0\nClass:\tEthernet controller\n"
					   "Vendor:\tAcme\nDevice:\tTen\nPhySlot:\t3\n"
					   "Driver:\tixgbe\nModule:\tixgbe\nNUMANode:\t1\n"
					   "IOMMUGroup:\t7\n");

	(void)unused;
	assert_string_equal(text_of(&import, "0000:00:1f.2", "pcie.name"), "Acme Disk");
	assert_string_equal(text_of(&import, NVME, "pcie.driver"), "ixgbe");
	assert_string_equal(text_of(&import, NVME, "pcie.slot"), "3");
	assert_near(1, number_of(&import, NVME, "pcie.numa_node"));
	assert_near(7, number_of(&import, NVME, "pcie.iommu_group"));
	import_free(&import);
}

static void a_command_names_the_device_where_grep_took_its_head(void **unused)
{
	struct import import = import_text(
		"Here it is:\n"
		"root@pve:~# lspci -vvs 01:00.0 | grep -E 'LnkCap:|LnkSta:'\n"
		"\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4, ASPM L1, Exit Latency L1 <64us\n"
		"\t\tLnkSta:\tSpeed 16GT/s (ok), Width x2 (downgraded)\n"
		"root@pve:~# lspci -s 02:00.0\n"
		"02:00.0 SATA controller: Acme Disk\n");

	(void)unused;
	assert_near(2, number_of(&import, NVME, "pcie.width"));
	assert_string_equal(text_of(&import, "0000:02:00.0", "pcie.name"), "Acme Disk");
	assert_string_equal(text_of(&import, NVME, "pcie.name"), "");
	import_free(&import);
}

static void a_text_with_empty_lines_between_all_lines_is_read(void **unused)
{
	struct import import = import_text(
		"01:00.0 SATA controller: Acme Disk\n\n\tFlags: fast devsel\n\n"
		"\tCapabilities: [70] Express (v2) Endpoint, MSI 00\n\n"
		"\t\tDevCtl:\tCorrErr-\n\n\t\t\tRlxdOrd- ExtTag-\n\n"
		"\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes\n\n"
		"\t\tLnkSta:\tSpeed 8GT/s, Width x4\n\n");

	(void)unused;
	assert_near(256, number_of(&import, NVME, "pcie.mps"));
	assert_near(4, number_of(&import, NVME, "pcie.width"));
	import_free(&import);
}

static void a_text_without_its_indentation_is_read(void **unused)
{
	struct import import = import_text(
		"01:00.0 SATA controller: Acme Disk\nCapabilities: [70] Express (v2) Endpoint, MSI "
		"00\n"
		"DevCtl: CorrErr- NonFatalErr-\nRlxdOrd- ExtTag-\nMaxPayload 256 bytes, MaxReadReq "
		"512 "
		"bytes\nLnkCap: Port #0, Speed 8GT/s, Width x4, ASPM L1, Exit Latency L1 &lt;64us\n"
		"ClockPM- Surprise-\nLnkSta: Speed 8GT/s, Width x2\n");

	(void)unused;
	assert_near(512, number_of(&import, NVME, "pcie.mrrs"));
	assert_near(4, number_of(&import, NVME, "pcie.cap_width"));
	assert_near(2, number_of(&import, NVME, "pcie.width"));
	import_free(&import);
}

static void the_tree_of_lspci_t_tells_what_stands_above(void **unused)
{
	static const struct {
		const char *node, *parent;
	} cases[] = {
		{ "0000:01:00.0", "0000:00:01.1" }, { "0000:02:00.0", "0000:00:03.1" },
		{ "0000:04:00.0", "0000:03:00.0" }, { "0000:05:00.1", "0000:03:01.0" },
		{ "0000:03:01.0", "0000:02:00.0" }, { "0000:00:18.7", "" },
		{ "0000:65:00.0", "0000:64:00.0" },
	};
	struct import import = import_text(
		"$ lspci -tv\n"
		"-+-[0000:64]-+-00.0-[65]----00.0  Acme NVMe\n"
		" |           \\-05.0  Intel Corporation Sky Lake-E\n"
		" \\-[0000:00]-+-00.0  Acme Host bridge [1022:1480]\n"
		"             +-01.1-[01]----00.0  Acme NVMe - new\n"
		"             +-03.1-[02-05]----00.0-[03-05]--+-00.0-[04]----00.0  Acme\n"
		"             |                               \\-01.0-[05]--+-00.0  Acme\n"
		"             |                                            \\-00.1  Acme\n"
		"             \\-18.7  Acme\n"
		"that was it\n");

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++)
		assert_string_equal(text_of(&import, cases[i].node, "pcie.parent"),
				    cases[i].parent);
	assert_int_equal(import.graph->inputs[1]->last_line, 9);
	import_free(&import);
}

static void lspci_of_2008_is_read_too(void **unused)
{
	struct import import = import_lines(
		"\tCapabilities: [a0] Express Endpoint IRQ 0\n"
		"\t\tDevice: Supported: MaxPayload 512 bytes, PhantFunc 0, ExtTag+\n"
		"\t\tDevice: Latency L0s <64ns, L1 <1us\n"
		"\t\tDevice: Errors: Correctable- Non-Fatal- Fatal- Unsupported-\n"
		"\t\tDevice: RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop-\n"
		"\t\tDevice: MaxPayload 128 bytes, MaxReadReq 2048 bytes\n"
		"\t\tLink: Supported Speed 2.5Gb/s, Width x8, ASPM L0s, Port 0\n"
		"\t\tLink: Latency L0s unlimited, L1 unlimited\n"
		"\t\tLink: ASPM Disabled RCB 64 bytes CommClk- ExtSynch-\n"
		"\t\tLink: Speed 2.5Gb/s, Width x4\n");

	(void)unused;
	assert_string_equal(text_of(&import, NVME, "pcie.port_type"), "Endpoint");
	assert_near(2.5, number_of(&import, NVME, "pcie.cap_speed_gts"));
	assert_near(8, number_of(&import, NVME, "pcie.cap_width"));
	assert_near(4, number_of(&import, NVME, "pcie.width"));
	assert_near(128, number_of(&import, NVME, "pcie.mps"));
	assert_near(2048, number_of(&import, NVME, "pcie.mrrs"));
	assert_int_equal(boolean_of(&import, NVME, "pcie.is_downgraded"), 1);
	import_free(&import);
}

static void without_root_it_says_so_and_knows_no_link(void **unused)
{
	struct import import = import_lines("\tCapabilities: <access denied>\n"
					    "\tKernel driver in use: nvme\n");

	(void)unused;
	assert_null(fact_of(&import, NVME, "pcie.width"));
	assert_int_equal(import.graph->nr_warnings, 1);
	import_free(&import);
}

/* ---- dumps ---- */

static const struct made_function drive = {
	.address = "01:00.0",
	.head = "Non-Volatile memory controller: Acme NVMe SSD",
	.vendor = 0x1e0f,
	.device = 1,
	.class = 0x0108,
	.cap_speed = 4,
	.cap_width = 4,
	.speed = 3,
	.width = 2,
	.target = 4,
	.correctable = 0x80000000 | 1 << 13 | 1,
};

static const char drive_as_text[] =
	"01:00.0 Non-Volatile memory controller: Acme NVMe SSD\n"
	"\tCapabilities: [40] Power Management version 0\n"
	"\t\tStatus: D0 NoSoftRst- PME-Enable- DSel=0 DScale=0 PME-\n"
	"\tCapabilities: [50] Express (v2) Endpoint, MSI 00\n"
	"\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0\n"
	"\t\tDevCtl:\tCorrErr- NonFatalErr- FatalErr- UnsupReq-\n"
	"\t\t\tMaxPayload 256 bytes, MaxReadReq 512 bytes\n"
	"\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x4, ASPM L1, Exit Latency L1 <1us\n"
	"\t\tLnkCtl:\tASPM L1 Enabled; RCB 64 bytes, Disabled- CommClk-\n"
	"\t\tLnkSta:\tSpeed 8GT/s (downgraded), Width x2 (downgraded)\n"
	"\t\tLnkCtl2: Target Link Speed: 16GT/s, EnterCompliance- SpeedDis-\n"
	"\tCapabilities: [100 v1] Advanced Error Reporting\n"
	"\t\tUESta:\tDLP- SDES- TLP-\n"
	"\t\tCESta:\tRxErr+ BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+\n";

static void assert_same_facts(const struct hl_graph *a, const struct hl_graph *b)
{
	for (size_t i = 0; i < a->nr_facts; i++) {
		const struct hl_fact *fact = a->facts[i];
		const struct hl_fact *other = hl_graph_find_fact(b, fact->node, fact->key);

		if (!other)
			fail_msg("%s is only in one of them", fact->key);
		assert_int_equal(fact->type, other->type);
		if (fact->type == HL_FACT_NUMBER)
			assert_near(fact->number, other->number);
		if (fact->type == HL_FACT_STRING)
			assert_string_equal(fact->string, other->string);
		if (fact->type == HL_FACT_BOOLEAN)
			assert_int_equal(fact->boolean, other->boolean);
	}
}

static void text_and_dump_of_a_machine_give_the_same_facts(void **unused)
{
	HL_FREE char *dump = dump_of(&drive, 1);
	struct import by_text = import_text(drive_as_text), by_dump = import_text(dump);

	(void)unused;
	assert_near(8, number_of(&by_dump, NVME, "pcie.speed_gts"));
	assert_string_equal(text_of(&by_dump, NVME, "pcie.aer_correctable"),
			    "RxErr AdvNonFatalErr");
	assert_same_facts(by_text.graph, by_dump.graph);
	assert_same_facts(by_dump.graph, by_text.graph);
	import_free(&by_text);
	import_free(&by_dump);
}

static void text_and_dump_one_after_another_are_one_machine(void **unused)
{
	HL_FREE char *dump = dump_of(&drive, 1);
	HL_FREE char *both = hl_printf("%s\tKernel driver in use: nvme\n\n%s", drive_as_text, dump);
	HL_FREE char *apart = hl_printf("$ lspci -vv\n%s\n$ lspci -xxxx\n%s", drive_as_text, dump);
	struct import import = import_text(both), import_apart = import_text(apart);

	(void)unused;
	assert_string_equal(text_of(&import, NVME, "pcie.driver"), "nvme");
	assert_near(2, number_of(&import, NVME, "pcie.width"));
	assert_int_equal(import.graph->nr_facts, import_apart.graph->nr_facts + 1);
	import_free(&import);
	import_free(&import_apart);
}

static void two_states_of_a_machine_are_both_told(void **unused)
{
	struct made_function mended = drive;
	HL_FREE char *before = dump_of(&drive, 1);
	HL_FREE char *after = NULL, *both = NULL;
	struct import import;
	size_t nr = 0;

	(void)unused;
	mended.width = 4;
	after = dump_of(&mended, 1);
	both = hl_printf("%s%s", before, after);
	import = import_text(both);
	for (size_t i = 0; i < import.graph->nr_facts; i++)
		nr += !strcmp(import.graph->facts[i]->key, "pcie.width");
	assert_int_equal(nr, 2);
	import_free(&import);
}

/* The text without the line that begins with row. */
static char *without_row(const char *text, const char *row)
{
	HL_FREE char *wanted = hl_printf("\n%s:", row);
	const char *at = strstr(text, wanted);
	const char *end = strchr(at + 1, '\n');

	return hl_printf("%.*s%s", (int)(at - text), text, end);
}

static void a_row_that_is_missing_is_unknown_not_zero(void **unused)
{
	static const struct {
		const char *row, *lost, *kept;
	} cases[] = {
		{ "50", "pcie.mps", "pcie.class" }, /* the capability itself */
		{ "60", "pcie.width", "pcie.cap_width" },
		{ "80", "pcie.target_speed_gts", "pcie.width" },
		{ "30", "pcie.cap_width", "pcie.class" }, /* where they begin */
		{ "110", "pcie.aer_correctable", "pcie.width" },
	};
	HL_FREE char *dump = dump_of(&drive, 1);

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = without_row(dump, cases[i].row);
		struct import import = import_text(text);

		assert_null(fact_of(&import, NVME, cases[i].lost));
		assert_non_null(fact_of(&import, NVME, cases[i].kept));
		import_free(&import);
	}
}

static void a_short_dump_knows_what_it_shows(void **unused)
{
	static const struct {
		size_t len;
		bool has_link, has_errors;
	} cases[] = { { 64, false, false }, { 256, true, false }, { 512, true, true } };

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *dump = dump_bytes(&drive, cases[i].len);
		struct import import = import_text(dump);

		assert_int_equal(fact_of(&import, NVME, "pcie.width") != NULL, cases[i].has_link);
		assert_int_equal(fact_of(&import, NVME, "pcie.aer_correctable") != NULL,
				 cases[i].has_errors);
		import_free(&import);
	}
}

static void a_dump_cut_anywhere_reads_no_wrong_figure(void **unused)
{
	HL_FREE char *dump = dump_of(&drive, 1);
	struct import whole = import_text(dump);
	const char *behind = strchr(dump, '\n') + 1;

	(void)unused;
	for (size_t len = (size_t)(behind - dump); len < strlen(dump); len++) {
		struct import import = import_bytes(dump, len);

		for (size_t i = 0; i < import.graph->nr_facts; i++) {
			const struct hl_fact *fact = import.graph->facts[i];

			if (fact->type == HL_FACT_NUMBER)
				assert_near(number_of(&whole, fact->node, fact->key), fact->number);
		}
		import_free(&import);
	}
	import_free(&whole);
}

static void a_row_that_a_mailer_broke_is_whole_again(void **unused)
{
	HL_FREE char *dump = dump_of(&drive, 1);
	char *row = strstr(dump, "\n60:");
	struct import import;

	(void)unused;
	row[4 + 6] = '\n'; /* a blank between two bytes */
	import = import_text(dump);
	assert_near(2, number_of(&import, NVME, "pcie.width"));
	assert_near(16, number_of(&import, NVME, "pcie.target_speed_gts"));
	import_free(&import);
}

static void a_device_that_answers_with_all_ones_has_no_link(void **unused)
{
	HL_FREE char *text = hl_printf("%s00: ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff\n"
				       "10: ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff\n",
				       head);
	struct import import = import_text(text);

	(void)unused;
	assert_non_null(fact_of(&import, NVME, "pcie.name"));
	assert_null(fact_of(&import, NVME, "pcie.width"));
	assert_null(fact_of(&import, NVME, "pcie.cap_width"));
	assert_null(fact_of(&import, NVME, "pcie.power_state"));
	assert_int_equal(boolean_of(&import, NVME, "pcie.is_gone"), 1);
	import_free(&import);
	import = import_lines("\t!!! Unknown header type 7f\n\tKernel driver in use: nvme\n");
	assert_int_equal(boolean_of(&import, NVME, "pcie.is_gone"), 1);
	import_free(&import);
}

static void capabilities_that_point_in_a_circle_end(void **unused)
{
	HL_FREE char *dump = dump_of(&drive, 1);
	char *row = strstr(dump, "\n50: 10 00");
	struct import import;

	(void)unused;
	row[strlen("\n50: 10 ")] = '5'; /* the next capability is this one */
	import = import_text(dump);
	assert_near(2, number_of(&import, NVME, "pcie.width"));
	import_free(&import);
}

static void a_listing_that_is_cut_off_gives_what_is_whole_and_says_so(void **state)
{
	static const char *const ends[] = {
		"\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x1",
		"\t\tLnkCap:\tPort #0, Speed 16GT/s, Wid",
		"\t\tLnkC",
		"\t\tCESta:\tRxErr+ BadTL",
		"00: 4d 14 0a a8 06 04 10\n",
		"00: 4d 14 0a a8 06 04 10 00 00 02 08 01 10 00 00 00\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(ends); i++) {
		HL_FREE char *text = hl_printf("01:00.0 Non-Volatile memory controller: X Y\n"
					       "\tControl: I/O- Mem+\n%s",
					       ends[i]);
		struct import import = import_text(text);

		assert_int_equal(1, import.graph->nr_inputs);
		assert_true(import.graph->inputs[0]->is_partial);
		assert_null(hl_graph_find_fact(import.graph, NULL, "pcie.cap_width"));
		assert_null(hl_graph_find_fact(import.graph, NULL, "pcie.aer_correctable"));
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_decide_whether_a_link_is_downgraded_not_words),
		cmocka_unit_test(a_field_goes_on_over_lines_that_a_mailer_broke),
		cmocka_unit_test(every_way_of_naming_a_device_is_read),
		cmocka_unit_test(what_only_looks_like_lspci_is_left_alone),
		cmocka_unit_test(lspci_ends_where_a_shell_or_something_else_begins),
		cmocka_unit_test(what_lspci_v_says_in_its_flags_is_read),
		cmocka_unit_test(records_of_lspci_vmm_are_read),
		cmocka_unit_test(a_command_names_the_device_where_grep_took_its_head),
		cmocka_unit_test(a_text_with_empty_lines_between_all_lines_is_read),
		cmocka_unit_test(a_text_without_its_indentation_is_read),
		cmocka_unit_test(the_tree_of_lspci_t_tells_what_stands_above),
		cmocka_unit_test(lspci_of_2008_is_read_too),
		cmocka_unit_test(without_root_it_says_so_and_knows_no_link),
		cmocka_unit_test(text_and_dump_of_a_machine_give_the_same_facts),
		cmocka_unit_test(text_and_dump_one_after_another_are_one_machine),
		cmocka_unit_test(two_states_of_a_machine_are_both_told),
		cmocka_unit_test(a_row_that_is_missing_is_unknown_not_zero),
		cmocka_unit_test(a_short_dump_knows_what_it_shows),
		cmocka_unit_test(a_dump_cut_anywhere_reads_no_wrong_figure),
		cmocka_unit_test(a_row_that_a_mailer_broke_is_whole_again),
		cmocka_unit_test(a_device_that_answers_with_all_ones_has_no_link),
		cmocka_unit_test(a_listing_that_is_cut_off_gives_what_is_whole_and_says_so),
		cmocka_unit_test(capabilities_that_point_in_a_circle_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
