/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading --time and --rounds: see rounds.h.
 */
#include "rounds.h"
#include "hoploss/number.h"
#include "hoploss/rank.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <string.h>

#define USUAL_TIME_S  180.0
#define USUAL_ROUND_S 20.0 /* the usual time by the rounds that name something */

static int read_number(const struct hl_args *args, struct rounds *rounds, struct hl_error *err)
{
	const char *text = hl_args_value(args, "rounds", 0);
	uint64_t nr;

	if (!text)
		return 0;
	if (hl_number_u64(text, strlen(text), &nr) < 0 || nr < hl_looks[0] || nr > HL_RANK_MAX)
		return hl_fail(err, EINVAL, "--rounds %s: %u to %d", text, hl_looks[0],
			       HL_RANK_MAX);
	rounds->nr = (unsigned)nr;
	rounds->wants_all = true;
	rounds->time_s = USUAL_ROUND_S * (double)nr;
	return 0;
}

int rounds_read(const struct hl_args *args, unsigned usual, struct rounds *ret_rounds,
		struct hl_error *err)
{
	struct rounds rounds = { .nr = usual, .time_s = USUAL_TIME_S };
	const char *time = hl_args_value(args, "time", 0);
	double ns;
	int rc = read_number(args, &rounds, err);

	if (rc < 0)
		return rc;
	if (time && (hl_unit_read_time(time, strlen(time), &ns) < 0 || !(ns >= 1e9)))
		return hl_fail(err, EINVAL, "--time %s: write it as 20s, 3m or 1h", time);
	if (time)
		rounds.time_s = ns / 1e9;
	*ret_rounds = rounds;
	return 0;
}
