/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pods in the JSON of kubectl: see hoploss/pod.h.
 *
 * Surprising: a container can mount part of a volume (subPath), and several containers the same
 * volume in different places, so that the longest mount path above the wanted one counts, whichever
 * container has it. What stands behind a CSI volume only its driver knows; some say so in
 * volumeAttributes (democratic-csi: portal, iqn and lun).
 */
#include "hoploss/pod.h"
#include "hoploss/json.h"
#include <errno.h>
#include <string.h>

static int parse(const char *bytes, size_t len, const char *kind, struct hl_json **ret_json,
		 struct hl_error *err)
{
	HL_JSON struct hl_json *json = NULL;
	const char *its = NULL;
	int rc = hl_json_parse(bytes, len, &json, NULL, err);

	if (rc == 0)
		its = hl_json_string(hl_json_get(json, "kind"));
	if (!its || strcmp(its, kind) != 0)
		return hl_fail(err, EBADMSG, "kubectl printed no %s: %s", kind,
			       its ? its : "not its JSON");
	*ret_json = json;
	json = NULL;
	return 0;
}

static const char *copy(struct hl_arena *arena, const struct hl_json *value)
{
	const char *text = hl_json_string(value);

	return text ? hl_arena_strdup(arena, text) : NULL;
}

/* ---- the pod ---- */

/* Length of path's beginning that directory is; 0 = path is not in it. */
static size_t length_in(const char *directory, const char *path)
{
	size_t len = strlen(directory);

	while (len > 1 && directory[len - 1] == '/')
		len--;
	if (strncmp(directory, path, len) != 0 || (len > 1 && path[len] && path[len] != '/'))
		return 0;
	return len;
}

/* Of that container, if it is longer than what was found before. */
static void take_longer(const struct hl_json *container, const char *path, size_t *longest,
			const struct hl_json **found)
{
	const struct hl_json *mounts = hl_json_get(container, "volumeMounts");

	for (size_t i = 0; i < hl_json_length(mounts); i++) {
		const struct hl_json *mount = hl_json_at(mounts, i);
		const char *at = hl_json_string(hl_json_get(mount, "mountPath"));
		size_t len = at ? length_in(at, path) : 0;

		if (len > *longest) {
			*longest = len;
			*found = mount;
		}
	}
}

/* The mount of one of the containers that path lies in; NULL = none. */
static const struct hl_json *find_mount(const struct hl_json *pod, const char *path)
{
	static const char *const lists[] = { "spec.containers", "spec.initContainers" };
	const struct hl_json *found = NULL;
	size_t longest = 0;

	for (size_t list = 0; list < 2; list++) {
		const struct hl_json *containers = hl_json_path(pod, lists[list]);

		for (size_t i = 0; i < hl_json_length(containers); i++)
			take_longer(hl_json_at(containers, i), path, &longest, &found);
	}
	return found;
}

static const struct hl_json *find_volume(const struct hl_json *pod, const char *name)
{
	const struct hl_json *volumes = hl_json_path(pod, "spec.volumes");

	for (size_t i = 0; i < hl_json_length(volumes); i++) {
		const struct hl_json *volume = hl_json_at(volumes, i);
		const char *its = hl_json_string(hl_json_get(volume, "name"));

		if (its && !strcmp(its, name))
			return volume;
	}
	return NULL;
}

/* What it is besides its name: "nfs", "secret". */
static const char *kind_of(const struct hl_json *volume)
{
	const struct hl_json *value;
	const char *key;
	void *iter = NULL;

	while (hl_json_next(volume, &iter, &key, &value)) {
		if (hl_json_is_object(value))
			return key;
	}
	return "of no known kind";
}

static int read_source(struct hl_arena *arena, const struct hl_json *pod,
		       const struct hl_json *volume, struct hl_pod_volume *ret,
		       struct hl_error *err)
{
	const char *of = hl_json_string(hl_json_path(pod, "metadata.name"));

	ret->claim = copy(arena, hl_json_path(volume, "persistentVolumeClaim.claimName"));
	if (!ret->claim && hl_json_get(volume, "ephemeral") && of) /* its claim is named so */
		ret->claim = hl_arena_printf(arena, "%s-%s", of, ret->name);
	ret->path = copy(arena, hl_json_path(volume, "hostPath.path"));
	if (!ret->path && hl_json_get(volume, "emptyDir") &&
	    !hl_json_string(hl_json_path(volume, "emptyDir.medium")) && ret->uid)
		ret->path = hl_arena_printf(
			arena, "/var/lib/kubelet/pods/%s/volumes/kubernetes.io~empty-dir/%s",
			ret->uid, ret->name);
	if (ret->claim || ret->path)
		return 0;
	return hl_fail(err, EOPNOTSUPP,
		       "the volume %s of the pod is \"%s\": no block device that could be followed",
		       ret->name, kind_of(volume));
}

/* From the root of the volume: subPath, and what of path lies below the mount. */
static const char *below_of(struct hl_arena *arena, const struct hl_json *mount, const char *path)
{
	const char *at = hl_json_string(hl_json_get(mount, "mountPath"));
	const char *sub = hl_json_string(hl_json_get(mount, "subPath"));
	const char *rest = path + length_in(at, path);

	if (!strcmp(rest, "/"))
		rest = "";
	if (!sub || !*sub)
		return hl_arena_printf(arena, "%s%s", *rest && *rest != '/' ? "/" : "", rest);
	return hl_arena_printf(arena, "/%s%s%s", sub, *rest && *rest != '/' ? "/" : "", rest);
}

int hl_pod_read(struct hl_arena *arena, const char *bytes, size_t len, const char *path,
		struct hl_pod_volume *ret_volume, struct hl_error *err)
{
	HL_JSON struct hl_json *pod = NULL;
	struct hl_pod_volume found = { 0 };
	const struct hl_json *mount, *volume = NULL;
	int rc = parse(bytes, len, "Pod", &pod, err);

	if (rc < 0)
		return rc;
	found.node = copy(arena, hl_json_path(pod, "spec.nodeName"));
	if (!found.node)
		return hl_fail(err, ENOENT, "the pod runs on no node");
	found.uid = copy(arena, hl_json_path(pod, "metadata.uid"));
	mount = find_mount(pod, path);
	found.name = copy(arena, hl_json_get(mount, "name"));
	if (found.name)
		volume = find_volume(pod, found.name);
	if (!volume)
		return hl_fail(err, ENOENT, "%s is on no volume of the pod, but on its image",
			       path);
	found.below = below_of(arena, mount, path);
	rc = read_source(arena, pod, volume, &found, err);
	if (rc == 0)
		*ret_volume = found;
	return rc;
}

/* ---- the claim and what it is bound to ---- */

int hl_pod_read_claim(struct hl_arena *arena, const char *bytes, size_t len,
		      struct hl_pod_volume *volume, struct hl_error *err)
{
	HL_JSON struct hl_json *claim = NULL;
	int rc = parse(bytes, len, "PersistentVolumeClaim", &claim, err);

	if (rc < 0)
		return rc;
	volume->store = copy(arena, hl_json_path(claim, "spec.volumeName"));
	return volume->store
		       ? 0
		       : hl_fail(err, ENOENT, "the claim %s is bound to no volume", volume->claim);
}

/* "iSCSI IQN LUN 0 at 10.0.0.2:3260" of members that are called so; NULL = not said. */
static const char *say_iscsi(struct hl_arena *arena, const struct hl_json *of, const char *portal)
{
	const char *iqn = hl_json_string(hl_json_get(of, "iqn"));
	const char *at = hl_json_string(hl_json_get(of, portal));
	double lun = hl_json_number_like(hl_json_get(of, "lun"));

	if (!iqn)
		return NULL;
	return hl_arena_printf(arena, "iSCSI %s LUN %.0f%s%s", iqn, lun >= 0 ? lun : 0,
			       at ? " at " : "", at ? at : "");
}

static const char *say_csi(struct hl_arena *arena, const struct hl_json *csi)
{
	const char *driver = hl_json_string(hl_json_get(csi, "driver"));
	const char *handle = hl_json_string(hl_json_get(csi, "volumeHandle"));
	const char *iscsi = say_iscsi(arena, hl_json_get(csi, "volumeAttributes"), "portal");

	return hl_arena_printf(arena, "CSI %s, %s%s%s", driver ? driver : "?",
			       handle ? handle : "?", iscsi ? ", " : "", iscsi ? iscsi : "");
}

static bool is_nfs(const struct hl_json *spec)
{
	const char *way = hl_json_string(
		hl_json_path(spec, "csi.volumeAttributes.node_attach_driver"));
	const char *driver = hl_json_string(hl_json_path(spec, "csi.driver"));

	return hl_json_get(spec, "nfs") || (way && (!strcmp(way, "nfs") || !strcmp(way, "smb"))) ||
	       (driver && (strstr(driver, "nfs.csi") || strstr(driver, "smb.csi")));
}

int hl_pod_read_store(struct hl_arena *arena, const char *bytes, size_t len,
		      struct hl_pod_volume *volume, struct hl_error *err)
{
	HL_JSON struct hl_json *store = NULL;
	const struct hl_json *spec;
	int rc = parse(bytes, len, "PersistentVolume", &store, err);

	if (rc < 0)
		return rc;
	spec = hl_json_get(store, "spec");
	if (is_nfs(spec))
		return hl_fail(err, EOPNOTSUPP,
			       "the volume %s is on a file server (NFS or SMB): only volumes on "
			       "block devices can be followed",
			       volume->store);
	volume->path = copy(arena, hl_json_path(spec, "local.path"));
	if (!volume->path)
		volume->path = copy(arena, hl_json_path(spec, "hostPath.path"));
	if (hl_json_get(spec, "csi"))
		volume->text = say_csi(arena, hl_json_get(spec, "csi"));
	else if (hl_json_get(spec, "iscsi"))
		volume->text = say_iscsi(arena, hl_json_get(spec, "iscsi"), "targetPortal");
	else if (volume->path)
		volume->text = hl_arena_printf(arena, "the directory %s", volume->path);
	return 0;
}
