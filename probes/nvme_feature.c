/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme get-feature, one line a feature: "get-feature:0x10 (Host Controlled Thermal Management),
 * Current value:0x0162015d". NVM Express Base 2.0, 5.27.1.
 *
 * Surprising: a limit of 0 K is one that is switched off.
 */
#include "drive.h"
#include "nvme_device.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define KELVIN 273

static const char label[] = "get-feature:";

static bool is_feature(struct hl_line line)
{
	return hl_line_starts(hl_line_trim(line), label) && hl_line_has(line, "value:");
}

static size_t nvme_feature_claim(const struct hl_text *text, size_t at)
{
	size_t end = at;

	if (hl_drive_is_command(text->lines[at], "nvme") && at + 1 < text->nr_lines &&
	    is_feature(text->lines[at + 1]))
		end++;
	while (end < text->nr_lines && is_feature(text->lines[end]))
		end++;
	return end - at;
}

static double celsius(unsigned kelvin)
{
	return kelvin ? (double)kelvin - KELVIN : NAN;
}

/* false: a feature that is not known here. */
static bool put(struct hl_drive *drive, unsigned feature, unsigned value)
{
	switch (feature) {
	case HL_NVME_TEMPERATURE_THRESHOLD:
		hl_drive_put_number(drive, "nvme.temperature_threshold_c", celsius(value & 0xffff));
		break;
	case HL_NVME_WRITE_CACHE:
		hl_drive_put_boolean(drive, "nvme.write_cache_is_on", value & 1);
		break;
	case HL_NVME_APST:
		hl_drive_put_boolean(drive, "nvme.apst_is_on", value & 1);
		break;
	case HL_NVME_HCTM:
		hl_drive_put_number(drive, "nvme.hctm_light_c", celsius(value >> 16));
		hl_drive_put_number(drive, "nvme.hctm_heavy_c", celsius(value & 0xffff));
		break;
	default:
		return false;
	}
	return true;
}

static bool read_line(struct hl_drive *drive, struct hl_line line)
{
	static const char value_label[] = "value:";
	const char *end = line.start + line.len;
	const char *feature = memmem(line.start, line.len, label, strlen(label));
	const char *value = memmem(line.start, line.len, value_label, strlen(value_label));
	double id, number;

	if (!feature || !value)
		return false;
	feature += strlen(label);
	value += strlen(value_label);
	id = hl_drive_number(feature, (size_t)(end - feature));
	number = hl_drive_number(value, (size_t)(end - value));
	return id >= 0 && id < 256 && number >= 0 && number <= UINT32_MAX &&
	       put(drive, (unsigned)id, (unsigned)number);
}

static int nvme_feature_read(const struct hl_text *slice, struct hl_reading *reading,
			     struct hl_error *err)
{
	struct hl_drive drive = { .nr = 0 };
	size_t nr_known = 0;

	for (size_t i = 0; i < slice->nr_lines; i++) {
		size_t len;
		const char *device = is_feature(slice->lines[i])
					     ? NULL
					     : hl_drive_device(slice->lines[i], &len);

		drive.line = slice->lines[i].number;
		if (device)
			hl_drive_name(&drive, device, len);
		nr_known += read_line(&drive, slice->lines[i]);
	}
	hl_drive_finish(&drive, reading, slice->name);
	if (nr_known) /* what is switched off is no fact */
		return 0;
	return hl_fail(err, EBADMSG, "%s:%u: no feature that is known here", slice->name,
		       slice->lines[0].number);
}

const struct hl_format hl_format_nvme_feature = {
	.name = "nvme-get-feature",
	.summary = "nvme get-feature, as text",
	.claim = nvme_feature_claim,
	.read = nvme_feature_read,
};
