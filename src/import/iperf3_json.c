/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iperf3 -J, of a client or a server, and --json-stream (iperf3(1)).
 *
 * Surprising: a test that failed is JSON too, with "error" and an empty "end". Before 3.10 a test
 * with UDP has only "sum": what the sender sent, with the loss and jitter that the receiver saw.
 * A stream is one object per line, {"event": "end", "data": …}.
 */
#include "formats.h"
#include "hoploss/json_extent.h"
#include "iperf3.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parts { /* of one test; NULL = not there */
	const struct hl_json *start, *intervals, *end;
	const char *error;
};

/* None of iperf3's figures can be negative; it writes -1 for what it does not know. */
static double number(const struct hl_json *object, const char *key)
{
	double value = hl_json_number_like(hl_json_get(object, key));

	return value < 0 ? NAN : value;
}

static void read_end(const struct hl_json *sum, bool is_sender, struct hl_iperf3_end *ret_end)
{
	double bits = number(sum, "bits_per_second");

	if (!(bits > 0))
		return;
	ret_end->bw = bits / 8;
	ret_end->bytes = number(sum, "bytes");
	ret_end->seconds = number(sum, "seconds");
	ret_end->retransmits = number(sum, "retransmits");
	if (is_sender)
		return;
	ret_end->packets = number(sum, "packets");
	ret_end->jitter_ns = number(sum, "jitter_ms") * 1e6;
	ret_end->lost = number(sum, "lost_packets");
}

/* Before there were two sums. */
static void read_only_sum(const struct hl_json *sum, struct hl_iperf3_flow *flow)
{
	read_end(sum, false, flow->is_from_here ? &flow->sent : &flow->received);
}

/* The mean over the intervals that count, for a test without its end. */
static void read_intervals(const struct hl_json *intervals, const char *key,
			   struct hl_iperf3_flow *flow)
{
	struct hl_iperf3_end *end = flow->is_from_here ? &flow->sent : &flow->received;
	double bytes = 0, seconds = 0;

	for (size_t i = 0; i < hl_json_length(intervals); i++) {
		const struct hl_json *sum = hl_json_get(hl_json_at(intervals, i), key);

		if (hl_json_boolean(hl_json_get(sum, "omitted")) == 1 ||
		    !(number(sum, "seconds") > 0 && number(sum, "bytes") >= 0))
			continue;
		bytes += number(sum, "bytes");
		seconds += number(sum, "seconds");
	}
	if (!bytes)
		return;
	end->bw = bytes / seconds;
	end->bytes = bytes;
	end->seconds = seconds;
}

static bool is_known(const struct hl_iperf3_flow *flow)
{
	return flow->sent.bw > 0 || flow->received.bw > 0;
}

static void read_flow(const struct parts *parts, size_t index, struct hl_iperf3_test *test)
{
	static const struct {
		const char *sent, *received, *only, *interval;
	} keys[] = {
		{ "sum_sent", "sum_received", "sum", "sum" },
		{ "sum_sent_bidir_reverse", "sum_received_bidir_reverse", "sum_bidir_reverse",
		  "sum_bidir_reverse" },
	};
	struct hl_iperf3_flow *flow = &test->flows[index];

	read_end(hl_json_get(parts->end, keys[index].sent), true, &flow->sent);
	read_end(hl_json_get(parts->end, keys[index].received), false, &flow->received);
	if (!is_known(flow))
		read_only_sum(hl_json_get(parts->end, keys[index].only), flow);
	if (is_known(flow))
		return;
	read_intervals(parts->intervals, keys[index].interval, flow);
	if (is_known(flow))
		test->reason = "the end of the test is missing: mean of its intervals";
}

static void read_cpu(const struct parts *parts, struct hl_iperf3_test *test)
{
	const struct hl_json *cpu = hl_json_get(parts->end, "cpu_utilization_percent");

	test->cpu_user_pct[0] = number(cpu, "host_user");
	test->cpu_system_pct[0] = number(cpu, "host_system");
	if (!(number(cpu, "remote_total") > 0))
		return;
	test->cpu_user_pct[1] = number(cpu, "remote_user");
	test->cpu_system_pct[1] = number(cpu, "remote_system");
}

static void read_test(const struct parts *parts, struct hl_iperf3_test *test)
{
	const struct hl_json *asked = hl_json_get(parts->start, "test_start");
	bool is_server = hl_json_get(parts->start, "accepted_connection");
	bool is_bidir = hl_json_get(parts->end, "sum_sent_bidir_reverse") ||
			hl_json_get(hl_json_at(parts->intervals, 0), "sum_bidir_reverse");

	test->tool = hl_json_string(hl_json_get(parts->start, "version"));
	test->protocol = hl_json_string(hl_json_get(asked, "protocol"));
	test->error = parts->error;
	test->is_reverse = number(asked, "reverse") == 1;
	test->block_bytes = number(asked, "blksize");
	if (number(asked, "duration") > 0)
		test->asked_s = number(asked, "duration");
	test->nr_flows = is_bidir ? 2 : 1;
	test->flows[0].is_from_here = is_server == test->is_reverse;
	test->flows[1].is_from_here = !test->flows[0].is_from_here;
	for (size_t i = 0; i < test->nr_flows; i++) {
		test->flows[i].streams = number(asked, "num_streams");
		read_flow(parts, i, test);
	}
	read_cpu(parts, test);
}

/* ---- documents and events ---- */

struct reader {
	struct hl_reading *reading;
	const struct hl_text *slice;
	size_t nr_tests;
	unsigned cut_line;
	/* a test that comes in events */
	struct hl_json_piece start, end;
	char *error; /* to be freed */
};

static void add_test(struct reader *reader, const struct hl_json_piece *piece,
		     const struct parts *parts)
{
	struct hl_iperf3_test test;

	hl_iperf3_test_init(&test);
	read_test(parts, &test);
	if (piece->is_cut)
		test.reason = "the output ends early";
	if (!hl_iperf3_add(reader->reading, reader->slice,
			   reader->slice->lines[piece->first].number, &test))
		reader->nr_tests++;
}

static void end_events(struct reader *reader)
{
	struct parts parts = {
		.start = hl_json_get(reader->start.root, "data"),
		.end = hl_json_get(reader->end.root, "data"),
		.error = reader->error,
	};

	if (parts.start || parts.error)
		add_test(reader, &reader->start, &parts);
	hl_json_free(reader->start.root);
	hl_json_free(reader->end.root);
	free(reader->error);
	reader->start = reader->end = (struct hl_json_piece){ 0 };
	reader->error = NULL;
}

/* Keeps the piece if it is an event that counts. */
static bool take_event(struct reader *reader, const struct hl_json_piece *piece, const char *event)
{
	const char *data = hl_json_string(hl_json_get(piece->root, "data"));

	if (!strcmp(event, "start")) {
		end_events(reader);
		reader->start = *piece;
		return true;
	}
	if (!strcmp(event, "error") && data && !reader->error)
		reader->error = hl_strdup(data);
	if (strcmp(event, "end") != 0 || reader->end.root)
		return false;
	reader->end = *piece;
	return true;
}

static void read_document(struct reader *reader, const struct hl_json_piece *piece,
			  const struct hl_json *value)
{
	struct parts parts = {
		.start = hl_json_get(value, "start"),
		.intervals = hl_json_get(value, "intervals"),
		.end = hl_json_get(value, "end"),
		.error = hl_json_string(hl_json_get(value, "error")),
	};

	for (size_t i = 0; i < hl_json_length(value); i++) /* several in an array */
		read_document(reader, piece, hl_json_at(value, i));
	if (parts.start && parts.intervals)
		add_test(reader, piece, &parts);
}

static void read_piece(struct reader *reader, const struct hl_json_piece *piece)
{
	const char *event = hl_json_string(hl_json_get(piece->root, "event"));

	if (piece->is_cut)
		reader->cut_line = reader->slice->lines[piece->last].number;
	if (event && take_event(reader, piece, event))
		return;
	if (!event)
		read_document(reader, piece, piece->root);
	hl_json_free(piece->root);
}

static int iperf3_json_read(const struct hl_text *slice, struct hl_reading *reading,
			    struct hl_error *err)
{
	struct reader reader = { .reading = reading, .slice = slice };
	struct hl_json_piece piece;
	size_t cursor = 0;
	int rc;

	while (!(rc = hl_json_piece_next(slice, &cursor, &piece, err)))
		read_piece(&reader, &piece);
	end_events(&reader);
	if (rc != -ENODATA)
		return rc;
	if (reader.cut_line)
		return hl_fail(err, EBADMSG, "%s:%u: iperf3's JSON ends early", slice->name,
			       reader.cut_line);
	if (!reader.nr_tests)
		return hl_fail(err, EBADMSG, "%s:%u: iperf3's JSON has no result in it",
			       slice->name, slice->lines[0].number);
	return 0;
}

/* ---- format ---- */

static bool is_event(const struct hl_text *text, size_t at, const char *name)
{
	struct hl_text line = hl_text_slice(text, at, 1);

	return hl_json_mentions(&line, "event") && (!name || hl_json_mentions(&line, name)) &&
	       hl_json_extent(text, at) == 1;
}

static size_t iperf3_json_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	if (!nr)
		return 0;
	if (is_event(text, at, "start") && hl_json_mentions(&slice, "system_info")) {
		while (at + nr < text->nr_lines && is_event(text, at + nr, NULL))
			nr++;
		return nr;
	}
	return hl_json_mentions(&slice, "start") && hl_json_mentions(&slice, "intervals") &&
			       (hl_json_mentions(&slice, "system_info") ||
				hl_json_mentions(&slice, "bits_per_second"))
		       ? nr
		       : 0;
}

const struct hl_format hl_format_iperf3_json = {
	.name = "iperf3-json",
	.summary = "iperf3 -J and --json-stream, of a client or a server",
	.claim = iperf3_json_claim,
	.read = iperf3_json_read,
};
