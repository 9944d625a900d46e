/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What Kubernetes says of a pod's volume: on which node the pod runs, and what stands behind the
 * directory. Source: "kubectl get pod|pvc|pv NAME -o json", core/v1 of the API. Pure.
 */
#ifndef HOPLOSS_POD_H
#define HOPLOSS_POD_H

#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include <stddef.h>

struct hl_pod_volume {     /* NULL = not said */
	const char *node;  /* that the pod runs on */
	const char *uid;   /* of the pod: the kubelet's directory of it */
	const char *name;  /* of the volume in the pod */
	const char *below; /* from the volume's root to the path: "" or "/a/b" */
	const char *claim; /* the claim (PVC) that it is of */
	const char *path;  /* of a directory of the node that it is */
	const char *store; /* the PV that the claim is bound to */
	const char *text;  /* what the PV is, for people: "iSCSI IQN LUN 0 at 10.0.0.2:3260" */
};

/*
 * The volume of the pod that path lies in. -ENOENT: none does, or the pod runs nowhere yet;
 * -EOPNOTSUPP: it is none of a block device (NFS, a secret); -EBADMSG: no JSON of a pod. Strings
 * are the arena's.
 */
int hl_pod_read(struct hl_arena *arena, const char *bytes, size_t len, const char *path,
		struct hl_pod_volume *ret_volume, struct hl_error *err);
/* Of its claim: fills store. -ENOENT: not bound. */
int hl_pod_read_claim(struct hl_arena *arena, const char *bytes, size_t len,
		      struct hl_pod_volume *volume, struct hl_error *err);
/* Of its PV: fills text, and path where it is a directory of the node. Errors as hl_pod_read. */
int hl_pod_read_store(struct hl_arena *arena, const char *bytes, size_t len,
		      struct hl_pod_volume *volume, struct hl_error *err);

#endif
