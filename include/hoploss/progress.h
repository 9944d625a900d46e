/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Progress of long work on stderr: one line that is rewritten on a terminal, else a plain line for
 * each round.
 */
#ifndef HOPLOSS_PROGRESS_H
#define HOPLOSS_PROGRESS_H

#include "hoploss/run.h"

struct hl_progress {
	bool is_terminal;
	unsigned width;      /* columns */
	unsigned last_round; /* that was said */
};

void hl_progress_start(struct hl_progress *progress);
void hl_progress_show(struct hl_progress *progress, const struct hl_run_progress *now);
/* A line of other work; on a terminal only. */
void hl_progress_text(const struct hl_progress *progress, const char *text);
void hl_progress_end(struct hl_progress *progress); /* clears the line */

#endif
