/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Progress of long work on stderr: one line that is rewritten on a terminal, else a plain line for
 * each round, or each tenth.
 */
#ifndef HOPLOSS_PROGRESS_H
#define HOPLOSS_PROGRESS_H

#include "hoploss/run.h"

struct hl_progress {
	bool is_terminal;
	unsigned width;      /* columns */
	unsigned last_round; /* that was said */
	double last_tenth;   /* of one stretch of work */
};

void hl_progress_start(struct hl_progress *progress);
void hl_progress_show(struct hl_progress *progress, const struct hl_run_progress *now);
/* One stretch of work, done = 0..1; without a terminal a line for each tenth of it. */
void hl_progress_show_share(struct hl_progress *progress, const char *what, double done,
			    double bytes_per_s, double left_s);
/* A line of other work; on a terminal only. */
void hl_progress_text(const struct hl_progress *progress, const char *text);
void hl_progress_end(struct hl_progress *progress); /* clears the line */

#endif
