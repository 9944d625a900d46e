/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio's options and their parameter types, after fio(1) and HOWTO.rst, "Parameter types".
 *
 * Surprising: with the default kb_base "4k" is 4,096 but "4kib" is 4,000; "bs=a,b" sets reads to a
 * and writes and trims to b, while "bs=a," leaves the others at their default.
 */
#include "hoploss/fio_options.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_BS 4096.0

void hl_fio_options_init(struct hl_fio_options *options)
{
	*options = (struct hl_fio_options){ .bs_trim = NAN, .offset_increment = NAN };
	hl_workload_init(&options->workload);
}

int hl_fio_size_parse(const char *text, size_t len, double *ret_bytes)
{
	static const char prefixes[] = "kmgtp";
	size_t digits = strspn(text, "0123456789"), suffix;
	const char *prefix;
	uint64_t number = 0;
	double kilo = 1024;

	if (digits > len)
		digits = len;
	if (hl_number_u64(text, digits, &number))
		return -EINVAL;
	text += digits;
	suffix = len - digits;
	if (suffix == 3 && !strncasecmp(text + 1, "ib", 2))
		kilo = 1000;
	else if (suffix > 2 || (suffix == 2 && text[1] != 'b' && text[1] != 'B'))
		return -EINVAL;
	if (!suffix || (suffix == 1 && (*text == 'b' || *text == 'B'))) {
		*ret_bytes = (double)number;
		return 0;
	}
	prefix = strchr(prefixes, *text | ' ');
	if (!prefix || !*prefix)
		return -EINVAL;
	*ret_bytes = (double)number * pow(kilo, (double)(prefix - prefixes + 1));
	return 0;
}

static int set_size(double *field, const char *value, size_t len)
{
	*field = NAN;
	return hl_fio_size_parse(value, len, field);
}

static int set_count(double *field, const char *value)
{
	uint64_t number = 0;

	*field = NAN;
	if (hl_number_u64(value, strlen(value), &number))
		return -EINVAL;
	*field = (double)number;
	return 0;
}

static int set_rw(struct hl_fio_options *options, const char *value)
{
	HL_FREE char *name = hl_strndup(value, strcspn(value, ":")); /* "rw:8k" */

	options->workload.rw = HL_RW_UNKNOWN;
	return hl_rw_parse(name, &options->workload.rw);
}

/* "8k", "8k,32k", "8k,32k,4k", ",8k", "8k," */
static int set_bs(struct hl_fio_options *options, const char *value)
{
	double *fields[] = { &options->workload.bs, &options->workload.bs_write,
			     &options->bs_trim };
	int rc = 0;

	for (size_t i = 0; i < 3; i++) {
		size_t len = strcspn(value, ",");

		if (len)
			rc = set_size(fields[i], value, len) ? -EINVAL : rc;
		else
			*fields[i] = DEFAULT_BS;
		if (value[len])
			value += len + 1; /* else the last one holds for the rest */
	}
	return rc;
}

static int set_split(struct hl_fio_options *options, const char *value)
{
	(void)value;
	options->workload.bs = options->workload.bs_write = options->bs_trim = NAN;
	return -EINVAL;
}

/* Seconds, or with a unit. */
static int set_time(double *field, const char *value)
{
	double ns = NAN;

	if (set_count(field, value) && !hl_unit_read_time(value, strlen(value), &ns))
		*field = ns / 1e9;
	return isnan(*field) ? -EINVAL : 0;
}

static int set_runtime(struct hl_fio_options *options, const char *value)
{
	return set_time(&options->workload.runtime_s, value);
}

static int set_ramp_time(struct hl_fio_options *options, const char *value)
{
	return set_time(&options->workload.ramp_s, value);
}

static int set_rwmixwrite(struct hl_fio_options *options, const char *value)
{
	int rc = set_count(&options->workload.rwmixread, value);

	options->workload.rwmixread = 100 - options->workload.rwmixread;
	return rc;
}

static int set_fsync(struct hl_fio_options *options, const char *value)
{
	double every = NAN;
	int rc = set_count(&every, value);

	if (every > 0) {
		options->workload.fsync = every;
		options->workload.is_data_only = false;
	}
	return rc;
}

static int set_fdatasync(struct hl_fio_options *options, const char *value)
{
	double before = options->workload.fsync;
	int rc;

	options->workload.fsync = NAN;
	rc = set_fsync(options, value);
	if (isnan(options->workload.fsync))
		options->workload.fsync = before; /* fdatasync=0 says nothing of fsync */
	else
		options->workload.is_data_only = true;
	return rc;
}

static int set_boolean(int *field, const char *value, int when_true)
{
	*field = -1;
	if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
		return -EINVAL;
	*field = *value == '1' ? when_true : !when_true;
	return 0;
}

static int set_direct(struct hl_fio_options *options, const char *value)
{
	return set_boolean(&options->workload.direct, value, 1);
}

static int set_buffered(struct hl_fio_options *options, const char *value)
{
	return set_boolean(&options->workload.direct, value, 0);
}

static int set_filename(struct hl_fio_options *options, const char *value)
{
	options->has_filename = *value;
	return 0;
}

/* "64g", or "25%" of the target. */
static int set_place(double *bytes, double *percent, const char *value)
{
	size_t len = strlen(value);
	uint64_t number = 0;

	*bytes = *percent = NAN;
	if (!len || value[len - 1] != '%')
		return set_size(bytes, value, len);
	if (hl_number_u64(value, len - 1, &number) || number > 100)
		return -EINVAL;
	*percent = (double)number;
	return 0;
}

static int set_total_size(struct hl_fio_options *options, const char *value)
{
	return set_place(&options->workload.size, &options->workload.size_pct, value);
}

static int set_offset(struct hl_fio_options *options, const char *value)
{
	return set_place(&options->workload.offset, &options->workload.offset_pct, value);
}

static int set_increment(struct hl_fio_options *options, const char *value)
{
	return set_size(&options->offset_increment, value, strlen(value));
}

static int set_iodepth(struct hl_fio_options *options, const char *value)
{
	return set_count(&options->workload.iodepth, value);
}

static int set_numjobs(struct hl_fio_options *options, const char *value)
{
	return set_count(&options->workload.numjobs, value);
}

static int set_rwmixread(struct hl_fio_options *options, const char *value)
{
	return set_count(&options->workload.rwmixread, value);
}

static const struct {
	const char *name;
	int (*set)(struct hl_fio_options *options, const char *value);
} rows[] = {
	{ "rw", set_rw },
	{ "readwrite", set_rw },
	{ "bs", set_bs },
	{ "blocksize", set_bs },
	{ "bsrange", set_split },
	{ "blocksize_range", set_split },
	{ "bssplit", set_split },
	{ "iodepth", set_iodepth },
	{ "numjobs", set_numjobs },
	{ "size", set_total_size },
	{ "offset", set_offset },
	{ "fileoffset", set_offset },
	{ "runtime", set_runtime },
	{ "timeout", set_runtime },
	{ "ramp_time", set_ramp_time },
	{ "rwmixread", set_rwmixread },
	{ "rwmixwrite", set_rwmixwrite },
	{ "direct", set_direct },
	{ "buffered", set_buffered },
	{ "fsync", set_fsync },
	{ "fdatasync", set_fdatasync },
	{ "filename", set_filename },
	{ "offset_increment", set_increment },
};

int hl_fio_options_set(struct hl_fio_options *options, struct hl_arena *arena, const char *name,
		       const char *value)
{
	if (!strcmp(name, "ioengine")) {
		options->workload.engine = hl_arena_strdup(arena, value);
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(rows[i].name, name))
			return rows[i].set(options, value);
	}
	return -ENOENT;
}

void hl_fio_options_default(struct hl_fio_options *options)
{
	struct hl_workload *workload = &options->workload;

	workload->rw = HL_RW_READ;
	workload->bs = workload->bs_write = options->bs_trim = DEFAULT_BS;
	workload->iodepth = workload->numjobs = 1;
	workload->direct = 0;
	workload->rwmixread = 50;
}

void hl_fio_options_finish(struct hl_fio_options *options)
{
	struct hl_workload *workload = &options->workload;
	bool reads = hl_rw_reads(workload->rw), writes = hl_rw_writes(workload->rw);

	if (writes && !reads)
		workload->bs = workload->bs_write;
	else if (workload->rw == HL_RW_TRIM || workload->rw == HL_RW_RANDTRIM)
		workload->bs = options->bs_trim;
	if (!(reads && writes) || workload->bs_write == workload->bs)
		workload->bs_write = NAN;
	if (!(reads && writes))
		workload->rwmixread = NAN;
	/* processes share a file that was named, unless each is moved along in it */
	if (!options->has_filename || options->offset_increment > 0)
		workload->size *= workload->numjobs;
}
