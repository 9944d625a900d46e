/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Temperatures of NVMe drives, CPUs and NICs with their limits and alarms.
 *
 * Source: hwmon by libsensors(3), kept as "sensors -j" prints it and decoded by that format
 * (sensors_json.c).
 */
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include "sensors_read.h"
#include <errno.h>
#include <string.h>

static int thermal_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_FREE char *json = NULL;
	int r = hl_sensors_json(&json);

	if (r < 0)
		return hl_fail(err, -r, "no chip has a temperature sensor");
	return hl_capture_keep(capture, "sensors.json", NULL, json, strlen(json), err);
}

const struct hl_probe hl_probe_thermal = {
	.name = "thermal",
	.summary = "temperatures of drives, CPUs and NICs, with limits and alarms",
	.layer = HL_LAYER_DRIVE,
	.acquire = thermal_acquire,
};
