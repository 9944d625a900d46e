/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats of drive health: what nvme-cli and smartctl print, as text and as JSON.
 */
#include "drive_json.h"
#include "drive_page.h"
#include "hoploss/json_extent.h"
#include "nvme_text.h"
#include "smartctl.h"

#define ALL(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define ANY(...) ((const char *const *const[]){ __VA_ARGS__, NULL })

/* The slice is text unless its first line, or that below a command, begins a JSON value. */
static bool is_json(const struct hl_text *slice)
{
	for (size_t i = 0; i < slice->nr_lines && i < 5; i++) {
		struct hl_text *page = hl_drive_page_text(slice, i, 0);
		bool is_page = page;

		hl_text_free(page);
		if (is_page || hl_json_extent(slice, i))
			return true;
	}
	return false;
}

/* JSON of either kind: as it is, or as it is meant. */
static size_t claim_json(const struct hl_text *text, size_t at, const char *tool,
			 const char *const *const *keys)
{
	size_t nr = hl_drive_claim_json(text, at, tool, keys);
	struct hl_text *page = nr ? NULL : hl_drive_page_text(text, at, 0);

	if (page)
		nr = hl_drive_claim_json(page, 0, tool, keys);
	hl_text_free(page);
	return nr;
}

static int read_json(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	size_t skip = slice->lines[0].number - 1;
	struct hl_text *page = hl_drive_page_text(slice, 0, skip);
	struct hl_text rest;
	int r;

	if (!page)
		return hl_drive_read_json(slice, reading, err);
	rest = hl_text_slice(page, skip, page->nr_lines - skip);
	r = hl_drive_read_json(&rest, reading, err);
	hl_text_free(page);
	return r;
}

/* A format that reads both; keys: sets of JSON keys, of which it has one. */
#define NVME_FORMAT(id, output, its_name, its_summary, ...)                                        \
	static size_t id##_claim(const struct hl_text *text, size_t at)                            \
	{                                                                                          \
		size_t nr = hl_nvme_claim_text(text, at, output);                                  \
                                                                                                   \
		return nr ? nr : claim_json(text, at, "nvme", ANY(__VA_ARGS__));                   \
	}                                                                                          \
                                                                                                   \
	static int id##_read(const struct hl_text *slice, struct hl_reading *reading,              \
			     struct hl_error *err)                                                 \
	{                                                                                          \
		return is_json(slice) ? read_json(slice, reading, err)                             \
				      : hl_nvme_read_text(slice, reading, output, err);            \
	}                                                                                          \
                                                                                                   \
	const struct hl_format hl_format_##id = {                                                  \
		.name = its_name,                                                                  \
		.summary = its_summary,                                                            \
		.claim = id##_claim,                                                               \
		.read = id##_read,                                                                 \
	}

NVME_FORMAT(nvme_smart_log, HL_NVME_SMART_LOG, "nvme-smart-log", "nvme smart-log, as text or JSON",
	    ALL("critical_warning", "avail_spare"), ALL("critical_warning", "percent_used"),
	    ALL("critical_warning", "available_spare"), ALL("critical_warning", "temperature"));

NVME_FORMAT(nvme_id_ctrl, HL_NVME_ID_CTRL, "nvme-id-ctrl", "nvme id-ctrl, as text or JSON",
	    ALL("mn", "fr", "vid"));

NVME_FORMAT(nvme_id_ns, HL_NVME_ID_NS, "nvme-id-ns", "nvme id-ns, as text or JSON",
	    ALL("lbafs", "flbas"));

NVME_FORMAT(nvme_error_log, HL_NVME_ERROR_LOG, "nvme-error-log", "nvme error-log, as text or JSON",
	    ALL("errors", "error_count", "status_field"));

NVME_FORMAT(nvme_self_test_log, HL_NVME_SELF_TEST_LOG, "nvme-self-test-log",
	    "nvme self-test-log, as text or JSON", ALL("Current Device Self-Test Operation"),
	    ALL("List of Valid Reports"));

NVME_FORMAT(nvme_list, HL_NVME_LIST, "nvme-list", "nvme list, as text or JSON",
	    ALL("DevicePath", "ModelNumber"), ALL("Controllers", "ModelNumber"),
	    ALL("SectorSize", "NameSpace"));

static size_t smartctl_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_smartctl_claim_text(text, at);

	if (nr)
		return nr;
	return claim_json(text, at, "smartctl",
			  ANY(ALL("smartctl", "argv"), ALL("smartctl", "version"),
			      ALL("smart_status", "passed"), ALL("ata_smart_attributes"),
			      ALL("nvme_smart_health_information_log"),
			      ALL("scsi_grown_defect_list"), ALL("scsi_error_counter_log")));
}

static int smartctl_read(const struct hl_text *slice, struct hl_reading *reading,
			 struct hl_error *err)
{
	return is_json(slice) ? read_json(slice, reading, err)
			      : hl_smartctl_read_text(slice, reading, err);
}

const struct hl_format hl_format_smartctl = {
	.name = "smartctl",
	.summary = "smartctl, as text or JSON",
	.claim = smartctl_claim,
	.read = smartctl_read,
};
