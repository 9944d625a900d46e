/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The headings of a table of results: see csv_table.c.
 */
#ifndef HL_CSV_COLUMNS_H
#define HL_CSV_COLUMNS_H

#include "csv_cells.h"
#include "hoploss/alloc.h"
#include "hoploss/workload.h"

enum hl_csv_role {
	HL_CSV_WORKLOAD,
	HL_CSV_CHANGE,
	HL_CSV_HOP,
	HL_CSV_LAYER,
	HL_CSV_NOTE,
	/* of a table that lies on its side: a workload a row, a state a column */
	HL_CSV_JOB,
	HL_CSV_STATE,
};

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

/*
 * Whether the headings are of a table that lies on its side, "workload, before, after, change"; if
 * so, each gets its role in that, and that of a state its name. To be sure, the first must name
 * workloads, and one the change between two states, or two the states before and after.
 */
bool hl_csv_columns_turn(struct hl_csv_column *columns, size_t nr);

#endif
