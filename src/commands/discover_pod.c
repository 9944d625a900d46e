/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pod's volume by way of Kubernetes: see discover_pod.h.
 *
 * For pods that cannot be entered, as most images have nothing to run. Source: kubectl get, and the
 * mounts of the node, where the kubelet has each volume below pods/UID/volumes, in a directory that
 * is called as the PV. Surprising: the node's name is its host name mostly, but need not be the
 * name under which it was captured.
 */
#include "discover_pod.h"
#include "hoploss/capture.h"
#include <errno.h>
#include <string.h>

/* ---- asking ---- */

static int get(const char *namespace, const char *kind, const char *name, char **ret_bytes,
	       size_t *ret_len, struct hl_error *err)
{
	const char *const argv[] = {
		"kubectl", "get",     kind, name, "-o", "json", "--request-timeout=10s",
		"-n",      namespace, NULL,
	};

	return hl_capture_output(argv, ret_bytes, ret_len, err);
}

static int ask_store(struct hl_arena *arena, const char *namespace, struct hl_pod_volume *volume,
		     struct hl_error *err)
{
	HL_FREE char *claim = NULL;
	HL_FREE char *store = NULL;
	size_t len;
	int rc = get(namespace, "persistentvolumeclaim", volume->claim, &claim, &len, err);

	if (rc == 0)
		rc = hl_pod_read_claim(arena, claim, len, volume, err);
	if (rc == 0)
		rc = get(namespace, "persistentvolume", volume->store, &store, &len, err);
	return rc < 0 ? rc : hl_pod_read_store(arena, store, len, volume, err);
}

int discover_pod_ask(struct hl_arena *arena, const struct discover_pod *pod,
		     struct hl_pod_volume *ret_volume, struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	struct hl_pod_volume volume;
	size_t len;
	int rc = get(pod->namespace, "pod", pod->name, &bytes, &len, err);

	if (rc == 0)
		rc = hl_pod_read(arena, bytes, len, pod->path, &volume, err);
	if (rc == 0 && volume.claim)
		rc = ask_store(arena, pod->namespace, &volume, err);
	if (rc == 0)
		*ret_volume = volume;
	return rc;
}

/* ---- on the node ---- */

bool discover_pod_is_known(const struct hl_graph *graph, const struct discover_pod *pod)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (fact->host && !strcmp(fact->host, pod->name) &&
		    !strcmp(fact->key, "mount.device"))
			return true;
	}
	return false;
}

/* Captured under that name, or called so by itself, with or without its domain. */
static bool is_node(const struct hl_fact *fact, const char *node)
{
	size_t len;

	if (!fact->host)
		return false;
	if (!strcmp(fact->host, node))
		return true;
	if (strcmp(fact->key, "system.hostname") != 0 || fact->type != HL_FACT_STRING)
		return false;
	len = strcspn(fact->string, ".");
	return !strcmp(fact->string, node) ||
	       (!strncmp(fact->string, node, len) && (!node[len] || node[len] == '.'));
}

static const char *find_host(const struct hl_graph *graph, const char *node)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		if (is_node(graph->facts[i], node))
			return graph->facts[i]->host;
	}
	return NULL;
}

/* "/var/lib/kubelet/pods/UID/volumes/kubernetes.io~csi/PV/mount" */
static bool is_of_volume(const char *mount, const struct hl_pod_volume *volume)
{
	const char *at = volume->uid ? strstr(mount, volume->uid) : NULL;
	size_t len = strlen(volume->store);

	at = at ? strstr(at, "/volumes/") : NULL;
	while (at && (at = strstr(at + 1, volume->store))) {
		if (at[-1] == '/' && (!at[len] || at[len] == '/'))
			return true;
	}
	return false;
}

static const char *find_mount(const struct hl_graph *graph, const char *host,
			      const struct hl_pod_volume *volume)
{
	for (size_t i = 0; volume->store && i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (fact->host && fact->node && !strcmp(fact->host, host) &&
		    !strcmp(fact->key, "mount.device") && is_of_volume(fact->node, volume))
			return fact->node;
	}
	return volume->path;
}

int discover_pod_place(const struct hl_graph *graph, const struct hl_pod_volume *volume,
		       const char **ret_host, const char **ret_path, struct hl_error *err)
{
	const char *host = find_host(graph, volume->node);
	const char *mount = host ? find_mount(graph, host, volume) : NULL;

	if (!host)
		return hl_fail(err, ENOENT,
			       "the pod runs on the node %s, which no captured host is: give it, "
			       "too, as %s='ssh root@%s'",
			       volume->node, volume->node, volume->node);
	if (!mount)
		return hl_fail(err, ENOENT, "on %s, the pod's node, %s of the pod is not mounted",
			       host, volume->store ? volume->store : volume->name);
	*ret_host = host;
	*ret_path = hl_arena_printf(graph->arena, "%s%s", mount, volume->below);
	return 0;
}
