/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the reader of fio's text share.
 *
 *   fio_text_mark.c    what kind of line is this
 *   fio_text_line.c    lines that a mailer broke are joined again
 *   fio_text_scan.c    numbers and quantities, with the precision they were printed in
 *   fio_text_claim.c   where a run begins and ends in a text
 *   fio_text_job.c     job lines, result heads, errors
 *   fio_text_rate.c    read:, write:, trim:, mixed: of 2.x and 3.x, and the group summaries
 *   fio_text_lat.c     latencies and percentiles
 *   fio_text_stats.c   issued, depth, cpu, disks
 *   fio_text_order.c   lines that are missing in the middle
 *   fio_text_keep.c    which of several results of one job counts
 *   fio_text_who.c     which job line a result belongs to
 *   fio_text_result.c  from a result to a measurement
 *   fio_text_all.c     all measurements of a run
 *   fio_text.c         the format
 */
#ifndef IMPORT_FIO_TEXT_H
#define IMPORT_FIO_TEXT_H

#include "hoploss/format.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- lines ---- */

enum fio_kind {
	FIO_NONE,        /* not fio's */
	FIO_BLANK,       /* nothing on it */
	FIO_JOB,         /* "name: (g=0): rw=randread, bs=…" */
	FIO_MORE,        /* "...": several jobs of the line before */
	FIO_BANNER,      /* "fio-3.36" */
	FIO_START,       /* "Starting 4 processes" */
	FIO_LAYOUT,      /* "name: Laying out IO file (1 file / 10240MiB)" */
	FIO_HOST,        /* "hostname=…, be=0, 64-bit, …" of a client */
	FIO_ERROR,       /* "fio: pid=7, err=28/file:…" */
	FIO_RESULT,      /* "name: (groupid=0, jobs=4): err= 0: pid=11: …" */
	FIO_RATE,        /* "read: IOPS=…" */
	FIO_LATENCY,     /* "clat (usec): min=…" */
	FIO_PERCENTILES, /* "clat percentiles (usec):" */
	FIO_ROW,         /* "|  1.00th=[ 1004], …" */
	FIO_SYNC,        /* "fsync/fdatasync/sync_file_range:" */
	FIO_CPU,         /* "cpu : usr=…" */
	FIO_ISSUED,      /* "issued rwts: total=…" */
	FIO_ERRORS,      /* "errors : total=…" */
	FIO_TARGET,      /* "latency : target=…, depth=32" */
	FIO_GROUP,       /* "Run status group 0 (all jobs):" */
	FIO_GROUP_RATE,  /* "READ: bw=…" */
	FIO_DISKS,       /* "Disk stats (read/write):" */
	FIO_DISK,        /* "sda: ios=…" */
	FIO_RATE_DETAIL, /* "bw (KiB/s): min=…", "iops : min=…" */
	FIO_DETAIL,      /* of a result, but nothing to take from it */
	FIO_NOTE,        /* fio's, and may stand anywhere: progress, messages */
	FIO_NR_KINDS,
};

struct fio_mark {
	enum fio_kind kind;
	enum hl_dir dir;      /* of a rate */
	const char *start;    /* behind blanks and a "<host> " prefix */
	const char *name_end; /* of a line that begins with a name */
};

/* Without blanks in front and without tags of a page, or "<host> " of a client. */
struct hl_line fio_drop_tags(struct hl_line line);
/* The kind of line at of text, by its beginning alone. */
struct fio_mark fio_mark_at(const struct hl_text *text, size_t at);

struct fio_line { /* one line as fio printed it, joined again if it was broken */
	enum fio_kind kind;
	enum hl_dir dir;
	const char *text; /* without any blank, entities decoded; until the next line is read. */
			  /* NULL for a detail */
	const char *name; /* as in the file, where the line begins with one; NULL */
	size_t name_len;
	size_t at, nr;   /* lines of the slice */
	unsigned number; /* of the first in the file */
};

struct fio_lines {
	const struct hl_text *slice;
	size_t at;
	char *buffer; /* of the line's text */
	size_t size, used;
	bool is_doubled; /* an empty line after each */
};

void fio_lines_begin(struct fio_lines *lines, const struct hl_text *slice);
bool fio_lines_next(struct fio_lines *lines, struct fio_line *ret_line); /* false at the end */
void fio_lines_end(struct fio_lines *lines);

/* The same line with its blanks, each run of them one; in arena. */
char *fio_line_spaced(const struct fio_lines *lines, const struct fio_line *line,
		      struct hl_arena *arena);
/* Text of the file with entities decoded and blanks trimmed; in arena. */
char *fio_text_plain(const char *text, size_t len, struct hl_arena *arena);

/* ---- scanning of a line's text ---- */

/* A printed number stands for every value that fio would have printed so. */
struct fio_range {
	double low, high; /* NAN = unknown */
	double again;     /* or all of it that much higher; 0 = no */
};

enum fio_style {
	FIO_STYLE_LOST_CARRY, /* before 3.26, or of no known version: 83.98 is printed as 83.0 */
	FIO_STYLE_NEW,        /* decimals are rounded */
	FIO_STYLE_ROUGH,      /* before 2.20 the digits after the point mean nothing */
};

extern const struct fio_range fio_range_unknown;
bool fio_range_is_known(struct fio_range range);
double fio_range_middle(struct fio_range range);
/* Narrows range by other unless they exclude each other; unknown narrows nothing. */
struct fio_range fio_range_narrow(struct fio_range range, struct fio_range other);
/* Whether value may be meant; small rounding aside. False for NAN. */
bool fio_range_has(struct fio_range range, double value);

/* Each steps over what it read, or returns false and leaves at alone. */
bool fio_scan_word(const char **at, const char *word);
bool fio_scan_number(const char **at, double *ret_value);     /* "12", "12.5" */
bool fio_scan_unsigned(const char **at, unsigned *ret_value); /* stops at a point */
bool fio_scan_count(const char **at, enum fio_style style, struct fio_range *ret_range);
/* "110MiB/s", "7328Mbit/s", "32.3GiB", "4K": bytes or bytes/s. kilo is what "K" without i means. */
bool fio_scan_quantity(const char **at, enum fio_style style, double kilo,
		       struct fio_range *ret_range);
/* Behind "key" where it begins a word, or NULL. */
const char *fio_find(const char *text, const char *key);

/* ---- a run ---- */

struct fio_size {      /* a block size as the job line says it */
	double bytes;  /* NAN: unknown or a range */
	bool is_exact; /* no rounding in it */
};

struct fio_job {
	const char *name;
	unsigned group;
	enum hl_rw rw;
	struct fio_size bs[3]; /* read, write, trim */
	const char *engine;
	double iodepth;
	double size; /* laid out, all files and processes */
	unsigned line;
	bool has_result;
	bool is_merged; /* of several jobs: what they share */
};

#define FIO_NR_DIRS (HL_DIR_MIXED + 1)

struct fio_rate {
	bool is_cut; /* the line ends early */
	bool is_old; /* "KB/s" may mean 1000: see fio_text_rate.c */
	struct fio_range iops, bw, bytes;
	struct fio_range bw_if_decimal, bytes_if_decimal;
	double runtime_ms;
	double zone_resets;
	struct hl_latency *lat, *clat, *slat;
};

struct fio_result {
	const char *name; /* NULL: its head is missing */
	unsigned group, jobs, pid;
	int error;
	const char *error_text;
	unsigned line, last_line;
	struct fio_rate *dirs[FIO_NR_DIRS];
	struct hl_latency *sync;
	double issued[3]; /* NAN */
	double depth;     /* of the "latency" line */
	double cpu_user_pct, cpu_system_pct;
	double nr_errors; /* I/O errors that the job lived on */
	int first_error;
	bool has_issued;
	bool is_cut;     /* lines are missing */
	bool is_dropped; /* a later one of the same job counts */
	bool is_summary; /* made of the group's lines */
};

struct fio_group { /* "Run status group" */
	unsigned id;
	unsigned line;
	struct fio_rate *dirs[FIO_NR_DIRS];
	bool has_result;
};

struct fio_failure { /* "fio: pid=7, err=28/…" */
	unsigned pid;
	int error;
	const char *text;
	bool is_taken;
};

struct fio_run {
	struct hl_reading *reading;
	const struct hl_text *slice;
	struct fio_lines lines;
	struct hl_arena *arena; /* of what is only needed while reading */
	const char *tool;       /* "fio-3.36" */
	enum fio_style style;   /* of decimals */
	struct fio_job *jobs;
	size_t nr_jobs;
	struct fio_result *results;
	size_t nr_results;
	struct fio_result *result; /* being read */
	struct fio_rate *rate;     /* of it; NULL in front of the first */
	struct hl_latency *row_of; /* whose percentiles are read */
	double row_unit;           /* ns */
	double row_percent;        /* the last one read */
	bool has_more_rows;        /* the last one ended in a comma */
	int rank;                  /* of the last line: see fio_text_order.c */
	struct fio_group *groups;
	size_t nr_groups;
	struct fio_group *group; /* being read */
	struct hl_disk *disks;
	size_t nr_disks;
	struct fio_failure *failures;
	size_t nr_failures;
	double nr_processes; /* "Starting 4 processes"; NAN */
	int signal;          /* that stopped fio; 0 */
	unsigned nr_dropped; /* results of which a later one counts */
	unsigned nr_same;    /* of them those that say the same */
};

/* Each takes one line of its kind. */
typedef void fio_take(struct fio_run *run, const struct fio_line *line);
fio_take fio_take_job, fio_take_banner, fio_take_start, fio_take_layout, fio_take_host,
	fio_take_error, fio_take_note, fio_take_result;
fio_take fio_take_rate, fio_take_group, fio_take_group_rate;
fio_take fio_take_latency, fio_take_percentiles, fio_take_row, fio_take_sync;
fio_take fio_take_cpu, fio_take_issued, fio_take_errors, fio_take_target, fio_take_disks,
	fio_take_disk;

/* Where a percentile that is kept goes, or NULL. */
double *fio_percentile(struct hl_latency *latency, double percent);
bool fio_latency_is_known(const struct hl_latency *latency); /* any of it */

/* Called with every line before it is taken. */
void fio_check_order(struct fio_run *run, const struct fio_line *line);

/* A result without a head, for a rate line that stands alone. */
struct fio_result *fio_result_begin(struct fio_run *run, unsigned line);

/* The figures of a rate: exact ones where issued (NAN) and bs tell more than what was printed. */
void fio_rate_finish(const struct fio_rate *rate, double issued, struct fio_size bs,
		     struct hl_rate *ret_rate);
/* Whether a rate can come of so many I/Os; true when unknown. */
bool fio_rate_may_be(const struct fio_rate *rate, double issued);
/* The block size that bytes and I/Os allow alone, if it is a power of two. */
struct fio_size fio_rate_guess_bs(const struct fio_rate *rate, double issued);

/* Of several results of one job only the last whole one counts. */
void fio_results_drop_earlier(struct fio_run *run);
/* Takes away what cannot be of the same job as the rates. */
void fio_result_check(struct fio_result *result);
bool fio_result_has_rate(const struct fio_result *result);

/* What the job of a result was, as far as job lines tell; marks them as having a result. */
struct fio_job fio_job_of(struct fio_run *run, const struct fio_result *result);
struct fio_job fio_job_merge(struct fio_run *run, const struct fio_job *first);
extern const struct fio_job fio_job_unknown;
size_t fio_nr_results(const struct fio_run *run, unsigned group);

struct hl_measurement *fio_result_add(struct fio_run *run, const struct fio_result *result,
				      const struct fio_job *job);
void fio_set_failed(struct fio_run *run, struct hl_measurement *at, int error, const char *text);
/* Adds what was read to the graph. Returns how many measurements were added. */
size_t fio_results_add(struct fio_run *run);

size_t fio_text_claim(const struct hl_text *text, size_t at);

#endif
