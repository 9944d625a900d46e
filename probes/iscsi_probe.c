/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iSCSI, both ends: sessions of the kernel's initiator, targets of LIO, SCST and tgtd.
 */
#include "iscsi_probe.h"
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include <errno.h>
#include <string.h>

const char *iscsi_backing_of(const struct iscsi_place *place, const char *iqn, const char *number)
{
	HL_FREE char *node = hl_printf("%s/lun%s", iqn, number);

	for (size_t i = 0; i < place->graph->nr_facts; i++) {
		const struct hl_fact *fact = place->graph->facts[i];

		if (!strcmp(fact->key, "target.backing") && fact->node &&
		    !strcmp(fact->node, node) && fact->type == HL_FACT_STRING &&
		    !strcmp(fact->host ? fact->host : "", place->host ? place->host : ""))
			return fact->string;
	}
	return NULL;
}

void iscsi_add_own_lun(const struct iscsi_place *place, const char *iqn, const char *number,
		       const char *initiator, const char *backing, const char *source)
{
	HL_FREE char *node = hl_printf("%s/lun%s@%s", iqn, number, initiator);
	const struct hl_origin origin = { .host = place->host, .node = node, .source = source };
	const char *of_all = iscsi_backing_of(place, iqn, number);

	if (!of_all || strcmp(of_all, backing) != 0)
		hl_graph_add_string(place->graph, &origin, "target.backing", backing);
}

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
