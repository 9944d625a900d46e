/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that are missing in the middle of a text. fio prints the lines of a result in one order; a
 * line that comes too late belongs to another direction or job, whose beginning is not here. It
 * must not be taken for the one above.
 */
#include "fio_text.h"
#include <string.h>

#define TAIL 20 /* ranks from here on are of a whole result, those below of a direction */

static const struct {
	const char *word; /* that the line begins with; NULL = any */
	enum fio_kind kind;
	int rank;
} ranks[] = {
	{ "slat(", FIO_LATENCY, 1 },        { "clat(", FIO_LATENCY, 2 },
	{ "lat(", FIO_LATENCY, 3 },         { "slatperc", FIO_PERCENTILES, 4 },
	{ "clatperc", FIO_PERCENTILES, 5 }, { "latperc", FIO_PERCENTILES, 6 },
	{ NULL, FIO_RATE_DETAIL, 7 },       { NULL, FIO_SYNC, TAIL },
	{ "sync(", FIO_LATENCY, TAIL + 1 }, { "syncperc", FIO_PERCENTILES, TAIL + 2 },
	{ NULL, FIO_CPU, TAIL + 3 },        { NULL, FIO_ISSUED, TAIL + 4 },
	{ NULL, FIO_ERRORS, TAIL + 5 },     { NULL, FIO_TARGET, TAIL + 6 },
};

/* 0: may stand anywhere. */
static int rank_of(const struct fio_line *line)
{
	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
		if (ranks[i].kind == line->kind &&
		    (!ranks[i].word || !strncmp(line->text, ranks[i].word, strlen(ranks[i].word))))
			return ranks[i].rank;
	}
	return 0;
}

static void lose_rows(struct fio_run *run, const struct fio_line *line)
{
	if (line->kind == FIO_ROW || line->kind == FIO_NOTE)
		return;
	if (run->row_of && run->has_more_rows && run->result)
		run->result->is_cut = true;
	run->has_more_rows = false;
}

void fio_check_order(struct fio_run *run, const struct fio_line *line)
{
	int rank = rank_of(line);
	bool is_again = line->kind == FIO_RATE_DETAIL; /* bandwidth, then IOPS */

	lose_rows(run, line);
	if (line->kind == FIO_RATE || line->kind == FIO_RESULT) {
		run->rank = 0;
		return;
	}
	if (!rank || !run->result)
		return;
	if (rank < run->rank || (rank == run->rank && !is_again)) {
		if (rank >= TAIL || run->rank >= TAIL)
			fio_result_begin(run, line->number);
		run->result->is_cut = true;
		run->rate = NULL;
		run->row_of = NULL;
	}
	run->rank = rank;
}
