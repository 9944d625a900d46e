/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Experiments: what their variants are, what each answer speaks for and against, which of them open
 * verdicts ask for, and what becomes of the findings.
 */
#include "rounds_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hoploss/experiment.h"

#define TURNS HL_EXPERIMENT_TURNS

/* ---- variants ---- */

static struct hl_workload job(enum hl_rw rw, double bs, double iodepth, double numjobs)
{
	struct hl_workload workload;

	hl_workload_init(&workload);
	workload.name = "job";
	workload.rw = rw;
	workload.bs = bs;
	workload.iodepth = iodepth;
	workload.numjobs = numjobs;
	return workload;
}

static void variants_change_one_thing_and_say_so_in_their_name(void **state)
{
	static const struct {
		const char *id;
		unsigned variant;
		double iodepth, numjobs, bs;             /* of the job */
		double new_iodepth, new_numjobs, new_bs; /* 0 iodepth: cannot be had */
		const char *name;
	} cases[] = {
		{ "depth", 0, 32, 1, 4096, 32, 1, 4096, "job" },
		{ "depth", 1, 32, 1, 4096, 16, 1, 4096, "job/half-depth" },
		{ "depth", 2, 32, 1, 4096, 64, 1, 4096, "job/double-depth" },
		{ "depth", 1, 1, 1, 4096, 0, 0, 0, NULL },
		{ "depth", 2, 1, 1, 4096, 2, 1, 4096, "job/double-depth" },
		{ "depth", 1, 1, 10, 4096, 1, 5, 4096, "job/half-depth" },
		{ "depth", 2, 1, 10, 4096, 1, 20, 4096, "job/double-depth" },
		{ "block-size", 1, 32, 1, 4096, 32, 1, 16384, "job/other-block" },
		{ "block-size", 1, 32, 1, 1048576, 32, 1, 262144, "job/other-block" },
		{ "tcp-streams", 1, 32, 4, 4096, 1, 1, 131072, "job/tcp-1-stream" },
		{ "tcp-streams", 2, 32, 4, 4096, 1, 4, 131072, "job/tcp-4-streams" },
		{ "read-again", 0, 32, 1, 4096, 32, 1, 4096, "job/first" },
		{ "read-again", 1, 32, 1, 4096, 32, 1, 4096, "job/again" },
	};
	struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hl_workload base = job(HL_RW_RANDREAD, cases[i].bs, cases[i].iodepth,
					      cases[i].numjobs);
		struct hl_workload made;

		if (!cases[i].name) {
			assert_false(hl_experiment_derive(arena, hl_experiment_find(cases[i].id),
							  cases[i].variant, &base, &made));
			continue;
		}
		assert_true(hl_experiment_derive(arena, hl_experiment_find(cases[i].id),
						 cases[i].variant, &base, &made));
		assert_string_equal(made.name, cases[i].name);
		assert_true(made.iodepth == cases[i].new_iodepth);
		assert_true(made.numjobs == cases[i].new_numjobs);
		assert_true(made.bs == cases[i].new_bs);
	}
	hl_arena_free(arena);
}

/* ---- answers ---- */

/* A measurement that belongs to an experiment: turns that scatter by 1 % around a bandwidth. */
static void add_turns(struct hl_graph *graph, struct hl_hop *hop, const char *id, const char *name,
		      double bs, enum hl_dir dir, double mib_per_s)
{
	struct job_row row = { .name = name, .rw = HL_RW_READ, .bs = bs, .iodepth = 32, .iops = 1 };
	struct hl_measurement *at;
	double turns[TURNS];
	uint64_t seed = (uint64_t)mib_per_s;

	row.numjobs = 1;
	at = add_job(graph, hop, &row);
	at->experiment = id;
	for (size_t i = 0; i < TURNS; i++)
		turns[i] = mib_per_s * MIB * exp(0.01 * next_gauss(&seed));
	set_rounds(graph, at, turns, NULL, TURNS);
	if (dir != HL_DIR_READ) {
		at->dir[dir] = at->dir[HL_DIR_READ];
		at->dir[HL_DIR_READ] = NULL;
	}
}

struct answer {
	const char *id;
	const char *suffixes[2];
	double bs[2];
	enum hl_dir dir;
	double mib_per_s[3]; /* of the job itself, then of the others; 0 = not there */
	const char *text;
	const char *supports, *against; /* one of each; NULL = none at all */
};

static const struct answer answers[] = {
	{ "depth",
	  { "half-depth", "double-depth" },
	  { 4096, 4096 },
	  HL_DIR_READ,
	  { 100, 50, 200 },
	  "twice the depth gives 1.98 times as much (1.97 to 2.00): more",
	  "depth-limited",
	  "link-shaped" },
	{ "depth",
	  { "half-depth", "double-depth" },
	  { 4096, 4096 },
	  HL_DIR_READ,
	  { 100, 99, 101 },
	  "is not what it lacks",
	  "serial-stage",
	  NULL },
	{ "depth",
	  { "half-depth", "double-depth" },
	  { 4096, 4096 },
	  HL_DIR_READ,
	  { 100, 55, 101 },
	  "a limit on what is in flight",
	  "depth-limited",
	  "serial-stage" },
	{ "depth",
	  { "half-depth", "double-depth" },
	  { 4096, 4096 },
	  HL_DIR_READ,
	  { 100, 0, 101 },
	  "is not what it lacks",
	  NULL,
	  NULL },
	{ "depth",
	  { "half-depth", "double-depth" },
	  { 4096, 4096 },
	  HL_DIR_READ,
	  { 100, 90, 0 },
	  "not decided: too few turns",
	  NULL,
	  NULL },
	{ "block-size",
	  { "other-block" },
	  { 524288 },
	  HL_DIR_READ,
	  { 100, 101 },
	  "blocks 4 times as large give 1.0",
	  "link-shaped",
	  "depth-limited" },
	{ "block-size",
	  { "other-block" },
	  { 524288 },
	  HL_DIR_READ,
	  { 100, 390 },
	  "it is I/Os that are limited",
	  "serial-stage",
	  "link-shaped" },
	{ "block-size",
	  { "other-block" },
	  { 32768 },
	  HL_DIR_READ,
	  { 100, 26 },
	  "blocks 0.25 times as large give 0.26",
	  "serial-stage",
	  "ethernet-ceiling" },
	{ "block-size",
	  { "other-block" },
	  { 524288 },
	  HL_DIR_READ,
	  { 100, 200 },
	  "not decided: blocks 4 times",
	  NULL,
	  NULL },
	{ "tcp-streams",
	  { "tcp-1-stream", "tcp-4-streams" },
	  { 131072, 131072 },
	  HL_DIR_RX,
	  { 100, 101, 101 },
	  "it is the line between the two",
	  "link-shaped",
	  "serial-stage" },
	{ "tcp-streams",
	  { "tcp-1-stream", "tcp-4-streams" },
	  { 131072, 131072 },
	  HL_DIR_RX,
	  { 100, 105, 350 },
	  "it is what one flow carries",
	  "tcp-window-limited",
	  "link-shaped" },
	{ "tcp-streams",
	  { "tcp-1-stream", "tcp-4-streams" },
	  { 131072, 131072 },
	  HL_DIR_RX,
	  { 100, 800, 900 },
	  "the line between the two carries more",
	  NULL,
	  "tcp-window-limited" },
	{ "tcp-streams",
	  { "tcp-1-stream", "tcp-4-streams" },
	  { 131072, 131072 },
	  HL_DIR_RX,
	  { 100, 60, 105 },
	  "not decided: one TCP stream",
	  NULL,
	  NULL },
};

static void answers_speak_for_and_against(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		const struct answer *c = &answers[i];
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = add_measured(graph, "virtio", HL_LAYER_VNIC, NULL, 100);
		const struct hl_experiment *result;

		add_turns(graph, hop, c->id, "seq-read", 131072, HL_DIR_READ, c->mib_per_s[0]);
		for (size_t k = 0; k < 2; k++) {
			if (!(c->mib_per_s[k + 1] > 0))
				continue;
			add_turns(graph, hop, c->id,
				  hl_arena_printf(graph->arena, "seq-read/%s", c->suffixes[k]),
				  c->bs[k], c->dir, c->mib_per_s[k + 1]);
		}
		hl_experiments_judge(graph);
		assert_int_equal(graph->nr_experiments, 1);
		result = graph->experiments[0];
		if (!strstr(result->decided, c->text))
			fail_msg("case %zu: %s", i, result->decided);
		assert_ptr_equal(result->at, hop->measurements[0]);
		assert_int_equal(result->nr_supports == 0, c->supports == NULL);
		assert_int_equal(result->nr_against == 0, c->against == NULL);
		if (c->supports)
			assert_true(hl_experiment_supports(result, c->supports));
		if (c->against)
			assert_true(hl_experiment_opposes(result, c->against));
	}
}

/* The same on average, but from half to twice as much: nobody knows. */
static void turns_that_scatter_decide_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "virtio", HL_LAYER_VNIC, NULL, 100);

	(void)state;
	add_turns(graph, hop, "tcp-streams", "seq-read", 131072, HL_DIR_READ, 100);
	add_turns(graph, hop, "tcp-streams", "seq-read/tcp-1-stream", 131072, HL_DIR_RX, 100);
	add_turns(graph, hop, "tcp-streams", "seq-read/tcp-4-streams", 131072, HL_DIR_RX, 100);
	for (size_t i = 2; i < 4; i++) {
		double *turns = (double *)hop->measurements[i]->dir[HL_DIR_RX]->per_round;

		for (size_t k = 0; k < TURNS; k++)
			turns[k] *= k % 2 ? 2 : 0.5;
	}
	hl_experiments_judge(graph);
	assert_int_equal(graph->experiments[0]->nr_supports, 0);
	assert_non_null(strstr(graph->experiments[0]->decided, "not decided"));
}

static void the_same_read_again_tells_of_a_cache(void **state)
{
	static const double again[] = { 300, 101 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 100);

		add_turns(graph, hop, "read-again", "seq-read/first", 4096, HL_DIR_READ, 100);
		add_turns(graph, hop, "read-again", "seq-read/again", 4096, HL_DIR_READ, again[i]);
		hl_experiments_judge(graph);
		assert_int_equal(graph->nr_experiments, 1);
		assert_int_equal(
			hl_experiment_supports(graph->experiments[0], "faster-than-medium"),
			i == 0);
		assert_ptr_equal(graph->experiments[0]->at, hop->measurements[0]);
	}
}

static void why_a_variant_failed_is_told(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "virtio", HL_LAYER_VNIC, NULL, 100);

	(void)state;
	add_turns(graph, hop, "tcp-streams", "seq-read", 131072, HL_DIR_READ, 100);
	add_turns(graph, hop, "tcp-streams", "seq-read/tcp-1-stream", 131072, HL_DIR_RX, 100);
	hop->measurements[2]->dir[HL_DIR_RX] = NULL;
	hop->measurements[2]->status = HL_STATUS_NOT_MEASURED;
	hop->measurements[2]->reason = "10.0.0.2 port 4711: No route to host";
	hl_experiments_judge(graph);
	assert_string_equal(graph->experiments[0]->decided,
			    "seq-read at virtio: not decided: seq-read/tcp-1-stream: 10.0.0.2 port "
			    "4711: No route to host");
}

static void jobs_of_one_hop_are_judged_apart(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "virtio", HL_LAYER_VNIC, NULL, 100);

	(void)state;
	add_turns(graph, hop, "depth", "a", 4096, HL_DIR_READ, 100);
	add_turns(graph, hop, "depth", "b", 4096, HL_DIR_READ, 100);
	add_turns(graph, hop, "depth", "b/double-depth", 4096, HL_DIR_READ, 190);
	add_turns(graph, hop, "depth", "a/double-depth", 4096, HL_DIR_READ, 100);
	hl_experiments_judge(graph);
	assert_int_equal(graph->nr_experiments, 2);
	assert_false(hl_experiment_supports(graph->experiments[0], "depth-limited"));
	assert_true(hl_experiment_supports(graph->experiments[1], "depth-limited"));
}

/* ---- what is asked for ---- */

struct path { /* loopback, then a vnic that binds */
	struct hl_graph *graph;
	struct hl_hop *loopback, *virtio;
};

static struct path bound_path(void)
{
	struct path path = { .graph = hl_graph_new() };

	path.loopback = add_measured(path.graph, "loopback", HL_LAYER_TARGET, NULL, 900);
	path.virtio = add_measured(path.graph, "virtio", HL_LAYER_VNIC, path.loopback, 100);
	path.virtio->target = "iscsi://10.0.0.2/iqn.2026-11.net.example:x/0";
	return path;
}

static struct hl_finding *add_finding(struct path *path, const char *id, enum hl_state state,
				      const char *rival)
{
	struct hl_finding *finding = hl_graph_add_finding(path->graph);

	finding->id = id;
	finding->hop = path->virtio;
	finding->layer = HL_LAYER_VNIC;
	finding->state = state;
	finding->text = "Text.";
	if (rival)
		hl_finding_add_rival(path->graph, finding, rival);
	return finding;
}

static size_t ask(struct path *path, struct hl_wish *wishes)
{
	path->graph->nr_verdicts = path->graph->nr_losses = path->graph->nr_ladders = 0;
	hl_model_losses(path->graph);
	hl_model_ladders(path->graph);
	hl_model_verdicts(path->graph);
	return hl_experiments_wanted(path->graph, wishes, 8);
}

static void an_open_cause_asks_for_what_decides_it(void **state)
{
	struct path path = bound_path();
	struct hl_wish wishes[8];
	size_t nr;

	(void)state;
	add_finding(&path, "faster-than-medium", HL_SUSPECTED, NULL);
	nr = ask(&path, wishes);
	assert_int_equal(nr, 1);
	assert_string_equal(wishes[0].kind->id, "read-again");
	assert_ptr_equal(wishes[0].hop, path.virtio);
	assert_ptr_equal(wishes[0].at, path.virtio->measurements[0]);
	hl_graph_free(path.graph);
}

static void a_confirmed_cause_asks_for_nothing(void **state)
{
	struct path path = bound_path();
	struct hl_wish wishes[8];

	(void)state;
	add_finding(&path, "serial-stage", HL_CONFIRMED, "depth-limited");
	assert_int_equal(ask(&path, wishes), 0);
	hl_graph_free(path.graph);
}

static void a_layer_without_a_cause_is_asked_about_in_general(void **state)
{
	struct path path = bound_path();
	struct hl_wish wishes[8];

	(void)state;
	assert_int_equal(ask(&path, wishes), 3);
	assert_string_equal(wishes[0].kind->id, "tcp-streams");
	path.virtio->target = "/dev/sdb"; /* no portal is known */
	assert_int_equal(ask(&path, wishes), 2);
	assert_string_equal(wishes[0].kind->id, "depth");
	path.virtio->measurements[0]->workload.rw = HL_RW_WRITE;
	assert_int_equal(ask(&path, wishes), 0);
	hl_graph_free(path.graph);
}

static void what_was_done_is_not_asked_again(void **state)
{
	struct path path = bound_path();
	struct hl_wish wishes[8];

	(void)state;
	add_turns(path.graph, path.virtio, "depth", "seq-read", 131072, HL_DIR_READ, 100);
	hl_experiments_judge(path.graph);
	assert_int_equal(ask(&path, wishes), 2);
	assert_string_equal(wishes[1].kind->id, "block-size");
	hl_graph_free(path.graph);
}

static void a_healthy_path_asks_for_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 900);
	struct path path = { graph, drive, NULL };
	struct hl_wish wishes[8];

	(void)state;
	path.virtio = add_measured(graph, "virtio", HL_LAYER_VNIC, drive, 899);
	assert_int_equal(ask(&path, wishes), 0);
}

/* ---- what becomes of findings ---- */

static void ruled_out_rivals_confirm_and_ruled_out_causes_go(void **state)
{
	struct path path = bound_path();
	struct hl_finding *shaped = add_finding(&path, "ethernet-ceiling", HL_SUSPECTED,
						"serial-stage");
	struct hl_finding *half = add_finding(&path, "link-shaped", HL_SUSPECTED,
					      "ethernet-ceiling");

	(void)state;
	add_finding(&path, "serial-stage", HL_AMBIGUOUS, "depth-limited");
	add_finding(&path, "target-cpu-bound", HL_CONFIRMED, NULL);
	add_turns(path.graph, path.virtio, "tcp-streams", "seq-read", 131072, HL_DIR_READ, 100);
	add_turns(path.graph, path.virtio, "tcp-streams", "seq-read/tcp-1-stream", 131072,
		  HL_DIR_RX, 100);
	add_turns(path.graph, path.virtio, "tcp-streams", "seq-read/tcp-4-streams", 131072,
		  HL_DIR_RX, 101);
	hl_experiments_judge(path.graph);
	hl_experiments_apply(path.graph);
	assert_int_equal(path.graph->nr_findings, 3); /* what was seen directly stays */
	assert_int_equal(shaped->state, HL_CONFIRMED);
	assert_non_null(strstr(shaped->text, "Text. The experiment tcp-streams rules out"));
	assert_int_equal(half->state, HL_SUSPECTED); /* its rival is as likely */
	assert_int_equal(half->nr_rivals, 1);
	hl_graph_free(path.graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_change_one_thing_and_say_so_in_their_name),
		cmocka_unit_test(answers_speak_for_and_against),
		cmocka_unit_test(turns_that_scatter_decide_nothing),
		cmocka_unit_test(the_same_read_again_tells_of_a_cache),
		cmocka_unit_test(why_a_variant_failed_is_told),
		cmocka_unit_test(jobs_of_one_hop_are_judged_apart),
		cmocka_unit_test(an_open_cause_asks_for_what_decides_it),
		cmocka_unit_test(a_confirmed_cause_asks_for_nothing),
		cmocka_unit_test(a_layer_without_a_cause_is_asked_about_in_general),
		cmocka_unit_test(what_was_done_is_not_asked_again),
		cmocka_unit_test(a_healthy_path_asks_for_nothing),
		cmocka_unit_test(ruled_out_rivals_confirm_and_ruled_out_causes_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
