/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Showing progress: see hoploss/progress.h.
 */
#include "hoploss/progress.h"
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

static void show_line(const struct hl_progress *progress, const struct hl_run_progress *now)
{
	char line[512], bar[BAR_WIDTH + 1] = "", left[32], rate[HL_UNIT_TEXT];
	int done = (int)(now->done * BAR_WIDTH);

	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)(done < 0 ? 0 : done > BAR_WIDTH ? BAR_WIDTH : done));
	print_left(left, sizeof(left), now->left_s);
	snprintf(line, sizeof(line), "[%s] round %u of %u  %s  %s  %s  %s left", bar, now->round,
		 now->nr_rounds, now->hop, now->workload, hl_unit_rate(rate, now->bytes_per_s),
		 left);
	fprintf(stderr, "\r%-.*s\033[K", (int)progress->width - 1, line);
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
