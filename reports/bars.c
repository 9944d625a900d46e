/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a waterfall to bars: see bars.h.
 */
#include "bars.h"
#include "cell.h"
#include <math.h>

static struct hl_bars *bars_new(struct hl_arena *arena, const struct hl_waterfall *waterfall,
				const char *title, size_t nr_max)
{
	struct hl_bars *bars = hl_arena_alloc(arena, sizeof(*bars));

	bars->title = title;
	bars->caption = hl_arena_printf(arena, "%s, %s", waterfall->chain->leaf->name,
					waterfall->job);
	bars->rows = hl_arena_alloc(arena, nr_max * sizeof(*bars->rows));
	return bars;
}

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

static const char *in_mib(struct hl_arena *arena, double bw)
{
	const char *mib = hl_cell_mib(arena, bw);

	return mib ? hl_arena_printf(arena, "%s MiB/s", mib) : "not measured";
}

static enum hl_bar_role role_of(const struct hl_bar *bar)
{
	if (bar->is_binding)
		return HL_BAR_BINDING;
	if (isnan(bar->before))
		return HL_BAR_TOP;
	return bar->bw > bar->before ? HL_BAR_GAIN : HL_BAR_HOP;
}

static const char *loss_note(struct hl_arena *arena, const struct hl_bar *bar)
{
	const char *factor, *share;

	if (bar->is_sheet)
		return hl_arena_printf(arena, "%s MB/s on the datasheet",
				       hl_cell_mb(arena, bar->bw));
	if (!bar->loss)
		return NULL;
	factor = hl_cell_factor(arena, bar->loss->factor);
	share = hl_cell_percent(arena, bar->loss->share_pct);
	return hl_arena_printf(arena, "%s %s%s%s%s%s%s", bar->loss->bw < 0 ? "gains" : "loses",
			       in_mib(arena, fabs(bar->loss->bw)), factor ? ", factor " : "",
			       factor ? factor : "", share ? ", " : "", share ? share : "",
			       share ? " % of the whole" : "");
}

static const char *loss_aside(struct hl_arena *arena, const struct hl_bar *bar)
{
	const char *factor = bar->loss ? hl_cell_factor(arena, bar->loss->factor) : NULL;

	if (bar->is_sheet)
		return hl_arena_printf(arena, "%s MB/s", hl_cell_mb(arena, bar->bw));
	return factor ? hl_arena_printf(arena, "÷ %s", factor) : NULL;
}

struct hl_bars *hl_bars_waterfall(struct hl_arena *arena, const struct hl_waterfall *waterfall)
{
	struct hl_bars *bars = bars_new(arena, waterfall, "Where the bandwidth goes",
					waterfall->nr_bars);

	for (size_t i = 0; i < waterfall->nr_bars; i++) {
		const struct hl_bar *bar = &waterfall->bars[i];

		bars->rows[bars->nr_rows++] = (struct hl_bar_row){
			.name = bar->name,
			.layer = bar->layer,
			.value = in_mib(arena, bar->bw),
			.aside = loss_aside(arena, bar),
			.note = loss_note(arena, bar),
			.solid_to = or_zero(bar->bw / waterfall->scale),
			.light_to = or_zero(bar->before / waterfall->scale),
			.role = role_of(bar),
		};
	}
	return bars;
}

static struct hl_bar_row latency_row(struct hl_arena *arena, const struct hl_bar *bar,
				     double longest)
{
	double before = or_zero(bar->lat_before_ns);
	bool is_gain = bar->lat_ns < before;
	const char *added = hl_cell_time(arena, fabs(bar->lat_ns - bar->lat_before_ns));
	struct hl_bar_row row = {
		.name = bar->name,
		.layer = bar->layer,
		.value = hl_cell_time(arena, bar->lat_ns),
		.solid_from = fmin(before, bar->lat_ns) / longest,
		.solid_to = bar->lat_ns / longest,
		.light_to = before / longest,
		.role = is_gain ? HL_BAR_GAIN : HL_BAR_HOP,
	};

	if (added) {
		row.aside = hl_arena_printf(arena, "%s %s", is_gain ? "−" : "+", added);
		row.note = hl_arena_printf(arena, "%s %s", is_gain ? "saves" : "adds", added);
	}
	return row;
}

struct hl_bars *hl_bars_stack(struct hl_arena *arena, const struct hl_waterfall *waterfall)
{
	struct hl_bars *bars = bars_new(arena, waterfall, "Where the time goes",
					waterfall->nr_bars);
	double longest = 0;

	for (size_t i = 0; i < waterfall->nr_bars; i++)
		longest = fmax(longest, waterfall->bars[i].lat_ns);
	for (size_t i = 0; i < waterfall->nr_bars; i++) {
		if (!isnan(waterfall->bars[i].lat_ns))
			bars->rows[bars->nr_rows++] = latency_row(arena, &waterfall->bars[i],
								  longest);
	}
	return bars->nr_rows > 1 ? bars : NULL;
}

static struct hl_bar_row step_row(struct hl_arena *arena, const struct hl_step *step, double before,
				  double longest)
{
	const char *what = hl_cell_layers(arena, step->layers);

	if (!what)
		what = step->hop ? step->hop->name : "the next limit";
	return (struct hl_bar_row){
		.name = hl_arena_printf(arena, "mend %s", what),
		.layer = step->cause,
		.value = hl_arena_printf(arena, "%s %s",
					 step->kind == HL_AT_MOST ? "at most" : "about",
					 in_mib(arena, step->bw)),
		.solid_from = before / longest,
		.solid_to = or_zero(step->bw / longest),
		.light_to = before / longest,
		.role = HL_BAR_GAIN,
	};
}

struct hl_bars *hl_bars_ladder(struct hl_arena *arena, const struct hl_waterfall *waterfall)
{
	const struct hl_ladder *ladder = waterfall->ladder;
	double now = waterfall->bars[waterfall->nr_bars - 1].bw;
	double longest = now;
	struct hl_bars *bars;

	if (!ladder || !ladder->nr_steps)
		return NULL;
	bars = bars_new(arena, waterfall, "What mending would give", ladder->nr_steps + 1);
	for (size_t i = 0; i < ladder->nr_steps; i++)
		longest = fmax(longest, ladder->steps[i].bw);
	bars->rows[bars->nr_rows++] = (struct hl_bar_row){
		.name = "now",
		.value = in_mib(arena, now),
		.solid_to = now / longest,
		.role = HL_BAR_TOP,
	};
	for (size_t i = 0; i < ladder->nr_steps; i++) {
		double before = i ? ladder->steps[i - 1].bw : now;

		bars->rows[bars->nr_rows++] = step_row(arena, &ladder->steps[i], or_zero(before),
						       longest);
	}
	return bars;
}
