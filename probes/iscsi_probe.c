/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iSCSI, both ends: sessions of the kernel's initiator, targets of LIO, SCST and tgtd.
 */
#include "iscsi_probe.h"
#include "hoploss/probe.h"
#include <errno.h>

static int iscsi_decode(struct hl_machine *recorded, const struct hl_origin *origin,
			struct hl_graph *graph, struct hl_error *err)
{
	const struct iscsi_place place = { recorded, graph, origin->host };

	(void)err;
	iscsi_sessions_decode(&place);
	iscsi_lio_decode(&place);
	iscsi_scst_decode(&place);
	return 0;
}

/* What decoding reads is what is recorded. */
static int iscsi_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *unused = hl_graph_new();
	const struct iscsi_place place = { capture->machine, unused, NULL };
	size_t nr = iscsi_sessions_decode(&place) + iscsi_lio_decode(&place) +
		    iscsi_scst_decode(&place);

	iscsi_routes_keep(capture);
	if (iscsi_tgt_keep(capture, NULL) == 0 || nr)
		return 0;
	return hl_fail(err, ENOENT, "no session and no target");
}

const struct hl_probe hl_probe_iscsi = {
	.name = "iscsi",
	.summary = "iSCSI sessions and targets (LIO, SCST, tgtd)",
	.layer = HL_LAYER_TARGET,
	.acquire = iscsi_acquire,
	.decode = iscsi_decode,
};
