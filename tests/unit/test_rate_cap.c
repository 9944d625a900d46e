/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A throttle makes all I/Os wait alike, at a rate that somebody wrote down.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#define CAP "rate-capped"

static const struct run_row capped = { "vps",           .rw = HL_RW_RANDREAD, .bs = 4096,
				       .iodepth = 16,   .numjobs = 8,         .iops = 999.8,
				       .lat = 128 * MS, .clat = 128 * MS,     .p1 = 128 * MS,
				       .p50 = 128 * MS, .p99 = 131 * MS };

static bool is_cap(struct run_row row)
{
	return is_found(CAP, HL_LAYER_NONE, &row, 1);
}

static void alike_and_round_is_a_throttle(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *cap;

	(void)unused;
	add_runs(graph, "vps", HL_LAYER_NONE, &capped, 1);
	cap = match_one(graph, CAP);
	assert_int_equal(cap->state, HL_SUSPECTED);
	assert_true(has_text(cap->text, "999.8 I/Os a second, as a limit of 1000 gives; 1st "
					"percentile 128 ms, 99th 131 ms"));
	assert_non_null(evidence_of(cap, "run.read_lat_p1_ns"));
}

static void percentiles_that_spread_are_a_device(void **unused)
{
	struct run_row row = capped;

	(void)unused;
	row.p99 = 300 * MS;
	assert_false(is_cap(row));
}

static void a_rate_that_nobody_writes_down_is_a_stage(void **unused)
{
	static const double odd[] = { 987, 1013, 1100, 28245, 3410 };
	static const double round[] = { 1000, 1004, 3000, 7500, 16000, 250 };
	struct run_row row = capped;

	(void)unused;
	row.bs = 5000; /* no round bandwidth by chance */
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		row.iops = odd[i];
		assert_false(is_cap(row));
	}
	for (size_t i = 0; i < sizeof(round) / sizeof(*round); i++) {
		row.iops = round[i];
		assert_true(is_cap(row));
	}
}

static void bytes_can_be_capped_too(void **unused)
{
	struct run_row row = capped;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	row.bs = 131072;
	row.iops = 762.9; /* 100 MB/s */
	add_runs(graph, "disk", HL_LAYER_NONE, &row, 1);
	assert_true(has_text(match_one(graph, CAP)->text, "as a limit of 95.4 MiB/s (100 MB/s)"));
	row.iops = 1000.5; /* 125 MiB/s */
	assert_true(is_cap(row));
}

static void a_deviation_serves_where_there_are_no_percentiles(void **unused)
{
	struct run_row row = capped;

	(void)unused;
	row.p1 = row.p50 = row.p99 = 0;
	assert_false(is_cap(row));
	row.stddev = 3 * MS;
	assert_true(is_cap(row));
	row.stddev = 30 * MS;
	assert_false(is_cap(row));
}

static void what_is_faster_than_a_sleep_is_no_throttle(void **unused)
{
	struct run_row row = capped;

	(void)unused;
	row.iodepth = row.numjobs = 1;
	row.iops = 20000;
	row.lat = row.clat = row.p1 = row.p50 = row.p99 = 50 * US;
	assert_false(is_cap(row));
}

static void a_sheet_has_round_figures_too(void **unused)
{
	struct run_row row = capped;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "KCD61LUL7T68", 1);

	(void)unused;
	row.iodepth = 128;
	row.iops = 1e6;
	row.lat = row.clat = row.p1 = row.p50 = row.p99 = 1.02 * MS;
	add_runs(graph, "nvme", HL_LAYER_NONE, &row, 1);
	assert_null(match_one(graph, CAP));
	assert_non_null(spec);
}

static void the_sum_of_reads_and_writes_counts(void **unused)
{
	struct run_row row = capped;

	(void)unused;
	row.rw = HL_RW_RANDRW;
	row.iops = 700.3;
	row.write_iops = 299.7;
	assert_true(is_cap(row));
	row.write_iops = 340;
	assert_false(is_cap(row));
}

/* A definition of a VM on a host, read from a file of that format. */
static void add_definition(struct hl_graph *graph, const char *host, const char *format,
			   const char *vm)
{
	struct hl_input *input = hl_graph_add_input(graph);
	const char *file = hl_arena_printf(graph->arena, "%s-%s", host, vm);
	const struct hl_origin origin = { .host = host,
					  .node = hl_arena_printf(graph->arena, "%s/scsi0", vm),
					  .source = hl_arena_printf(graph->arena, "%s:3", file) };

	input->file = file;
	input->format = format;
	hl_graph_add_string(graph, &origin, "vdisk.bus", "scsi");
}

static const struct hl_finding *find_with(struct hl_graph *graph, enum hl_layer layer)
{
	struct hl_host *guest = hl_graph_add_host(graph, "guest");

	add_runs(graph, "vps", layer, &capped, 1);
	graph->hops[0]->host = "guest";
	guest->on = "pve";
	return match_one(graph, CAP);
}

static void the_fix_speaks_of_the_tool_of_that_hypervisor(void **unused)
{
	HL_GRAPH struct hl_graph *proxmox = hl_graph_new();
	HL_GRAPH struct hl_graph *libvirt = hl_graph_new();
	HL_GRAPH struct hl_graph *nobody = hl_graph_new();
	const struct hl_finding *found;

	(void)unused;
	add_definition(proxmox, "pve", "proxmox-vm", "db");
	add_definition(proxmox, "other", "libvirt-xml", "web"); /* not below the hop */
	found = find_with(proxmox, HL_LAYER_INITIATOR);
	assert_true(has_text(found->fix, "qm config"));
	assert_false(has_text(found->fix, "virsh") || has_text(found->paste, "virsh"));

	add_definition(libvirt, "pve", "libvirt-xml", "db");
	found = find_with(libvirt, HL_LAYER_VDISK);
	assert_true(has_text(found->fix, "virsh blkdeviotune"));
	assert_true(has_text(found->paste, "virsh blkdeviotune db scsi0"));
	assert_false(has_text(found->fix, "qm ") || has_text(found->paste, "qm "));

	found = find_with(nobody, HL_LAYER_VDISK);
	assert_true(has_text(found->paste, "qm config VMID"));
	assert_true(has_text(found->paste, "virsh blkdeviotune DOMAIN DISK"));
}

static void no_name_of_a_machine_is_a_command(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	add_definition(graph, "pve", "libvirt-xml", "a;reboot");
	assert_true(has_text(find_with(graph, HL_LAYER_VDISK)->paste,
			     "virsh blkdeviotune DOMAIN scsi0"));
}

static void several_runs_are_one_finding(void **unused)
{
	struct run_row rows[5] = { capped, capped, capped, capped, capped };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	for (size_t i = 0; i < 5; i++)
		rows[i].run = (unsigned)i + 1;
	ADD_RUNS(graph, "vps", HL_LAYER_NONE, rows);
	assert_true(has_text(match_one(graph, CAP)->text, "(vps and 4 more jobs)"));
	assert_int_equal(graph->nr_findings, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alike_and_round_is_a_throttle),
		cmocka_unit_test(percentiles_that_spread_are_a_device),
		cmocka_unit_test(a_rate_that_nobody_writes_down_is_a_stage),
		cmocka_unit_test(bytes_can_be_capped_too),
		cmocka_unit_test(a_deviation_serves_where_there_are_no_percentiles),
		cmocka_unit_test(what_is_faster_than_a_sleep_is_no_throttle),
		cmocka_unit_test(a_sheet_has_round_figures_too),
		cmocka_unit_test(the_sum_of_reads_and_writes_counts),
		cmocka_unit_test(the_fix_speaks_of_the_tool_of_that_hypervisor),
		cmocka_unit_test(no_name_of_a_machine_is_a_command),
		cmocka_unit_test(several_runs_are_one_finding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
