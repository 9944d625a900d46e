/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iperf3's text output, of a client or a server, plain or -V (iperf3(1)): its last lines.
 *
 *   [ ID][Role] Interval           Transfer     Bitrate         Retr
 *   [SUM][TX-C]   0.00-10.00  sec  1.09 GBytes   937 Mbits/sec    3   sender
 *
 * Surprising: bits are decimal, but "MBytes" are MiB. Lines "(omitted)" are of the warm-up. Before
 * 3.10 the last lines of a test with UDP name no end: they are what the sender sent, with the loss
 * that the receiver saw. A test that was broken off has no last lines: then the intervals count.
 */
#include "formats.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include "iperf3.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many lines of other output may stand inside one test. */
#define MAX_GAP 3

enum end { END_NONE, END_SENDER, END_RECEIVER };

struct row { /* one line of figures */
	bool is_sum, is_omitted;
	char role; /* 'T' this host sends, 'R' it receives, 0 = not said */
	double from, to;
	double bytes, bw;
	double retransmits, jitter_ns, lost, packets;
	enum end end;
};

/* ---- one line ---- */

struct cursor {
	const char *at, *end;
};

static bool eat(struct cursor *cursor, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(cursor->end - cursor->at) < len || memcmp(cursor->at, text, len) != 0)
		return false;
	cursor->at += len;
	return true;
}

static void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
		cursor->at++;
}

/* The next word, as iperf3 separates them: by blanks. */
static struct cursor eat_word(struct cursor *cursor)
{
	struct cursor word;

	skip_blanks(cursor);
	word.at = cursor->at;
	while (cursor->at < cursor->end && *cursor->at != ' ' && *cursor->at != '\t')
		cursor->at++;
	word.end = cursor->at;
	return word;
}

static size_t length(struct cursor word)
{
	return (size_t)(word.end - word.at);
}

static bool is_word(struct cursor word, const char *text)
{
	return length(word) == strlen(text) && !memcmp(word.at, text, length(word));
}

static bool read_double(struct cursor word, double *ret_value)
{
	return length(word) && !hl_number_double(word.at, length(word), ret_value);
}

/* "[  5]", "[SUM]", then perhaps "[TX-C]". */
static bool eat_head(struct cursor *cursor, struct row *row)
{
	uint64_t id = 0;
	const char *close;

	if (!eat(cursor, "["))
		return false;
	skip_blanks(cursor);
	close = memchr(cursor->at, ']', (size_t)(cursor->end - cursor->at));
	if (!close)
		return false;
	row->is_sum = eat(cursor, "SUM]");
	if (!row->is_sum && hl_number_u64(cursor->at, (size_t)(close - cursor->at), &id))
		return false;
	cursor->at = close + 1;
	if (eat(cursor, "[TX-"))
		row->role = 'T';
	else if (eat(cursor, "[RX-"))
		row->role = 'R';
	return !row->role || eat(cursor, "C]") || eat(cursor, "S]");
}

/* With two decimals: iperf 2, which prints its totals as one more interval, has one or four. */
static bool read_time(struct cursor word, double *ret_seconds)
{
	return length(word) > 3 && word.end[-3] == '.' && read_double(word, ret_seconds);
}

/* "0.00-10.00  sec" */
static bool eat_interval(struct cursor *cursor, struct row *row)
{
	struct cursor word = eat_word(cursor);
	const char *dash = length(word) ? memchr(word.at, '-', length(word)) : NULL;

	return dash && read_time((struct cursor){ word.at, dash }, &row->from) &&
	       read_time((struct cursor){ dash + 1, word.end }, &row->to) &&
	       is_word(eat_word(cursor), "sec");
}

/* "1.09 GBytes   937 Mbits/sec": kilo is 1,024 for bytes and 1,000 for bits. */
static bool eat_figures(struct cursor *cursor, struct row *row)
{
	struct cursor number = eat_word(cursor), unit = eat_word(cursor);
	double kilo;

	if (hl_unit_read_size(number.at, (size_t)(unit.end - number.at), 1024, &row->bytes))
		return false;
	number = eat_word(cursor);
	unit = eat_word(cursor);
	kilo = memmem(unit.at, length(unit), "Bytes", 5) ? 1024 : 1000;
	return !hl_unit_read_rate(number.at, (size_t)(unit.end - number.at), kilo, &row->bw);
}

/* "12/1526", "(0.79%)": what got lost of how many. */
static void read_lost(struct cursor word, struct row *row)
{
	const char *slash = length(word) ? memchr(word.at, '/', length(word)) : NULL;

	if (slash && read_double((struct cursor){ word.at, slash }, &row->lost))
		read_double((struct cursor){ slash + 1, word.end }, &row->packets);
}

/* Retransmits and window, or jitter and loss, then the end that counted. */
static void read_tail(struct cursor cursor, struct row *row)
{
	struct cursor last = eat_word(&cursor), word = last;
	double value = NAN;

	if (read_double(word, &value) && value == floor(value))
		row->retransmits = value;
	for (; length(word); last = word, word = eat_word(&cursor)) {
		if (is_word(word, "ms") && read_double(last, &value))
			row->jitter_ns = value * 1e6;
		else if (is_word(last, "ms"))
			read_lost(word, row);
		else if (is_word(word, "sender"))
			row->end = END_SENDER;
		else if (is_word(word, "receiver"))
			row->end = END_RECEIVER;
		else if (is_word(word, "(omitted)"))
			row->is_omitted = true;
	}
	if (!isnan(row->jitter_ns))
		row->retransmits = NAN;
}

static bool read_row(struct hl_line line, struct row *ret_row)
{
	struct cursor cursor;
	struct row row = { .retransmits = NAN, .jitter_ns = NAN, .lost = NAN, .packets = NAN };

	line = hl_line_trim(line);
	cursor = (struct cursor){ line.start, line.start + line.len };
	if (!eat_head(&cursor, &row) || !eat_interval(&cursor, &row) || !eat_figures(&cursor, &row))
		return false;
	read_tail(cursor, &row);
	*ret_row = row;
	return true;
}

/* ---- one test ---- */

struct totals { /* of one flow, as one end counts it */
	struct hl_iperf3_end streams, sum;
	double nr_streams;
};

struct state {
	struct hl_iperf3_test test;
	bool is_server;
	bool is_datagrams;
	bool is_last; /* in the last lines */
	unsigned nr_heads;
	struct totals ends[2][2];   /* [flow][0 sent, 1 received] */
	struct totals intervals[2]; /* [flow] */
	char tool[32], protocol[16], error[160];
};

static void add(double *sum, double value)
{
	*sum = isnan(*sum) ? value : isnan(value) ? *sum : *sum + value;
}

static void add_row(struct totals *totals, const struct row *row, bool one_after_the_other)
{
	struct hl_iperf3_end *end = row->is_sum ? &totals->sum : &totals->streams;

	if (!row->is_sum)
		totals->nr_streams++;
	add(&end->bytes, row->bytes);
	add(&end->retransmits, row->retransmits);
	if (row->end != END_SENDER) {
		add(&end->lost, row->lost);
		add(&end->packets, row->packets);
		end->jitter_ns = row->jitter_ns;
	}
	if (!one_after_the_other)
		add(&end->bw, row->bw);
	if (isnan(end->seconds) || row->to > end->seconds)
		end->seconds = row->to;
}

static bool is_reverse_flow(const struct state *state, const struct row *row)
{
	/* the client's flow comes first; it sends it, the server receives it */
	return row->role && (row->role == 'R') != state->is_server;
}

static void take_row(struct state *state, const struct row *row)
{
	size_t flow = is_reverse_flow(state, row);
	bool is_from_here = row->role ? row->role == 'T'
				      : state->is_server == state->test.is_reverse;

	if (row->role && flow + 1 > state->test.nr_flows)
		state->test.nr_flows = flow + 1;
	if (row->is_omitted)
		return;
	state->test.flows[flow].is_from_here = is_from_here;
	if (row->end != END_NONE)
		add_row(&state->ends[flow][row->end == END_RECEIVER], row, false);
	else if (state->is_last && row->from == 0 && state->is_datagrams)
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

/* "iperf3: error - unable to connect", "iperf3: interrupt - the client has terminated" */
static const char *error_of(struct hl_line line, size_t *ret_len)
{
	static const char *const starts[] = { "iperf3: error - ", "iperf3: interrupt - " };

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (!hl_line_starts(line, starts[i]))
			continue;
		*ret_len = line.len - strlen(starts[i]);
		return line.start + strlen(starts[i]);
	}
	return NULL;
}

static void copy(char *to, size_t size, const char *from, size_t len)
{
	snprintf(to, size, "%.*s", (int)len, from);
}

static void take_words(struct state *state, struct hl_line line)
{
	size_t len = 0;
	const char *error = error_of(line, &len);

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
	if (hl_line_starts(line, "[ ID]")) {
		state->is_last = state->nr_heads++;
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

static int iperf3_text_read(const struct hl_text *slice, struct hl_reading *reading,
			    struct hl_error *err)
{
	struct state state;
	struct row row;

	init(&state);
	for (size_t i = 0; i < slice->nr_lines; i++) {
		if (read_row(slice->lines[i], &row))
			take_row(&state, &row);
		else
			take_words(&state, hl_line_trim(slice->lines[i]));
	}
	finish(&state);
	if (hl_iperf3_add(reading, slice, slice->lines[0].number, &state.test))
		return hl_fail(err, EBADMSG, "%s:%u: iperf3's output has no result in it",
			       slice->name, slice->lines[0].number);
	return 0;
}

/* ---- format ---- */

static bool begins_test(struct hl_line line)
{
	return hl_line_starts(line, "Connecting to host ") ||
	       hl_line_starts(line, "Accepted connection from ");
}

static bool is_of_iperf3(struct hl_line line)
{
	static const char *const starts[] = {
		"iperf 3",
		"iperf Done",
		"[ ID]",
		"[SUM]",
		"- - - - -",
		"Reverse mode",
		"Starting Test:",
		"Test Complete",
		"CPU Utilization:",
		"snd_tcp_congestion",
		"rcv_tcp_congestion",
	};
	struct row row;
	size_t len;

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (hl_line_starts(line, starts[i]))
			return true;
	}
	return begins_test(line) || read_row(line, &row) || error_of(line, &len) ||
	       (hl_line_starts(line, "[") && hl_line_has(line, "] local "));
}

static bool tells_something(struct hl_line line)
{
	struct row row;
	size_t len;

	return error_of(line, &len) || read_row(line, &row);
}

/* From a first line up to the next test; a server's log has many. */
static size_t iperf3_text_claim(const struct hl_text *text, size_t at)
{
	bool is_worth = false, has_begun = false;
	size_t end = at;

	if (!is_of_iperf3(hl_line_trim(text->lines[at])))
		return 0;
	for (size_t i = at; i < text->nr_lines && i <= end + MAX_GAP; i++) {
		struct hl_line line = hl_line_trim(text->lines[i]);

		if (!is_of_iperf3(line))
			continue;
		if (has_begun && begins_test(line))
			break;
		if (is_worth && hl_line_starts(line, "iperf 3"))
			break;
		has_begun = has_begun || begins_test(line);
		is_worth = is_worth || tells_something(line);
		end = i + 1;
	}
	return is_worth ? end - at : 0;
}

const struct hl_format hl_format_iperf3_text = {
	.name = "iperf3-text",
	.summary = "iperf3's text output, of a client or a server",
	.claim = iperf3_text_claim,
	.read = iperf3_text_read,
};
