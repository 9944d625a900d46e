/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What smartctl's text and JSON have in common: ATA attributes, RAID members, links.
 */
#ifndef PROBES_SMARTCTL_H
#define PROBES_SMARTCTL_H

#include "drive.h"

struct hl_smartctl_attribute {
	unsigned id;
	const char *name; /* "Reallocated_Sector_Ct" */
	const char *raw;  /* as smartctl prints it: "33 (Min/Max 24/36)" */
	double value;     /* normalised, NAN */
};

void hl_smartctl_put_attribute(struct hl_drive *drive,
			       const struct hl_smartctl_attribute *attribute);
/* An entry of the device statistics: a second set of counters, by its name. */
void hl_smartctl_put_statistic(struct hl_drive *drive, const char *name, size_t len, double value);

/* A type of device with a member's number in it ("sat+megaraid,14") is no disk of the kernel's. */
void hl_smartctl_put_type(struct hl_drive *drive, const char *type, size_t len);

/* "phy enabled; 6 Gbps": of several phys the slowest that is up. */
void hl_smartctl_put_phy(struct hl_drive *drive, const char *rate, size_t len);

/* The highest of a log's entries. key must be static. */
void hl_smartctl_put_most(struct hl_drive *drive, const char *key, double value);

/* A self-test, the newest first, by what smartctl says of it. */
void hl_smartctl_put_self_test(struct hl_drive *drive, const char *result, size_t len,
			       double hours);

/* A trimmed line of text that is a row of a table; next: the one behind it. false: it is none. */
bool hl_smartctl_read_row(struct hl_drive *drive, struct hl_line line, struct hl_line next);
/* A row of attributes that ends before its raw value. */
bool hl_smartctl_is_row_cut(struct hl_line line);
bool hl_smartctl_read_self_test(struct hl_drive *drive, struct hl_line line);

/* "smartctl 7.3 2022-02-28 r5338 [x86_64-linux…] (local build)" */
bool hl_smartctl_is_banner(struct hl_line line);
size_t hl_smartctl_claim_text(const struct hl_text *text, size_t at);
int hl_smartctl_read_text(const struct hl_text *slice, struct hl_reading *reading,
			  struct hl_error *err);

#endif
