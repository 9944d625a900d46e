/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields of a drive's health and identity by all the names that nvme-cli and smartctl give
 * them: see drive.h. NVM Express Base 2.0, figures 207 (SMART) and 275 (Identify Controller).
 */
#include "drive.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

#define MAX_NAME    64
#define LEAST_BEGUN 4 /* letters of a name that is cut off */

enum kind { NUMBER, TEMPERATURE, SENSOR, TEXT, BYTES };

struct field {
	const char *name; /* lower case, words joined by '_' */
	const char *key;
	enum kind kind;
};

static const struct field health[] = {
	{ "avail_spare", "smart.available_spare_pct", NUMBER },
	{ "available_spare", "smart.available_spare_pct", NUMBER },
	{ "available_spare_threshold", "smart.available_spare_threshold_pct", NUMBER },
	{ "controller_busy_time", "smart.controller_busy_min", NUMBER },
	{ "critical_comp_temperature_time", "smart.critical_temp_time_min", NUMBER },
	{ "critical_comp_time", "smart.critical_temp_time_min", NUMBER },
	{ "critical_composite_temperature_time", "smart.critical_temp_time_min", NUMBER },
	{ "critical_temperature_time", "smart.critical_temp_time_min", NUMBER },
	{ "critical_warning", "smart.critical_warning", NUMBER },
	{ "data_units_read", "smart.data_units_read", NUMBER },
	{ "data_units_written", "smart.data_units_written", NUMBER },
	{ "err_log_entries", "smart.err_log_entries", NUMBER },
	{ "error_information_log_entries", "smart.err_log_entries", NUMBER },
	{ "host_read_commands", "smart.host_reads", NUMBER },
	{ "host_reads", "smart.host_reads", NUMBER },
	{ "host_write_commands", "smart.host_writes", NUMBER },
	{ "host_writes", "smart.host_writes", NUMBER },
	{ "media_and_data_integrity_errors", "smart.media_errors", NUMBER },
	{ "media_errors", "smart.media_errors", NUMBER },
	{ "num_err_log_entries", "smart.err_log_entries", NUMBER },
	{ "percent_used", "smart.percentage_used", NUMBER },
	{ "percentage_used", "smart.percentage_used", NUMBER },
	{ "power_cycles", "smart.power_cycles", NUMBER },
	{ "power_on_hours", "smart.power_on_hours", NUMBER },
	{ "spare_thresh", "smart.available_spare_threshold_pct", NUMBER },
	{ "temperature", "smart.temperature_c", TEMPERATURE },
	{ "temperature_sensor_1", "smart.temperature_sensor1_c", SENSOR },
	{ "temperature_sensor_2", "smart.temperature_sensor2_c", SENSOR },
	{ "temperature_sensor_3", "smart.temperature_sensor3_c", SENSOR },
	{ "temperature_sensor_4", "smart.temperature_sensor4_c", SENSOR },
	{ "temperature_sensor_5", "smart.temperature_sensor5_c", SENSOR },
	{ "temperature_sensor_6", "smart.temperature_sensor6_c", SENSOR },
	{ "temperature_sensor_7", "smart.temperature_sensor7_c", SENSOR },
	{ "temperature_sensor_8", "smart.temperature_sensor8_c", SENSOR },
	{ "thermal_management_t1_total_time", "smart.thm_temp1_total_time_s", NUMBER },
	{ "thermal_management_t1_trans_count", "smart.thm_temp1_trans_count", NUMBER },
	{ "thermal_management_t2_total_time", "smart.thm_temp2_total_time_s", NUMBER },
	{ "thermal_management_t2_trans_count", "smart.thm_temp2_trans_count", NUMBER },
	{ "thermal_mgmt_temperature_1_total_time", "smart.thm_temp1_total_time_s", NUMBER },
	{ "thermal_mgmt_temperature_1_transition_count", "smart.thm_temp1_trans_count", NUMBER },
	{ "thermal_mgmt_temperature_2_total_time", "smart.thm_temp2_total_time_s", NUMBER },
	{ "thermal_mgmt_temperature_2_transition_count", "smart.thm_temp2_trans_count", NUMBER },
	{ "thermal_temp_1_total_time", "smart.thm_temp1_total_time_s", NUMBER },
	{ "thermal_temp_1_transition_count", "smart.thm_temp1_trans_count", NUMBER },
	{ "thermal_temp_2_total_time", "smart.thm_temp2_total_time_s", NUMBER },
	{ "thermal_temp_2_transition_count", "smart.thm_temp2_trans_count", NUMBER },
	{ "thm_temp1_total_time", "smart.thm_temp1_total_time_s", NUMBER },
	{ "thm_temp1_trans_count", "smart.thm_temp1_trans_count", NUMBER },
	{ "thm_temp2_total_time", "smart.thm_temp2_total_time_s", NUMBER },
	{ "thm_temp2_trans_count", "smart.thm_temp2_trans_count", NUMBER },
	{ "unsafe_shutdowns", "smart.unsafe_shutdowns", NUMBER },
	{ "warning_comp_temperature_time", "smart.warning_temp_time_min", NUMBER },
	{ "warning_temp_time", "smart.warning_temp_time_min", NUMBER },
	{ "warning_temperature_time", "smart.warning_temp_time_min", NUMBER },
};

static const struct field identity[] = {
	{ "cctemp", "drive.temperature_critical_c", TEMPERATURE },
	{ "device_model", "drive.model", TEXT },
	{ "firmware", "drive.firmware", TEXT },
	{ "firmware_revision", "drive.firmware", TEXT },
	{ "firmware_version", "drive.firmware", TEXT },
	{ "fr", "drive.firmware", TEXT },
	{ "mn", "drive.model", TEXT },
	{ "model_name", "drive.model", TEXT },
	{ "model_number", "drive.model", TEXT },
	{ "modelnumber", "drive.model", TEXT },
	{ "mntmt", "nvme.hctm_min_c", TEMPERATURE },
	{ "mxtmt", "nvme.hctm_max_c", TEMPERATURE },
	{ "revision", "drive.firmware", TEXT },
	{ "serial_number", "drive.serial", TEXT },
	{ "serialnumber", "drive.serial", TEXT },
	{ "sn", "drive.serial", TEXT },
	{ "tnvmcap", "drive.capacity_bytes", BYTES },
	{ "total_nvm_capacity", "drive.capacity_bytes", BYTES },
	{ "transport", "drive.transport", TEXT },
	{ "user_capacity", "drive.capacity_bytes", BYTES },
	{ "wctemp", "drive.temperature_warn_c", TEMPERATURE },
	{ "warning_comp_temp_threshold", "drive.temperature_warn_c", TEMPERATURE },
	{ "critical_comp_temp_threshold", "drive.temperature_critical_c", TEMPERATURE },
};

/* "Warning  Comp. Temperature Time" -> "warning_comp_temperature_time"; false = too long. */
static bool simplify(const char *name, size_t len, char simple[MAX_NAME])
{
	size_t nr = 0;

	for (size_t i = 0; i < len; i++) {
		bool is_word = isalnum((unsigned char)name[i]);

		if (nr + 2 >= MAX_NAME)
			return false;
		if (is_word)
			simple[nr++] = (char)tolower((unsigned char)name[i]);
		else if (nr && simple[nr - 1] != '_')
			simple[nr++] = '_';
	}
	while (nr && simple[nr - 1] == '_')
		nr--;
	simple[nr] = '\0';
	return nr > 0;
}

static const struct field *find(const struct field *fields, size_t nr, const char *name, size_t len)
{
	char simple[MAX_NAME];

	if (!simplify(name, len, simple))
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(fields[i].name, simple))
			return &fields[i];
	}
	return NULL;
}

#define FIND(fields, name, len) find(fields, sizeof(fields) / sizeof(*(fields)), name, len)

static void put(struct hl_drive *drive, const struct field *field, const char *value, size_t len)
{
	double number = field->kind == TEMPERATURE || field->kind == SENSOR
				? hl_drive_celsius(value, len)
				: hl_drive_number(value, len);

	if (field->kind == TEXT)
		hl_drive_put_string(drive, field->key, value, len);
	else if (number || field->kind == NUMBER || field->kind == TEMPERATURE)
		hl_drive_put_number(drive, field->key, number);
	/* a sensor at 0 is none, and so is a capacity of 0 */
}

bool hl_drive_put_health(struct hl_drive *drive, const char *name, size_t name_len,
			 const char *value, size_t len)
{
	const struct field *field = FIND(health, name, name_len);

	if (field)
		put(drive, field, value, len);
	return field;
}

bool hl_drive_put_identity(struct hl_drive *drive, const char *name, size_t name_len,
			   const char *value, size_t len)
{
	const struct field *field = FIND(identity, name, name_len);

	if (field)
		put(drive, field, value, len);
	return field;
}

bool hl_drive_is_health(const char *name, size_t len)
{
	return FIND(health, name, len);
}

bool hl_drive_begins_health(const char *name, size_t len)
{
	char simple[MAX_NAME];
	size_t nr;

	if (!simplify(name, len, simple))
		return false;
	nr = strlen(simple);
	for (size_t i = 0; i < sizeof(health) / sizeof(*health); i++) {
		if (nr >= LEAST_BEGUN && !strncmp(health[i].name, simple, nr))
			return true;
	}
	return false;
}

bool hl_drive_is_value_cut(const char *name, size_t name_len, const char *value, size_t len,
			   bool is_open)
{
	const struct field *field = FIND(health, name, name_len);
	const char *end = value + len;
	size_t digits = 0;

	if (!field)
		return false;
	if (!len)
		return true;
	if (strstr(field->key, "_pct") || strstr(field->key, "percentage"))
		return !memchr(value, '%', len);
	if (field->kind == TEMPERATURE || field->kind == SENSOR)
		return is_open && isdigit((unsigned char)end[-1]);
	if (memchr(value, '[', len) || memchr(value, '(', len))
		return end[-1] != ']' && end[-1] != ')';
	while (digits < len && isdigit((unsigned char)end[-1 - (long)digits]))
		digits++;
	return digits < len && digits < 3 &&
	       (end[-1 - (long)digits] == ',' || end[-1 - (long)digits] == '\'');
}

bool hl_drive_may_end(const char *name, size_t len)
{
	static const char *const last[] = {
		"smart.err_log_entries",        "smart.warning_temp_time_min",
		"smart.critical_temp_time_min", "smart.thm_",
		"smart.temperature_sensor",
	};
	const struct field *field = FIND(health, name, len);

	for (size_t i = 0; field && i < sizeof(last) / sizeof(*last); i++) {
		if (!strncmp(field->key, last[i], strlen(last[i])))
			return true;
	}
	return !field && !FIND(identity, name, len);
}
