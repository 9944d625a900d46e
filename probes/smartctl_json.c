/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * smartctl -j, 6.7 to 7.5, of ATA, SCSI and NVMe drives, as smartmontools' own "smartctl -j" page
 * and what monitors keep of it.
 *
 * Surprising: members were renamed (vendor to scsi_vendor); a drive that sleeps gives a document
 * with a message in it and nothing else.
 */
#include "drive_json.h"
#include "smartctl.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define RUNNING 15 /* code of a self-test that has not ended */

static double number(const struct hl_json *object, const char *dotted)
{
	return hl_drive_json_number(hl_json_path(object, dotted));
}

static const char *string(const struct hl_json *object, const char *dotted)
{
	return hl_json_string(hl_json_path(object, dotted));
}

bool hl_smartctl_is_object(const struct hl_json *object)
{
	static const char *const members[] = {
		"smartctl",     "ata_smart_attributes",   "nvme_smart_health_information_log",
		"smart_status", "scsi_grown_defect_list", "scsi_error_counter_log",
		"model_name",   "ata_smart_data",         "scsi_model_name",
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (hl_json_get(object, members[i]))
			return true;
	}
	return false;
}

/* ---- identity ---- */

static void put_first(struct hl_drive *drive, const char *key, const struct hl_json *object,
		      const char *const *members)
{
	for (; *members; members++) {
		const char *text = string(object, *members);

		if (text)
			hl_drive_put_string(drive, key, text, strlen(text));
	}
}

static void put_model(struct hl_drive *drive, const struct hl_json *object)
{
	static const char *const names[] = { "model_name", "scsi_model_name", NULL };
	const char *vendor = string(object, "scsi_vendor"), *product;

	vendor = vendor ? vendor : string(object, "vendor");
	product = string(object, "scsi_product");
	product = product ? product : string(object, "product");
	put_first(drive, "drive.model", object, names);
	if (product) {
		HL_FREE char *model = hl_printf("%s%s%s", vendor ? vendor : "", vendor ? " " : "",
						product);

		hl_drive_put_string(drive, "drive.model", model, strlen(model));
	}
}

static double speed_gbps(const struct hl_json *object, const char *dotted)
{
	const struct hl_json *speed = hl_json_path(object, dotted);

	return number(speed, "units_per_second") * number(speed, "bits_per_unit") / 1e9;
}

/* scsi_sas_port_0.phy_0: members with numbers in their names. */
static void put_phys(struct hl_drive *drive, const struct hl_json *object)
{
	enum { PORTS_MOST = 2, PHYS_MOST = 8 };

	for (int i = 0; i < PORTS_MOST * PHYS_MOST; i++) {
		HL_FREE char *name = hl_printf(
			"scsi_sas_port_%d.phy_%d.negotiated_logical_link_rate", i / PHYS_MOST,
			i % PHYS_MOST);
		const char *rate = string(object, name);

		if (rate)
			hl_smartctl_put_phy(drive, rate, strlen(rate));
	}
}

static void put_identity(struct hl_drive *drive, const struct hl_json *object)
{
	static const char *const serials[] = { "serial_number", NULL };
	static const char *const firmwares[] = { "firmware_version", "scsi_revision", "revision",
						 NULL };
	static const char *const transports[] = { "scsi_transport_protocol.name", "device.protocol",
						  NULL };
	static const struct {
		const char *dotted, *key;
	} numbers[] = {
		{ "user_capacity.bytes", "drive.capacity_bytes" },
		{ "nvme_total_capacity", "drive.capacity_bytes" },
		{ "logical_block_size", "drive.lba_bytes" },
		{ "physical_block_size", "drive.physical_block_bytes" },
		{ "rotation_rate", "drive.rotation_rpm" },
		{ "temperature.drive_trip", "drive.temperature_critical_c" },
		{ "nvme_composite_temperature_threshold.warning", "drive.temperature_warn_c" },
		{ "nvme_composite_temperature_threshold.critical", "drive.temperature_critical_c" },
	};

	put_model(drive, object);
	put_first(drive, "drive.serial", object, serials);
	put_first(drive, "drive.firmware", object, firmwares);
	put_first(drive, "drive.transport", object, transports);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		hl_drive_put_number(drive, numbers[i].key, number(object, numbers[i].dotted));
	hl_drive_put_number(drive, "drive.link_gbps",
			    speed_gbps(object, "interface_speed.current"));
	hl_drive_put_number(drive, "drive.link_max_gbps",
			    speed_gbps(object, "interface_speed.max"));
	put_phys(drive, object);
}

/* ---- health ---- */

static void put_attributes(struct hl_drive *drive, const struct hl_json *table)
{
	for (size_t i = 0; i < hl_json_length(table); i++) {
		const struct hl_json *row = hl_json_at(table, i);
		const char *name = string(row, "name"), *raw = string(row, "raw.string");
		double id = number(row, "id");
		HL_FREE char *bare = hl_printf("%.0f", number(row, "raw"));
		struct hl_smartctl_attribute attribute = {
			.id = id > 0 && id < 256 ? (unsigned)id : 0,
			.name = name ? name : "Unknown",
			.raw = raw ? raw : bare,
			.value = number(row, "value"),
		};

		hl_smartctl_put_attribute(drive, &attribute);
	}
}

static void put_statistics(struct hl_drive *drive, const struct hl_json *pages)
{
	for (size_t i = 0; i < hl_json_length(pages); i++) {
		const struct hl_json *table = hl_json_get(hl_json_at(pages, i), "table");

		for (size_t k = 0; k < hl_json_length(table); k++) {
			const struct hl_json *row = hl_json_at(table, k);
			const char *name = string(row, "name");

			if (name)
				hl_smartctl_put_statistic(drive, name, strlen(name),
							  number(row, "value"));
		}
	}
}

static void put_self_tests(struct hl_drive *drive, const struct hl_json *object)
{
	static const struct {
		const char *table, *result, *hours;
	} logs[] = {
		{ "ata_smart_self_test_log.extended.table", "status.string", "lifetime_hours" },
		{ "ata_smart_self_test_log.standard.table", "status.string", "lifetime_hours" },
		{ "nvme_self_test_log.table", "self_test_result.string", "power_on_hours" },
	};

	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++) {
		const struct hl_json *table = hl_json_path(object, logs[i].table);

		if (hl_drive_find(drive, "smart.self_tests")) /* two logs list the same tests */
			return;
		for (size_t k = 0; k < hl_json_length(table); k++) {
			const struct hl_json *test = hl_json_at(table, k);
			const char *result = string(test, logs[i].result);

			hl_smartctl_put_self_test(drive, result ? result : "",
						  result ? strlen(result) : 0,
						  number(test, logs[i].hours));
		}
	}
}

/* ATA: the high half of the byte of what ran last. */
static void put_running_test(struct hl_drive *drive, const struct hl_json *object)
{
	double status = number(object, "ata_smart_data.self_test.status.value");

	if (status >= 0 && status <= UINT8_MAX)
		hl_drive_put_boolean(drive, "smart.self_test_is_running",
				     (unsigned)status >> 4 == RUNNING);
}

/* SCSI's log is no table: members with a number in their names, the newest is 0. */
static void put_scsi_self_tests(struct hl_drive *drive, const struct hl_json *object)
{
	enum { LOGGED_MOST = 20 };

	for (int i = 0; i < LOGGED_MOST; i++) {
		HL_FREE char *name = hl_printf("scsi_self_test_%d", i);
		const struct hl_json *test = hl_json_get(object, name);
		const char *result = string(test, "result.string");

		if (result && number(test, "result.value") != RUNNING)
			hl_smartctl_put_self_test(drive, result, strlen(result),
						  number(test, "power_on_time.hours"));
	}
}

static void put_error_log(struct hl_drive *drive, const struct hl_json *log)
{
	static const char *const tables[] = { "extended.table", "summary.table" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		const struct hl_json *table = hl_json_path(log, tables[i]);

		for (size_t k = 0; k < hl_json_length(table); k++)
			hl_smartctl_put_most(drive, "smart.error_log_max_hours",
					     number(hl_json_at(table, k), "lifetime_hours"));
	}
}

static void put_nvme(struct hl_drive *drive, const struct hl_json *log)
{
	hl_drive_put_object(drive, log);
	hl_drive_put_sensors(drive, hl_json_get(log, "temperature_sensors"));
}

/* true, 1 or "true"; -1: none of these */
static int truth_of(const struct hl_json *value)
{
	const char *text = hl_json_string(value);
	double number = hl_drive_json_number(value);

	if (text && (!strcasecmp(text, "true") || !strcasecmp(text, "passed")))
		return 1;
	if (text && (!strcasecmp(text, "false") || !strcasecmp(text, "failed")))
		return 0;
	return number == 0 || number == 1 ? (int)number : -1;
}

static void put_health(struct hl_drive *drive, const struct hl_json *object)
{
	static const struct {
		const char *dotted, *key;
	} numbers[] = {
		{ "temperature", "smart.temperature_c" },
		{ "temperature.lifetime_max", "smart.temperature_lifetime_max_c" },
		{ "power_on_time.hours", "smart.power_on_hours" },
		{ "seagate_farm_log.page_1_drive_information.poh", "smart.log_power_on_hours" },
		{ "power_cycle_count", "smart.power_cycles" },
		{ "scsi_grown_defect_list", "smart.grown_defects" },
		{ "scsi_error_counter_log.read.total_uncorrected_errors",
		  "smart.uncorrected_reads" },
		{ "scsi_error_counter_log.write.total_uncorrected_errors",
		  "smart.uncorrected_writes" },
		{ "scsi_percentage_used_endurance_indicator", "smart.percentage_used" },
		{ "spare_available.current_percent", "smart.available_spare_pct" },
		{ "spare_available.threshold_percent", "smart.available_spare_threshold_pct" },
		{ "ata_smart_error_log.extended.count", "smart.ata_errors" },
		{ "ata_smart_error_log.summary.count", "smart.ata_errors" },
	};
	int passed = truth_of(hl_json_path(object, "smart_status.passed"));

	if (passed >= 0)
		hl_drive_put_boolean(drive, "smart.health_passed", passed);
	put_nvme(drive, hl_json_get(object, "nvme_smart_health_information_log"));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		hl_drive_put_number(drive, numbers[i].key, number(object, numbers[i].dotted));
	put_attributes(drive, hl_json_path(object, "ata_smart_attributes.table"));
	put_statistics(drive, hl_json_path(object, "ata_device_statistics.pages"));
	put_self_tests(drive, object);
	put_scsi_self_tests(drive, object);
	put_running_test(drive, object);
	put_error_log(drive, hl_json_get(object, "ata_smart_error_log"));
	/* the last, for attributes are finer */
	hl_drive_put_number(drive, "smart.percentage_used",
			    number(object, "endurance_used.current_percent"));
}

static void put_sleep(struct hl_drive *drive, const struct hl_json *messages)
{
	for (size_t i = 0; i < hl_json_length(messages); i++) {
		const char *text = string(hl_json_at(messages, i), "string");

		if (text && (strstr(text, "STANDBY") || strstr(text, "SLEEP")))
			hl_drive_put_boolean(drive, "drive.is_asleep", true);
	}
}

bool hl_smartctl_read_object(const struct hl_json *object, struct hl_drive *drive,
			     const struct hl_reading *reading, const char *file)
{
	const char *name = string(object, "device.name"), *type = string(object, "device.type");

	if (!hl_smartctl_is_object(object))
		return false;
	if (name)
		hl_drive_name(drive, name, strlen(name));
	if (type)
		hl_smartctl_put_type(drive, type, strlen(type));
	put_health(drive, object);
	put_identity(drive, object);
	put_sleep(drive, hl_json_path(object, "smartctl.messages"));
	return hl_drive_finish(drive, reading, file);
}
