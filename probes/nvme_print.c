/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVMe pages as nvme-cli's JSON: see nvme_print.h. Offsets are those of NVM Express Base 2.0,
 * figures 205, 207, 208, 275, and NVM Command Set 1.0, figure 97.
 */
#include "nvme_print.h"
#include "hoploss/json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LBAF_AT    128 /* in Identify Namespace */
#define LBAF_BYTES 4
#define PSD_AT     2048 /* in Identify Controller */
#define PSD_BYTES  32
#define MAX_STATES 32
#define TEST_AT    4 /* in the Device Self-test log */
#define TEST_BYTES 28
#define MAX_TESTS  20

struct member {
	const char *key;
	unsigned short at;
	unsigned char size; /* of a number up to 16; of a text any */
	bool is_text;
};

static const struct member smart_members[] = {
	{ "critical_warning", 0, 1, false },
	{ "temperature", 1, 2, false },
	{ "avail_spare", 3, 1, false },
	{ "spare_thresh", 4, 1, false },
	{ "percent_used", 5, 1, false },
	{ "endurance_grp_critical_warning_summary", 6, 1, false },
	{ "data_units_read", 32, 16, false },
	{ "data_units_written", 48, 16, false },
	{ "host_read_commands", 64, 16, false },
	{ "host_write_commands", 80, 16, false },
	{ "controller_busy_time", 96, 16, false },
	{ "power_cycles", 112, 16, false },
	{ "power_on_hours", 128, 16, false },
	{ "unsafe_shutdowns", 144, 16, false },
	{ "media_errors", 160, 16, false },
	{ "num_err_log_entries", 176, 16, false },
	{ "warning_temp_time", 192, 4, false },
	{ "critical_comp_time", 196, 4, false },
	{ "temperature_sensor_1", 200, 2, false },
	{ "temperature_sensor_2", 202, 2, false },
	{ "temperature_sensor_3", 204, 2, false },
	{ "temperature_sensor_4", 206, 2, false },
	{ "temperature_sensor_5", 208, 2, false },
	{ "temperature_sensor_6", 210, 2, false },
	{ "temperature_sensor_7", 212, 2, false },
	{ "temperature_sensor_8", 214, 2, false },
	{ "thm_temp1_trans_count", 216, 4, false },
	{ "thm_temp2_trans_count", 220, 4, false },
	{ "thm_temp1_total_time", 224, 4, false },
	{ "thm_temp2_total_time", 228, 4, false },
};

static const struct member ctrl_members[] = {
	{ "vid", 0, 2, false },        { "ssvid", 2, 2, false },    { "sn", 4, 20, true },
	{ "mn", 24, 40, true },        { "fr", 64, 8, true },       { "cmic", 76, 1, false },
	{ "mdts", 77, 1, false },      { "cntlid", 78, 2, false },  { "ver", 80, 4, false },
	{ "oacs", 256, 2, false },     { "frmw", 260, 1, false },   { "lpa", 261, 1, false },
	{ "elpe", 262, 1, false },     { "npss", 263, 1, false },   { "apsta", 265, 1, false },
	{ "wctemp", 266, 2, false },   { "cctemp", 268, 2, false }, { "tnvmcap", 280, 16, false },
	{ "unvmcap", 296, 16, false }, { "edstt", 316, 2, false },  { "hctma", 322, 2, false },
	{ "mntmt", 324, 2, false },    { "mxtmt", 326, 2, false },  { "sanicap", 328, 4, false },
	{ "nn", 516, 4, false },       { "oncs", 520, 2, false },   { "vwc", 525, 1, false },
};

static const struct member ns_members[] = {
	{ "nsze", 0, 8, false },     { "ncap", 8, 8, false },    { "nuse", 16, 8, false },
	{ "nsfeat", 24, 1, false },  { "nlbaf", 25, 1, false },  { "flbas", 26, 1, false },
	{ "mc", 27, 1, false },      { "dpc", 28, 1, false },    { "dps", 29, 1, false },
	{ "nmic", 30, 1, false },    { "rescap", 31, 1, false }, { "noiob", 46, 2, false },
	{ "nvmcap", 48, 16, false },
};

static const struct member error_members[] = {
	{ "error_count", 0, 8, false },
	{ "sqid", 8, 2, false },
	{ "cmdid", 10, 2, false },
	{ "status_field", 12, 2, false },
	{ "parm_error_location", 14, 2, false },
	{ "lba", 16, 8, false },
	{ "nsid", 24, 4, false },
	{ "vs", 28, 1, false },
};

double hl_nvme_page_number(const unsigned char *page, size_t at, size_t size)
{
	double number = 0;

	for (size_t i = size; i > 0; i--)
		number = number * 256 + page[at + i - 1];
	return number;
}

/* Padded with blanks; what is no printable ASCII ends it. */
static void put_text(struct hl_json_out *out, const char *key, const unsigned char *bytes,
		     size_t size)
{
	char text[64];
	size_t len = 0;

	while (len < size && len < sizeof(text) - 1 && bytes[len] >= ' ' && bytes[len] < 0x7f) {
		text[len] = (char)bytes[len];
		len++;
	}
	text[len] = '\0';
	hl_json_put_string(out, key, text);
}

static void put_members(struct hl_json_out *out, const unsigned char *page,
			const struct member *members, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct member *member = &members[i];

		if (member->is_text)
			put_text(out, member->key, page + member->at, member->size);
		else
			hl_json_put_number(out, member->key,
					   hl_nvme_page_number(page, member->at, member->size));
	}
}

#define PUT(out, page, members)                                                                    \
	put_members(out, page, members, sizeof(members) / sizeof(*(members)))

static void put_states(struct hl_json_out *out, const unsigned char *page)
{
	enum { NPSS_AT = 263 };
	static const struct member members[] = {
		{ "max_power", 0, 2, false },
		{ "flags", 3, 1, false },
		{ "entry_lat", 4, 4, false },
		{ "exit_lat", 8, 4, false },
	};
	unsigned nr = page[NPSS_AT] + 1U;

	hl_json_array(out, "psds");
	for (unsigned i = 0; i < nr && i < MAX_STATES; i++) {
		hl_json_object(out, NULL);
		PUT(out, page + PSD_AT + (size_t)i * PSD_BYTES, members);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_formats(struct hl_json_out *out, const unsigned char *page)
{
	enum { NLBAF_AT = 25, RP_MASK = 3 };
	unsigned nr = page[NLBAF_AT] + 1U;

	hl_json_array(out, "lbafs");
	for (unsigned i = 0; i < nr && i < 64; i++) {
		const unsigned char *format = page + LBAF_AT + (size_t)i * LBAF_BYTES;

		hl_json_object(out, NULL);
		hl_json_put_number(out, "ms", hl_nvme_page_number(format, 0, 2));
		hl_json_put_number(out, "ds", format[2]);
		hl_json_put_number(out, "rp", format[3] & RP_MASK);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_errors(struct hl_json_out *out, const unsigned char *page, unsigned nr)
{
	hl_json_array(out, "errors");
	for (unsigned i = 0; i < nr; i++) {
		const unsigned char *entry = page + (size_t)i * HL_NVME_ERROR_BYTES;
		unsigned char status[HL_NVME_ERROR_BYTES];
		unsigned field = (unsigned)hl_nvme_page_number(entry, 12, 2);

		memcpy(status, entry, sizeof(status));
		status[12] = (unsigned char)(field >> 1); /* without the phase tag */
		status[13] = (unsigned char)(field >> 9);
		hl_json_object(out, NULL);
		PUT(out, status, error_members);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_tests(struct hl_json_out *out, const unsigned char *page)
{
	hl_json_put_number(out, "Current Device Self-Test Operation", page[0] & 0xf);
	hl_json_put_number(out, "Current Device Self-Test Completion", page[1] & 0x7f);
	hl_json_array(out, "List of Valid Reports");
	for (unsigned i = 0; i < MAX_TESTS; i++) {
		const unsigned char *test = page + TEST_AT + (size_t)i * TEST_BYTES;

		hl_json_object(out, NULL);
		hl_json_put_number(out, "Self test result", test[0] & 0xf);
		if ((test[0] & 0xf) != 0xf) {
			hl_json_put_number(out, "Self test code", test[0] >> 4);
			hl_json_put_number(out, "Segment number", test[1]);
			hl_json_put_number(out, "Power on hours", hl_nvme_page_number(test, 4, 8));
		}
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_page(struct hl_json_out *out, enum hl_nvme_output output, const unsigned char *page,
		     unsigned nr)
{
	hl_json_object(out, NULL);
	switch (output) {
	case HL_NVME_SMART_LOG:
		PUT(out, page, smart_members);
		break;
	case HL_NVME_ID_CTRL:
		PUT(out, page, ctrl_members);
		put_states(out, page);
		break;
	case HL_NVME_ID_NS:
		PUT(out, page, ns_members);
		put_formats(out, page);
		break;
	case HL_NVME_ERROR_LOG:
		put_errors(out, page, nr);
		break;
	default:
		put_tests(out, page);
		break;
	}
	hl_json_close(out);
}

char *hl_nvme_print_json(enum hl_nvme_output output, const unsigned char *page, unsigned nr)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = output < HL_NVME_LIST ? open_memstream(&text, &len) : NULL;
	struct hl_json_out *out;

	if (!file)
		return NULL;
	out = hl_json_out_new(file);
	put_page(out, output, page, nr);
	hl_json_out_free(out);
	fclose(file);
	return text;
}

char *hl_nvme_print_feature(enum hl_nvme_feature feature, uint32_t value)
{
	static const struct {
		enum hl_nvme_feature feature;
		const char *name;
	} names[] = {
		{ HL_NVME_TEMPERATURE_THRESHOLD, "Temperature Threshold" },
		{ HL_NVME_WRITE_CACHE, "Volatile Write Cache Enable" },
		{ HL_NVME_APST, "Autonomous Power State Transition" },
		{ HL_NVME_HCTM, "Host Controlled Thermal Management" },
	};
	const char *name = "?";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].feature == feature)
			name = names[i].name;
	}
	return hl_printf("get-feature:%#04x (%s), Current value:%#010x\n", (unsigned)feature, name,
			 (unsigned)value);
}
