/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields that lspci prints of a function, a row each. To read one more: a function and a row.
 *
 * Source: lspci(8) and what pciutils 2.2 to 3.14 print. Surprising: "(downgraded)" is missing on
 * ports that look down, since 3.8: figures are compared, words are not.
 */
#include "hoploss/number.h"
#include "lspci.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_FLAGS 256

/* ---- figures within a field ---- */

/* Behind the first word of that text, or NULL. */
static const char *find(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? at + strlen(word) : NULL;
}

/* The number behind that word; base 10 or 16. */
double lspci_number(const char *text, const char *word, unsigned base)
{
	const char *at = find(text, word);
	size_t len = at ? strspn(at, base == 16 ? "0123456789abcdefABCDEF" : "0123456789.") : 0;
	double value = NAN;
	uint64_t hex;

	while (len && at[len - 1] == '.')
		len--;
	if (base == 16)
		return len && !hl_number_hex(at, len, &hex) ? (double)hex : NAN;
	if (len)
		hl_number_double(at, len, &value);
	return value;
}

/* "PresDet+": 1, "PresDet-": 0 */
static double flag(const char *text, const char *name)
{
	const char *at = find(text, name);

	return at && *at == '+' ? 1 : at && *at == '-' ? 0 : NAN;
}

void lspci_set_number(const struct lspci_field *field, enum pci_number which, double value)
{
	if (isnan(field->at->numbers[which]))
		hl_pci_set_number(field->at, which, value, field->source);
}

void lspci_set_text(const struct lspci_field *field, enum pci_string which, const char *value,
		    size_t len)
{
	if (field->at->strings[which] || !len)
		return;
	field->at->strings[which] = hl_arena_strndup(field->listing->arena, value, len);
	field->at->string_sources[which] = field->source;
}

/* The whole field without blanks at its ends. */
static void set_rest(const struct lspci_field *field, enum pci_string which)
{
	const char *text = field->text + strspn(field->text, " \t");
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	lspci_set_text(field, which, text, len);
}

/* ---- the fields ---- */

static double speed_in(const char *text)
{
	double gts = lspci_number(text, "Speed ", 10);

	return gts > 0 && gts <= 1024 ? gts : NAN;
}

/* "ASPM L0s L1, Exit Latency …", "ASPM L1 Enabled; RCB …": up to any of ends */
static void set_aspm(const struct lspci_field *field, enum pci_string which, const char *ends)
{
	const char *at = find(field->text, "ASPM ");

	if (at && at[strcspn(at, ends)])
		lspci_set_text(field, which, at, strcspn(at, ends));
}

static void read_link_cap(const struct lspci_field *field)
{
	double width = hl_pci_width(lspci_number(field->text, "Width x", 10));

	lspci_set_number(field, PCI_CAP_WIDTH, width);
	lspci_set_number(field, PCI_CAP_SPEED, speed_in(field->text));
	set_aspm(field, PCI_ASPM_CAP, ",");
	if (!field->at->strings[PCI_ASPM_CAP] && find(field->text, "ASPM not supported"))
		lspci_set_text(field, PCI_ASPM_CAP, "not supported", strlen("not supported"));
	lspci_set_number(field, PCI_REPORTS_ACTIVE, flag(field->text, "LLActRep"));
}

/* Of a link that is down, and of a VF, which has none, the width is 0 and the speed undefined. */
static void read_link_status(const struct lspci_field *field)
{
	double lanes = lspci_number(field->text, "Width x", 10);
	double active = flag(field->text, "DLActive");

	if (lanes == 0)
		return;
	lspci_set_number(field, PCI_WIDTH, hl_pci_width(lanes));
	if (!(lanes > 32)) /* all ones */
		lspci_set_number(field, PCI_SPEED, speed_in(field->text));
	lspci_set_number(field, PCI_LINK_ACTIVE, active);
}

static void read_link_control(const struct lspci_field *field)
{
	set_aspm(field, PCI_ASPM, ";RC-+");
}

static void read_target_speed(const struct lspci_field *field)
{
	double gts = lspci_number(field->text, "Speed: ", 10);

	lspci_set_number(field, PCI_TARGET_SPEED, gts > 0 ? gts : NAN);
}

static void read_device_cap(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_MPS_CAP, lspci_number(field->text, "MaxPayload ", 10));
}

static void read_device_control(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_MPS, lspci_number(field->text, "MaxPayload ", 10));
	lspci_set_number(field, PCI_MRRS, lspci_number(field->text, "MaxReadReq ", 10));
}

static void read_slot_status(const struct lspci_field *field)
{
	const char *status = find(field->text, "Status:");

	lspci_set_number(field, PCI_SLOT_PRESENT, status ? flag(status, "PresDet") : NAN);
}

static void read_bus(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_SECONDARY, lspci_number(field->text, "secondary=", 16));
	lspci_set_number(field, PCI_SUBORDINATE, lspci_number(field->text, "subordinate=", 16));
}

static void read_nr_vfs(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_NR_VFS, lspci_number(field->text, "Number of VFs: ", 10));
}

static void read_vf_place(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_VF_OFFSET, lspci_number(field->text, " ", 10));
	lspci_set_number(field, PCI_VF_STRIDE, lspci_number(field->text, "stride: ", 10));
}

static void read_numa_node(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_NUMA_NODE, lspci_number(field->text, " ", 10));
}

static void read_iommu_group(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_IOMMU_GROUP, lspci_number(field->text, " ", 10));
}

/* lspci -v: "Flags: bus master, fast devsel, latency 0, IRQ 16, NUMA node 0, IOMMU group 14" */
static void read_header_flags(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_NUMA_NODE, lspci_number(field->text, "NUMA node ", 10));
	lspci_set_number(field, PCI_IOMMU_GROUP, lspci_number(field->text, "IOMMU group ", 10));
}

static void read_slot(const struct lspci_field *field)
{
	set_rest(field, PCI_SLOT);
}

static void read_driver(const struct lspci_field *field)
{
	set_rest(field, PCI_DRIVER);
}

/* The power state in "Status: D3 NoSoftRst+ …", which is not the status of the header. */
static void read_power(const struct lspci_field *field)
{
	const char *text = field->text + strspn(field->text, " \t");

	if (text[0] == 'D' && text[1] >= '0' && text[1] <= '3' && text[2] == ' ')
		lspci_set_text(field, PCI_POWER_STATE, text[1] == '3' ? "D3hot" : text,
			       text[1] == '3' ? strlen("D3hot") : 2);
}

/* The names of the flags that are set: "RxErr+ BadTLP-" gives "RxErr". */
static void set_flags(const struct lspci_field *field, enum pci_string which)
{
	char flags[MAX_FLAGS] = "";
	size_t used = 0, nr = 0;

	for (const char *at = field->text; *at;) {
		size_t len;

		at += strspn(at, " \t");
		len = strcspn(at, " \t");
		if (len > 1 && at[len - 1] == '+')
			used += (size_t)snprintf(flags + used, sizeof(flags) - used, "%s%.*s",
						 used ? " " : "", (int)(len - 1), at);
		nr += len > 1 && (at[len - 1] == '+' || at[len - 1] == '-');
		at += len;
	}
	if (nr && !field->at->strings[which])
		hl_pci_set_string(field->listing, field->at, which, flags, field->source);
}

static void read_correctable(const struct lspci_field *field)
{
	set_flags(field, PCI_AER_CORRECTABLE);
}

static void read_uncorrectable(const struct lspci_field *field)
{
	set_flags(field, PCI_AER_UNCORRECTABLE);
}

/* "[70] Express (v2) Endpoint, MSI 00" */
static void read_capability(const struct lspci_field *field)
{
	const char *type = find(field->text, "] Express ");

	if (find(field->text, "Vendor Specific Information: ID=1234 ") && find(field->text, "Len="))
		lspci_set_number(field, PCI_IS_TUNNEL, 1);
	if (!type)
		return;
	if (type[0] == '(' && strchr(type, ' '))
		type = strchr(type, ' ') + 1;
	for (unsigned code = 0; code < 16; code++) {
		const char *name = hl_pci_port_type_name(code);

		if (name && !strncmp(type, name, strlen(name)))
			lspci_set_text(field, PCI_PORT_TYPE, name, strlen(name));
	}
}

/* "!!! Unknown header type 7f": a device that answers with all ones. */
static void read_gone(const struct lspci_field *field)
{
	hl_pci_set_number(field->at, PCI_IS_GONE, 1, field->source);
}

/* ---- lspci -vmm ---- */

static void read_class(const struct lspci_field *field)
{
	if (!field->at->is_record)
		return;
	set_rest(field, PCI_CLASS);
	if (field->at->strings[PCI_CLASS])
		lspci_set_number(field, PCI_CLASS_CODE,
				 hl_pci_class_code(field->at->strings[PCI_CLASS]));
}

static void read_vendor(const struct lspci_field *field)
{
	if (field->at->is_record)
		set_rest(field, PCI_NAME);
}

/* Comes behind "Vendor:", and the name is both. */
static void read_device(const struct lspci_field *field)
{
	const char *vendor = field->at->strings[PCI_NAME];

	if (!field->at->is_record)
		return;
	field->at->strings[PCI_NAME] = NULL;
	set_rest(field, PCI_NAME);
	if (vendor && field->at->strings[PCI_NAME])
		field->at->strings[PCI_NAME] = hl_arena_printf(
			field->listing->arena, "%s %s", vendor, field->at->strings[PCI_NAME]);
	else if (vendor)
		field->at->strings[PCI_NAME] = vendor;
}

static void read_tabbed_numa_node(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_NUMA_NODE, lspci_number(field->text, "\t", 10));
}

static void read_tabbed_iommu_group(const struct lspci_field *field)
{
	lspci_set_number(field, PCI_IOMMU_GROUP, lspci_number(field->text, "\t", 10));
}

static const struct {
	const char *name;
	void (*read)(const struct lspci_field *field);
	bool is_one_line;
} fields[] = {
	{ "LnkCap:", read_link_cap, false },
	{ "LnkSta:", read_link_status, false },
	{ "LnkCtl:", read_link_control, false },
	{ "LnkCtl2:", read_target_speed, false },
	{ "DevCap:", read_device_cap, false },
	{ "DevCtl:", read_device_control, false },
	{ "SltSta:", read_slot_status, false },
	{ "Bus:", read_bus, false },
	{ "Initial VFs:", read_nr_vfs, false },
	{ "VF offset:", read_vf_place, false },
	{ "Flags:", read_header_flags, false },
	{ "NUMA node:", read_numa_node, true },
	{ "IOMMU group:", read_iommu_group, true },
	{ "Physical Slot:", read_slot, true },
	{ "Kernel driver in use:", read_driver, true },
	{ "Status:", read_power, false },
	{ "CESta:", read_correctable, false },
	{ "UESta:", read_uncorrectable, false },
	{ "Capabilities:", read_capability, false },
	{ "!!! Unknown header type 7f", read_gone, false },
	/* pciutils before 3.0 */
	{ "Link: Supported", read_link_cap, false },
	{ "Link: Speed", read_link_status, false },
	{ "Link: ASPM", read_link_control, false },
	{ "Device: Supported", read_device_cap, false },
	{ "Device: MaxPayload", read_device_control, false },
	/* lspci -vmm */
	{ "Class:", read_class, false },
	{ "Vendor:", read_vendor, false },
	{ "Device:", read_device, false },
	{ "PhySlot:", read_slot, true },
	{ "Driver:", read_driver, true },
	{ "NUMANode:", read_tabbed_numa_node, true },
	{ "IOMMUGroup:", read_tabbed_iommu_group, true },
};

/* Lines that are part of a function, but say nothing that is wanted here. */
static const char *const others[] = {
	"Subsystem:",
	"Control:",
	"Latency:",
	"Interrupt:",
	"Region ",
	"Expansion ROM",
	"Memory at ",
	"I/O ports at ",
	"I/O behind",
	"Memory behind",
	"Prefetchable memory",
	"Secondary status:",
	"BridgeCtl:",
	"Kernel modules:",
	"DevSta:",
	"SltCap:",
	"SltCtl:",
	"RootC",
	"RootSta:",
	"DevCap2:",
	"DevCtl2:",
	"LnkCap2:",
	"LnkSta2:",
	"UEMsk:",
	"UESvrt:",
	"CEMsk:",
	"AERCap:",
	"HeaderLog:",
	"LnkCtl3:",
	"LaneErrStat:",
	"ARICap:",
	"ARICtl:",
	"IOVC",
	"IOVSta:",
	"DeviceName:",
	"MaxPayload ",
	"ClockPM",
	"ExtSynch",
	"TrErr",
	"Link:",
	"!!! Unknown header",
	"Vector table:",
	"PBA:",
	"SVendor:",
	"SDevice:",
	"Module:",
	"ProgIf:",
	"Rev:",
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

bool lspci_is_known(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	for (size_t i = 0; i < NR(fields); i++) {
		if (hl_line_starts(trimmed, fields[i].name))
			return true;
	}
	for (size_t i = 0; i < NR(others); i++) {
		if (hl_line_starts(trimmed, others[i]))
			return true;
	}
	return false;
}

bool lspci_find_field(struct hl_line line, size_t *ret_row, size_t *ret_skip)
{
	for (size_t i = 0; i < NR(fields); i++) {
		const char *colon = strchr(fields[i].name, ':');

		if (!hl_line_starts(line, fields[i].name))
			continue;
		*ret_row = i;
		*ret_skip = colon ? (size_t)(colon - fields[i].name) + 1 : 0;
		return true;
	}
	return false;
}

bool lspci_is_one_line(size_t row)
{
	return fields[row].is_one_line;
}

void lspci_read_field(size_t row, const struct lspci_field *field)
{
	fields[row].read(field);
}
