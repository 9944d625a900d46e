/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tcp-window-limited: the end that sends could, but may not.
 *
 * Source: what TCP itself counts of each flow (tcp_info): the share of its busy time for which the
 * receiver's window, or its own send buffer, held it up. Surprising: reads are sent by the target,
 * so its end is what counts for them; and a reader that is too slow fills its window as well.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/say.h"
#include "net_said.h"
#include <math.h>

#define LIMITED  50 /* of the busy time */
#define SUSPECTS 25

#define WINDOW "tcp.*_rwnd_limited_pct"
#define BUFFER "tcp.*_sndbuf_limited_pct"
#define SCALE  "tcp.*_window_scale"

/* Of the end that sends. */
static const char *const keys[] = { WINDOW, BUFFER, "tcp.*_rtt_us", SCALE, "tcp.*_cwnd" };

static double number_of(const struct hl_graph *graph, const struct hl_measurement *at,
			enum hl_dir dir, const char *key)
{
	const struct hl_trial trial = { .at = at, .dir = dir };

	return net_number(net_sender_fact(graph, &trial, key));
}

static double held_up(const struct hl_graph *graph, const struct hl_measurement *at,
		      enum hl_dir dir)
{
	return fmax(number_of(graph, at, dir, WINDOW), number_of(graph, at, dir, BUFFER));
}

static bool is_limited(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);

	if (trial->dir != HL_DIR_READ && trial->dir != HL_DIR_WRITE)
		return false;
	if (!(held_up(graph, trial->at, trial->dir) >= SUSPECTS) ||
	    hl_trial_is_bound_below(trial) || hl_trial_is_generator_busy(trial))
		return false;
	return !before || !(held_up(graph, before, trial->dir) >= SUSPECTS);
}

static const char *say_fix(bool is_window)
{
	return is_window ? "A larger receive window at the other end: net.ipv4.tcp_rmem and "
			   "net.core.rmem_max, or the program's own SO_RCVBUF; it takes rate times "
			   "round trip."
			 : "A larger send buffer there: net.ipv4.tcp_wmem and net.core.wmem_max, "
			   "or the program's own SO_SNDBUF; it takes rate times round trip.";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);
	double pct = held_up(graph, trial->at, trial->dir);
	bool is_window = number_of(graph, trial->at, trial->dir, WINDOW) == pct;
	bool is_unscaled = number_of(graph, trial->at, trial->dir, SCALE) == 0;
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	finding->state = pct >= LIMITED ? HL_CONFIRMED : HL_SUSPECTED;
	if (hl_trial_is_bound_here(trial))
		finding->layer = trial->at->hop->layer;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		hl_finding_add_evidence(graph, finding, net_sender_fact(graph, trial, keys[i]));
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	finding->text = hl_arena_printf(
		graph->arena,
		"The %s had data to send, and for %.0f %% of that time %s (%s, %s).%s",
		trial->dir == HL_DIR_READ ? "target" : "initiator", pct,
		is_window ? "the receiver's window was full" : "its own send buffer was full",
		hl_beside_job(trial->at), hl_say_rate(trial->bw).text,
		is_window && is_unscaled
			? " The window is not scaled: 64 KiB are the most that it can be."
			: "");
	finding->fix = say_fix(is_window);
	if (finding->state != HL_CONFIRMED)
		finding->next = "1 and 4 TCP streams between the same addresses: each stream has a "
				"window of its own, so four carry more.";
	hl_beside_predict(finding, trial, before);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_limited, found);
}

static const char *const rivals[] = { "ethernet-ceiling", "link-shaped", NULL };

const struct hl_cause hl_cause_tcp_window_limited = {
	.id = "tcp-window-limited",
	.summary = "TCP waits for a window or a buffer, not for the line",
	.explain =
		"A TCP flow carries at most a window each round trip. When the receiver's window, "
		"or the sender's own buffer, is smaller than rate times round trip, the line stays "
		"idle in between.\n\n"
		"Recognised by TCP's own count at the end that sends (the target for reads, the "
		"initiator for writes): 50 % of its busy time or more held up by the receive "
		"window or the send buffer (25 % is told as a suspicion), at the first hop where "
		"it is so.\n\n"
		"A receiver that is too slow fills its window too: where the program that measures "
		"needs a whole core, nothing is said. A shaped or full line holds the sender up by "
		"its congestion window instead, which is not counted here.\n\n"
		"Decided by 1 and 4 TCP streams between the same addresses: if four carry more, "
		"it is the window.\n\n"
		"What to do: larger buffers (tcp_rmem, tcp_wmem), or several sessions.",
	.rivals = rivals,
	.match = match,
};
