/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Showing progress: see hoploss/progress.h.
 */
#include "hoploss/progress.h"
#include "hoploss/alloc.h"
#include "hoploss/unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_WIDTH     20
#define USUAL_COLUMNS 80

void hl_progress_start(struct hl_progress *progress)
{
	struct winsize size;

	*progress = (struct hl_progress){ .is_terminal = isatty(STDERR_FILENO) };
	progress->width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col
				  ? size.ws_col
				  : USUAL_COLUMNS;
}

static void print_left(char *text, size_t size, double left_s)
{
	if (isnan(left_s) || left_s > 359999)
		snprintf(text, size, "?");
	else if (left_s >= 60)
		snprintf(text, size, "%.0f min %02.0f s", floor(left_s / 60), fmod(left_s, 60));
	else
		snprintf(text, size, "%.0f s", left_s);
}

static const char *print_bar(char bar[BAR_WIDTH + 1], double share)
{
	int done = (int)(share * BAR_WIDTH);

	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)(done < 0 ? 0 : done > BAR_WIDTH ? BAR_WIDTH : done));
	bar[BAR_WIDTH] = '\0';
	return bar;
}

static void show_line(const struct hl_progress *progress, const struct hl_run_progress *now)
{
	char line[512], bar[BAR_WIDTH + 1], left[32], rate[HL_UNIT_TEXT];

	print_left(left, sizeof(left), now->left_s);
	snprintf(line, sizeof(line), "[%s] round %u of %u  %s  %s  %s  %s left",
		 print_bar(bar, now->done), now->round, now->nr_rounds, now->hop, now->workload,
		 hl_unit_rate(rate, now->bytes_per_s), left);
	hl_progress_text(progress, line);
}

void hl_progress_show_share(struct hl_progress *progress, const char *what, double done,
			    double bytes_per_s, double left_s)
{
	char line[512], bar[BAR_WIDTH + 1], left[32], rate[HL_UNIT_TEXT];
	double tenth = floor(done * 10);

	print_left(left, sizeof(left), left_s);
	snprintf(line, sizeof(line), "%s: %.0f %%, %s, %s left", what, floor(done * 100),
		 hl_unit_rate_sheet(rate, bytes_per_s), left);
	if (progress->is_terminal) {
		HL_FREE char *whole = hl_printf("[%s] %s", print_bar(bar, done), line);

		hl_progress_text(progress, whole);
	} else if (tenth > progress->last_tenth) {
		progress->last_tenth = tenth;
		fprintf(stderr, "hoploss: %s\n", line);
	}
}

void hl_progress_show(struct hl_progress *progress, const struct hl_run_progress *now)
{
	char left[32];

	if (progress->is_terminal) {
		show_line(progress, now);
		return;
	}
	if (now->round == progress->last_round)
		return;
	progress->last_round = now->round;
	print_left(left, sizeof(left), now->round > 1 ? now->left_s : NAN);
	fprintf(stderr, "hoploss: round %u of %u, %s left\n", now->round, now->nr_rounds, left);
}

void hl_progress_text(const struct hl_progress *progress, const char *text)
{
	if (progress->is_terminal)
		fprintf(stderr, "\r%-.*s\033[K", (int)progress->width - 1, text);
}

void hl_progress_end(struct hl_progress *progress)
{
	if (progress->is_terminal)
		fputs("\r\033[K", stderr);
}
