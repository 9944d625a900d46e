/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One test of iperf3, as its JSON and its text tell it.
 */
#ifndef HL_IPERF3_H
#define HL_IPERF3_H

#include "hoploss/format.h"

struct hl_iperf3_end { /* what one end of a flow counted, over all streams; NAN = not said */
	double bw;     /* bytes/s */
	double bytes, seconds;
	double retransmits;              /* of a sender */
	double jitter_ns, lost, packets; /* of a receiver of UDP */
};

struct hl_iperf3_flow {
	bool is_from_here; /* the host that printed this sends */
	struct hl_iperf3_end sent, received;
	double streams;
};

struct hl_iperf3_test {
	const char *tool;     /* "iperf 3.12"; NULL */
	const char *protocol; /* "TCP"; NULL */
	const char *error;    /* NULL = none */
	const char *reason;   /* why it is only a part; NULL */
	bool is_reverse;
	double block_bytes, asked_s;
	struct hl_iperf3_flow flows[2]; /* two with --bidir: the first is the client's */
	size_t nr_flows;
	double cpu_user_pct[2], cpu_system_pct[2]; /* [0] here, [1] at the far end */
};

void hl_iperf3_test_init(struct hl_iperf3_test *test);
void hl_iperf3_end_init(struct hl_iperf3_end *end);
/*
 * Adds what the two ends counted as two measurements, since each sees a flow from its side: what
 * one sends the other receives. An end that counted nothing gives none. Strings are copied.
 * -ENODATA: neither figures nor an error.
 */
int hl_iperf3_add(struct hl_reading *reading, const struct hl_text *slice, unsigned line,
		  const struct hl_iperf3_test *test);

#endif
