/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands below the latencies of a result, and the disk statistics of a run.
 *
 *   cpu          : usr=1.91%, sys=14.37%, ctx=2904004, majf=0, minf=146
 *   issued rwts: total=8473914,0,0,0 short=0,0,0,0 dropped=0,0,0,0
 *   issued    : total=r=240130/w=0/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0          (2.x)
 *   latency   : target=0, window=0, percentile=100.00%, depth=32
 *   sda: ios=6961258/437, sectors=…/…, merge=0/375, ticks=1669428/49, in_queue=1669476,
 * util=100.00%
 *
 * Surprising: of a stacked device fio also prints "aggrios=…": the sum over its members divided by
 * their number, which it does not print. "short" counts every fdatasync, so it says nothing.
 */
#include "fio_text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* The number behind key, if stop follows it; NAN. */
static double scan_value(const char *text, const char *key, const char *stop)
{
	const char *at = fio_find(text, key);
	double value;

	if (!at || !fio_scan_number(&at, &value) || !fio_scan_word(&at, stop))
		return NAN;
	return value;
}

void fio_take_cpu(struct fio_run *run, const struct fio_line *line)
{
	if (!run->result)
		return;
	run->result->cpu_user_pct = scan_value(line->text, "usr=", "%");
	run->result->cpu_system_pct = scan_value(line->text, "sys=", "%");
	run->result->last_line = line->number;
}

/* "8473914,0,0,0short=", "r=240130/w=0/d=0,", "123/456," */
void fio_take_issued(struct fio_run *run, const struct fio_line *line)
{
	const char *at = fio_find(line->text, "total=");
	double values[3] = { NAN, NAN, NAN };

	if (!run->result || !at)
		return;
	for (int i = 0; i < 3; i++) {
		double value;

		if (isalpha((unsigned char)at[0]) && at[1] == '=')
			at += 2;
		if (!fio_scan_number(&at, &value) || !*at) /* cut */
			break;
		values[i] = value;
		if (!fio_scan_word(&at, "/") && !fio_scan_word(&at, ","))
			break;
	}
	memcpy(run->result->issued, values, sizeof(values));
	run->result->has_issued = strstr(line->text, "short=") != NULL;
	run->result->last_line = line->number;
}

/* "errors:total=10,first_error=5/<Input/outputerror>" */
void fio_take_errors(struct fio_run *run, const struct fio_line *line)
{
	double first = scan_value(line->text, "first_error=", "/");

	if (!run->result)
		return;
	run->result->nr_errors = scan_value(line->text, "total=", ",");
	run->result->first_error = first > 0 && first < 1e6 ? (int)first : 0;
	run->result->last_line = line->number;
}

void fio_take_target(struct fio_run *run, const struct fio_line *line)
{
	if (!run->result)
		return;
	run->result->depth = scan_value(line->text, "depth=", "");
	run->result->last_line = line->number;
}

/* ---- disks ---- */

void fio_take_disks(struct fio_run *run, const struct fio_line *line)
{
	(void)line;
	run->result = NULL;
	run->rate = NULL;
	run->row_of = NULL;
	run->group = NULL;
}

/* "ios=54/8018," into both directions. */
static void scan_pair(const char *text, const char *key, double ret_pair[2])
{
	const char *at = fio_find(text, key);
	double read, write;

	if (!at || !fio_scan_number(&at, &read) || !fio_scan_word(&at, "/") ||
	    !fio_scan_number(&at, &write) || *at != ',')
		return;
	ret_pair[0] = read;
	ret_pair[1] = write;
}

/* One that was printed before (--status-interval) is the same one, earlier. */
static struct hl_disk *find_disk(struct fio_run *run, const char *name, bool is_aggregate)
{
	struct hl_disk *disk = NULL;

	for (size_t i = 0; i < run->nr_disks && !disk; i++) {
		if (!strcmp(run->disks[i].name, name) && run->disks[i].is_aggregate == is_aggregate)
			disk = &run->disks[i];
	}
	if (!disk) {
		run->disks = hl_arena_extend(run->arena, run->disks, run->nr_disks,
					     sizeof(*run->disks));
		disk = &run->disks[run->nr_disks++];
	}
	*disk = (struct hl_disk){ .name = name, .is_aggregate = is_aggregate };
	for (int i = 0; i < 2; i++)
		disk->ios[i] = disk->merges[i] = disk->sectors[i] = disk->ticks_ms[i] = NAN;
	return disk;
}

struct disk_keys {
	const char *ios, *sectors, *merges, *ticks, *in_queue, *util;
};

static const struct disk_keys own_keys = {
	"ios=", "sectors=", "merge=", "ticks=", "in_queue=", "util=",
};
static const struct disk_keys member_keys = {
	"aggrios=", "aggsectors=", "aggrmerge=", "aggrticks=", "aggrin_queue=", "aggrutil=",
};

static void take_disk(struct fio_run *run, const struct fio_line *line, const char *name,
		      const struct disk_keys *keys)
{
	struct hl_disk *disk = find_disk(run, name, keys == &member_keys);

	disk->line = line->number;
	scan_pair(line->text, keys->ios, disk->ios);
	scan_pair(line->text, keys->sectors, disk->sectors);
	scan_pair(line->text, keys->merges, disk->merges);
	scan_pair(line->text, keys->ticks, disk->ticks_ms);
	disk->in_queue_ms = scan_value(line->text, keys->in_queue, ",");
	disk->util_pct = scan_value(line->text, keys->util, "%");
}

void fio_take_disk(struct fio_run *run, const struct fio_line *line)
{
	const char *name = fio_text_plain(line->name, line->name_len, run->arena);

	take_disk(run, line, name, &own_keys);
	if (fio_find(line->text, member_keys.ios))
		take_disk(run, line, name, &member_keys);
}
