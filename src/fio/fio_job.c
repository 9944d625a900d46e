/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One job of fio: its options one by one, then what they come to.
 */
#include "fio_job.h"
#include "hoploss/fio_table.h"
#include "hoploss/near.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define DEFAULT_ENGINE "psync"
#define IODEPTH_MAX    32768.0 /* of an io_uring */
#define NUMJOBS_MAX    4096.0
#define BUFFERS_MAX    (4 * HL_GIB)

void fio_draft_init(struct fio_draft *draft)
{
	*draft = (struct fio_draft){ 0 };
	hl_fio_options_init(&draft->options);
	hl_fio_options_default(&draft->options);
}

static void add_once(struct hl_arena *arena, const char ***list, size_t *nr, const char *text)
{
	for (size_t i = 0; i < *nr; i++) {
		if (!strcmp((*list)[i], text))
			return;
	}
	*list = hl_arena_extend(arena, *list, *nr, sizeof(**list));
	(*list)[(*nr)++] = hl_arena_strdup(arena, text);
}

static void add_idle(struct hl_fio_jobs *jobs, const char *name)
{
	add_once(jobs->arena, &jobs->idle, &jobs->nr_idle, name);
}

/* ---- options ---- */

/* err for a name that fio does not know, with those that are near. */
static int fail_unknown(const char *name, struct hl_error *err)
{
	const struct hl_fio_option *option;
	struct hl_near near;

	hl_near_start(&near, name);
	for (size_t i = 0; (option = hl_fio_option_at(i)); i++) {
		hl_near_offer(&near, option->name);
		if (option->alias)
			hl_near_offer(&near, option->alias);
	}
	return hl_fail(err, EINVAL, "fio has no option \"%s\"%s", name, hl_near_hint(&near));
}

static int fail_refused(const char *name, const char *value, const char *why, struct hl_error *err)
{
	return hl_fail(err, EINVAL, "%s%s%s: %s", name, value ? "=" : "", value ? value : "", why);
}

static int set_engine(struct hl_fio_jobs *jobs, struct fio_draft *draft, const char *value)
{
	add_idle(jobs, "ioengine");
	return hl_fio_options_set(&draft->options, jobs->arena, "ioengine", value);
}

static int set_honoured(struct hl_fio_jobs *jobs, struct fio_draft *draft,
			const struct hl_fio_option *option, const char *value)
{
	if (!strcmp(option->name, "stonewall")) {
		draft->is_stonewalled = !value || strcmp(value, "0") != 0;
		return 0;
	}
	if (!strcmp(option->name, "name")) {
		draft->name = hl_arena_strdup(jobs->arena, value);
		return 0;
	}
	if (!strcmp(option->name, "filename"))
		draft->filename = hl_arena_strdup(jobs->arena, value);
	if (!strcmp(option->name, "ioengine"))
		return set_engine(jobs, draft, value);
	return hl_fio_options_set(&draft->options, jobs->arena, option->name, value);
}

static int honour(struct hl_fio_jobs *jobs, struct fio_draft *draft,
		  const struct hl_fio_option *option, const char *value, struct hl_error *err)
{
	if (value && strstr(value, "${"))
		return fail_refused(option->name, value,
				    "fio would put an environment variable there: write its value",
				    err);
	if (value && !strcmp(option->name, "rw") && strchr(value, ':'))
		return fail_refused(option->name, value,
				    "it would repeat or skip offsets: write rw without the number",
				    err);
	if (set_honoured(jobs, draft, option, value) < 0)
		return fail_refused(option->name, value, option->why, err);
	return 0;
}

int fio_draft_set(struct hl_fio_jobs *jobs, struct fio_draft *draft, const char *name,
		  const char *value, struct hl_error *err)
{
	const struct hl_fio_option *option = hl_fio_option_find(name);
	bool is_idle;

	if (!option)
		return fail_unknown(name, err);
	if (!option->is_flag && (!value || !*value))
		return hl_fail(err, EINVAL, "%s needs a value: %s", name,
			       option->effect == HL_FIO_HONOURED ? option->why : "NAME=VALUE");
	if (option->effect == HL_FIO_HONOURED)
		return honour(jobs, draft, option, value, err);
	is_idle = option->effect == HL_FIO_IDLE || hl_fio_option_is_neutral(option, value);
	if (!is_idle && option->effect == HL_FIO_REFUSED)
		return fail_refused(name, value, option->why, err);
	if (!is_idle && !draft->for_writers)
		draft->for_writers = hl_arena_printf(jobs->arena, "%s=%s: %s", name,
						     value ? value : "", option->why);
	add_idle(jobs, name);
	return 0;
}

/* ---- the job ---- */

static const struct {
	const char *name;
	bool is_synchronous;
} engines[] = {
	{ "psync", true },       { "sync", true },        { "vsync", true },
	{ "pvsync", true },      { "pvsync2", true },     { "libaio", false },
	{ "io_uring", false },   { "posixaio", false },   { "libpmem", true },
	{ "windowsaio", false }, { "solarisaio", false },
};

/* A synchronous engine has one I/O in flight. */
static int settle_engine(struct hl_fio_jobs *jobs, const struct fio_draft *draft,
			 struct hl_workload *workload, struct hl_error *err)
{
	const char *name = workload->engine ? workload->engine : DEFAULT_ENGINE;
	size_t i = 0;

	while (i < sizeof(engines) / sizeof(*engines) && strcmp(engines[i].name, name) != 0)
		i++;
	if (i == sizeof(engines) / sizeof(*engines))
		return hl_fail(err, EINVAL,
			       "ioengine=%s: it is no plain I/O on a file or device, as hoploss "
			       "does; take it out, or write libaio, io_uring or psync",
			       name);
	if (engines[i].is_synchronous && workload->iodepth > 1) {
		jobs->notes = hl_arena_extend(jobs->arena, jobs->notes, jobs->nr_notes,
					      sizeof(*jobs->notes));
		jobs->notes[jobs->nr_notes++] = hl_arena_printf(
			jobs->arena,
			"%s: iodepth %.0f has no effect with fio's %s%s, which keeps one I/O in "
			"flight: measured at depth 1",
			draft->name, workload->iodepth, workload->engine ? "" : "default engine ",
			name);
		workload->iodepth = 1;
	}
	return 0;
}

static int check_range(const char *name, double value, double least, double most,
		       struct hl_error *err)
{
	if (value >= least && value <= most)
		return 0;
	return hl_fail(err, EINVAL, "%s=%.0f: it must be from %.0f to %.0f", name, value, least,
		       most);
}

static int check_numbers(const struct hl_workload *workload, struct hl_error *err)
{
	double buffers = workload->bs * workload->iodepth * workload->numjobs;
	char size[HL_UNIT_TEXT];
	int rc = check_range("bs", workload->bs, 1, HL_GIB, err);

	if (rc == 0)
		rc = check_range("iodepth", workload->iodepth, 1, IODEPTH_MAX, err);
	if (rc == 0)
		rc = check_range("numjobs", workload->numjobs, 1, NUMJOBS_MAX, err);
	if (rc == 0 && !isnan(workload->rwmixread))
		rc = check_range("rwmixread", workload->rwmixread, 0, 100, err);
	if (rc == 0 && buffers > BUFFERS_MAX)
		rc = hl_fail(err, EINVAL,
			     "bs × iodepth × numjobs needs %s of memory: at most 4 GiB",
			     hl_unit_size(size, buffers));
	return rc;
}

/* Where each process begins: hoploss lays them side by side. */
static int check_increment(const struct fio_draft *draft, struct hl_error *err)
{
	const struct hl_workload *given = &draft->options.workload;
	double increment = draft->options.offset_increment;

	if (!(increment > 0) || !(given->numjobs > 1) || increment == given->size)
		return 0;
	return hl_fail(err, EINVAL,
		       "offset_increment=%.0f: hoploss lays the parts of all processes side by "
		       "side: write size= with the same value, or leave it out",
		       increment);
}

static int check_pattern(const struct fio_draft *draft, const struct hl_workload *workload,
			 struct hl_error *err)
{
	if (workload->rw == HL_RW_TRIM || workload->rw == HL_RW_RANDTRIM)
		return hl_fail(err, EINVAL, "rw=%s: hoploss trims nothing",
			       hl_rw_name(workload->rw));
	if (!isnan(workload->bs_write))
		return hl_fail(err, EINVAL,
			       "bs=%.0f,%.0f: reads and writes of one job have one block size "
			       "here: write two jobs",
			       workload->bs, workload->bs_write);
	if (hl_rw_writes(workload->rw) && draft->for_writers)
		return hl_fail(err, EINVAL, "%s", draft->for_writers);
	return check_increment(draft, err);
}

/* A second job of the same name is "name-2". */
static const char *unique_name(const struct hl_fio_jobs *jobs, const char *name)
{
	const char *unique = name;
	unsigned number = 1;

	for (size_t i = 0; i < jobs->nr_jobs;) {
		if (strcmp(jobs->jobs[i].name, unique) != 0) {
			i++;
			continue;
		}
		unique = hl_arena_printf(jobs->arena, "%s-%u", name, ++number);
		i = 0;
	}
	return unique;
}

static void unset_zeros(struct hl_workload *workload)
{
	double *const fields[] = { &workload->size, &workload->size_pct, &workload->offset,
				   &workload->offset_pct, &workload->ramp_s };

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (*fields[i] == 0)
			*fields[i] = NAN; /* fio takes it for "not given" */
	}
}

static void keep(struct hl_fio_jobs *jobs, const struct fio_draft *draft,
		 const struct hl_workload *workload)
{
	bool has_file = draft->options.has_filename;

	if (jobs->nr_jobs && !draft->is_stonewalled)
		jobs->is_parallel = true;
	jobs->has_runtime |= workload->runtime_s > 0;
	jobs->is_spread |= has_file && workload->numjobs > 1 && !hl_rw_is_random(workload->rw);
	if (has_file)
		add_once(jobs->arena, &jobs->filenames, &jobs->nr_filenames, draft->filename);
	jobs->jobs = hl_arena_extend(jobs->arena, jobs->jobs, jobs->nr_jobs, sizeof(*jobs->jobs));
	jobs->jobs[jobs->nr_jobs++] = *workload;
}

int fio_draft_finish(struct hl_fio_jobs *jobs, const struct fio_draft *draft, struct hl_error *err)
{
	struct hl_fio_options options = draft->options;
	struct hl_workload *workload = &options.workload;
	int rc;

	hl_fio_options_finish(&options);
	unset_zeros(workload);
	workload->name = unique_name(jobs, draft->name);
	rc = settle_engine(jobs, draft, workload, err);
	if (rc == 0)
		rc = check_numbers(workload, err);
	if (rc == 0)
		rc = check_pattern(draft, workload, err);
	if (rc == 0)
		keep(jobs, draft, workload);
	return rc;
}
