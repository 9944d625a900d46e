/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The share of reads that the ARC answered, of counters in a tree made by hand. The portal is an
 * address of this machine.
 */
#include "hoploss/meter.h"
#include "probe_tree.h"

extern const struct hl_meter hl_meter_arc;

struct counters {
	unsigned hits, iohits, misses, fetched;
};

static void write_counters(const struct counters *counters)
{
	FILE *file = fopen("root/proc/spl/kstat/zfs/arcstats", "w");

	assert_non_null(file);
	fprintf(file, "name type data\nhits 4 1\ndemand_data_hits 4 %u\n", counters->hits);
	fprintf(file, "demand_data_iohits 4 %u\n", counters->iohits);
	fprintf(file, "demand_data_misses 4 %u\n", counters->misses);
	fprintf(file, "prefetch_data_misses 4 %u\n", counters->fetched);
	assert_int_equal(0, fclose(file));
}

/* Hits of the slot in percent; NAN when the meter says nothing. */
static double measure(const struct counters *before, const struct counters *after,
		      const struct hl_meter_target *target)
{
	struct hl_machine *machine = hl_machine_open("root", NULL);
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { .node = "lun/read" };
	void *state;

	write_counters(before);
	state = hl_meter_arc.begin(machine, target);
	write_counters(after);
	if (state)
		hl_meter_arc.end(state, machine, 1, graph, &origin);
	hl_machine_close(machine);
	return tree_number(graph, "lun/read", "arc.slot_hit_pct");
}

static const struct counters before = { 1000, 10, 500, 50 };
static const struct hl_meter_target here = { .address = "127.0.0.1", .port = 3260 };

static void hits_of_the_slot_are_a_share_of_what_was_asked(void **state)
{
	(void)state;
	assert_true(measure(&before, &(struct counters){ 1090, 10, 510, 50 }, &here) == 90);
	assert_true(measure(&before, &(struct counters){ 1100, 10, 500, 50 }, &here) == 100);
	assert_true(measure(&before, &(struct counters){ 1000, 10, 600, 50 }, &here) == 0);
}

static void what_was_fetched_ahead_came_from_the_disks(void **state)
{
	(void)state;
	assert_true(measure(&before, &(struct counters){ 1080, 30, 500, 150 }, &here) == 0);
	assert_true(measure(&before, &(struct counters){ 1100, 10, 500, 75 }, &here) == 75);
	assert_true(measure(&before, &(struct counters){ 1100, 10, 500, 950 }, &here) == 0);
}

static void no_reads_and_other_targets_say_nothing(void **state)
{
	const struct hl_meter_target file = { .path = "root/proc/spl/kstat/zfs/arcstats" };
	const struct hl_meter_target far = { .address = "192.0.2.1", .port = 3260 };
	const struct counters more = { 1090, 10, 510, 50 };

	(void)state;
	assert_true(isnan(measure(&before, &before, &here)));
	assert_true(isnan(measure(&before, &more, &file)));
	assert_true(isnan(measure(&before, &more, &far)));
}

static void a_machine_without_zfs_says_nothing(void **state)
{
	struct hl_machine *machine = hl_machine_open("nothing", NULL);

	(void)state;
	assert_null(hl_meter_arc.begin(machine, &here));
	hl_machine_close(machine);
}

static int setup(void **state)
{
	static const struct tree_row rows[] = { { "/proc/spl/kstat/zfs/arcstats", "" } };

	if (tree_setup(state) < 0)
		return -1;
	tree_make("root", rows, NR_ROWS(rows));
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hits_of_the_slot_are_a_share_of_what_was_asked),
		cmocka_unit_test(what_was_fetched_ahead_came_from_the_disks),
		cmocka_unit_test(no_reads_and_other_targets_say_nothing),
		cmocka_unit_test(a_machine_without_zfs_says_nothing),
	};

	return cmocka_run_group_tests(tests, setup, tree_remove);
}
