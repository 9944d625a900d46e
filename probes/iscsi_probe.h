/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the iscsi probe: the initiator, and the targets of the kernel. Each reads what it
 * needs by an allow-list, and so live it records just that; names and passwords are not in it.
 */
#ifndef PROBES_ISCSI_PROBE_H
#define PROBES_ISCSI_PROBE_H

#include "hoploss/capture.h"
#include "hoploss/graph.h"
#include "hoploss/machine.h"
#include <stdbool.h>

struct iscsi_place { /* where facts come from and go */
	struct hl_machine *machine;
	struct hl_graph *graph;
	const char *host; /* NULL = not known */
};

/* Each returns how many sessions or targets there were. */
size_t iscsi_sessions_decode(const struct iscsi_place *place);
size_t iscsi_lio_decode(const struct iscsi_place *place);  /* Linux's own target */
size_t iscsi_scst_decode(const struct iscsi_place *place); /* SCST, as TrueNAS SCALE has it */

/*
 * LUN number of target iqn is that backing store for one initiator: a fact at "IQN/lun0@INITIATOR",
 * where it is not what "IQN/lun0" says of all.
 */
void iscsi_add_own_lun(const struct iscsi_place *place, const char *iqn, const char *number,
		       const char *initiator, const char *backing, const char *source);
/* The backing store of a LUN of a target, as it was read before; NULL. */
const char *iscsi_backing_of(const struct iscsi_place *place, const char *iqn, const char *number);

/* Live: keeps where the packets of each session leave, as "ip route get" prints it. */
void iscsi_routes_keep(struct hl_capture *capture);
/* Live: keeps what tgtadm shows, without the accounts. -ENOENT: there is no tgtd. */
int iscsi_tgt_keep(struct hl_capture *capture, struct hl_error *err);

#endif
