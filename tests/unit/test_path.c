/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Path files: what a right one gives, and that each mistake is one error with file and line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/alloc.h"
#include "hoploss/path.h"
#include <errno.h>
#include <math.h>
#include <string.h>

static const char whole[] = "[path]\n"
			    "name = PVC on a NAS\n"
			    "workloads = seq-read-128k rand-read-4k\n"
			    "[host nas]\n"
			    "via = ssh root@nas\n"
			    "on = pve\n"
			    "vm = 100\n"
			    "[host pve]\n"
			    "via = ssh root@pve\n"
			    "[hop sheet]\n"
			    "layer = datasheet\n"
			    "spec = KCD61LUL7T68\n"
			    "drives = 2\n"
			    "[hop raw]\n"
			    "host = nas\n"
			    "layer = drive\n"
			    "target = /dev/nvme0n1 /dev/nvme1n1\n"
			    "target = /dev/nvme2n1\n"
			    "[hop vf]\n"
			    "layer = vnic\n"
			    "after = loopback\n"
			    "target = iscsi://10.0.1.2/iqn.2005-10.org.example:x/0\n"
			    "[hop loopback]\n"
			    "host = nas\n"
			    "layer = target\n"
			    "after = raw\n"
			    "target = iscsi://10.0.0.2/iqn.2005-10.org.example:x/0\n"
			    "size = 64G\n";

static void whole_file_gives_hosts_and_hops_in_order(void **unused)
{
	struct hl_path *path = NULL;
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(hl_path_parse("x.conf", whole, strlen(whole), &path, &err), 0);
	assert_string_equal(path->name, "PVC on a NAS");
	assert_int_equal(path->nr_hosts, 3);
	assert_string_equal(path->hosts[0].name, "local");
	assert_string_equal(path->hosts[1].via[1], "root@nas");
	assert_null(path->hosts[1].via[2]);
	assert_string_equal(path->hosts[1].vm, "100");
	assert_int_equal(path->nr_hops, 4);
	assert_string_equal(path->hops[2].name, "loopback");
	assert_string_equal(path->hops[3].name, "vf");
	assert_ptr_equal(path->hops[3].after, &path->hops[2]);
	assert_ptr_equal(path->hops[1].after, &path->hops[0]);
	assert_null(path->hops[0].after);
	assert_int_equal(path->hops[0].drives, 2);
	hl_path_free(path);
}

static void values_of_hops_are_read(void **unused)
{
	struct hl_path *path = NULL;

	(void)unused;
	assert_int_equal(hl_path_parse("x.conf", whole, strlen(whole), &path, NULL), 0);
	assert_string_equal(path->hops[1].targets[2], "/dev/nvme2n1");
	assert_null(path->hops[1].targets[3]);
	assert_ptr_equal(path->hops[1].host, &path->hosts[1]);
	assert_ptr_equal(path->hops[3].host, &path->hosts[0]);
	assert_true(isnan(path->hops[1].size));
	assert_true(path->hops[2].size == 64.0 * (1 << 30));
	hl_path_free(path);
}

#define HOP "[hop a]\nlayer = drive\ntarget = /dev/x\n"

static const struct {
	const char *text, *says;
} mistakes[] = {
	{ "", "x.conf: no [hop NAME]" },
	{ "[path]\ncolour = red\n" HOP, "x.conf:2: unknown key \"colour\"" },
	{ "[pth]\nname = x\n", "x.conf:1: unknown section [pth]" },
	{ "[path]\nmedium = tape\n" HOP, "x.conf:2: medium" },
	{ "[hop a]\nlayer = disk\n", "x.conf:2: unknown layer \"disk\"" },
	{ "[hop a]\ntarget = /dev/x\n", "x.conf:1: hop a has no layer: write" },
	{ "[hop a]\nlayer = drive\n", "x.conf:1: hop a has no target: write" },
	{ HOP "host = nas\n",
	  "x.conf:4: hop a runs on \"nas\": no [host nas] here; one of: local" },
	{ HOP "size = big\n", "x.conf:4: size = big" },
	{ HOP "speed = 3\n", "x.conf:4: unknown key \"speed\" in [hop a]" },
	{ HOP "after = b\n", "x.conf:4: hop a is after \"b\", which is no hop; one of: a" },
	{ HOP "after = a\n", "x.conf:4: hop a is after itself" },
	{ HOP "after = b\n[hop b]\nlayer = pool\ntarget = /dev/y\n", "hop a is after itself" },
	{ HOP "[host n]\non = m\n", "x.conf:4: host n is on \"m\"" },
	{ HOP "[host n]\nvm = 1\n", "x.conf:4: host n has a vm but no" },
	{ HOP "[host n]\nuser = me\n", "x.conf:5: unknown key \"user\" in [host n]" },
	{ "[hop s]\nlayer = datasheet\n", "x.conf:1: a datasheet hop has" },
	{ "[hop s]\nlayer = datasheet\nspec = X\ndrives = 0\n", "x.conf:4: drives = 0" },
	{ "[hop a]\nlayer = target\ntarget = iscsi://me%pw@10.0.0.1/iqn.x/0\n",
	  "x.conf:3: a user or password in an iscsi:// target" },
	{ "[hop a]\nlayer = target\ntarget = iscsi://[::1]/iqn.x/0?target_password=pw\n",
	  "write chap = FILE instead" },
	{ "[hop a\n", "x.conf:1" },
	{ HOP "[hop b]\n", "x.conf:4: hop b has no layer" },
	{ HOP HOP, "x.conf:4: [hop a] stands in line 1 already" },
	{ HOP "layer = pool\n", "x.conf:4: \"layer\" of [hop a] is said in line 2 already" },
	{ HOP "targt = /dev/y\n", "unknown key \"targt\" in [hop a]; did you mean target?" },
	{ "layer = pool\n", "x.conf:1: \"layer\" stands before the first section" },
	{ "[hop a]\nlayer = filesytem\n", "did you mean filesystem?" },
	{ HOP "[hop zvol]\nlayer = pool\ntarget = /dev/y\n[hop c]\nlayer = target\n"
	      "target = /dev/z\nafter = zvoll\n",
	  "x.conf:10: hop c is after \"zvoll\", which is no hop; did you mean zvol?" },
};

static void each_mistake_names_file_line_and_what_is_right(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		struct hl_path *path = NULL;
		struct hl_error err = { 0 };
		const char *text = mistakes[i].text;

		assert_int_equal(hl_path_parse("x.conf", text, strlen(text), &path, &err),
				 -EBADMSG);
		if (!strstr(err.text, mistakes[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.text, mistakes[i].says);
		assert_null(path);
	}
}

static void a_target_alone_is_a_path_of_one_hop(void **unused)
{
	const struct {
		const char *target;
		enum hl_layer layer;
	} rows[] = {
		{ "/dev/nvme0n1", HL_LAYER_DRIVE },
		{ "/dev/zvol/tank/a", HL_LAYER_POOL },
		{ "iscsi://10.0.0.1/iqn.x/0", HL_LAYER_TARGET },
		{ "iscsi://[fe80::1%25eth0]:3260/iqn.x:a@b/0", HL_LAYER_TARGET },
		{ "/data/me@home", HL_LAYER_FILESYSTEM },
		{ "/data/file", HL_LAYER_FILESYSTEM },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		HL_FREE char *text = hl_path_text_of_target(rows[i].target);
		struct hl_path *path = NULL;

		assert_int_equal(hl_path_parse("target", text, strlen(text), &path, NULL), 0);
		assert_int_equal(path->nr_hops, 1);
		assert_int_equal(path->hops[0].layer, rows[i].layer);
		assert_string_equal(path->hops[0].targets[0], rows[i].target);
		assert_null(path->hops[0].targets[1]);
		hl_path_free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_file_gives_hosts_and_hops_in_order),
		cmocka_unit_test(values_of_hops_are_read),
		cmocka_unit_test(each_mistake_names_file_line_and_what_is_right),
		cmocka_unit_test(a_target_alone_is_a_path_of_one_hop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
