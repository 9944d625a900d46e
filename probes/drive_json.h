/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON about drives: what nvme-cli, smartctl and programs around them wrote, found wherever it
 * stands in a document.
 */
#ifndef PROBES_DRIVE_JSON_H
#define PROBES_DRIVE_JSON_H

#include "drive.h"
#include "nvme_text.h"

/* Makes facts of one object, if it is one of smartctl; false: it is none. */
bool hl_smartctl_read_object(const struct hl_json *object, struct hl_drive *drive,
			     const struct hl_reading *reading, const char *file);
bool hl_smartctl_is_object(const struct hl_json *object);
/* The same of one of nvme-cli's outputs. */
bool hl_nvme_read_object(const struct hl_json *object, struct hl_drive *drive,
			 const struct hl_reading *reading, const char *file);

/* The fields of an object that are a drive's health. */
void hl_drive_put_object(struct hl_drive *drive, const struct hl_json *object);
/* Temperatures of sensors, as smartctl lists them. */
void hl_drive_put_sensors(struct hl_drive *drive, const struct hl_json *sensors);
/*
 * A number, a string with one, or an object with "value", "raw" or "string" in it; NAN = none.
 */
double hl_drive_json_number(const struct hl_json *value);

/* Lines of JSON at at, with the command above, in which one key of all rows is mentioned. */
size_t hl_drive_claim_json(const struct hl_text *text, size_t at, const char *tool,
			   const char *const *const *keys);
/* All that is known of drives in the slice. */
int hl_drive_read_json(const struct hl_text *slice, struct hl_reading *reading,
		       struct hl_error *err);

#endif
