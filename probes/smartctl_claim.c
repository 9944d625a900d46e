/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines are smartctl's text: see smartctl.h.
 *
 * Surprising: an output is paragraphs of very different kinds, of which a paste may have any; it
 * goes on behind an empty line if a paragraph follows that begins as one of them.
 */
#include "smartctl.h"
#include <fnmatch.h>
#include <string.h>

#define MAX_LINE  200
#define MAX_BELOW 3   /* lines in which a second one of the kind must come */
#define MAX_IDS   256 /* of attributes */

/* ---- lines ---- */

static void copy_line(struct hl_line line, char text[MAX_LINE])
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t len = trimmed.len < MAX_LINE - 1 ? trimmed.len : MAX_LINE - 1;

	memcpy(text, trimmed.start, len);
	text[len] = '\0';
}

static bool is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

static bool is_like(struct hl_line line, const char *const *patterns)
{
	char text[MAX_LINE];

	copy_line(line, text);
	for (; *patterns; patterns++) {
		if (!fnmatch(*patterns, text, 0))
			return true;
	}
	return false;
}

/* "smartctl 7.1 2020-06-20 r5066 [x86_64-linux…] (local build)" */
bool hl_smartctl_is_banner(struct hl_line line)
{
	static const char *const banners[] = { "smartctl [0-9].[0-9]*[[]*",
					       "smartctl version [0-9]*", "smartctl pre-[0-9]*",
					       NULL };

	return is_like(line, banners);
}

/* Begins the output, or a piece of it. */
static bool is_begin(struct hl_line line)
{
	static const char *const begins[] = {
		"=== START OF * SECTION ===*",
		"SMART overall-health self-assessment test result: *",
		"SMART Health Status: *",
		"SMART/Health Information (NVMe Log 0x02*",
		"SMART Attributes Data Structure revision number: *",
		"Vendor Specific SMART Attributes with Thresholds:*",
		"ID# *ATTRIBUTE_NAME *FLAG*VALUE*",
		"Self-test Log (NVMe Log 0x06*",
		"Critical Warning: *0x[0-9a-f][0-9a-f]",
		NULL,
	};

	return hl_smartctl_is_banner(line) || is_like(line, begins);
}

/* Begin a paragraph of what has begun. */
/* clang-format off */
static const char *const more[] = {
	"=== *", "SMART*", "General *", "Self-test*", "ID# *", "Vendor[ :]*", "Error *",
	"No Errors*", "Supported *", "Selective*", "Num *", "Background*", "Elements*",
	"Device*", "Read *", "read:*", "Namespace*", "Current *", "Accumulated*",
	"Manufactured*", "Specified*", "Non-medium*", "If Selective*", "After scanning*", "SCT*",
	"Index *", "Page *", "Pending*", "SATA Phy*", "ID *", "Warning*", "Critical*",
	"Temperature*", "Total *", "Percent*", "Power *", "Model*", "Serial*", "Firmware*",
	"Product*", "Revision*", "User*", "LU *", "Grown*", "Last *", "Local *", "[[]No *",
	"No self-tests*", "Copyright (C)*", "Protocol*", "relative target*", "Long (extended)*",
	"Seagate*", "FARM*", "Media*", "Data *", "Unsafe *", "Host *", "Controller *",
	"Available *", "Thermal *", "scsi*", "[[]GLTSD*", "Transport*", "Write *", "Wt Cache*",
	"AAM *", "APM *", "Rd look*", "DSN *", "ATA Security*", "==> WARNING*", "Informational*",
	"Offline*", "Total time*", "Short *", "Extended *", "Conveyance *", "Log Directory*",
	"Address *", "GP*", "Smart*", "Number of *", NULL
};
/* clang-format on */

static bool is_more(struct hl_line line)
{
	return is_like(line, more);
}

static bool is_indented(struct hl_line line)
{
	return line.len && (line.start[0] == ' ' || line.start[0] == '\t');
}

/* What another tool printed behind it, or smartctl of another drive. */
static bool is_end(struct hl_line line)
{
	size_t len;

	line = hl_line_trim(line);
	return hl_smartctl_is_banner(line) || hl_drive_is_prompt(line) ||
	       hl_drive_headline(line, &len) || hl_line_starts(line, "smartctl -") ||
	       hl_line_starts(line, "sudo ") || hl_line_starts(line, "nvme ") ||
	       hl_line_starts(line, "Smart Log for NVME") || hl_line_starts(line, "Node  ") ||
	       (hl_line_starts(line, "Device  ") && hl_line_has(line, " NSID "));
}

/* ---- lines that went through grep ---- */

/* "  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail ...": its number; 0 = none */
static unsigned attribute_of(struct hl_line line)
{
	static const char *const rows[] = {
		"[0-9]*[ |]*0x[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*[ |][0-9-]*[ |]Pre-fail*",
		"[0-9]*[ |]*0x[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*[ |][0-9-]*[ |]Old_age*",
		"[0-9]*[ |]*[ |][P-][O-][S-][R-][C-][K-]*[ |][0-9-]*[ |]*[0-9]*",
		NULL,
	};
	double id;

	line = hl_line_trim(line);
	if (!is_like(line, rows))
		return 0;
	id = hl_drive_number(line.start, 3);
	return id > 0 && id < MAX_IDS ? (unsigned)id : 0;
}

/* "Device Model: ...": a label of the information, up to its colon; 0 = the line has none */
static size_t label_of(struct hl_line line)
{
	static const char *const labels[] = {
		"Device Model:*",     "Model Number:*",     "Model Family:*",
		"Serial [Nn]umber:*", "Vendor:*",           "Product:*",
		"User Capacity:*",    "Firmware Version:*", NULL,
	};

	line = hl_line_trim(line);
	return is_like(line, labels) ? strcspn(line.start, ":") : 0;
}

/* Neither banner nor section: a row of the table, or a line of the information with more below. */
static bool is_headless(const struct hl_text *text, size_t at)
{
	if (attribute_of(text->lines[at]))
		return true;
	if (!label_of(text->lines[at]))
		return false;
	for (size_t i = at + 1; i < text->nr_lines && i <= at + MAX_BELOW; i++) {
		if (label_of(text->lines[i]) || is_begin(text->lines[i]) ||
		    attribute_of(text->lines[i]))
			return true;
	}
	return false;
}

/* ---- claim ---- */

/* What has come of one drive. */
struct extent {
	const struct hl_text *text;
	size_t start;
	bool has_attribute[MAX_IDS];
};

static bool has_section(const struct extent *extent, size_t at)
{
	for (size_t i = extent->start; i < at; i++) {
		if (hl_line_starts(hl_line_trim(extent->text->lines[i]), "=== START OF "))
			return true;
	}
	return false;
}

/* The information comes once for each drive, and first; each attribute once, too. */
static bool is_next_drive(struct extent *extent, size_t at)
{
	struct hl_line first = hl_line_trim(extent->text->lines[extent->start]);
	struct hl_line line = hl_line_trim(extent->text->lines[at]);
	unsigned id = attribute_of(line);
	size_t label = label_of(line);

	if (hl_line_starts(line, "=== START OF INFORMATION SECTION"))
		return has_section(extent, at);
	if (label)
		return label == label_of(first) && !memcmp(line.start, first.start, label);
	if (id && extent->has_attribute[id])
		return true;
	extent->has_attribute[id] = true;
	return false;
}

/* The banner begins with the tool's name, as a command does. */
static size_t skip_command(const struct hl_text *text, size_t at)
{
	return hl_smartctl_is_banner(text->lines[at]) ? at
						      : hl_drive_skip_command(text, at, "smartctl");
}

size_t hl_smartctl_claim_text(const struct hl_text *text, size_t at)
{
	size_t start = skip_command(text, at), end = start + 1;
	struct extent extent = { .text = text, .start = start };

	if (!is_begin(text->lines[start]) && !is_headless(text, start))
		return 0;
	extent.has_attribute[attribute_of(text->lines[start])] = true;
	for (size_t i = end; i < text->nr_lines; i++) {
		struct hl_line line = text->lines[i];
		bool is_new_paragraph = i > end;

		if (is_next_drive(&extent, i))
			break;
		if (is_blank(line))
			continue;
		if (is_end(line) || (is_new_paragraph && !is_more(line) && !is_begin(line) &&
				     !is_indented(line) && !attribute_of(line)))
			break;
		end = i + 1;
	}
	return end - at;
}
