/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/bundle.h"
#include "hoploss/decode.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[] = "/tmp/hoploss-test-XXXXXX";
static unsigned nr_bundles;

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) ? chdir(scratch) : -1;
}

static int remove_scratch(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", scratch);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

/* ---- making bundles ---- */

static struct hl_bundle *make_bundle(void)
{
	HL_FREE char *dir = hl_printf("b%u", ++nr_bundles);
	struct hl_bundle *bundle = NULL;

	assert_int_equal(0, hl_bundle_create(dir, &bundle, NULL));
	return bundle;
}

static struct hl_bundle *open_last(void)
{
	HL_FREE char *dir = hl_printf("b%u", nr_bundles);
	struct hl_bundle *bundle = NULL;
	struct hl_error err = { 0 };

	if (hl_bundle_open(dir, &bundle, &err) < 0)
		fail_msg("%s", err.text);
	return bundle;
}

struct what { /* NULL = there is none */
	const char *uptime, *hostname, *kept, *status;
};

static void put(struct hl_capture_sink *sink, enum hl_record_kind kind, const char *path,
		const char *node, const char *text)
{
	const struct hl_record record = { .kind = kind,
					  .path = path,
					  .node = node,
					  .bytes = text,
					  .len = text ? strlen(text) : 0 };

	if (text)
		assert_int_equal(0, sink->put(sink, &record));
}

static void add(struct hl_bundle *bundle, const char *host, enum hl_capture_stage stage,
		const struct what *what)
{
	const struct hl_capture_status status = { "system", what->status ? what->status : "ok",
						  NULL };
	struct hl_capture_sink *sink;

	assert_int_equal(0, hl_bundle_begin_capture(bundle, host, stage, &sink, NULL));
	put(sink, HL_RECORD_FILE, "proc/uptime", NULL, what->uptime);
	put(sink, HL_RECORD_FILE, "proc/sys/kernel/hostname", NULL, what->hostname);
	put(sink, HL_RECORD_KEPT, "fio.txt", "nvme0", what->kept);
	hl_bundle_say_status(bundle, &status);
	assert_int_equal(0, hl_bundle_end_capture(bundle, NULL));
}

static struct hl_graph *decode(const struct hl_bundle *bundle)
{
	struct hl_graph *graph = hl_graph_new();

	hl_decode_captures(hl_bundle_captures(bundle), false, graph);
	return graph;
}

static const struct hl_fact *find(const struct hl_graph *graph, const char *host, const char *key)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		if (!strcmp(graph->facts[i]->host, host) && !strcmp(graph->facts[i]->key, key))
			return graph->facts[i];
	}
	return NULL;
}

/* ---- tests ---- */

static void what_was_recorded_is_said_of_its_host(void **state)
{
	HL_BUNDLE struct hl_bundle *bundle = make_bundle();
	HL_BUNDLE struct hl_bundle *opened = NULL;
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	add(bundle, "pve", HL_CAPTURE_ONLY, &(struct what){ .uptime = "5.0 1\n" });
	add(bundle, "a/b", HL_CAPTURE_ONLY, &(struct what){ .hostname = "x\n", .status = "hung" });
	opened = open_last();
	graph = decode(opened);
	assert_true(find(graph, "pve", "system.uptime_s")->number == 5);
	assert_true(isnan(find(graph, "pve", "system.uptime_s")->before));
	assert_string_equal("x", find(graph, "a/b", "system.hostname")->string);
	assert_int_equal(2, graph->nr_facts);
	assert_int_equal(2, graph->nr_probes);
	assert_string_equal("a/b", graph->probes[1]->host);
	assert_string_equal("hung", graph->probes[1]->status);
}

static void counters_around_a_run_have_what_they_were_before(void **state)
{
	HL_BUNDLE struct hl_bundle *bundle = make_bundle();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	add(bundle, "pve", HL_CAPTURE_BEFORE,
	    &(struct what){ .uptime = "5.0 1\n", .hostname = "pve\n" });
	add(bundle, "nas", HL_CAPTURE_BEFORE, &(struct what){ .uptime = "7.0 1\n" });
	add(bundle, "pve", HL_CAPTURE_AFTER, &(struct what){ .uptime = "9.0 1\n" });
	graph = decode(bundle);
	assert_true(find(graph, "pve", "system.uptime_s")->number == 9);
	assert_true(find(graph, "pve", "system.uptime_s")->before == 5);
	/* gone meanwhile; and a run that was killed in the middle */
	assert_null(find(graph, "pve", "system.hostname"));
	assert_true(find(graph, "nas", "system.uptime_s")->number == 7);
	assert_int_equal(2, graph->nr_facts);
	assert_int_equal(2, graph->nr_probes);
}

static void a_host_that_died_keeps_what_was_known_before(void **state)
{
	HL_BUNDLE struct hl_bundle *bundle = make_bundle();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	add(bundle, "pve", HL_CAPTURE_BEFORE, &(struct what){ .hostname = "pve\n" });
	add(bundle, "pve", HL_CAPTURE_AFTER, &(struct what){ .status = "failed" });
	graph = decode(bundle);
	assert_string_equal("pve", find(graph, "pve", "system.hostname")->string);
	assert_true(find(graph, "pve", "system.hostname")->is_earlier);
	assert_int_equal(1, graph->nr_probes);
	assert_string_equal("failed", graph->probes[0]->status);
}

static void of_two_captures_of_a_host_the_later_one_counts(void **state)
{
	HL_BUNDLE struct hl_bundle *bundle = make_bundle();
	HL_BUNDLE struct hl_bundle *joined = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	add(bundle, "pve", HL_CAPTURE_ONLY,
	    &(struct what){ .uptime = "5.0 1\n", .hostname = "pve\n" });
	assert_int_equal(0, hl_bundle_join(joined, bundle, "first", NULL));
	hl_bundle_free(bundle);
	bundle = make_bundle();
	add(bundle, "pve", HL_CAPTURE_ONLY, &(struct what){ .uptime = "6.0 1\n" });
	assert_int_equal(0, hl_bundle_join(joined, bundle, "second", NULL));
	graph = decode(joined);
	assert_true(find(graph, "pve", "system.uptime_s")->number == 6);
	assert_true(isnan(find(graph, "pve", "system.uptime_s")->before));
	assert_string_equal("pve", find(graph, "pve", "system.hostname")->string);
	assert_int_equal(2, graph->nr_facts);
}

static void kept_texts_are_inputs_by_their_place_in_the_bundle(void **state)
{
	HL_BUNDLE struct hl_bundle *bundle = make_bundle();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	add(bundle, "p q", HL_CAPTURE_ONLY, &(struct what){ .kept = "what is that?\n" });
	graph = decode(bundle);
	assert_int_equal(1, graph->nr_inputs);
	assert_string_equal("hosts/p%20q/kept/nvme0/fio.txt", graph->inputs[0]->file);
	assert_int_equal(HL_INPUT_UNKNOWN, graph->inputs[0]->status);
}

/* A stranger's bundle: links where directories and files should be. */
static void a_link_of_a_stranger_is_refused(void **state)
{
	static const char *const links[] = {
		"mv a ../../was-a; ln -s ../../was-a a",
		"mv a/kept ../../was-kept; ln -s ../../../was-kept a/kept",
		"ln -s ../../../secret a/root/etc",
		"ln -sf /etc/hostname a/root/proc/sys/kernel/hostname",
		"ln -s ../../../../secret a/kept/s.txt",
		"ln -s .. a/kept/up",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		HL_BUNDLE struct hl_bundle *bundle = make_bundle();
		HL_BUNDLE struct hl_bundle *opened = NULL;
		HL_FREE char *command = hl_printf("echo secret >secret; cd b%u/hosts && %s",
						  nr_bundles, links[i]);
		HL_FREE char *dir = hl_printf("b%u", nr_bundles);

		add(bundle, "a", HL_CAPTURE_ONLY, &(struct what){ .hostname = "a\n", .kept = "x" });
		assert_int_equal(0, system(command));
		if (hl_bundle_open(dir, &opened, NULL) != -EBADMSG)
			fail_msg("%s", links[i]);
	}
}

static void what_is_missing_or_has_no_name_of_ours_is_left_out(void **state)
{
	HL_BUNDLE struct hl_bundle *bundle = make_bundle();
	HL_BUNDLE struct hl_bundle *opened = NULL;
	HL_GRAPH struct hl_graph *graph = NULL;
	HL_FREE char *command = NULL;

	(void)state;
	add(bundle, "c", HL_CAPTURE_ONLY, &(struct what){ .hostname = "c\n", .kept = "x" });
	command = hl_printf("cd b%u/hosts; echo y >'c/kept/a b'; rm -r c/root", nr_bundles);
	assert_int_equal(0, system(command));
	opened = open_last();
	graph = decode(opened);
	assert_int_equal(0, graph->nr_facts);
	assert_int_equal(1, graph->nr_inputs);
	assert_string_equal("hosts/c/kept/nvme0/fio.txt", graph->inputs[0]->file);
}

static void broken_lists_of_captures_are_refused(void **state)
{
	static const char *const lists[] = {
		"[1]",
		"[{\"host\":\"\"}]",
		"[{\"host\":\"a\",\"stage\":\"../b\"}]",
		"[{\"probes\":[]}]",
		"[{\"host\":\"a\",\"probes\":[{\"probe\":\"x\"}]}]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		struct hl_captures *captures = hl_captures_new();
		HL_JSON struct hl_json *json = NULL;
		struct hl_error err;

		assert_int_equal(0, hl_json_parse(lists[i], strlen(lists[i]), &json, NULL, NULL));
		assert_int_equal(-EBADMSG, hl_captures_read(captures, -1, json, &err));
		hl_captures_free(captures);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_recorded_is_said_of_its_host),
		cmocka_unit_test(counters_around_a_run_have_what_they_were_before),
		cmocka_unit_test(a_host_that_died_keeps_what_was_known_before),
		cmocka_unit_test(of_two_captures_of_a_host_the_later_one_counts),
		cmocka_unit_test(kept_texts_are_inputs_by_their_place_in_the_bundle),
		cmocka_unit_test(a_link_of_a_stranger_is_refused),
		cmocka_unit_test(what_is_missing_or_has_no_name_of_ours_is_left_out),
		cmocka_unit_test(broken_lists_of_captures_are_refused),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
