/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a table that a person typed, cut into cells, and the figures in them.
 */
#ifndef HL_CSV_CELLS_H
#define HL_CSV_CELLS_H

#include "hoploss/text.h"
#include <stdbool.h>

#define HL_CSV_MAX 64 /* columns */

struct hl_csv_row {
	char *cells[HL_CSV_MAX]; /* trimmed, without their quotes */
	size_t nr;
	char *buffer; /* holds the cells */
};

/* ',', ';', '\t' or '|': what separates the cells of line; 0 = nothing does. */
char hl_csv_separator(struct hl_line line);
void hl_csv_split(struct hl_line line, char separator, struct hl_csv_row *ret_row);
void hl_csv_row_free(struct hl_csv_row *row); /* the cells only */
#define HL_CSV_ROW __attribute__((cleanup(hl_csv_row_free)))

enum hl_csv_kind { HL_CSV_UNKNOWN, HL_CSV_RATE, HL_CSV_COUNT };

struct hl_csv_unit {
	enum hl_csv_kind kind;
	double factor; /* bytes/s of one, for a rate */
};

struct hl_csv_figure {
	enum hl_csv_kind kind;
	double value; /* bytes/s, or I/Os per second */
};

/* "MB/s", "IOPS". -EINVAL. */
int hl_csv_unit_parse(const char *text, struct hl_csv_unit *ret_unit);
enum hl_csv_point { HL_CSV_POINT_UNKNOWN, HL_CSV_POINT_DOT, HL_CSV_POINT_COMMA };

/* Which of the two is the decimal point in the cell, where it shows: neither "1,234" nor "12" do.
 */
enum hl_csv_point hl_csv_point(const char *cell);
/* Nothing was measured: "", "-", "n/a", "?". */
bool hl_csv_is_nothing(const char *cell);
/*
 * One figure, "679MB/S" or "24K" or a bare number in unit, or two with a slash between them.
 * has_comma: a comma is a decimal point, whatever follows. -EINVAL: neither.
 */
int hl_csv_figures(const char *cell, const struct hl_csv_unit *unit, bool has_comma,
		   struct hl_csv_figure *ret_figures, size_t *ret_nr);

#endif
