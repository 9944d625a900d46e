/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What "hoploss accept" writes down of a test of drives: how much was written and read back, and
 * how a soak
 * and a self-test went. Rates are bytes/s.
 */
#include "formats.h"
#include "hoploss/json_extent.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define SCHEMA "hoploss.drive-test/1"

static size_t test_record_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	return nr && hl_json_mentions(&slice, SCHEMA) ? nr : 0;
}

static void add_drive(struct hl_graph *graph, struct hl_origin *origin, const struct hl_json *drive)
{
	static const struct {
		const char *member, *key;
	} numbers[] = {
		{ "written_bytes", "accept.written_bytes" },
		{ "filled_bytes", "accept.filled_bytes" },
		{ "write_bw", "accept.write_bw" },
		{ "read_back_bytes", "accept.read_back_bytes" },
		{ "read_back_bw", "accept.read_back_bw" },
		{ "soak_s", "accept.soak_s" },
		{ "soak_kept_pct", "accept.soak_kept_pct" },
		{ "soak_max_c", "accept.soak_max_c" },
		{ "self_test_s", "accept.self_test_s" },
		{ "self_test_hours", "accept.self_test_hours" },
		{ "self_test_segment", "accept.self_test_segment" },
		{ "self_test_lba", "accept.self_test_lba" },
	};
	static const struct {
		const char *member, *key;
	} strings[] = {
		{ "serial", "drive.serial" },
		{ "failure", "accept.failure" },
		{ "self_test", "accept.self_test" },
		{ "self_test_state", "accept.self_test_state" },
		{ "self_test_result", "accept.self_test_result" },
	};
	int was_running = hl_json_boolean(hl_json_get(drive, "self_test_was_running"));

	origin->node = hl_json_string(hl_json_get(drive, "device"));
	if (!origin->node)
		return;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		hl_graph_add_number(graph, origin, numbers[i].key,
				    hl_json_number(hl_json_get(drive, numbers[i].member)));
	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		hl_graph_add_string(graph, origin, strings[i].key,
				    hl_json_string(hl_json_get(drive, strings[i].member)));
	if (was_running >= 0)
		hl_graph_add_boolean(graph, origin, "accept.self_test_was_running", was_running);
}

static int test_record_read(const struct hl_text *slice, struct hl_reading *reading,
			    struct hl_error *err)
{
	struct hl_graph *graph = reading->graph;
	struct hl_json_piece piece;
	size_t cursor = 0;
	int rc = hl_json_piece_next(slice, &cursor, &piece, err);
	const struct hl_json *drives;
	struct hl_origin origin;

	if (rc < 0)
		return rc;
	drives = hl_json_get(piece.root, "drives");
	for (size_t i = 0; i < hl_json_length(drives); i++) {
		const struct hl_json *drive = hl_json_at(drives, i);
		const char *host = hl_json_string(hl_json_get(drive, "host"));

		origin = (struct hl_origin){
			.host = host ? host : reading->host,
			.source = hl_arena_printf(graph->arena, "%s:%u", slice->name,
						  slice->lines[0].number),
		};
		add_drive(graph, &origin, drive);
	}
	if (piece.is_cut)
		rc = hl_fail(err, EBADMSG, "%s:%u: the record of a drive test ends early",
			     slice->name, slice->lines[slice->nr_lines - 1].number);
	hl_json_free(piece.root);
	return rc;
}

const struct hl_format hl_format_test_record = {
	.name = "drive-test",
	.summary = "what hoploss accept wrote down of testing drives",
	.claim = test_record_claim,
	.read = test_record_read,
};
