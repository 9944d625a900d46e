/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SMART attributes and device statistics of ATA drives: see smartctl.h. ACS-5 9.5; the meaning of
 * an attribute's id is its maker's, and smartctl's name for it says which it is.
 *
 * Surprising: the raw value is 48 bits into which makers pack what they like, so the printed text
 * is read, of which the first number is meant.
 */
#include "smartctl.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct attribute {
	unsigned id;
	const char *word; /* of its name */
	const char *key;
};

/* The first that fits; an unknown name is taken by its id. */
static const struct attribute attributes[] = {
	{ 5, "Realloc", "smart.reallocated" },
	{ 5, "Retired", "smart.reallocated" },
	{ 5, "Bad_B", "smart.reallocated" },
	{ 9, "Power_On_Hours", "smart.power_on_hours" },
	{ 12, "Power_Cycle", "smart.power_cycles" },
	{ 187, "Uncorrect", "smart.reported_uncorrectable" },
	{ 194, "Temperature", "smart.temperature_c" },
	{ 196, "Realloc", "smart.reallocation_events" },
	{ 197, "Pending", "smart.pending" },
	{ 198, "Uncorrect", "smart.offline_uncorrectable" },
	{ 199, "CRC", "smart.crc_errors" },
	{ 241, "Total_LBAs_Written", "smart.lbas_written" },
	{ 242, "Total_LBAs_Read", "smart.lbas_read" },
};

/* Those whose normalised value is the life that is left, in percent. */
static const char *const lives[] = {
	"SSD_Life_Left",
	"Media_Wearout_Indicator",
	"Wear_Leveling_Count",
	"Percent_Lifetime_Remain",
};

/* The first number: "33 (Min/Max 24/36)", "44668h+23m+10.1s". */
static double first_number(const char *raw)
{
	double value = 0;

	while (*raw == ' ')
		raw++;
	if (!isdigit((unsigned char)*raw))
		return NAN;
	for (; isdigit((unsigned char)*raw); raw++)
		value = value * 10 + (*raw - '0');
	return value;
}

static bool is_meant(const struct attribute *row, const struct hl_smartctl_attribute *attribute)
{
	return row->id == attribute->id &&
	       (strstr(attribute->name, row->word) || strstr(attribute->name, "Unknown"));
}

void hl_smartctl_put_attribute(struct hl_drive *drive,
			       const struct hl_smartctl_attribute *attribute)
{
	for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		if (!strcmp(attribute->name, lives[i]) && attribute->value <= 100)
			hl_drive_put_number(drive, "smart.percentage_used", 100 - attribute->value);
	}
	if (attribute->id == 190 && strstr(attribute->name, "Temperature")) {
		drive->airflow_c = first_number(attribute->raw);
		drive->airflow_line = drive->line;
	}
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		if (!is_meant(&attributes[i], attribute))
			continue;
		hl_drive_put_number(drive, attributes[i].key, first_number(attribute->raw));
		return;
	}
}

void hl_smartctl_put_most(struct hl_drive *drive, const char *key, double value)
{
	const struct hl_drive_value *known = hl_drive_find(drive, key);

	if (!known)
		hl_drive_put_number(drive, key, value);
	else
		((struct hl_drive_value *)known)->number = fmax(known->number, value);
}

void hl_smartctl_put_phy(struct hl_drive *drive, const char *rate, size_t len)
{
	static const char up[] = "phy enabled; ", key[] = "drive.link_gbps";
	const struct hl_drive_value *known = hl_drive_find(drive, key);
	size_t at = strlen(up);
	double gbps;

	if (len <= at || strncasecmp(rate, up, at) != 0 || !memmem(rate, len, "Gbps", 4))
		return;
	gbps = hl_drive_number(rate + at, len - at);
	if (!known)
		hl_drive_put_number(drive, key, gbps);
	else
		((struct hl_drive_value *)known)->number = fmin(known->number, gbps);
}

void hl_smartctl_put_statistic(struct hl_drive *drive, const char *name, size_t len, double value)
{
	static const struct {
		const char *name, *key;
		bool is_most; /* the highest of several counts */
	} rows[] = {
		{ "Power-on Hours", "smart.log_power_on_hours", true },
		{ "Lifetime Power-On Resets", "smart.log_power_cycles", false },
		{ "Logical Sectors Written", "smart.log_lbas_written", false },
		{ "Logical Sectors Read", "smart.log_lbas_read", false },
		{ "Number of Reallocated Logical Sectors", "smart.log_reallocated", false },
		{ "Number of Reported Uncorrectable Errors", "smart.log_uncorrectable", false },
		{ "Number of Interface CRC Errors", "smart.log_crc_errors", false },
		{ "Percentage Used Endurance Indicator", "smart.percentage_used", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (strlen(rows[i].name) != len || memcmp(rows[i].name, name, len) != 0)
			continue;
		if (rows[i].is_most)
			hl_smartctl_put_most(drive, rows[i].key, value);
		else
			hl_drive_put_number(drive, rows[i].key, value);
	}
}

void hl_smartctl_put_type(struct hl_drive *drive, const char *type, size_t len)
{
	static const char *const controllers[] = {
		"megaraid,", "cciss,",   "3ware,",  "areca,",
		"hpt,",      "aacraid,", "jmb39x,", "sssraid,",
	};

	for (size_t i = 0; i < sizeof(controllers) / sizeof(*controllers) && !drive->member; i++) {
		const char *at = memmem(type, len, controllers[i], strlen(controllers[i]));

		if (at)
			drive->member = hl_strndup(at, strcspn(at, " ]") < len - (size_t)(at - type)
							       ? strcspn(at, " ]")
							       : len - (size_t)(at - type));
	}
}

/* Of a number that is there. */
static void add_to(struct hl_drive *drive, const char *key, double by)
{
	((struct hl_drive_value *)hl_drive_find(drive, key))->number += by;
}

void hl_smartctl_put_self_test(struct hl_drive *drive, const char *result, size_t len, double hours)
{
	static const char *const failures[] = { "failure", "Fatal",   "failed",       "Failed",
						"failing", "damaged", "Unknown error" };
	bool is_failure = false;

	if (!len)
		return;
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
		is_failure = is_failure || memmem(result, len, failures[i], strlen(failures[i]));
	if (!hl_drive_find(drive, "smart.self_tests")) {
		hl_drive_put_string(drive, "smart.self_test_result", result, len);
		hl_drive_put_number(drive, "smart.self_test_hours", hours);
		hl_drive_put_number(drive, "smart.self_tests", 0);
		hl_drive_put_number(drive, "smart.self_test_failures", 0);
	}
	hl_smartctl_put_most(drive, "smart.self_test_max_hours", hours);
	add_to(drive, "smart.self_tests", 1);
	add_to(drive, "smart.self_test_failures", is_failure);
}
