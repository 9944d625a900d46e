/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is measured of drives: see hoploss/accept_plan.h.
 */
#include "hoploss/accept_plan.h"
#include "hoploss/suite.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

char *hl_accept_path_text(const struct hl_accept_drive *drives, size_t nr)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	fputs("[path]\nname = acceptance\n", out);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "[hop %s]\nlayer = drive\nafter = -\ntarget = %s\n", drives[i].name,
			drives[i].path);
	if (nr > 1) {
		fputs("[hop " HL_ACCEPT_TOGETHER "]\nlayer = drive\nafter = -\ntarget =", out);
		for (size_t i = 0; i < nr; i++)
			fprintf(out, " %s", drives[i].path);
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

struct jobs {
	struct hl_arena *arena;
	struct hl_workload *items;
	size_t nr;
};

static void add(struct jobs *jobs, const struct hl_workload *job)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		if (hl_workload_is_same(&jobs->items[i], job))
			return;
	}
	jobs->items = hl_arena_extend(jobs->arena, jobs->items, jobs->nr, sizeof(*job));
	jobs->items[jobs->nr++] = *job;
}

static void add_figure(struct jobs *jobs, const struct hl_spec_figure *figure)
{
	struct hl_workload job;

	hl_workload_init(&job);
	job.rw = figure->rw;
	job.bs = figure->bs;
	job.iodepth = isnan(figure->iodepth) ? 1 : figure->iodepth;
	job.numjobs = isnan(figure->numjobs) ? 1 : figure->numjobs;
	job.direct = 1;
	job.name = hl_arena_printf(jobs->arena, "%s-%.0fk-qd%.0f", hl_rw_name(figure->rw),
				   figure->bs / 1024, job.iodepth * job.numjobs);
	add(jobs, &job);
}

static void add_usual(struct jobs *jobs)
{
	static const char *const names[] = { "seq-read-128k", "rand-read-4k", "rand-read-4k-qd1" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add(jobs, hl_suite_job(names[i]));
}

/* A write and a flush, over and over: what a database does. */
static void add_flush(struct jobs *jobs)
{
	struct hl_workload job;

	hl_workload_init(&job);
	job.name = "flush-4k";
	job.rw = HL_RW_RANDWRITE;
	job.bs = 4096;
	job.iodepth = job.numjobs = job.fsync = 1;
	job.direct = 1;
	add(jobs, &job);
}

struct hl_workload *hl_accept_workloads(struct hl_arena *arena,
					const struct hl_accept_drive *drives, size_t nr,
					bool may_write, size_t *ret_nr)
{
	struct jobs jobs = { .arena = arena };

	for (size_t i = 0; i < nr; i++) {
		const struct hl_spec *spec = drives[i].spec;

		for (size_t k = 0; spec && k < spec->nr_figures; k++) {
			if (may_write || !hl_rw_writes(spec->figures[k].rw))
				add_figure(&jobs, &spec->figures[k]);
		}
	}
	if (!jobs.nr)
		add_usual(&jobs);
	if (may_write)
		add_flush(&jobs);
	*ret_nr = jobs.nr;
	return jobs.items;
}

static double sequential_bw(const struct hl_spec *spec, enum hl_dir dir)
{
	struct hl_workload workload;

	hl_workload_init(&workload);
	workload.rw = dir == HL_DIR_WRITE ? HL_RW_WRITE : HL_RW_READ;
	workload.bs = 131072;
	workload.iodepth = 256; /* no sheet asks for more */
	workload.numjobs = 1;
	return spec ? hl_spec_bw(spec, &workload, dir) : NAN;
}

double hl_accept_fill_seconds(const struct hl_spec *spec, double bytes)
{
	double write_bw = sequential_bw(spec, HL_DIR_WRITE);
	double read_bw = sequential_bw(spec, HL_DIR_READ);

	return 2 * bytes / write_bw + bytes / (isnan(read_bw) ? write_bw : read_bw);
}

const char *hl_accept_span(struct hl_arena *arena, double seconds)
{
	double minutes = ceil(seconds / 60), tens = ceil(seconds / 600);

	if (seconds < 60)
		return hl_arena_printf(arena, "%.0f s", ceil(seconds));
	if (minutes < 60)
		return hl_arena_printf(arena, "%.0f min", minutes);
	if (fmod(tens, 6) == 0)
		return hl_arena_printf(arena, "%.0f h", tens / 6);
	return hl_arena_printf(arena, "%.0f h %.0f min", floor(tens / 6), fmod(tens, 6) * 10);
}

struct hl_spec *hl_accept_find_spec(const char *model)
{
	const char *name;

	for (size_t i = 0; (name = hl_spec_name_at(i)); i++) {
		struct hl_spec *spec;

		if (hl_spec_load(name, &spec, NULL) < 0)
			continue;
		if (hl_spec_is_model(spec, model))
			return spec;
		hl_spec_free(spec);
	}
	return NULL;
}
