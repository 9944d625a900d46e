/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of experiments; where several are asked for, the first ones are done first.
 */
#include "hoploss/experiment.h"

extern const struct hl_experiment_kind hl_experiment_tcp_streams;
extern const struct hl_experiment_kind hl_experiment_depth;
extern const struct hl_experiment_kind hl_experiment_block_size;
extern const struct hl_experiment_kind hl_experiment_read_again;

const struct hl_experiment_kind *const hl_experiments[] = {
	&hl_experiment_tcp_streams,
	&hl_experiment_depth,
	&hl_experiment_block_size,
	&hl_experiment_read_again,
	NULL,
};
