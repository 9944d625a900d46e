/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iperf3's text output, of a client or a server, plain or -V (iperf3(1)): its last lines.
 *
 *   [ ID][Role] Interval           Transfer     Bitrate         Retr
 *   [SUM][TX-C]   0.00-10.00  sec  1.09 GBytes   937 Mbits/sec    3   sender
 *
 * Surprising: before 3.10 the last lines of a test with UDP name no end: they are what the sender
 * sent, with the loss that the receiver saw. A test that was broken off has no last lines: then the
 * intervals count. A paste may hold last lines only, of one test below the other: the header above
 * them is all that tells two tests apart.
 */
#include "formats.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include "iperf3.h"
#include "iperf3_line.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many lines of other output may stand inside one test. */
#define MAX_GAP 3

/* ---- one test ---- */

struct totals { /* of one flow, as one end counts it */
	struct hl_iperf3_end streams, sum;
	double nr_streams;
};

struct state {
	struct hl_iperf3_test test;
	bool is_server;
	bool is_datagrams;
	bool is_last;      /* in the last lines */
	bool is_separated; /* a line "- - -" was above, as it is above the last lines */
	unsigned nr_heads;
	struct iperf3_row row; /* the last one, which the next line may say more of */
	bool has_row;
	struct totals ends[2][2];   /* [flow][0 sent, 1 received] */
	struct totals intervals[2]; /* [flow] */
	char tool[32], protocol[16], error[160];
};

static void add(double *sum, double value)
{
	*sum = isnan(*sum) ? value : isnan(value) ? *sum : *sum + value;
}

static void add_row(struct totals *totals, const struct iperf3_row *row, bool one_after_the_other)
{
	struct hl_iperf3_end *end = row->is_sum ? &totals->sum : &totals->streams;

	if (!row->is_sum)
		totals->nr_streams++;
	add(&end->bytes, row->bytes);
	add(&end->retransmits, row->retransmits);
	if (row->end != IPERF3_END_SENDER) {
		add(&end->lost, row->lost);
		add(&end->packets, row->packets);
		end->jitter_ns = row->jitter_ns;
	}
	if (!one_after_the_other)
		add(&end->bw, row->bw);
	if (isnan(end->seconds) || row->to > end->seconds)
		end->seconds = row->to;
}

static bool is_reverse_flow(const struct state *state, const struct iperf3_row *row)
{
	/* the client's flow comes first; it sends it, the server receives it */
	return row->role && (row->role == 'R') != state->is_server;
}

static void take_row(struct state *state, const struct iperf3_row *row)
{
	size_t flow;
	bool is_from_here;

	state->is_server |= row->is_server;
	flow = is_reverse_flow(state, row);
	is_from_here = row->role ? row->role == 'T' : state->is_server == state->test.is_reverse;
	if (row->role && flow + 1 > state->test.nr_flows)
		state->test.nr_flows = flow + 1;
	if (row->is_omitted)
		return;
	state->test.flows[flow].is_from_here = is_from_here;
	if (row->end != IPERF3_END_NONE)
		add_row(&state->ends[flow][row->end == IPERF3_END_RECEIVER], row, false);
	else if (state->is_last && row->from == 0)
		add_row(&state->ends[flow][!is_from_here], row, false);
	else
		add_row(&state->intervals[flow], row, true);
}

/* Where text stands in the line; NULL = nowhere. */
static const char *find(struct hl_line line, const char *text)
{
	assert(line.start);
	return memmem(line.start, line.len, text, strlen(text));
}

/* What precedes the first blank or comma behind label, e.g. "TCP" in "protocol: TCP, 2 streams". */
static void copy_word(struct hl_line line, const char *label, char *ret_word, size_t size)
{
	const char *at = find(line, label);
	const char *end = line.start + line.len;
	size_t len = 0;

	if (!at)
		return;
	at += strlen(label);
	while (at + len < end && at[len] != ' ' && at[len] != ',' && len + 1 < size)
		len++;
	memcpy(ret_word, at, len);
	ret_word[len] = '\0';
}

static double number_before(struct hl_line line, const char *label)
{
	const char *at = find(line, label), *start = at;
	double value = NAN;

	while (start && start > line.start && start[-1] >= '0' && start[-1] <= '9')
		start--;
	if (start && start < at)
		hl_number_double(start, (size_t)(at - start), &value);
	return value;
}

static void copy(char *to, size_t size, const char *from, size_t len)
{
	snprintf(to, size, "%.*s", (int)len, from);
}

static void take_words(struct state *state, struct hl_line line)
{
	size_t len = 0;
	const char *error = iperf3_error_of(line, &len);

	if (error && !*state->error)
		copy(state->error, sizeof(state->error), error, len);
	if (hl_line_starts(line, "iperf 3"))
		copy(state->tool, sizeof(state->tool), line.start, line.len);
	if (hl_line_starts(line, "Reverse mode"))
		state->test.is_reverse = true;
	if (hl_line_starts(line, "Accepted connection"))
		state->is_server = true;
	if (hl_line_starts(line, "Starting Test:")) {
		copy_word(line, "protocol: ", state->protocol, sizeof(state->protocol));
		state->test.block_bytes = number_before(line, " byte blocks");
		state->test.asked_s = number_before(line, " second test");
	}
	state->is_separated |= hl_line_starts(line, "- - -") || hl_line_starts(line, "Test Compl");
	if (hl_line_starts(line, "[ ID]")) {
		state->is_last = state->nr_heads++ || state->is_separated;
		state->is_datagrams = state->is_datagrams || hl_line_has(line, "Datagrams");
	}
}

/* The sum that iperf3 prints for several streams, else the only stream. */
static struct hl_iperf3_end end_of(const struct totals *totals)
{
	return totals->sum.bytes > 0 ? totals->sum : totals->streams;
}

static void finish_flow(struct state *state, size_t index)
{
	struct hl_iperf3_flow *flow = &state->test.flows[index];
	struct hl_iperf3_end *here = flow->is_from_here ? &flow->sent : &flow->received;

	flow->sent = end_of(&state->ends[index][0]);
	flow->received = end_of(&state->ends[index][1]);
	if (state->is_server && flow->sent.bw > 0 && !(flow->received.bw > 0)) {
		/* it does not say that it was asked to send; only a sender counts sent bytes */
		flow->is_from_here = true;
		state->test.is_reverse = true;
	}
	flow->streams = fmax(state->ends[index][0].nr_streams, state->ends[index][1].nr_streams);
	if (!flow->streams) /* of several, but the paste has their sum only */
		flow->streams = NAN;
	if (flow->sent.bw > 0 || flow->received.bw > 0)
		return;
	flow->streams = NAN;
	*here = end_of(&state->intervals[index]);
	here->bw = here->bytes / here->seconds;
	if (here->bw > 0)
		state->test.reason = "the end of the test is missing: mean of its intervals";
}

static void finish(struct state *state)
{
	struct hl_iperf3_test *test = &state->test;

	if (!test->nr_flows)
		test->nr_flows = 1;
	for (size_t i = 0; i < test->nr_flows; i++)
		finish_flow(state, i);
	if (!*state->protocol)
		copy(state->protocol, sizeof(state->protocol), state->is_datagrams ? "UDP" : "TCP",
		     3);
	test->protocol = state->protocol;
	test->tool = *state->tool ? state->tool : NULL;
	test->error = *state->error ? state->error : NULL;
}

static void init(struct state *state)
{
	*state = (struct state){ 0 };
	hl_iperf3_test_init(&state->test);
	state->test.nr_flows = 0;
	for (size_t i = 0; i < 2; i++) {
		hl_iperf3_end_init(&state->intervals[i].sum);
		hl_iperf3_end_init(&state->intervals[i].streams);
		for (size_t k = 0; k < 2; k++) {
			hl_iperf3_end_init(&state->ends[i][k].sum);
			hl_iperf3_end_init(&state->ends[i][k].streams);
		}
	}
}

static void end_row(struct state *state)
{
	if (state->has_row)
		take_row(state, &state->row);
	state->is_separated &= !state->has_row;
	state->has_row = false;
}

static void take_line(struct state *state, struct hl_line line)
{
	enum iperf3_end end = iperf3_eat_end(&line);

	if (end && state->has_row && !state->row.end)
		state->row.end = end;
	if (!line.len)
		return;
	end_row(state);
	state->has_row = iperf3_row_read(line, &state->row);
	if (!state->has_row)
		take_words(state, line);
}

static int iperf3_text_read(const struct hl_text *slice, struct hl_reading *reading,
			    struct hl_error *err)
{
	struct state state;

	init(&state);
	for (size_t i = 0; i < slice->nr_lines; i++)
		take_line(&state, iperf3_line(slice->lines[i]));
	end_row(&state);
	finish(&state);
	if (hl_iperf3_add(reading, slice, slice->lines[0].number, &state.test))
		return hl_fail(err, EBADMSG, "%s:%u: iperf3's output has no result in it",
			       slice->name, slice->lines[0].number);
	return 0;
}

/* ---- format ---- */

struct claim {
	bool is_worth;  /* a figure or an error was in it */
	bool has_begun; /* "Connecting to" */
	bool has_ends;  /* last lines that say whose they are */
	bool is_done;   /* "iperf Done." */
};

/* A command that starts another test: with a dash, for prose names the tool, too. */
static bool is_command(struct hl_line line)
{
	return hl_line_has(line, "iperf3 -") || hl_line_has(line, "iperf3.exe -");
}

/* Is the line of another test than those before? next may hold its last word, wrapped. */
static bool begins_another(const struct claim *claim, struct hl_line line, struct hl_line next)
{
	struct iperf3_row row;

	if (claim->has_begun && iperf3_begins_test(line))
		return true;
	if (!claim->is_worth)
		return false;
	if (claim->is_done || hl_line_starts(line, "iperf 3"))
		return true;
	if (!claim->has_ends)
		return false;
	return hl_line_starts(line, "[ ID]") || (iperf3_row_read(line, &row) && row.from == 0 &&
						 !row.end && !row.role && !iperf3_eat_end(&next));
}

static void take_claimed(struct claim *claim, struct hl_line line)
{
	bool has_end = iperf3_eat_end(&line);
	struct iperf3_row row;
	size_t len;

	claim->has_begun |= iperf3_begins_test(line);
	claim->is_done |= hl_line_starts(line, "iperf Done");
	if (iperf3_row_read(line, &row)) {
		claim->is_worth = true;
		has_end |= row.end;
	}
	claim->is_worth |= iperf3_error_of(line, &len) != NULL;
	claim->has_ends |= has_end;
}

/* From a first line up to the next test; a server's log has many. */
static size_t iperf3_text_claim(const struct hl_text *text, size_t at)
{
	struct claim claim = { 0 };
	size_t end = at;

	if (!iperf3_is_line(iperf3_line(text->lines[at])))
		return 0;
	for (size_t i = at; i < text->nr_lines && i <= end + MAX_GAP; i++) {
		struct hl_line line = iperf3_line(text->lines[i]), rest = line;

		if (claim.is_worth && is_command(line))
			break;
		if (!iperf3_is_line(line) && !iperf3_eat_end(&rest))
			continue;
		if (begins_another(&claim, line,
				   iperf3_line(text->lines[i + 1 < text->nr_lines ? i + 1 : i])))
			break;
		take_claimed(&claim, line);
		end = i + 1;
	}
	return claim.is_worth ? end - at : 0;
}

const struct hl_format hl_format_iperf3_text = {
	.name = "iperf3-text",
	.summary = "iperf3's text output, of a client or a server",
	.claim = iperf3_text_claim,
	.read = iperf3_text_read,
};
