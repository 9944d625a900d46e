/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The headings of a table of results: see csv_table.c.
 */
#ifndef HL_CSV_COLUMNS_H
#define HL_CSV_COLUMNS_H

#include "csv_cells.h"
#include "hoploss/alloc.h"
#include "hoploss/workload.h"

enum hl_csv_role { HL_CSV_WORKLOAD, HL_CSV_CHANGE, HL_CSV_HOP, HL_CSV_LAYER, HL_CSV_NOTE };

struct hl_csv_column {
	enum hl_csv_role role;
	struct hl_workload workload; /* strings in the arena; the name is never NULL */
	struct hl_csv_unit unit;     /* of a bare number */
	bool is_described;           /* by a suite, or by its heading */
	bool is_wrong;               /* an option in the heading cannot be read */
};

/* What a heading says: "bw-r [MB/s]", "mine [MB/s rw=read bs=4k iodepth=8]", "change". */
void hl_csv_column_read(const char *heading, struct hl_arena *arena,
			struct hl_csv_column *ret_column);

#endif
