/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What "hoploss run" was asked for: its path, its workloads and how long it may take.
 */
#ifndef HOPLOSS_COMMANDS_RUN_REQUEST_H
#define HOPLOSS_COMMANDS_RUN_REQUEST_H

#include "hoploss/args.h"
#include "hoploss/path.h"
#include "hoploss/show.h"
#include "hoploss/spec.h"
#include "hoploss/workset.h"
#include "rounds.h"

#define RUN_QUICK_ROUNDS 6

struct run_request {
	struct hl_show show;
	struct hl_arena *arena;
	const char *path_name;
	char *path_text;
	size_t path_len;
	struct hl_path *path;
	struct hl_workset workset;
	struct hl_spec *spec; /* of a datasheet hop; NULL = none */
	unsigned drives;
	struct rounds rounds;
	double max_bw;    /* 0 = no limit */
	double precision; /* 0 = not asked for */
	const char *out;
	bool is_dry, is_trusted;
};

/* -EINVAL, -EBADMSG …: err says what to write instead. Clear it in any case. */
int run_request_read(const struct hl_args *args, struct run_request *request, struct hl_error *err);
void run_request_clear(struct run_request *request);
#define RUN_REQUEST __attribute__((cleanup(run_request_clear)))

#endif
