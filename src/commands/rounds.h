/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many rounds and how long: --time and --rounds, as run and demo take them.
 */
#ifndef HOPLOSS_COMMANDS_ROUNDS_H
#define HOPLOSS_COMMANDS_ROUNDS_H

#include "hoploss/args.h"
#include "hoploss/error.h"
#include <stdbool.h>

struct rounds {
	unsigned nr;    /* at most; with wants_all exactly */
	bool wants_all; /* --rounds: however early they settle the verdict */
	double time_s;  /* of all together; as much a round as usual where only --rounds was said */
};

/* usual: rounds, unless said. -EINVAL: err says what to write instead. */
int rounds_read(const struct hl_args *args, unsigned usual, struct rounds *ret_rounds,
		struct hl_error *err);

#define ROUNDS_OPTION                                                                              \
	{                                                                                          \
		.name = "rounds", .arg = "N",                                                      \
		.help = "exactly so many rounds, 6 to 64, however early the verdict is clear: "    \
			"what compare asks for (with it, --time is by default 20s for each)"       \
	}

#endif
