/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pod's volume on the node that the pod runs on. Private to the command discover.
 */
#ifndef COMMANDS_DISCOVER_POD_H
#define COMMANDS_DISCOVER_POD_H

#include "hoploss/graph.h"
#include "hoploss/pod.h"

struct discover_pod { /* "NAMESPACE/NAME:PATH" */
	const char *namespace, *name, *path;
};

/* Was anything of the pod's own mounts captured? */
bool discover_pod_is_known(const struct hl_graph *graph, const struct discover_pod *pod);
/* Asks kubectl, which only reads. Errors as in hoploss/pod.h, and those of a tool that fails. */
int discover_pod_ask(struct hl_arena *arena, const struct discover_pod *pod,
		     struct hl_pod_volume *ret_volume, struct hl_error *err);
/*
 * The captured host that is the node, and the directory there; -ENOENT: it was not captured, or
 * has no mount of it.
 */
int discover_pod_place(const struct hl_graph *graph, const struct hl_pod_volume *volume,
		       const char **ret_host, const char **ret_path, struct hl_error *err);

#endif
