/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of what nvme-cli lists entry by entry: see nvme_lines.h. NVM Express Base 2.0: Identify
 * (5.17), Error Information and Device Self-test logs (5.16.1.2, 5.16.1.7).
 *
 * Surprising: relative performance counts down, 0 is the best; where a drive gives none, all its
 * formats say 0. Empty entries of both logs are part of them.
 */
#include "nvme_lines.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FLBAS_LOW  0x0f /* bits of the index of the format in use */
#define FLBAS_HIGH 0x60
#define PAGE       4096 /* least memory page, which MDTS counts; hardly any controller has another */

void hl_nvme_log_begin(struct hl_nvme_log *log, enum hl_nvme_output output)
{
	*log = (struct hl_nvme_log){
		.output = output,
		.nsze = NAN,
		.ncap = NAN,
		.nuse = NAN,
		.flbas = NAN,
		.nmic = NAN,
		.max_power_w = NAN,
		.idle_exit_us = NAN,
		.newest_status = NAN,
		.running = NAN,
		.result = NAN,
		.hours = NAN,
		.most_hours = NAN,
	};
}

/* A mask; 0 of what is none. */
static unsigned mask_of(double number)
{
	return number >= 0 && number <= UINT32_MAX ? (unsigned)number : 0;
}

/* ---- entries ---- */

void hl_nvme_add_power_state(struct hl_nvme_log *log, double max_w, bool is_idle, double exit_us)
{
	if (!log->nr_power_states++)
		log->max_power_w = max_w;
	if (is_idle)
		log->idle_exit_us = fmax(log->idle_exit_us, exit_us);
}

void hl_nvme_add_error(struct hl_nvme_log *log, double count, double status)
{
	log->nr_entries++;
	if (count > 0 && !log->nr_errors++)
		log->newest_status = status;
}

void hl_nvme_add_test(struct hl_nvme_log *log, double result, double hours)
{
	enum { FATAL = 5, SEGMENT_UNKNOWN, SEGMENT };

	log->is_in_test = !isnan(result) && result != HL_NVME_SELF_TEST_NONE;
	if (!log->is_in_test)
		return;
	if (!log->nr_tests++)
		log->result = result;
	log->nr_failed += result >= FATAL && result <= SEGMENT;
	hl_nvme_add_test_hours(log, hours);
}

void hl_nvme_add_test_hours(struct hl_nvme_log *log, double hours)
{
	if (!log->is_in_test)
		return;
	if (log->nr_tests == 1 && isnan(log->hours))
		log->hours = hours;
	log->most_hours = fmax(log->most_hours, hours);
}

void hl_nvme_add_format(struct hl_nvme_log *log, const struct hl_nvme_lba *format)
{
	if (log->nr_formats < HL_NVME_MAX_FORMATS && format->bytes > 1)
		log->formats[log->nr_formats++] = *format;
}

/* ---- formats of a namespace ---- */

static const struct hl_nvme_lba *format_in_use(const struct hl_nvme_log *log)
{
	unsigned flbas = mask_of(log->flbas);
	unsigned index = (flbas & FLBAS_LOW) | (flbas & FLBAS_HIGH) >> 1;

	for (size_t i = 0; i < log->nr_formats; i++) {
		if (log->formats[i].is_in_use)
			return &log->formats[i];
	}
	for (size_t i = 0; i < log->nr_formats; i++) {
		if (!isnan(log->flbas) && log->formats[i].index == index)
			return &log->formats[i];
	}
	return NULL;
}

/* The fastest that an ordinary disk can have: without metadata. */
static const struct hl_nvme_lba *best_format(const struct hl_nvme_log *log)
{
	const struct hl_nvme_lba *best = NULL;

	for (size_t i = 0; i < log->nr_formats; i++) {
		const struct hl_nvme_lba *format = &log->formats[i];

		if (!(format->metadata > 0) && (!best || format->performance < best->performance))
			best = format;
	}
	return best;
}

static void put_list_of_formats(const struct hl_nvme_log *log, struct hl_drive *drive)
{
	char list[HL_NVME_MAX_FORMATS * 24];
	size_t used = 0;

	for (size_t i = 0; i < log->nr_formats && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.0f+%.0f:%.0f",
					 i ? " " : "", log->formats[i].bytes,
					 fmax(log->formats[i].metadata, 0),
					 fmax(log->formats[i].performance, 0));
	hl_drive_put_string(drive, "nvme.lba_formats", list, strlen(list));
}

static void put_namespace(const struct hl_nvme_log *log, struct hl_drive *drive)
{
	const struct hl_nvme_lba *used = format_in_use(log), *best = best_format(log);

	if (!isnan(log->nmic))
		hl_drive_put_boolean(drive, "nvme.is_shared", mask_of(log->nmic) & 1);
	if (log->nr_formats)
		put_list_of_formats(log, drive);
	if (!used)
		return;
	hl_drive_put_number(drive, "drive.lba_bytes", used->bytes);
	hl_drive_put_number(drive, "nvme.lba_relative_performance", used->performance);
	if (log->nsze > 0)
		hl_drive_put_number(drive, "drive.capacity_bytes", log->nsze * used->bytes);
	hl_drive_put_number(drive, "drive.allocated_bytes", log->nuse * used->bytes);
	if (!best)
		return;
	hl_drive_put_number(drive, "nvme.lba_best_bytes", best->bytes);
	hl_drive_put_number(drive, "nvme.lba_best_relative_performance", best->performance);
}

/* ---- logs ---- */

static void put_tests(const struct hl_nvme_log *log, struct hl_drive *drive)
{
	static const char *const results[] = {
		"completed without error",    "aborted by a command", "aborted by a reset",
		"aborted: namespace removed", "aborted: formatted",   "fatal or unknown error",
		"failed in an unknown part",  "failed in one part",   "aborted: unknown reason",
		"aborted: sanitized",
	};
	unsigned result = isnan(log->result) ? ~0U : mask_of(log->result);

	if (!isnan(log->running))
		hl_drive_put_boolean(drive, "smart.self_test_is_running", log->running > 0);
	hl_drive_put_number(drive, "smart.self_tests", log->nr_tests);
	hl_drive_put_number(drive, "smart.self_test_failures", log->nr_failed);
	hl_drive_put_number(drive, "smart.self_test_hours", log->hours);
	hl_drive_put_number(drive, "smart.self_test_max_hours", log->most_hours);
	if (result < sizeof(results) / sizeof(*results))
		hl_drive_put_string(drive, "smart.self_test_result", results[result],
				    strlen(results[result]));
}

static void put_errors(const struct hl_nvme_log *log, struct hl_drive *drive)
{
	hl_drive_put_number(drive, "smart.error_log_held", log->nr_errors);
	hl_drive_put_number(drive, "smart.error_log_status", log->newest_status);
}

void hl_nvme_log_end(const struct hl_nvme_log *log, struct hl_drive *drive)
{
	if (log->output == HL_NVME_ID_NS)
		put_namespace(log, drive);
	if (log->output == HL_NVME_ERROR_LOG)
		put_errors(log, drive);
	if (log->output == HL_NVME_SELF_TEST_LOG)
		put_tests(log, drive);
	if (!log->nr_power_states)
		return;
	hl_drive_put_number(drive, "nvme.power_states", log->nr_power_states);
	hl_drive_put_number(drive, "nvme.power_max_w", log->max_power_w);
	hl_drive_put_number(drive, "nvme.idle_exit_ns", log->idle_exit_us * 1000);
}

/* ---- controller ---- */

static bool is_name(const char *name, size_t len, const char *wanted)
{
	return strlen(wanted) == len && !memcmp(name, wanted, len);
}

void hl_nvme_put_controller(struct hl_drive *drive, const char *name, size_t len, double value)
{
	static const struct {
		const char *name, *key;
	} flags[] = {
		{ "hctma", "nvme.has_hctm" },
		{ "apsta", "nvme.has_apst" },
		{ "vwc", "nvme.has_write_cache" },
	};

	if (!(value >= 0))
		return;
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (is_name(name, len, flags[i].name))
			hl_drive_put_boolean(drive, flags[i].key, mask_of(value) & 1);
	}
	if (is_name(name, len, "mdts") && value > 0 && value < 32)
		hl_drive_put_number(drive, "nvme.max_transfer_bytes", ldexp(PAGE, (int)value));
}
