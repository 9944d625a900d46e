/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines with the rates, and the group summaries that repeat them.
 *
 *   read: IOPS=28.2k, BW=110MiB/s (116MB/s)(32.3GiB/300007msec); 0 zone resets       (3.x)
 *   read : io=960520KB, bw=3999.2KB/s, iops=999, runt=240131msec                     (2.x)
 *   READ: bw=110MiB/s (116MB/s), …, io=32.3GiB (34.7GB), run=300007-300007msec
 *   READ: io=960520KB, aggrb=3999KB/s, …, mint=240131msec, maxt=240131msec
 *
 * Each printed figure leaves a range of values; bytes over run time leaves another. The issued
 * total times the block size over the run time is exact and is taken if it lies in all of them.
 *
 * Surprising: with kb_base=1000 fio 2.x prints "KB" for 1000 bytes, and nothing says so. If only
 * that reading agrees with the issued total, it is the right one.
 */
#include "fio_text.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct fio_rate *new_rate(struct fio_run *run)
{
	struct fio_rate *rate = hl_arena_alloc(run->arena, sizeof(*rate));

	rate->iops = rate->bw = rate->bytes = fio_range_unknown;
	rate->bw_if_decimal = rate->bytes_if_decimal = fio_range_unknown;
	rate->runtime_ms = NAN;
	rate->zone_resets = NAN;
	return rate;
}

static bool scan_msec(const char **at, double *ret_ms)
{
	double ms;

	if (!fio_scan_number(at, &ms) || !fio_scan_word(at, "msec"))
		return false;
	fio_scan_word(at, ")");
	*ret_ms = ms;
	return true;
}

/* ---- 3.x ---- */

/* "28.2k,BW=110MiB/s(116MB/s)(32.3GiB/300007msec)" */
static bool scan_new(const char **at, enum fio_style style, struct fio_rate *rate)
{
	struct fio_range iops, bw, other, bytes;

	if (!fio_scan_count(at, style, &iops) || !fio_scan_word(at, ",BW="))
		return false;
	rate->iops = iops;
	if (!fio_scan_quantity(at, style, 1000, &bw) || !fio_scan_word(at, "("))
		return false;
	rate->bw = bw;
	if (!fio_scan_quantity(at, style, 1000, &other) || !fio_scan_word(at, ")"))
		return false;
	rate->bw = fio_range_narrow(bw, other);
	if (!fio_scan_word(at, "(") || !fio_scan_quantity(at, style, 1000, &bytes) ||
	    !fio_scan_word(at, "/"))
		return false;
	rate->bytes = bytes;
	return scan_msec(at, &rate->runtime_ms);
}

static void take_zone_resets(struct fio_rate *rate, const char *at)
{
	double number;

	if (fio_scan_word(&at, ";") && fio_scan_number(&at, &number) &&
	    fio_scan_word(&at, "zoneresets"))
		rate->zone_resets = number;
}

/* ---- 2.x ---- */

/* With K as 1024 and as 1000; at may be NULL. */
static bool scan_old_pair(const char *at, struct fio_range *ret_binary,
			  struct fio_range *ret_decimal)
{
	const char *again = at;
	struct fio_range binary;

	if (!at || !fio_scan_quantity(&at, FIO_STYLE_ROUGH, 1024, &binary) || *at != ',')
		return false;
	*ret_binary = binary;
	return fio_scan_quantity(&again, FIO_STYLE_ROUGH, 1000, ret_decimal);
}

/* "io=960520KB,bw=3999.2KB/s,iops=999,runt=240131msec" */
static bool scan_old(const char *text, struct fio_rate *rate)
{
	const char *iops = fio_find(text, "iops="), *runt = fio_find(text, "runt=");
	struct fio_range range;

	rate->is_old = true;
	scan_old_pair(fio_find(text, "io="), &rate->bytes, &rate->bytes_if_decimal);
	scan_old_pair(fio_find(text, "bw="), &rate->bw, &rate->bw_if_decimal);
	if (iops && fio_scan_count(&iops, FIO_STYLE_ROUGH, &range) && *iops == ',')
		rate->iops = range;
	return runt && scan_msec(&runt, &rate->runtime_ms);
}

/* ---- lines ---- */

void fio_take_rate(struct fio_run *run, const struct fio_line *line)
{
	const char *at = strchr(line->text, ':') + 1;
	struct fio_rate *rate = new_rate(run);

	if (!run->result || run->result->dirs[line->dir])
		fio_result_begin(run, line->number);
	if (fio_scan_word(&at, "IOPS="))
		rate->is_cut = !scan_new(&at, run->style, rate);
	else
		rate->is_cut = !scan_old(at, rate);
	take_zone_resets(rate, at);
	run->result->dirs[line->dir] = rate;
	run->rate = rate;
	run->row_of = NULL;
}

static struct fio_group *add_group(struct fio_run *run, unsigned id, unsigned line)
{
	run->groups = hl_arena_extend(run->arena, run->groups, run->nr_groups,
				      sizeof(*run->groups));
	run->group = &run->groups[run->nr_groups++];
	*run->group = (struct fio_group){ .id = id, .line = line };
	return run->group;
}

/* "Runstatusgroup0(alljobs):" */
void fio_take_group(struct fio_run *run, const struct fio_line *line)
{
	const char *at = line->text + strlen("Runstatusgroup");
	unsigned id = 0;

	fio_scan_unsigned(&at, &id);
	run->result = NULL;
	run->rate = NULL;
	run->row_of = NULL;
	for (size_t i = 0; i < run->nr_groups; i++) {
		if (run->groups[i].id == id) { /* --status-interval: the last one counts */
			run->groups[i] = (struct fio_group){ .id = id, .line = line->number };
			run->group = &run->groups[i];
			return;
		}
	}
	add_group(run, id, line->number);
}

/* "bw=110MiB/s(116MB/s),110MiB/s-…,io=32.3GiB(34.7GB),run=300007-300007msec" */
static bool scan_new_group(const char *text, enum fio_style style, struct fio_rate *rate)
{
	const char *bw = fio_find(text, "bw="), *io = fio_find(text, "io="),
		   *run = fio_find(text, "run=");
	struct fio_range range;
	double ms;

	if (bw && fio_scan_quantity(&bw, style, 1000, &rate->bw) && fio_scan_word(&bw, "(") &&
	    fio_scan_quantity(&bw, style, 1000, &range))
		rate->bw = fio_range_narrow(rate->bw, range);
	if (io && fio_scan_quantity(&io, style, 1000, &rate->bytes) && fio_scan_word(&io, "(") &&
	    fio_scan_quantity(&io, style, 1000, &range))
		rate->bytes = fio_range_narrow(rate->bytes, range);
	return run && fio_scan_number(&run, &ms) && fio_scan_word(&run, "-") &&
	       scan_msec(&run, &rate->runtime_ms);
}

/* "960520KB,aggrb=3999KB/s,minb=3999KB/s,maxb=3999KB/s,mint=240131msec,maxt=240131msec" */
static bool scan_old_group(const char *at, struct fio_rate *rate)
{
	const char *maxt = fio_find(at, "maxt=");

	rate->is_old = true;
	scan_old_pair(at, &rate->bytes, &rate->bytes_if_decimal);
	scan_old_pair(fio_find(at, "aggrb="), &rate->bw, &rate->bw_if_decimal);
	return maxt && scan_msec(&maxt, &rate->runtime_ms);
}

void fio_take_group_rate(struct fio_run *run, const struct fio_line *line)
{
	const char *at = strchr(line->text, ':') + 1;
	struct fio_rate *rate = new_rate(run);

	if (!run->group || run->group->dirs[line->dir])
		add_group(run, (unsigned)run->nr_groups, line->number);
	rate->is_cut = fio_scan_word(&at, "io=") ? !scan_old_group(at, rate)
						 : !scan_new_group(at, run->style, rate);
	run->group->dirs[line->dir] = rate;
}

/* ---- figures ---- */

bool fio_rate_may_be(const struct fio_rate *rate, double issued)
{
	return !fio_range_is_known(rate->iops) || isnan(issued) || !(rate->runtime_ms > 0) ||
	       fio_range_has(rate->iops, issued * 1000 / rate->runtime_ms);
}

static struct fio_range per_second(struct fio_range amount, double runtime_ms)
{
	if (!fio_range_is_known(amount) || !(runtime_ms > 0))
		return fio_range_unknown;
	return (struct fio_range){ .low = amount.low * 1000 / runtime_ms,
				   .high = amount.high * 1000 / runtime_ms,
				   .again = amount.again * 1000 / runtime_ms };
}

/* What is printed without prefix is meant as it stands; of a range its middle. */
static double best(struct fio_range range)
{
	if (!fio_range_is_known(range))
		return NAN;
	return range.high - range.low == 1 ? range.low : fio_range_middle(range);
}

static bool is_exact(struct fio_range bw, struct fio_range bytes, double issued_bytes, double bps)
{
	return (!fio_range_is_known(bw) || fio_range_has(bw, bps)) &&
	       (!fio_range_is_known(bytes) || fio_range_has(bytes, issued_bytes)) &&
	       (fio_range_is_known(bw) || fio_range_is_known(bytes));
}

static void finish_bytes(const struct fio_rate *rate, double issued, struct fio_size bs,
			 struct hl_rate *ret_rate)
{
	struct fio_range bw = rate->bw, bytes = rate->bytes;
	double issued_bytes = bs.is_exact ? issued * bs.bytes : NAN;
	double bps = rate->runtime_ms > 0 ? issued_bytes * 1000 / rate->runtime_ms : NAN;

	if (rate->is_old && !is_exact(bw, bytes, issued_bytes, bps) &&
	    is_exact(rate->bw_if_decimal, rate->bytes_if_decimal, issued_bytes, bps)) {
		bw = rate->bw_if_decimal;
		bytes = rate->bytes_if_decimal;
	}
	if (is_exact(bw, bytes, issued_bytes, bps)) {
		ret_rate->bw = bps;
		ret_rate->bytes = issued_bytes;
		return;
	}
	ret_rate->bw = best(fio_range_narrow(bw, per_second(bytes, rate->runtime_ms)));
	ret_rate->bytes = round(best(bytes));
}

static void finish_ios(const struct fio_rate *rate, double issued, struct fio_size bs,
		       struct hl_rate *ret_rate)
{
	double by_bytes = ret_rate->bw / bs.bytes;
	double iops = rate->runtime_ms > 0 ? issued * 1000 / rate->runtime_ms : NAN;

	ret_rate->ios = issued;
	if (fio_range_has(rate->iops, iops) || !fio_range_is_known(rate->iops))
		ret_rate->iops = iops;
	else if (bs.is_exact && fio_range_has(rate->iops, by_bytes))
		ret_rate->iops = by_bytes;
	else
		ret_rate->iops = best(rate->iops);
}

void fio_rate_finish(const struct fio_rate *rate, double issued, struct fio_size bs,
		     struct hl_rate *ret_rate)
{
	ret_rate->runtime_ms = rate->runtime_ms;
	ret_rate->zone_resets = rate->zone_resets;
	finish_bytes(rate, issued, bs, ret_rate);
	finish_ios(rate, issued, bs, ret_rate);
}

struct fio_size fio_rate_guess_bs(const struct fio_rate *rate, double issued)
{
	struct fio_range sizes = { .low = rate->bytes.low / issued,
				   .high = rate->bytes.high / issued };
	struct fio_range others = { .low = rate->bw.low / rate->iops.high,
				    .high = rate->bw.high / rate->iops.low };
	struct fio_size unknown = { NAN, false };
	int exponent;
	double bytes;

	if (!(sizes.low > 0) && !(others.low > 0))
		return unknown;
	if (!(sizes.low > 0))
		sizes = others;
	if (sizes.high > sizes.low * 1.05)
		return unknown;
	frexp(sizes.high, &exponent);
	bytes = ldexp(1, exponent - 1);
	if (bytes < 512 || !fio_range_has(sizes, bytes))
		return unknown;
	return (struct fio_size){ bytes, true };
}
