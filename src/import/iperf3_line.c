/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of iperf3's text output: see iperf3_line.h.
 *
 * Surprising: bits are decimal, but "MBytes" are MiB. Lines "(omitted)" are of the warm-up.
 */
#include "iperf3_line.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

#define MAX_PREFIX 72 /* characters that may stand in front of a line */

/* ---- figures ---- */

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
static bool eat_head(struct cursor *cursor, struct iperf3_row *row)
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
	row->is_server = row->role && eat(cursor, "S]");
	return !row->role || row->is_server || eat(cursor, "C]");
}

/* With two decimals: iperf 2, which prints its totals as one more interval, has one or four. */
static bool read_time(struct cursor word, double *ret_seconds)
{
	return length(word) > 3 && word.end[-3] == '.' && read_double(word, ret_seconds);
}

/* "0.00-10.00  sec" */
static bool eat_interval(struct cursor *cursor, struct iperf3_row *row)
{
	struct cursor word = eat_word(cursor);
	const char *dash = length(word) ? memchr(word.at, '-', length(word)) : NULL;

	return dash && read_time((struct cursor){ word.at, dash }, &row->from) &&
	       read_time((struct cursor){ dash + 1, word.end }, &row->to) &&
	       is_word(eat_word(cursor), "sec");
}

/* "1.09 GBytes   937 Mbits/sec": kilo is 1,024 for bytes and 1,000 for bits. */
static bool eat_figures(struct cursor *cursor, struct iperf3_row *row)
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
static void read_lost(struct cursor word, struct iperf3_row *row)
{
	const char *slash = length(word) ? memchr(word.at, '/', length(word)) : NULL;

	if (slash && read_double((struct cursor){ word.at, slash }, &row->lost))
		read_double((struct cursor){ slash + 1, word.end }, &row->packets);
}

/* Retransmits and window, or jitter and loss, then the end that counted. */
static void read_tail(struct cursor cursor, struct iperf3_row *row)
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
			row->end = IPERF3_END_SENDER;
		else if (is_word(word, "receiver"))
			row->end = IPERF3_END_RECEIVER;
		else if (is_word(word, "(omitted)"))
			row->is_omitted = true;
	}
	if (!isnan(row->jitter_ns))
		row->retransmits = NAN;
}

bool iperf3_row_read(struct hl_line line, struct iperf3_row *ret_row)
{
	struct cursor cursor;
	struct iperf3_row row = {
		.retransmits = NAN, .jitter_ns = NAN, .lost = NAN, .packets = NAN
	};

	cursor = (struct cursor){ line.start, line.start + line.len };
	if (!eat_head(&cursor, &row) || !eat_interval(&cursor, &row) || !eat_figures(&cursor, &row))
		return false;
	read_tail(cursor, &row);
	*ret_row = row;
	return true;
}

/* ---- words ---- */

bool iperf3_begins_test(struct hl_line line)
{
	return hl_line_starts(line, "Connecting to host ") ||
	       hl_line_starts(line, "Accepted connection from ");
}

const char *iperf3_error_of(struct hl_line line, size_t *ret_len)
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

/* "[  5]", "[SUM]", "[ ID]" */
static bool starts_with_id(struct hl_line line)
{
	struct iperf3_row row = { 0 };
	struct cursor cursor = { line.start, line.start + line.len };

	return hl_line_starts(line, "[ ID]") || eat_head(&cursor, &row);
}

static bool is_start(struct hl_line line)
{
	static const char *const starts[] = {
		"iperf 3",          "iperf Done",         "- - - - -",
		"Reverse mode",     "Starting Test:",     "Test Complete",
		"CPU Utilization:", "snd_tcp_congestion", "rcv_tcp_congestion",
	};
	size_t len;

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (hl_line_starts(line, starts[i]))
			return true;
	}
	return starts_with_id(line) || iperf3_begins_test(line) || iperf3_error_of(line, &len);
}

bool iperf3_is_line(struct hl_line line)
{
	struct iperf3_row row;

	if (hl_line_starts(line, "[ ID]") || hl_line_starts(line, "[SUM]") ||
	    iperf3_row_read(line, &row))
		return true;
	if (starts_with_id(line))
		return hl_line_has(line, "] local ");
	return is_start(line);
}

enum iperf3_end iperf3_eat_end(struct hl_line *line)
{
	struct cursor cursor = { line->start, line->start + line->len };
	struct cursor word = eat_word(&cursor);
	bool is_sender = is_word(word, "sender");

	if (!is_sender && !is_word(word, "receiver"))
		return IPERF3_END_NONE;
	skip_blanks(&cursor);
	/* prose goes on, too */
	if (cursor.at < cursor.end && *cursor.at != '[')
		return IPERF3_END_NONE;
	line->start = cursor.at;
	line->len = (unsigned)(cursor.end - cursor.at);
	return is_sender ? IPERF3_END_SENDER : IPERF3_END_RECEIVER;
}

/* ---- what stands in front ---- */

/* "12:00:00" or "5201:" are in what a program puts in front of its lines, and not in prose. */
static bool is_prefix(const char *text, size_t len)
{
	const char *word = memchr(text, ' ', len);

	if (strchr("#|", text[0]))
		return true;
	if (word && word > text && word[-1] == ':' && (size_t)(word - text) + 2 == len)
		return word[1] == ' '; /* -T: a title, a colon, two blanks */
	for (size_t i = 1; i + 1 < len; i++) {
		if (text[i] == ':' && isdigit((unsigned char)text[i - 1]) &&
		    isdigit((unsigned char)text[i + 1]))
			return true;
	}
	return false;
}

struct hl_line iperf3_line(struct hl_line line)
{
	struct hl_line rest = line = hl_line_trim(line);

	if (!line.len || is_start(line))
		return line;
	for (unsigned i = 1; i < line.len && i <= MAX_PREFIX; i++) {
		if (!strchr(" \t", line.start[i - 1]))
			continue;
		rest.start = line.start + i;
		rest.len = line.len - i;
		if (is_start(rest))
			return is_prefix(line.start, i) ? rest : line;
	}
	return line;
}
