/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A drive that is slower than its peers in every round is found; one that was so by chance is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"
#include "hoploss/sample.h"

#define UNEVEN     "drive-slower-than-peers"
#define NR_ROUNDS  4
#define MIB        1048576.0
#define NR(drives) (sizeof(drives) / sizeof(*(drives)))

struct drive_row {
	const char *drive;
	double mib[NR_ROUNDS]; /* 0 = that round was lost */
};

static void add_drive(struct hl_graph *graph, struct hl_hop *hop, const struct drive_row *row)
{
	struct run_row run = { row->drive,   "io_uring",    .rw = HL_RW_READ,
			       .bs = 131072, .iodepth = 32, .iops = 1 };
	double *rounds = hl_arena_alloc(graph->arena, NR_ROUNDS * sizeof(*rounds)), sum = 0;
	struct hl_measurement *at = add_run(graph, hop, &run);
	unsigned nr = 0;

	at->experiment = HL_DRIVES_ALONE;
	at->drive = row->drive;
	for (size_t i = 0; i < NR_ROUNDS; i++) {
		rounds[i] = row->mib[i] > 0 ? row->mib[i] * MIB : NAN;
		sum += row->mib[i] * MIB;
		nr += row->mib[i] > 0;
	}
	at->dir[HL_DIR_READ]->bw = sum / nr;
	at->dir[HL_DIR_READ]->per_round = rounds;
	at->dir[HL_DIR_READ]->nr_rounds = NR_ROUNDS;
}

static struct hl_graph *make(const struct drive_row *rows, size_t nr)
{
	struct run_row together = { "seq",        "io_uring",    .rw = HL_RW_READ,
				    .bs = 131072, .iodepth = 32, .iops = 8000 };
	struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_runs(graph, "raw", HL_LAYER_DRIVE, &together, 1);

	for (size_t i = 0; i < nr; i++)
		add_drive(graph, hop, &rows[i]);
	return graph;
}

static void one_of_three_is_confirmed(void **unused)
{
	static const struct drive_row drives[] = {
		{ "/dev/sda", { 500, 510, 490, 500 } },
		{ "/dev/sdb", { 200, 210, 190, 200 } },
		{ "/dev/sdc", { 505, 495, 500, 500 } },
	};
	HL_GRAPH struct hl_graph *graph = make(drives, NR(drives));
	const struct hl_finding *found = match_one(graph, UNEVEN);

	(void)unused;
	assert_non_null(found);
	assert_int_equal(graph->nr_findings, 1);
	assert_int_equal(found->state, HL_CONFIRMED);
	assert_int_equal(found->layer, HL_LAYER_DRIVE);
	assert_string_equal(found->at->workload.name, "seq");
	assert_true(has_text(found->text, "the drive /dev/sdb gives 200 MiB/s, its 2 peers "
					  "500 MiB/s (median): 40 % of that, in each of 4 rounds"));
	assert_int_equal(found->nr_evidence, 3);
}

static void two_rounds_are_a_suspicion(void **unused)
{
	static const struct drive_row drives[] = {
		{ "/dev/sda", { 500, 510 } },
		{ "/dev/sdb", { 200, 210 } },
	};
	HL_GRAPH struct hl_graph *graph = make(drives, NR(drives));
	const struct hl_finding *found = match_one(graph, UNEVEN);

	(void)unused;
	assert_non_null(found);
	assert_int_equal(found->state, HL_SUSPECTED);
	assert_true(has_text(found->next, "More rounds"));
}

static void look_alikes_are_left_alone(void **unused)
{
	static const struct drive_row cases[][3] = {
		{ { "a", { 500, 510, 490 } },
		  { "b", { 450, 440, 430 } },
		  { "c", { 500, 500, 500 } } },
		/* slow once, as when something else used it */
		{ { "a", { 500, 510, 490 } },
		  { "b", { 100, 500, 500 } },
		  { "c", { 500, 500, 500 } } },
		/* never in one round with another */
		{ { "a", { 500, 0, 0 } }, { "b", { 0, 100, 0 } }, { "c", { 0, 0, 500 } } },
	};

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_GRAPH struct hl_graph *graph = make(cases[i], 3);

		assert_null(match_one(graph, UNEVEN));
	}
}

static void a_single_drive_has_no_peers(void **unused)
{
	static const struct drive_row drives[] = { { "/dev/sda", { 1, 1, 1 } } };
	HL_GRAPH struct hl_graph *graph = make(drives, 1);

	(void)unused;
	assert_null(match_one(graph, UNEVEN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_three_is_confirmed),
		cmocka_unit_test(two_rounds_are_a_suspicion),
		cmocka_unit_test(look_alikes_are_left_alone),
		cmocka_unit_test(a_single_drive_has_no_peers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
