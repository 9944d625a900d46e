/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who is logged in to an iSCSI target of this host, as far as the target tells.
 */
#ifndef HOPLOSS_AGENT_LOGINS_H
#define HOPLOSS_AGENT_LOGINS_H

#include "hoploss/agent.h"
#include "hoploss/machine.h"

/*
 * Sessions of an initiator with a target of LIO or SCST; false: neither of them has that target, or
 * its list cannot be read.
 */
bool logins_in_kernel(struct hl_machine *machine, const char *iqn, const char *initiator,
		      unsigned *ret_nr);
/* The same in what "tgtadm --op show --mode target" printed. */
bool logins_in_tgt(const char *text, const char *iqn, const char *initiator, unsigned *ret_nr);
/* The numbers of tgtd's control sockets; they are in the network namespace that tgtd runs in. */
size_t logins_tgt_controls(const char *unix_sockets, unsigned *ret_numbers, size_t max);
/* Peers that are connected to a TCP port of this host. */
void logins_flows(struct hl_machine *machine, unsigned port, struct hl_agent_logins *logins);

#endif
