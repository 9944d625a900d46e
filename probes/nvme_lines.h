/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What nvme-cli's text and JSON have in common below the single field: formats of a namespace,
 * power states, and the entries of the error and the self-test log. Both fill struct hl_nvme_log;
 * facts come of it at the end.
 */
#ifndef PROBES_NVME_LINES_H
#define PROBES_NVME_LINES_H

#include "drive.h"
#include "nvme_text.h"

#define HL_NVME_MAX_FORMATS    64
#define HL_NVME_SELF_TEST_NONE 0xf /* result of an entry that holds none */

struct hl_nvme_lba { /* one format of a namespace */
	double index, bytes, metadata;
	double performance; /* 0 best, 1 better, 2 good, 3 degraded */
	bool is_in_use;
};

struct hl_nvme_log { /* start with hl_nvme_log_begin; NAN = not said */
	enum hl_nvme_output output;
	unsigned line; /* that is read now */
	/* namespace, in blocks */
	double nsze, ncap, nuse, flbas, nmic;
	struct hl_nvme_lba formats[HL_NVME_MAX_FORMATS];
	size_t nr_formats;
	/* controller */
	unsigned nr_power_states;
	double max_power_w, idle_exit_us;
	/* error log: entries that hold an error, and the newest's status */
	unsigned nr_entries, nr_errors;
	double newest_status;
	/* self-test log */
	double running;       /* 0 = none */
	double result, hours; /* of the newest */
	double most_hours;    /* of any */
	unsigned nr_tests, nr_failed;
	bool is_in_test; /* what comes now is of an entry that holds a test */
};

void hl_nvme_log_begin(struct hl_nvme_log *log, enum hl_nvme_output output);
void hl_nvme_log_end(const struct hl_nvme_log *log, struct hl_drive *drive);

/* One power state, error or test that was read. NAN = not said. */
void hl_nvme_add_power_state(struct hl_nvme_log *log, double max_w, bool is_idle, double exit_us);
void hl_nvme_add_error(struct hl_nvme_log *log, double count, double status);
void hl_nvme_add_test(struct hl_nvme_log *log, double result, double hours);
/* Hours of the test that was read last, where they come behind its result. */
void hl_nvme_add_test_hours(struct hl_nvme_log *log, double hours);
void hl_nvme_add_format(struct hl_nvme_log *log, const struct hl_nvme_lba *format);

/* Fields of the controller that are masks or counts. Text and JSON. */
void hl_nvme_put_controller(struct hl_drive *drive, const char *name, size_t len, double value);

/* "name : value", both trimmed; false: no such line. */
bool hl_nvme_split(struct hl_line line, struct hl_line *ret_name, struct hl_line *ret_value);
void hl_nvme_read_id_ctrl(struct hl_line line, struct hl_drive *drive, struct hl_nvme_log *log);
void hl_nvme_read_id_ns(struct hl_line line, struct hl_nvme_log *log);
void hl_nvme_read_log(struct hl_line line, struct hl_nvme_log *log);

/* nvme list: index behind its last row; 0 = it has none. */
size_t hl_nvme_table_end(const struct hl_text *text, size_t start);
int hl_nvme_read_table(const struct hl_text *slice, struct hl_reading *reading,
		       struct hl_error *err);

#endif
