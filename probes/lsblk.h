/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of lsblk, from its text or JSON, and the facts they become.
 */
#ifndef PROBES_LSBLK_H
#define PROBES_LSBLK_H

#include "zfs_text.h"

enum hl_lsblk_column {
	HL_LSBLK_KNAME,
	HL_LSBLK_NUMBER, /* MAJ:MIN */
	HL_LSBLK_SIZE,
	HL_LSBLK_RO,
	HL_LSBLK_TYPE,
	HL_LSBLK_MOUNTPOINT,
	HL_LSBLK_FSTYPE,
	HL_LSBLK_ROTA,
	HL_LSBLK_RQ_SIZE,
	HL_LSBLK_SCHED,
	HL_LSBLK_LOG_SEC,
	HL_LSBLK_PHY_SEC,
	HL_LSBLK_RA,
	HL_LSBLK_MODEL,
	HL_LSBLK_SERIAL,
	HL_LSBLK_WWN,
	HL_NR_LSBLK_COLUMNS,
	HL_LSBLK_NONE = HL_NR_LSBLK_COLUMNS,
};

#define HL_LSBLK_ROOT SIZE_MAX

struct hl_lsblk_row {
	struct hl_word name;
	struct hl_word values[HL_NR_LSBLK_COLUMNS]; /* len 0 = not said */
	size_t column;                              /* where its name begins */
	size_t parent;                              /* index of the row it hangs below */
	const char *source;
};

struct hl_lsblk_mount {
	size_t row;
	struct hl_word path;
};

struct hl_lsblk {
	struct hl_lsblk_row *rows;
	size_t nr;
	struct hl_lsblk_mount *mounts;
	size_t nr_mounts;
};

void hl_lsblk_free(struct hl_lsblk *lsblk);
#define HL_LSBLK __attribute__((cleanup(hl_lsblk_free)))

/* "MAJ:MIN" and also "maj:min". */
enum hl_lsblk_column hl_lsblk_column(struct hl_word name);
bool hl_lsblk_is_value(enum hl_lsblk_column column, struct hl_word value);
/* The row that a new one hangs below: by its place on the screen, or else by its type. */
size_t hl_lsblk_parent(const struct hl_lsblk *lsblk, const struct hl_lsblk_row *row);
void hl_lsblk_add(struct hl_lsblk *lsblk, const struct hl_lsblk_row *row);
void hl_lsblk_add_mount(struct hl_lsblk *lsblk, struct hl_word path); /* of the last row */
void hl_lsblk_report(const struct hl_lsblk *lsblk, const struct hl_reading *reading);

#endif
