/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoding struct tcp_info: see tcp_info.h.
 *
 * Source: linux/tcp.h. Surprising: netlink's headers pull in the C library's netinet/tcp.h, whose
 * struct of the same name ends early, so this is a file of its own. A kernel older than a field
 * sends fewer bytes: then the field is unknown.
 */
#include "tcp_info.h"
#include <linux/tcp.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define HAS(field, len) ((len) >= offsetof(struct tcp_info, field) + sizeof(info.field))

struct tcp_counters tcp_info_decode(const void *bytes, size_t len)
{
	struct tcp_info info = { 0 };

	memcpy(&info, bytes, len < sizeof(info) ? len : sizeof(info));
	return (struct tcp_counters){
		.rtt_us = HAS(tcpi_rtt, len) ? info.tcpi_rtt : NAN,
		.retransmits = HAS(tcpi_total_retrans, len) ? info.tcpi_total_retrans : NAN,
		.delivery_rate = HAS(tcpi_delivery_rate, len) ? (double)info.tcpi_delivery_rate
							      : NAN,
		.busy_us = HAS(tcpi_busy_time, len) ? (double)info.tcpi_busy_time : NAN,
		.rwnd_us = HAS(tcpi_rwnd_limited, len) ? (double)info.tcpi_rwnd_limited : NAN,
		.sndbuf_us = HAS(tcpi_sndbuf_limited, len) ? (double)info.tcpi_sndbuf_limited : NAN,
		.segments = HAS(tcpi_data_segs_out, len) ? info.tcpi_data_segs_out : NAN,
		.cwnd_bytes = HAS(tcpi_snd_cwnd, len)
				      ? (double)info.tcpi_snd_cwnd * info.tcpi_snd_mss
				      : NAN,
		.mss = info.tcpi_snd_mss ? info.tcpi_snd_mss : NAN,
		.window_scale = info.tcpi_options & TCPI_OPT_WSCALE ? info.tcpi_snd_wscale : NAN,
		.pacing_rate = HAS(tcpi_pacing_rate, len) && info.tcpi_pacing_rate != UINT64_MAX
				       ? (double)info.tcpi_pacing_rate
				       : NAN,
	};
}
