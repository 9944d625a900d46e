/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Volumes of pods in the JSON of kubectl, written by hand in its format.
 */
#include "hoploss/pod.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char pod[] =
	"{\"kind\": \"Pod\", \"metadata\": {\"name\": \"db-0\", \"uid\": \"u-1\"}, \"spec\": {"
	"\"nodeName\": \"worker1\", \"initContainers\": [{\"volumeMounts\": ["
	"{\"mountPath\": \"/init\", \"name\": \"data\"}]}], \"containers\": [{\"name\": \"side\"}, "
	"{\"volumeMounts\": ["
	"{\"mountPath\": \"/data/deep/\", \"name\": \"deep\"}, {\"mountPath\": \"/data\", "
	"\"name\": \"data\"}, "
	"{\"mountPath\": \"/sub\", \"name\": \"data\", \"subPath\": \"a/b\"}, "
	"{\"mountPath\": \"/eph\", \"name\": \"eph\"}, {\"mountPath\": \"/host\", \"name\": "
	"\"host\"}, {\"mountPath\": \"/ram\", \"name\": \"ram\"}, {\"mountPath\": \"/lost\", "
	"\"name\": \"lost\"}]}], \"volumes\": ["
	"{\"name\": \"data\", \"persistentVolumeClaim\": {\"claimName\": \"claim\"}}, "
	"{\"name\": \"deep\", \"emptyDir\": {}}, {\"name\": \"eph\", \"ephemeral\": {}}, "
	"{\"name\": \"host\", \"hostPath\": {\"path\": \"/srv\"}}, "
	"{\"name\": \"ram\", \"emptyDir\": {\"medium\": \"Memory\"}}]}}";

static void free_arena(struct hl_arena **arena)
{
	hl_arena_free(*arena);
}
#define ARENA __attribute__((cleanup(free_arena)))

static const char *or_none(const char *text)
{
	return text ? text : "-";
}

static void the_longest_mount_above_the_path_counts(void **state)
{
	static const struct {
		const char *path, *name, *claim, *directory, *below;
	} cases[] = {
		{ "/data", "data", "claim", "-", "" },
		{ "/data/", "data", "claim", "-", "" },
		{ "/data/a/b", "data", "claim", "-", "/a/b" },
		{ "/data/deeper", "data", "claim", "-", "/deeper" },
		{ "/data/deep/a", "deep", "-",
		  "/var/lib/kubelet/pods/u-1/volumes/kubernetes.io~empty-dir/deep", "/a" },
		{ "/sub", "data", "claim", "-", "/a/b" },
		{ "/sub/c", "data", "claim", "-", "/a/b/c" },
		{ "/init/x", "data", "claim", "-", "/x" },
		{ "/eph", "eph", "db-0-eph", "-", "" },
		{ "/host/a", "host", "-", "/srv", "/a" },
	};
	ARENA struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hl_pod_volume volume;

		assert_int_equal(
			0, hl_pod_read(arena, pod, strlen(pod), cases[i].path, &volume, NULL));
		assert_string_equal("worker1", volume.node);
		assert_string_equal(cases[i].name, volume.name);
		assert_string_equal(cases[i].claim, or_none(volume.claim));
		assert_string_equal(cases[i].directory, or_none(volume.path));
		assert_string_equal(cases[i].below, volume.below);
	}
}

static void what_is_no_block_volume_is_said_so(void **state)
{
	static const struct {
		const char *text, *path;
		int rc;
		const char *why;
	} cases[] = {
		{ pod, "/dat", -ENOENT, "on no volume of the pod" },
		{ pod, "/lost", -ENOENT, "on no volume of the pod" },
		{ pod, "/ram", -EOPNOTSUPP, "\"emptyDir\"" },
		{ "{\"kind\": \"Pod\", \"spec\": {}}", "/data", -ENOENT, "runs on no node" },
		{ "{\"kind\": \"Service\"}", "/data", -EBADMSG, "no Pod: Service" },
		{ "[]", "/data", -EBADMSG, "not its JSON" },
		{ "", "/data", -EBADMSG, "not its JSON" },
	};
	ARENA struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hl_pod_volume volume;
		struct hl_error err;

		assert_int_equal(cases[i].rc,
				 hl_pod_read(arena, cases[i].text, strlen(cases[i].text),
					     cases[i].path, &volume, &err));
		if (!strstr(err.text, cases[i].why))
			fail_msg("row %zu: %s", i, err.text);
	}
}

static void a_pod_that_is_cut_short_is_refused(void **state)
{
	ARENA struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t len = 0; len < strlen(pod); len++) {
		struct hl_pod_volume volume;

		assert_int_equal(-EBADMSG, hl_pod_read(arena, pod, len, "/data", &volume, NULL));
	}
}

static void a_claim_names_its_volume(void **state)
{
	static const char bound[] = "{\"kind\": \"PersistentVolumeClaim\", \"spec\": "
				    "{\"volumeName\": \"pvc-1\"}}";
	static const char open[] = "{\"kind\": \"PersistentVolumeClaim\", \"spec\": {}}";
	ARENA struct hl_arena *arena = hl_arena_new();
	struct hl_pod_volume volume = { .claim = "claim" };

	(void)state;
	assert_int_equal(-ENOENT, hl_pod_read_claim(arena, open, strlen(open), &volume, NULL));
	assert_int_equal(-EBADMSG, hl_pod_read_claim(arena, pod, strlen(pod), &volume, NULL));
	assert_int_equal(0, hl_pod_read_claim(arena, bound, strlen(bound), &volume, NULL));
	assert_string_equal("pvc-1", volume.store);
}

static void volumes_of_all_kinds_are_told(void **state)
{
	static const struct {
		const char *spec;
		int rc;
		const char *text, *path;
	} cases[] = {
		{ "\"csi\": {\"driver\": \"org.democratic-csi.iscsi\", \"volumeHandle\": "
		  "\"pvc-1\", "
		  "\"volumeAttributes\": {\"portal\": \"10.0.0.2:3260\", \"iqn\": \"iqn.a:pvc-1\", "
		  "\"lun\": \"1\", \"node_attach_driver\": \"iscsi\"}}",
		  0,
		  "CSI org.democratic-csi.iscsi, pvc-1, iSCSI iqn.a:pvc-1 LUN 1 at 10.0.0.2:3260",
		  "-" },
		{ "\"csi\": {\"driver\": \"rbd.csi.ceph.com\", \"volumeHandle\": \"0001\"}", 0,
		  "CSI rbd.csi.ceph.com, 0001", "-" },
		{ "\"iscsi\": {\"targetPortal\": \"10.0.0.2\", \"iqn\": \"iqn.a:b\", \"lun\": 3}",
		  0, "iSCSI iqn.a:b LUN 3 at 10.0.0.2", "-" },
		{ "\"local\": {\"path\": \"/mnt/disk1\"}", 0, "the directory /mnt/disk1",
		  "/mnt/disk1" },
		{ "\"nfs\": {\"server\": \"10.0.0.2\", \"path\": \"/a\"}", -EOPNOTSUPP, "-", "-" },
		{ "\"csi\": {\"driver\": \"org.democratic-csi.x\", \"volumeAttributes\": "
		  "{\"node_attach_driver\": \"nfs\"}}",
		  -EOPNOTSUPP, "-", "-" },
		{ "\"csi\": {\"driver\": \"nfs.csi.k8s.io\"}", -EOPNOTSUPP, "-", "-" },
		{ "\"fc\": {}", 0, "-", "-" },
	};
	ARENA struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *text = hl_arena_printf(
			arena, "{\"kind\": \"PersistentVolume\", \"spec\": {%s}}", cases[i].spec);
		struct hl_pod_volume volume = { .store = "pvc-1" };

		assert_int_equal(cases[i].rc,
				 hl_pod_read_store(arena, text, strlen(text), &volume, NULL));
		assert_string_equal(cases[i].text, or_none(volume.text));
		assert_string_equal(cases[i].path, or_none(volume.path));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_mount_above_the_path_counts),
		cmocka_unit_test(what_is_no_block_volume_is_said_so),
		cmocka_unit_test(a_pod_that_is_cut_short_is_refused),
		cmocka_unit_test(a_claim_names_its_volume),
		cmocka_unit_test(volumes_of_all_kinds_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
