/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as they stand in a table whose heading names the unit. All print into the arena and give
 * NULL for what is unknown.
 */
#ifndef HOPLOSS_REPORTS_CELL_H
#define HOPLOSS_REPORTS_CELL_H

#include "hoploss/graph.h"

const char *hl_cell_mib(struct hl_arena *arena, double bytes_per_s); /* "29,564" "863" "1.42" */
const char *hl_cell_mb(struct hl_arena *arena, double bytes_per_s);  /* decimal, the same way */
const char *hl_cell_grouped(struct hl_arena *arena, double value);   /* the same way, as it is */
const char *hl_cell_count(struct hl_arena *arena, double count);     /* "28.2k" */
const char *hl_cell_time(struct hl_arena *arena, double ns);         /* "322 us" */
const char *hl_cell_percent(struct hl_arena *arena, double percent); /* "14.6" */
const char *hl_cell_factor(struct hl_arena *arena, double factor);   /* "1.18" */
const char *hl_cell_layers(struct hl_arena *arena,
			   uint32_t layers); /* "drive+pool" "wire..vdisk" */
/* The value of a fact in its unit: "128 KiB", "yes", "16 GT/s". */
const char *hl_cell_fact(struct hl_arena *arena, const struct hl_fact *fact);
/* A number in a fact's unit: "128 KiB", "28.2k IOPS"; unit NULL = a bare number. */
const char *hl_cell_in_unit(struct hl_arena *arena, double value, const char *unit);
/* Bytes of "a.txt:12" without the line; a PCI address has colons of its own. */
size_t hl_cell_file_len(const char *source);
/* Label of a fact from the table of keys, the key itself when it is not in there. */
const char *hl_cell_label(const char *key);

/* Of one job: "randrw read"; "128 KiB"; "32x4"; "seq-read-128k: read, 128 KiB, depth 32x4". */
const char *hl_cell_io(struct hl_arena *arena, const struct hl_measurement *at, enum hl_dir dir);
const char *hl_cell_bs(struct hl_arena *arena, const struct hl_measurement *at, enum hl_dir dir);
const char *hl_cell_depth(struct hl_arena *arena, const struct hl_measurement *at);
const char *hl_cell_job(struct hl_arena *arena, const struct hl_measurement *at, enum hl_dir dir);

/* Of one finding: "pvc, filesystem, seq-read-128k: read, 128 KiB"; "at most 1,180 MiB/s". */
const char *hl_cell_place(struct hl_arena *arena, const struct hl_finding *finding);
const char *hl_cell_prediction(struct hl_arena *arena, const struct hl_finding *finding);
/* The string at offset in a finding, or NULL when one above it says the same. */
const char *hl_cell_fresh(const struct hl_graph *graph, size_t index, size_t offset);
const char *hl_cell_join(struct hl_arena *arena, const char *const *texts, size_t nr);

#endif
