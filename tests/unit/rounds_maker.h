/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs that are simulated: hops after each other, each with a true bandwidth, and rounds that
 * scatter around it. Rates are in MiB/s, noise is the standard deviation of the logarithm.
 */
#ifndef TESTS_ROUNDS_MAKER_H
#define TESTS_ROUNDS_MAKER_H

#include "graph_maker.h"
#include <stdint.h>

#define MOST_ROUNDS 20

struct path_row { /* a hop of the simulated path */
	const char *name;
	enum hl_layer layer;
	double mib_per_s;
};

struct simulation {
	const struct path_row *rows;
	unsigned nr_hops, nr_workloads;
	double noise;
	bool is_one_sided; /* noise only ever slows down */
	uint64_t state;
};

static inline double next_uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static inline double next_gauss(uint64_t *state)
{
	double radius = sqrt(-2 * log(1 - next_uniform(state)));

	return radius * cos(2 * 3.14159265358979 * next_uniform(state));
}

static inline double next_bw(struct simulation *sim, double mib_per_s)
{
	double noise = next_gauss(&sim->state) * sim->noise;

	return mib_per_s * MIB * exp(sim->is_one_sided ? -fabs(noise) : noise);
}

/* Gives a measurement rounds; NAN = a round that was lost. */
static inline void set_rounds(struct hl_graph *graph, struct hl_measurement *at,
			      const double *per_round, const double *repeats, size_t nr)
{
	double *kept = hl_arena_alloc(graph->arena, 2 * nr * sizeof(*kept));
	struct hl_rate *rate = at->dir[row_dir(&(struct job_row){ .rw = at->workload.rw })];
	double sum = 0, nr_there = 0;

	for (size_t i = 0; i < nr; i++) {
		kept[i] = per_round[i];
		kept[nr + i] = repeats ? repeats[i] : NAN;
		if (!isnan(kept[i])) {
			sum += kept[i];
			nr_there++;
		}
	}
	rate->per_round = kept;
	rate->repeats = repeats ? kept + nr : NULL;
	rate->nr_rounds = nr;
	rate->bw = sum / nr_there;
	at->rounds = nr_there;
	at->status = HL_STATUS_MEASURED;
	at->tool = "hoploss";
	at->file = NULL;
}

/* Rounds of all hops and workloads, drawn once. */
struct drawn {
	double rounds[8][16][MOST_ROUNDS], repeats[8][16][MOST_ROUNDS];
};

static inline void draw(struct simulation *sim, struct drawn *drawn)
{
	for (unsigned r = 0; r < MOST_ROUNDS; r++) {
		for (unsigned h = 0; h < sim->nr_hops; h++) {
			for (unsigned w = 0; w < sim->nr_workloads; w++) {
				double truth = sim->rows[h].mib_per_s;

				drawn->rounds[h][w][r] = next_bw(sim, truth);
				drawn->repeats[h][w][r] = r % sim->nr_hops == h
								  ? next_bw(sim, truth)
								  : NAN;
			}
		}
	}
}

/* The graph after so many rounds, chains filled in and judged; to be freed. */
static inline struct hl_graph *graph_after(const struct simulation *sim, const struct drawn *drawn,
					   unsigned nr_rounds)
{
	static const char *const names[16] = {
		"w1", "w2",  "w3",  "w4",  "w5",  "w6",  "w7",  "w8",
		"w9", "w10", "w11", "w12", "w13", "w14", "w15", "w16"
	};
	struct hl_graph *graph = hl_graph_new();
	struct hl_hop *last = NULL;

	for (unsigned h = 0; h < sim->nr_hops; h++) {
		last = add_hop(graph, sim->rows[h].name, sim->rows[h].layer, last);
		for (unsigned w = 0; w < sim->nr_workloads; w++) {
			struct job_row row = { .name = names[w], .rw = HL_RW_READ, .iodepth = 32 };

			row.bs = 4096 * (w + 1);
			row.numjobs = 1;
			row.iops = 1;
			set_rounds(graph, add_job(graph, last, &row), drawn->rounds[h][w],
				   drawn->repeats[h][w], nr_rounds);
		}
	}
	hl_chain_fill(graph);
	return graph;
}

#endif
