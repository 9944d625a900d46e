/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function in the text of lspci: its head line, the lines with fields, the rows of a hex dump.
 *
 * Source: lspci(8) and what pciutils 2.2 to 3.14 print. Surprising: a field goes on over several
 * lines, and a mailer may have wrapped each of them, so a field is read up to the next line that
 * begins with a name and a colon. "(downgraded)" is missing on ports that look down, since 3.8:
 * figures are compared, words are not.
 */
#include "hoploss/number.h"
#include "pci.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_FIELD     640
#define MAX_NAME      40 /* of a field */
#define ROW           16
#define LEAST_WRAPPED 60

struct field {
	struct pci_listing *listing;
	struct pci_function *at;
	const char *text;   /* behind its name, to its end, lines joined by blanks */
	const char *source; /* "f.txt:12" */
};

/* ---- figures within a field ---- */

/* Behind the first word of that text, or NULL. */
static const char *find(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? at + strlen(word) : NULL;
}

/* The number behind that word; base 10 or 16. */
static double number_behind(const char *text, const char *word, unsigned base)
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

static void set_number(const struct field *field, enum pci_number which, double value)
{
	if (isnan(field->at->numbers[which]))
		hl_pci_set_number(field->at, which, value, field->source);
}

static void set_text(const struct field *field, enum pci_string which, const char *value,
		     size_t len)
{
	if (field->at->strings[which] || !len)
		return;
	field->at->strings[which] = hl_arena_strndup(field->listing->arena, value, len);
	field->at->string_sources[which] = field->source;
}

/* The whole field without blanks at its ends. */
static void set_rest(const struct field *field, enum pci_string which)
{
	const char *text = field->text + strspn(field->text, " \t");
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	set_text(field, which, text, len);
}

/* ---- the fields ---- */

static double speed_in(const char *text)
{
	double gts = number_behind(text, "Speed ", 10);

	return gts > 0 && gts <= 1024 ? gts : NAN;
}

/* "ASPM L0s L1, Exit Latency …", "ASPM L1 Enabled; RCB …": up to any of ends */
static void set_aspm(const struct field *field, enum pci_string which, const char *ends)
{
	const char *at = find(field->text, "ASPM ");

	if (at && at[strcspn(at, ends)])
		set_text(field, which, at, strcspn(at, ends));
}

static void read_link_cap(const struct field *field)
{
	double width = hl_pci_width(number_behind(field->text, "Width x", 10));

	set_number(field, PCI_CAP_WIDTH, width);
	set_number(field, PCI_CAP_SPEED, speed_in(field->text));
	set_aspm(field, PCI_ASPM_CAP, ",");
	if (!field->at->strings[PCI_ASPM_CAP] && find(field->text, "ASPM not supported"))
		set_text(field, PCI_ASPM_CAP, "not supported", strlen("not supported"));
	set_number(field, PCI_REPORTS_ACTIVE, flag(field->text, "LLActRep"));
}

/* Of a link that is down, and of a VF, which has none, the width is 0 and the speed undefined. */
static void read_link_status(const struct field *field)
{
	double lanes = number_behind(field->text, "Width x", 10);
	double active = flag(field->text, "DLActive");

	if (lanes == 0)
		return;
	set_number(field, PCI_WIDTH, hl_pci_width(lanes));
	if (!(lanes > 32)) /* all ones */
		set_number(field, PCI_SPEED, speed_in(field->text));
	set_number(field, PCI_LINK_ACTIVE, active);
}

static void read_link_control(const struct field *field)
{
	set_aspm(field, PCI_ASPM, ";RC-+");
}

static void read_target_speed(const struct field *field)
{
	double gts = number_behind(field->text, "Speed: ", 10);

	set_number(field, PCI_TARGET_SPEED, gts > 0 ? gts : NAN);
}

static void read_device_cap(const struct field *field)
{
	set_number(field, PCI_MPS_CAP, number_behind(field->text, "MaxPayload ", 10));
}

static void read_device_control(const struct field *field)
{
	set_number(field, PCI_MPS, number_behind(field->text, "MaxPayload ", 10));
	set_number(field, PCI_MRRS, number_behind(field->text, "MaxReadReq ", 10));
}

static void read_slot_status(const struct field *field)
{
	const char *status = find(field->text, "Status:");

	set_number(field, PCI_SLOT_PRESENT, status ? flag(status, "PresDet") : NAN);
}

static void read_bus(const struct field *field)
{
	set_number(field, PCI_SECONDARY, number_behind(field->text, "secondary=", 16));
	set_number(field, PCI_SUBORDINATE, number_behind(field->text, "subordinate=", 16));
}

static void read_nr_vfs(const struct field *field)
{
	set_number(field, PCI_NR_VFS, number_behind(field->text, "Number of VFs: ", 10));
}

static void read_vf_place(const struct field *field)
{
	set_number(field, PCI_VF_OFFSET, number_behind(field->text, " ", 10));
	set_number(field, PCI_VF_STRIDE, number_behind(field->text, "stride: ", 10));
}

static void read_numa_node(const struct field *field)
{
	set_number(field, PCI_NUMA_NODE, number_behind(field->text, " ", 10));
}

static void read_iommu_group(const struct field *field)
{
	set_number(field, PCI_IOMMU_GROUP, number_behind(field->text, " ", 10));
}

static void read_slot(const struct field *field)
{
	set_rest(field, PCI_SLOT);
}

static void read_driver(const struct field *field)
{
	set_rest(field, PCI_DRIVER);
}

/* The power state in "Status: D3 NoSoftRst+ …", which is not the status of the header. */
static void read_power(const struct field *field)
{
	const char *text = field->text + strspn(field->text, " \t");

	if (text[0] == 'D' && text[1] >= '0' && text[1] <= '3' && text[2] == ' ')
		set_text(field, PCI_POWER_STATE, text[1] == '3' ? "D3hot" : text,
			 text[1] == '3' ? strlen("D3hot") : 2);
}

/* The names of the flags that are set: "RxErr+ BadTLP-" gives "RxErr". */
static void set_flags(const struct field *field, enum pci_string which)
{
	char flags[MAX_FIELD] = "";
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

static void read_correctable(const struct field *field)
{
	set_flags(field, PCI_AER_CORRECTABLE);
}

static void read_uncorrectable(const struct field *field)
{
	set_flags(field, PCI_AER_UNCORRECTABLE);
}

/* "[70] Express (v2) Endpoint, MSI 00" */
static void read_capability(const struct field *field)
{
	const char *type = find(field->text, "] Express ");

	if (find(field->text, "Vendor Specific Information: ID=1234 ") && find(field->text, "Len="))
		set_number(field, PCI_IS_TUNNEL, 1);
	if (!type)
		return;
	if (type[0] == '(' && strchr(type, ' '))
		type = strchr(type, ' ') + 1;
	for (unsigned code = 0; code < 16; code++) {
		const char *name = hl_pci_port_type_name(code);

		if (name && !strncmp(type, name, strlen(name)))
			set_text(field, PCI_PORT_TYPE, name, strlen(name));
	}
}

/* "!!! Unknown header type 7f": a device that answers with all ones. */
static void read_gone(const struct field *field)
{
	hl_pci_set_number(field->at, PCI_IS_GONE, 1, field->source);
}

static const struct {
	const char *name;
	void (*read)(const struct field *field);
} fields[] = {
	{ "LnkCap:", read_link_cap },
	{ "LnkSta:", read_link_status },
	{ "LnkCtl:", read_link_control },
	{ "LnkCtl2:", read_target_speed },
	{ "DevCap:", read_device_cap },
	{ "DevCtl:", read_device_control },
	{ "SltSta:", read_slot_status },
	{ "Bus:", read_bus },
	{ "Initial VFs:", read_nr_vfs },
	{ "VF offset:", read_vf_place },
	{ "NUMA node:", read_numa_node },
	{ "IOMMU group:", read_iommu_group },
	{ "Physical Slot:", read_slot },
	{ "Kernel driver in use:", read_driver },
	{ "Status:", read_power },
	{ "CESta:", read_correctable },
	{ "UESta:", read_uncorrectable },
	{ "Capabilities:", read_capability },
	{ "!!! Unknown header type 7f", read_gone },
	/* pciutils before 3.0 */
	{ "Link: Supported", read_link_cap },
	{ "Link: Speed", read_link_status },
	{ "Link: ASPM", read_link_control },
	{ "Device: Supported", read_device_cap },
	{ "Device: MaxPayload", read_device_control },
};

/* Lines that are part of a function, but say nothing that is wanted here. */
static const char *const others[] = {
	"Subsystem:",
	"Control:",
	"Flags:",
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
	"Device:",
	"!!! Unknown header",
	"Vector table:",
	"PBA:",
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

bool hl_lspci_is_known(struct hl_line line)
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

/* ---- head lines ---- */

static bool has_class(struct hl_line rest)
{
	return rest.len && (rest.start[0] == '"' || memchr(rest.start, ':', rest.len));
}

bool hl_lspci_is_header(struct hl_line line, struct pci_function *ret_at)
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t len = hl_pci_read_address(trimmed.start, trimmed.len, ret_at);
	struct hl_line rest = trimmed;

	if (!len || len >= trimmed.len || !isblank((unsigned char)trimmed.start[len]))
		return false;
	rest.start += len;
	rest.len -= (unsigned)len;
	return has_class(hl_line_trim(rest));
}

/* Takes "[144d:a80a]" or "[0108]" off the end of text. */
static void take_ids(const struct field *field, char *text, bool is_class)
{
	char *open = strrchr(text, '[');
	size_t nr = open ? strspn(open + 1, "0123456789abcdef") : 0;

	if (nr != 4)
		return;
	if (is_class && open[5] == ']') {
		set_number(field, PCI_CLASS_CODE, number_behind(open, "[", 16));
	} else if (!is_class && open[5] == ':' && open[10] == ']') {
		set_number(field, PCI_VENDOR, number_behind(open, "[", 16));
		set_number(field, PCI_DEVICE, number_behind(open, ":", 16));
	} else {
		return;
	}
	while (open > text && open[-1] == ' ')
		open--;
	*open = '\0';
}

static void set_class(const struct field *field, char *class)
{
	uint64_t code;

	take_ids(field, class, true);
	if (strlen(class) == 4 && !hl_number_hex(class, 4, &code)) {
		set_number(field, PCI_CLASS_CODE, (double)code); /* lspci -n */
		if (hl_pci_class_name((double)code))
			set_text(field, PCI_CLASS, hl_pci_class_name((double)code),
				 strlen(hl_pci_class_name((double)code)));
		return;
	}
	set_text(field, PCI_CLASS, class, strlen(class));
	set_number(field, PCI_CLASS_CODE, hl_pci_class_code(class));
}

/* "144d:a80a" of lspci -n is no name */
static bool take_numeric(const struct field *field, const char *name)
{
	if (strlen(name) != 9 || name[4] != ':' || strspn(name, "0123456789abcdef:") != 9)
		return false;
	set_number(field, PCI_VENDOR, number_behind(name, "", 16));
	set_number(field, PCI_DEVICE, number_behind(name, ":", 16));
	return true;
}

static void set_name(const struct field *field, char *name)
{
	static const char *const ends[] = { " (rev ", " (prog-if " };

	for (size_t i = 0; i < NR(ends); i++) {
		char *end = strstr(name, ends[i]);

		if (end)
			*end = '\0';
	}
	take_ids(field, name, false);
	if (!take_numeric(field, name))
		set_text(field, PCI_NAME, name, strlen(name));
}

/* "Class: Vendor Device (rev 01)" */
static void read_head(const struct field *field, char *text)
{
	char *name = strstr(text, ": ");

	if (!name)
		return;
	*name = '\0';
	name += 2;
	set_class(field, text);
	set_name(field, name + strspn(name, " "));
}

/* "Class" "Vendor" "Device" of lspci -mm */
static void read_quoted_head(const struct field *field, char *text)
{
	char *parts[3] = { NULL, NULL, NULL };
	char *name;

	for (size_t i = 0; i < NR(parts); i++) {
		char *open = text ? strchr(text, '"') : NULL;
		char *close = open ? strchr(open + 1, '"') : NULL;

		if (!close)
			return;
		*close = '\0';
		parts[i] = open + 1;
		text = close + 1;
	}
	name = hl_arena_printf(field->listing->arena, "%s %s", parts[1], parts[2]);
	set_class(field, parts[0]);
	set_text(field, PCI_NAME, name, strlen(name));
}

/* ---- lines ---- */

bool hl_lspci_is_hex(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t digits = 0;

	while (digits < trimmed.len && isxdigit((unsigned char)trimmed.start[digits]))
		digits++;
	return (digits == 2 || digits == 3) && trimmed.len >= digits + 4 &&
	       trimmed.start[digits] == ':' && trimmed.start[digits + 1] == ' ' &&
	       isxdigit((unsigned char)trimmed.start[digits + 2]) &&
	       isxdigit((unsigned char)trimmed.start[digits + 3]) &&
	       (trimmed.len == digits + 4 || trimmed.start[digits + 4] == ' ');
}

/* "Name:" or "Name of it:" at its start: another field begins. */
static bool begins_field(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);
	unsigned i = 0;

	if (!trimmed.len || !isalpha((unsigned char)trimmed.start[0]))
		return false;
	while (i < trimmed.len && i < MAX_NAME &&
	       (isalnum((unsigned char)trimmed.start[i]) || strchr(" /.", trimmed.start[i])))
		i++;
	return i < trimmed.len && trimmed.start[i] == ':';
}

/* The lines from first on as one text, up to the next field. */
static void join(const struct hl_text *text, size_t first, size_t end, char joined[MAX_FIELD])
{
	struct pci_function other;
	size_t used = 0;

	for (size_t i = first; i < end; i++) {
		struct hl_line line = hl_line_trim(text->lines[i]);

		if (i > first && (begins_field(line) || hl_lspci_is_hex(line) ||
				  hl_lspci_is_header(line, &other)))
			break;
		used += (size_t)snprintf(joined + used, MAX_FIELD - used, "%s%.*s", used ? " " : "",
					 (int)line.len, line.start);
		if (used >= MAX_FIELD - 1)
			break;
	}
}

static const char *source_of(const struct hl_text *text, size_t line, struct pci_listing *listing)
{
	return hl_arena_printf(listing->arena, "%s:%u", text->name, text->lines[line].number);
}

static void read_field(const struct hl_text *text, size_t first, size_t end,
		       struct pci_listing *listing, struct pci_function *at)
{
	struct hl_line line = hl_line_trim(text->lines[first]);
	char joined[MAX_FIELD] = "";

	for (size_t i = 0; i < NR(fields); i++) {
		struct field field = { .listing = listing, .at = at, .text = joined };
		const char *colon = strchr(fields[i].name, ':');

		if (!hl_line_starts(line, fields[i].name))
			continue;
		join(text, first, end, joined);
		field.text = joined + (colon ? colon - fields[i].name + 1 : 0);
		field.source = source_of(text, first, listing);
		fields[i].read(&field);
		return;
	}
}

/* Bytes of a row; returns the offset behind the last. A byte that is cut off is not known. */
static size_t read_bytes(struct hl_line line, size_t skip, size_t offset, struct pci_config *config)
{
	for (size_t i = skip; i + 1 < line.len;) {
		uint64_t byte;

		if (line.start[i] == ' ' || line.start[i] == '\t') {
			i++;
			continue;
		}
		if (i + 2 < line.len && !isblank((unsigned char)line.start[i + 2]))
			break;
		if (hl_number_hex(line.start + i, 2, &byte) < 0)
			break;
		hl_pci_config_set(config, offset++, (uint8_t)byte);
		i += 2;
	}
	return offset;
}

/* What a mailer wrapped off a row: pairs of digits and nothing else. */
static bool is_rest_of_row(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	for (unsigned i = 0; i < trimmed.len; i++) {
		if (i % 3 == 2 ? trimmed.start[i] != ' '
			       : !isxdigit((unsigned char)trimmed.start[i]))
			return false;
	}
	return trimmed.len % 3 == 2;
}

static size_t read_row(struct hl_line line, struct pci_config *config)
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t digits = trimmed.start[2] == ':' ? 2 : 3;
	uint64_t offset = PCI_CONFIG_SIZE;

	hl_number_hex(trimmed.start, digits, &offset);
	return read_bytes(trimmed, digits + 1, (size_t)offset, config);
}

/* A mailer broke the line: what follows is no field and stands at its very start. */
static bool is_rest_of_head(const struct hl_text *text, size_t first)
{
	struct hl_line line = text->lines[first + 1];

	return text->lines[first].len >= LEAST_WRAPPED && line.len &&
	       isalnum((unsigned char)*line.start);
}

static void read_header(const struct hl_text *text, size_t first, size_t end,
			struct pci_listing *listing, struct pci_function *at)
{
	char joined[MAX_FIELD] = "";
	struct field field = { .listing = listing, .at = at, .source = at->source };
	size_t len;

	if (first + 1 < end && is_rest_of_head(text, first))
		end = first + 2;
	else
		end = first + 1;
	join(text, first, end, joined);
	len = hl_pci_read_address(joined, strlen(joined), &(struct pci_function){ 0 });
	len += strspn(joined + len, " \t");
	if (joined[len] == '"')
		read_quoted_head(&field, joined + len);
	else
		read_head(&field, joined + len);
}

void hl_lspci_read_function(const struct hl_text *text, size_t first, size_t nr,
			    struct pci_listing *listing, struct pci_function *at)
{
	size_t end = first + nr, row_end = 0;

	at->source = source_of(text, first, listing);
	read_header(text, first, end, listing, at);
	for (size_t i = first + 1; i < end; i++) {
		struct hl_line line = text->lines[i];

		if (hl_lspci_is_hex(line)) {
			row_end = read_row(
				line, hl_pci_config_of(listing, at, source_of(text, i, listing)));
		} else if (row_end % ROW && is_rest_of_row(line)) {
			row_end = read_bytes(hl_line_trim(line), 0, row_end, at->config);
		} else {
			read_field(text, i, end, listing, at);
			row_end = 0;
		}
	}
}
