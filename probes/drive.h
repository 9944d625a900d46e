/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one output of a tool says of one drive, on its way to become facts: nvme-cli and smartctl,
 * as text and as JSON, say the same things by different names and in different units.
 *
 * Values are collected first, for the drive's name may come last.
 */
#ifndef PROBES_DRIVE_H
#define PROBES_DRIVE_H

#include "hoploss/format.h"
#include "hoploss/json.h"

struct hl_drive_value {
	const char *key;
	enum hl_fact_type type;
	double number;
	char *string;
	bool boolean;
	unsigned line; /* of the file */
};

struct hl_drive {          /* start with zero and line */
	char *name;        /* of the kernel: "nvme0", "sda"; NULL */
	char *member;      /* behind a RAID controller: "megaraid,14"; NULL */
	bool is_namespace; /* what is said is of the namespace, not of its controller */
	unsigned line;     /* of the file, of what is put next */
	double airflow_c;  /* of the air, which stands in where the drive's is not said; 0 */
	unsigned airflow_line;
	struct hl_drive_value *values;
	size_t nr;
};

/* Takes the kernel's name from "/dev/nvme0n1", "nvme0"; what is none is left alone. */
void hl_drive_name(struct hl_drive *drive, const char *path, size_t len);
/* "nvme0" of "nvme0n1p1", "ng0n1" and "nvme3c0n1"; "sda" of "sda1"; to be freed. */
char *hl_drive_controller(const char *name);

/* The first of a key stays. NAN and blank texts are not there. key must be static. */
void hl_drive_put_number(struct hl_drive *drive, const char *key, double value);
void hl_drive_put_string(struct hl_drive *drive, const char *key, const char *text, size_t len);
void hl_drive_put_boolean(struct hl_drive *drive, const char *key, bool value);
const struct hl_drive_value *hl_drive_find(const struct hl_drive *drive, const char *key);

/*
 * What the drive is called in the report; to be freed. Where the text does not name the device, a
 * drive that cannot be one that was read before gets a number: "MODEL 2".
 */
char *hl_drive_node(const struct hl_drive *drive, const struct hl_reading *reading);
/* Makes facts of it all, and leaves it empty. false: there was nothing. */
bool hl_drive_finish(struct hl_drive *drive, const struct hl_reading *reading, const char *file);
void hl_drive_clear(struct hl_drive *drive);

/*
 * A field by the name that a tool gives it, case and punctuation apart ("Data Units Read",
 * "data_units_read"), with its value as text. false: no field of that name. A value that cannot be
 * read is no fact, but the name was known.
 */
bool hl_drive_put_health(struct hl_drive *drive, const char *name, size_t name_len,
			 const char *value, size_t len);
bool hl_drive_put_identity(struct hl_drive *drive, const char *name, size_t name_len,
			   const char *value, size_t len);
/* Whether it would be. */
bool hl_drive_is_health(const char *name, size_t len);
/*
 * A text ends within such a name: "data_units_wri"; or within its value: "98" without its "%".
 * is_open: there is no newline behind it.
 */
bool hl_drive_begins_health(const char *name, size_t len);
/* Whether an output may end with that field; else there is more behind it. */
bool hl_drive_may_end(const char *name, size_t len);
bool hl_drive_is_value_cut(const char *name, size_t name_len, const char *value, size_t len,
			   bool is_open);

/* ---- values as tools print them ---- */

/*
 * The number at the start of text: hexadecimal with 0x, or with any locale's thousands separator.
 * NAN: there is none.
 */
double hl_drive_number(const char *text, size_t len);
/* A temperature in Celsius from one in C, F or K; NAN where it is none that a drive can have. */
double hl_drive_celsius(const char *text, size_t len);

/* ---- whose output it is ---- */

/*
 * Whether the line may be a command with that word in it ("$ sudo nvme smart-log /dev/nvme0"), or
 * a heading that speaks of one: only what follows at once tells.
 */
bool hl_drive_is_command(struct hl_line line, const char *tool);
/* The device on a line: "/dev/nvme0", "/dev/sda"; NULL = none. */
const char *hl_drive_device(struct hl_line line, size_t *ret_len);
/*
 * The device in a heading, as people and scripts put one above an output: "/dev/sda:",
 * "### Drive sdb ###", "==> nvme0 <=="; NULL = the line is none.
 */
const char *hl_drive_headline(struct hl_line line, size_t *ret_len);
/*
 * Index of what stands behind a command with that tool, or a heading, at at; at itself where the
 * line is neither or nothing follows soon.
 */
size_t hl_drive_skip_command(const struct hl_text *text, size_t at, const char *tool);
/* Takes the device's name from such a line at the top of a slice; false: it is none. */
bool hl_drive_take_command(struct hl_drive *drive, const struct hl_text *slice, size_t at,
			   const char *tool);
/* Whether it is a shell's prompt with a command behind it: "root@pve:~# …", "$ …". */
bool hl_drive_is_prompt(struct hl_line line);

#endif
