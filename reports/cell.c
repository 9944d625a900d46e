/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of tables: see cell.h.
 */
#include "cell.h"
#include "hoploss/fact.h"
#include "hoploss/unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Integers from 100 up, with commas between thousands; three digits below. */
const char *hl_cell_grouped(struct hl_arena *arena, double value)
{
	double size = fabs(value);
	char digits[64];
	char text[96];
	size_t len, used = 0;

	if (!isfinite(value))
		return NULL;
	if (size < 99.95 || size >= 1e18)
		return hl_arena_printf(arena, "%.*f",
				       size < 9.995  ? 2
				       : size < 1e18 ? 1
						     : 0,
				       value);
	len = snprintf(digits, sizeof(digits), "%.0f", size);
	if (value < 0)
		text[used++] = '-';
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	return hl_arena_strndup(arena, text, used);
}

const char *hl_cell_mib(struct hl_arena *arena, double bytes_per_s)
{
	return hl_cell_grouped(arena, bytes_per_s / HL_MIB);
}

const char *hl_cell_mb(struct hl_arena *arena, double bytes_per_s)
{
	return hl_cell_grouped(arena, bytes_per_s / 1e6);
}

static const char *by_unit(struct hl_arena *arena, char *(*print)(char *, double), double value)
{
	char text[HL_UNIT_TEXT];

	return isnan(value) ? NULL : hl_arena_strdup(arena, print(text, value));
}

const char *hl_cell_count(struct hl_arena *arena, double count)
{
	return by_unit(arena, hl_unit_count, count);
}

const char *hl_cell_time(struct hl_arena *arena, double ns)
{
	return by_unit(arena, hl_unit_time, ns);
}

static const char *size_cell(struct hl_arena *arena, double bytes)
{
	return by_unit(arena, hl_unit_size, bytes);
}

const char *hl_cell_percent(struct hl_arena *arena, double percent)
{
	if (isnan(percent))
		return NULL;
	if (fabs(percent) >= 99.95)
		return hl_cell_grouped(arena, percent);
	return hl_arena_printf(arena, "%.1f", percent);
}

const char *hl_cell_factor(struct hl_arena *arena, double factor)
{
	return isnan(factor) ? NULL
			     : hl_arena_printf(arena, factor < 99.95 ? "%.2f" : "%.0f", factor);
}

/* The last of the layers that follow first without a gap. */
static int run_end(uint32_t layers, int first)
{
	while (first + 1 < HL_NR_LAYERS && layers & 1u << (first + 1))
		first++;
	return first;
}

const char *hl_cell_layers(struct hl_arena *arena, uint32_t layers)
{
	const char *text = NULL;

	for (int i = HL_LAYER_NONE + 1; i < HL_NR_LAYERS; i++) {
		int end = run_end(layers, i);
		const char *name = hl_layer_name(i);

		if (!(layers & 1u << i))
			continue;
		if (end > i + 1) {
			name = hl_arena_printf(arena, "%s..%s", name, hl_layer_name(end));
			i = end;
		}
		text = text ? hl_arena_printf(arena, "%s+%s", text, name) : name;
	}
	return text;
}

#define ODD_BYTES 65536 /* below, sizes that are no whole KiB are told to the byte */

/* Units whose figures read better scaled: the unit of a fact and how it is printed. */
static const struct {
	const char *unit;
	char *(*print)(char *text, double value);
} scaled_units[] = {
	{ "bytes", hl_unit_size },
	{ "bytes/s", hl_unit_rate_both },
	{ "ns", hl_unit_time },
	{ "%", hl_unit_percent },
};

const char *hl_cell_in_unit(struct hl_arena *arena, double value, const char *unit)
{
	const char *plain;

	if (isnan(value))
		return NULL;
	if (unit && !strcmp(unit, "bytes") && value < ODD_BYTES && fmod(value, 1024) != 0)
		return hl_arena_printf(arena, "%.0f B", value); /* an MTU of 9000 */
	for (size_t i = 0; unit && i < sizeof(scaled_units) / sizeof(scaled_units[0]); i++) {
		if (!strcmp(scaled_units[i].unit, unit))
			return by_unit(arena, scaled_units[i].print, value);
	}
	if (unit && !strcmp(unit, "IOPS"))
		return hl_arena_printf(arena, "%s IOPS", hl_cell_count(arena, value));
	if (value == floor(value) || fabs(value) >= 1000)
		plain = hl_arena_printf(arena, "%.0f", value);
	else
		plain = hl_arena_printf(arena, "%.4g", value);
	return unit ? hl_arena_printf(arena, "%s %s", plain, unit) : plain;
}

const char *hl_cell_fact(struct hl_arena *arena, const struct hl_fact *fact)
{
	const struct hl_fact_key *row = hl_fact_key_find(fact->key);
	const char *unit = fact->unit ? fact->unit : row ? row->unit : NULL;

	switch (fact->type) {
	case HL_FACT_NUMBER:
		return hl_cell_in_unit(arena, fact->number, unit);
	case HL_FACT_STRING:
		return fact->string;
	case HL_FACT_BOOLEAN:
		return fact->boolean ? "yes" : "no";
	}
	return NULL;
}

const char *hl_cell_label(const char *key)
{
	const struct hl_fact_key *row = hl_fact_key_find(key);

	return row ? row->label : key;
}

size_t hl_cell_file_len(const char *source)
{
	const char *colon = source ? strrchr(source, ':') : NULL;

	if (!source)
		return 0;
	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789-")])
		return strlen(source);
	return (size_t)(colon - source);
}

/* The pattern; the direction too where the pattern has several. */
const char *hl_cell_io(struct hl_arena *arena, const struct hl_measurement *at, enum hl_dir dir)
{
	enum hl_rw rw = at->workload.rw;
	const char *pattern = hl_rw_name(rw);

	if (!at->dir[dir])
		return pattern;
	if (!pattern)
		return hl_dir_name(dir);
	if (hl_rw_reads(rw) && hl_rw_writes(rw))
		return hl_arena_printf(arena, "%s %s", pattern, hl_dir_name(dir));
	return pattern;
}

const char *hl_cell_bs(struct hl_arena *arena, const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_workload *workload = &at->workload;
	bool is_apart = dir == HL_DIR_WRITE && !isnan(workload->bs_write);

	return size_cell(arena, is_apart ? workload->bs_write : workload->bs);
}

const char *hl_cell_depth(struct hl_arena *arena, const struct hl_measurement *at)
{
	double iodepth = at->workload.iodepth, numjobs = at->workload.numjobs;

	if (isnan(iodepth))
		return isnan(numjobs) ? NULL : hl_arena_printf(arena, "?x%g", numjobs);
	if (isnan(numjobs) || numjobs == 1)
		return hl_arena_printf(arena, "%g", iodepth);
	return hl_arena_printf(arena, "%gx%g", iodepth, numjobs);
}

const char *hl_cell_job(struct hl_arena *arena, const struct hl_measurement *at, enum hl_dir dir)
{
	const char *io = hl_cell_io(arena, at, dir);
	const char *bs = hl_cell_bs(arena, at, dir);
	const char *depth = hl_cell_depth(arena, at);
	const char *name = at->workload.name;

	return hl_arena_printf(arena, "%s%s%s%s%s%s%s", name ? name : "", name && io ? ": " : "",
			       io ? io : "", bs ? ", " : "", bs ? bs : "", depth ? ", depth " : "",
			       depth ? depth : "");
}

const char *hl_cell_join(struct hl_arena *arena, const char *const *texts, size_t nr)
{
	const char *all = NULL;

	for (size_t i = 0; i < nr; i++)
		all = all ? hl_arena_printf(arena, "%s, %s", all, texts[i]) : texts[i];
	return all;
}

/* "pve 0000:01:00.0": where it stands that no hop is known to stand on. */
static const char *fact_place(struct hl_arena *arena, const struct hl_fact *fact)
{
	return fact->host ? hl_arena_printf(arena, "%s %s", fact->host, fact->node) : fact->node;
}

const char *hl_cell_place(struct hl_arena *arena, const struct hl_finding *finding)
{
	const char *texts[3];
	size_t nr = 0;

	if (finding->hop)
		texts[nr++] = finding->hop->name;
	else if (finding->nr_evidence && finding->evidence[0]->node)
		texts[nr++] = fact_place(arena, finding->evidence[0]);
	if (finding->layer)
		texts[nr++] = hl_layer_name(finding->layer);
	if (finding->at)
		texts[nr++] = hl_cell_job(arena, finding->at, finding->dir);
	return nr ? hl_cell_join(arena, texts, nr) : "";
}

const char *hl_cell_fresh(const struct hl_graph *graph, size_t index, size_t offset)
{
	const char *const *text = (const void *)((const char *)graph->findings[index] + offset);

	for (size_t i = 0; *text && i < index; i++) {
		const char *const *above = (const void *)((const char *)graph->findings[i] +
							  offset);

		if (*above && !strcmp(*above, *text))
			return NULL;
	}
	return *text;
}

const char *hl_cell_prediction(struct hl_arena *arena, const struct hl_finding *finding)
{
	const char *mib = hl_cell_mib(arena, finding->predicted_bw);

	if (!mib)
		return NULL;
	return hl_arena_printf(arena, "%s %s MiB/s",
			       finding->predicted_kind == HL_AT_MOST ? "at most" : "about", mib);
}
