/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-cli's JSON: smart-log, id-ctrl, id-ns, error-log, self-test-log and list, of all versions,
 * known by the members of an object. nvme(1), -o json.
 *
 * Surprising: temperatures are in Kelvin. List comes in four shapes: a row for each namespace (1.x
 * and 2.x), or a tree by subsystem in which the controllers hold the namespaces, or the namespaces
 * the controllers.
 */
#include "drive_json.h"
#include "nvme_lines.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static bool has(const struct hl_json *object, const char *key)
{
	return hl_json_get(object, key);
}

static double number(const struct hl_json *object, const char *key)
{
	return hl_drive_json_number(hl_json_get(object, key));
}

static void put_text(struct hl_drive *drive, const char *key, const struct hl_json *object,
		     const char *member)
{
	const char *text = hl_json_string(hl_json_get(object, member));

	hl_drive_put_string(drive, key, text, text ? strlen(text) : 0);
}

/* ---- smart-log ---- */

static bool is_smart_log(const struct hl_json *object)
{
	return has(object, "critical_warning") &&
	       (has(object, "avail_spare") || has(object, "available_spare") ||
		has(object, "percent_used") || has(object, "percentage_used") ||
		has(object, "temperature"));
}

static void read_smart_log(const struct hl_json *object, struct hl_drive *drive)
{
	hl_drive_put_object(drive, object);
	hl_drive_put_sensors(drive, hl_json_get(object, "temperature_sensors"));
}

/* ---- id-ctrl and id-ns ---- */

static bool is_id_ctrl(const struct hl_json *object)
{
	return has(object, "mn") && has(object, "fr") && has(object, "vid");
}

static void read_power_states(const struct hl_json *states, struct hl_nvme_log *log)
{
	enum { CENTIWATTS = 100, FINE = 10000, IS_FINE = 1, IS_IDLE = 2 };

	for (size_t i = 0; i < hl_json_length(states); i++) {
		const struct hl_json *state = hl_json_at(states, i);
		double flags = number(state, "flags"), scale = number(state, "max_power_scale");
		double idle = number(state, "non-operational_state");
		unsigned mask = flags >= 0 && flags <= UINT8_MAX ? (unsigned)flags : 0;
		bool is_fine = scale > 0 || mask & IS_FINE;

		hl_nvme_add_power_state(log,
					number(state, "max_power") / (is_fine ? FINE : CENTIWATTS),
					idle > 0 || mask & IS_IDLE, number(state, "exit_lat"));
	}
}

static void read_id_ctrl(const struct hl_json *object, struct hl_drive *drive)
{
	struct hl_nvme_log log;
	const struct hl_json *value;
	const char *key;
	void *iter = NULL;

	hl_nvme_log_begin(&log, HL_NVME_ID_CTRL);
	while (hl_json_next(object, &iter, &key, &value)) {
		const char *text = hl_json_string(value);
		HL_FREE char *printed = text ? hl_strdup(text)
					     : hl_printf("%.0f", hl_drive_json_number(value));

		if (!hl_drive_put_identity(drive, key, strlen(key), printed, strlen(printed)))
			hl_nvme_put_controller(drive, key, strlen(key),
					       hl_drive_json_number(value));
	}
	read_power_states(hl_json_get(object, "psds"), &log);
	hl_nvme_log_end(&log, drive);
}

static bool is_id_ns(const struct hl_json *object)
{
	return has(object, "lbafs") && (has(object, "nsze") || has(object, "flbas"));
}

/* "512 bytes" with -v; else the power of two. */
static double format_bytes(const struct hl_json *format)
{
	double shift = number(format, "ds");

	if (isnan(shift))
		shift = number(format, "lbads");
	return shift > 0 && shift < 32 ? ldexp(1, (int)shift) : number(format, "Data Size");
}

static double either(double a, double b)
{
	return isnan(a) ? b : a;
}

static void read_format(const struct hl_json *format, size_t index, struct hl_nvme_log *log)
{
	const char *in_use = hl_json_string(hl_json_get(format, "in use"));
	const struct hl_nvme_lba lba = {
		.index = (double)index,
		.bytes = format_bytes(format),
		.metadata = either(number(format, "ms"), number(format, "Metadata Size")),
		.performance = either(number(format, "rp"), number(format, "Relative Performance")),
		.is_in_use = number(format, "in_use") == 1 || (in_use && !strcmp(in_use, "yes")),
	};

	hl_nvme_add_format(log, &lba);
}

static void read_id_ns(const struct hl_json *object, struct hl_drive *drive)
{
	const struct hl_json *formats = hl_json_get(object, "lbafs");
	struct hl_nvme_log log;

	hl_nvme_log_begin(&log, HL_NVME_ID_NS);
	log.nsze = number(object, "nsze");
	log.ncap = number(object, "ncap");
	log.nuse = number(object, "nuse");
	log.flbas = number(object, "flbas");
	log.nmic = number(object, "nmic");
	for (size_t i = 0; i < hl_json_length(formats); i++)
		read_format(hl_json_at(formats, i), i, &log);
	hl_nvme_log_end(&log, drive);
	drive->is_namespace = true;
}

/* ---- logs ---- */

static bool is_error_log(const struct hl_json *object)
{
	return has(hl_json_at(hl_json_get(object, "errors"), 0), "error_count");
}

static void read_error_log(const struct hl_json *object, struct hl_drive *drive)
{
	const struct hl_json *errors = hl_json_get(object, "errors");
	struct hl_nvme_log log;

	hl_nvme_log_begin(&log, HL_NVME_ERROR_LOG);
	for (size_t i = 0; i < hl_json_length(errors); i++) {
		const struct hl_json *error = hl_json_at(errors, i);

		hl_nvme_add_error(&log, number(error, "error_count"),
				  number(error, "status_field"));
	}
	hl_nvme_log_end(&log, drive);
}

#define RUNNING "Current Device Self-Test Operation"
#define REPORTS "List of Valid Reports"

static void read_self_test_log(const struct hl_json *object, struct hl_drive *drive)
{
	const struct hl_json *reports = hl_json_get(object, REPORTS);
	struct hl_nvme_log log;

	hl_nvme_log_begin(&log, HL_NVME_SELF_TEST_LOG);
	log.running = number(object, RUNNING);
	for (size_t i = 0; i < hl_json_length(reports); i++) {
		const struct hl_json *report = hl_json_at(reports, i);

		hl_nvme_add_test(&log, number(report, "Self test result"),
				 number(report, "Power on hours"));
	}
	hl_nvme_log_end(&log, drive);
}

/* ---- list ---- */

static bool is_list_row(const struct hl_json *object)
{
	return has(object, "ModelNumber") ||
	       (has(object, "SectorSize") && has(object, "NameSpace"));
}

static const char *namespace_name(const struct hl_json *object)
{
	const char *path = hl_json_string(hl_json_get(object, "DevicePath"));

	return path ? path : hl_json_string(hl_json_get(object, "NameSpace"));
}

/* What a row says of the namespace, and which controller it is of, if that is known. */
static void add_namespace(const struct hl_json *object, const char *controller, unsigned line,
			  const struct hl_reading *reading, const char *file)
{
	struct hl_drive drive = { .line = line, .is_namespace = true };
	const char *name = namespace_name(object);

	if (!name)
		return;
	hl_drive_name(&drive, name, strlen(name));
	if (controller)
		hl_drive_put_string(&drive, "block.controller", controller, strlen(controller));
	hl_drive_put_number(&drive, "drive.capacity_bytes", number(object, "PhysicalSize"));
	hl_drive_put_number(&drive, "drive.allocated_bytes", number(object, "UsedBytes"));
	hl_drive_put_number(&drive, "drive.lba_bytes", number(object, "SectorSize"));
	if (drive.name)
		hl_drive_finish(&drive, reading, file);
	hl_drive_clear(&drive);
}

/* The controller that a row is about. */
static char *controller_of(const struct hl_json *object)
{
	const char *name = hl_json_string(hl_json_get(object, "Controller"));
	struct hl_drive drive = { .nr = 0 };
	char *controller = NULL;

	if (!name)
		name = namespace_name(object);
	if (name)
		hl_drive_name(&drive, name, strlen(name));
	if (drive.name)
		controller = hl_drive_controller(drive.name);
	hl_drive_clear(&drive);
	return controller;
}

static void read_list_row(const struct hl_json *object, struct hl_drive *drive,
			  const struct hl_reading *reading, const char *file)
{
	const struct hl_json *spaces = hl_json_get(object, "Namespaces");
	const char *transport = hl_json_string(hl_json_get(object, "Transport"));
	HL_FREE char *controller = controller_of(object);

	if (has(object, "ModelNumber")) {
		if (controller)
			hl_drive_name(drive, controller, strlen(controller));
		put_text(drive, "drive.model", object, "ModelNumber");
		put_text(drive, "drive.serial", object, "SerialNumber");
		put_text(drive, "drive.firmware", object, "Firmware");
		put_text(drive, "drive.transport", object, "Transport");
		if (transport && !strcmp(transport, "pcie"))
			put_text(drive, "block.pci_address", object, "Address");
	}
	if (has(object, "SectorSize"))
		add_namespace(object, has(object, "ModelNumber") ? controller : NULL, drive->line,
			      reading, file);
	for (size_t i = 0; i < hl_json_length(spaces); i++)
		add_namespace(hl_json_at(spaces, i), controller, drive->line, reading, file);
}

bool hl_nvme_read_object(const struct hl_json *object, struct hl_drive *drive,
			 const struct hl_reading *reading, const char *file)
{
	if (is_smart_log(object))
		read_smart_log(object, drive);
	else if (is_id_ctrl(object))
		read_id_ctrl(object, drive);
	else if (is_id_ns(object))
		read_id_ns(object, drive);
	else if (is_error_log(object))
		read_error_log(object, drive);
	else if (has(object, REPORTS) || has(object, RUNNING))
		read_self_test_log(object, drive);
	else if (is_list_row(object))
		read_list_row(object, drive, reading, file);
	else
		return false;
	hl_drive_finish(drive, reading, file);
	return true;
}
