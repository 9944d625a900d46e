/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole path of real parts on this machine, to be measured as any other: a file in RAM, a loop
 * device on it, an iSCSI target (tgtd) that exports that, the LUN over loopback, over a shaped and
 * over an unshaped virtual Ethernet line, and a file system on the LUN.
 *
 * Who owns what: the RAM file lies in a mount namespace of this process, lines and target in
 * network namespaces, and everything that runs in a process namespace, of a supervisor that dies
 * with this process. So the kernel removes all of it, also after SIGKILL; what it leaves is a
 * journal in /run/hoploss, an empty directory beside it and, where a limit was asked for, a control
 * group, which hl_demo_clean removes.
 */
#ifndef HOPLOSS_DEMO_H
#define HOPLOSS_DEMO_H

#include "hoploss/error.h"
#include "hoploss/graph.h"
#include <stdbool.h>
#include <stddef.h>

/* Where its journals, and all that it makes by a name, stand. */
#define HL_DEMO_DIR "/run/hoploss"

struct hl_demo_options {
	double shape_rate; /* bytes/s that the shaped line lets through; NAN = it is not shaped */
	double disk_rate;  /* bytes/s that may be read of the loop device; NAN = no limit */
	double target_cpu_pct; /* of one core, for the target; NAN = no limit */
};

struct hl_demo;

/*
 * Makes all of it; at most once in a process, which from then on has a mount namespace of its own
 * and a PATH on which hoploss is this program. -EPERM: not root; -ENOPKG: a program is missing, err
 * names its package; others say what could not be made. What was made is removed on failure.
 */
int hl_demo_open(const struct hl_demo_options *options, struct hl_demo **ret_demo,
		 struct hl_error *err);
/* Its path file, and a directory of its own for a bundle that nobody wants to keep. */
const char *hl_demo_path(const struct hl_demo *demo);
const char *hl_demo_scratch(const struct hl_demo *demo);
/* Why the file system is left out of the path; NULL = it is there. */
const char *hl_demo_left_out(const struct hl_demo *demo);
/* Reads the LUN at every hop: -EBADMSG where one gives other bytes than the file in RAM. */
int hl_demo_compare(const struct hl_demo *demo, struct hl_error *err);
void hl_demo_close(struct hl_demo *demo); /* removes all of it; NULL allowed */

/*
 * Does a diagnosis of the demo, shaped as it usually is, say what it must? -EBADMSG: err says what
 * is different.
 */
int hl_demo_judge(const struct hl_graph *graph, struct hl_error *err);

/* Told of each thing removed ("loop device", "/dev/loop3") or, by way of what, left alone. */
typedef void hl_demo_removed(void *context, const char *what, const char *name);
/*
 * Removes what demos of this machine left behind whose process is gone: things that carry the UUID
 * of a journal. Nothing else is touched. -EPERM …: something could not be removed, the rest was.
 */
int hl_demo_clean(hl_demo_removed *removed, void *context, struct hl_error *err);

#endif
