/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of iperf3's text output: what stands in front of it is taken away, and its figures are
 * read. For iperf3_text.c.
 */
#ifndef HL_IPERF3_LINE_H
#define HL_IPERF3_LINE_H

#include "hoploss/text.h"
#include <stdbool.h>

enum iperf3_end { IPERF3_END_NONE, IPERF3_END_SENDER, IPERF3_END_RECEIVER };

struct iperf3_row { /* one line of figures */
	bool is_sum, is_omitted;
	char role;      /* 'T' this host sends, 'R' it receives, 0 = not said */
	bool is_server; /* this host's part in it; only where it has a role */
	double from, to;
	double bytes, bw;
	double retransmits, jitter_ns, lost, packets;
	enum iperf3_end end;
};

/*
 * The line, trimmed, without what -T, --timestamps, a system's log or a remark sign puts in front:
 * "eth0:  [  5] ...", "Tue Mar  5 12:00:00 2024 [  5] ...", "# [  5] ...".
 */
struct hl_line iperf3_line(struct hl_line line);
bool iperf3_row_read(struct hl_line line, struct iperf3_row *ret_row);
/*
 * A mailer may wrap a last line before the word that says whose it is: "sender [  5] ...". Takes
 * the word off the line; NONE where it does not begin with one.
 */
enum iperf3_end iperf3_eat_end(struct hl_line *line);
/* "iperf3: error - unable to connect", "iperf3: interrupt - the client has terminated" */
const char *iperf3_error_of(struct hl_line line, size_t *ret_len);
bool iperf3_begins_test(struct hl_line line);
/* A figure, or any other line that iperf3 prints. */
bool iperf3_is_line(struct hl_line line);

#endif
