/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures and lookers-on over the line to a worker, with workers that are none.
 */
#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/base64.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GREETING "{\"hoploss.worker\":1}\n"

struct got {
	struct hl_capture_sink sink;
	unsigned nr_records, nr_statuses;
	char path[64], bytes[64], status[64], reason[300];
	size_t len;
};

/* Takes what is no path out of it, as a directory would. */
static int put(struct hl_capture_sink *sink, const struct hl_record *record)
{
	struct got *got = (struct got *)sink;

	if (strstr(record->path, ".."))
		return -EINVAL;
	got->nr_records++;
	got->len = record->len;
	snprintf(got->path, sizeof(got->path), "%s", record->path);
	assert_true(record->len < sizeof(got->bytes));
	memcpy(got->bytes, record->bytes, record->len);
	return 0;
}

static void said(void *context, const char *probe, const char *status, const char *reason)
{
	struct got *got = context;

	assert_string_equal("system", probe);
	got->nr_statuses++;
	snprintf(got->status, sizeof(got->status), "%s", status);
	snprintf(got->reason, sizeof(got->reason), "%s", reason ? reason : "-");
}

/* A worker that says those lines to the first request, and then is silent or dead. */
static struct hl_agent *open_fake(const char *lines, bool dies)
{
	HL_FREE char *script = hl_printf("printf %%s \"$0\"; read -r _; printf %%s \"$1\"; %s",
					 dies ? "" : "read -r _; read -r _");
	const char *const via[] = { "sh", "-c", script, GREETING, lines, NULL };
	struct hl_agent *agent = NULL;
	struct hl_error err = { 0 };

	if (hl_agent_open("nas", via, &agent, &err) < 0)
		fail_msg("%s", err.text);
	return agent;
}

static int capture(const char *lines, bool dies, struct got *got, struct hl_error *err)
{
	struct hl_agent *agent = open_fake(lines, dies);
	const struct hl_agent_capture asked = { .sink = &got->sink, .said = said, .context = got };
	int rc;

	*got = (struct got){ .sink.put = put };
	rc = hl_agent_capture(agent, &asked, err);
	hl_agent_close(agent);
	return rc;
}

static void records_and_statuses_come_in_line_by_line(void **state)
{
	struct hl_error err;
	struct got got;

	(void)state;
	assert_int_equal(
		0,
		capture("{\"id\":1,\"record\":{\"kind\":\"file\",\"path\":\"sys/a\",\"base64\":"
			"\"AP8K\"}}\n{\"id\":7,\"record\":{}}\n"
			"{\"id\":1,\"probe\":{\"name\":\"system\",\"status\":\"denied\",\"reason\":"
			"\"be\\u001b[31m root\"}}\n{\"id\":1,\"nr_probes\":1}\n",
			false, &got, &err));
	assert_int_equal(1, got.nr_records);
	assert_string_equal("sys/a", got.path);
	assert_int_equal(3, got.len);
	assert_memory_equal("\0\377\n", got.bytes, 3);
	assert_string_equal("denied", got.status);
	assert_string_equal("be?[31m root", got.reason);
}

static void what_cannot_be_stored_costs_that_record(void **state)
{
	static const struct {
		const char *record;
		int code;
	} rows[] = {
		{ "{\"kind\":\"file\",\"path\":\"../a\",\"text\":\"x\"}", -EINVAL },
		{ "{\"kind\":\"pipe\",\"path\":\"a\",\"text\":\"x\"}", -EBADMSG },
		{ "{\"kind\":\"file\",\"text\":\"x\"}", -EBADMSG },
		{ "{\"kind\":\"file\",\"path\":\"a\"}", -EBADMSG },
		{ "{\"kind\":\"file\",\"path\":\"a\",\"base64\":\"A\"}", -EBADMSG },
		{ "{\"kind\":\"file\",\"path\":\"a\",\"base64\":\"!!!!\"}", -EBADMSG },
		{ "7", -EBADMSG },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		HL_FREE char *lines = hl_printf("{\"id\":1,\"record\":%s}\n{\"id\":1,\"record\":{"
						"\"kind\":\"link\",\"path\":"
						"\"b\",\"text\":\"c\"}}\n{\"id\":1}\n",
						rows[i].record);
		struct hl_error err;
		struct got got;

		assert_int_equal(rows[i].code, capture(lines, false, &got, &err));
		assert_int_equal(1, got.nr_records);
		assert_string_equal("b", got.path);
	}
}

static void statuses_of_strangers_are_not_taken(void **state)
{
	struct got got;

	(void)state;
	assert_int_equal(0,
			 capture("{\"id\":1,\"probe\":{\"name\":\"../x\",\"status\":\"ok\"}}\n"
				 "{\"id\":1,\"probe\":{\"name\":\"system\",\"status\":\"O K\"}}\n"
				 "{\"id\":1,\"probe\":{\"name\":\"system\"}}\n"
				 "{\"id\":1,\"probe\":7}\n{\"id\":1}\n",
				 false, &got, NULL));
	assert_int_equal(0, got.nr_statuses);
}

static void a_worker_that_dies_in_a_capture_leaves_what_it_said(void **state)
{
	struct hl_error err;
	struct got got;

	(void)state;
	assert_int_equal(-EPIPE, capture("{\"id\":1,\"record\":{\"kind\":\"kept\",\"path\":\"a\","
					 "\"text\":\"x\"}}\n{\"id\":1,\"rec",
					 true, &got, &err));
	assert_int_equal(1, got.nr_records);
	assert_non_null(strstr(err.text, "the worker ended while capturing"));
}

static void an_old_worker_says_that_it_cannot(void **state)
{
	struct hl_error err;
	struct got got;

	(void)state;
	assert_int_equal(
		-EPROTO,
		capture("{\"id\":1,\"error\":{\"code\":71,\"text\":\"unknown request\"}}\n", false,
			&got, &err));
	assert_string_equal("unknown request", err.text);
}

static void who_looks_on_is_told_to_end_and_says_what_it_saw(void **state)
{
	struct hl_agent *agent = open_fake(
		"{\"id\":1,\"sample\":{\"workload\":{\"rw\":\"read\"},\"status\":\"not-measured\","
		"\"facts\":[{\"node\":\"a/"
		"b\",\"key\":\"cpu.busiest_thread_pct\",\"value\":99}]}}\n",
		false);
	const struct hl_watch_request asked = { .node = "a/b", .seconds = 1 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_sample sample;

	(void)state;
	assert_int_equal(0, hl_agent_watch(agent, &asked, NULL));
	assert_int_equal(0, hl_agent_watched(agent, graph, &sample, NULL));
	assert_int_equal(1, sample.nr_facts);
	assert_true(sample.facts[0]->number == 99);
	hl_agent_close(agent);
}

static void bytes_come_back_from_base64(void **state)
{
	static const char bytes[] = "\0\1\2\377 text\n";

	(void)state;
	for (size_t len = 0; len < sizeof(bytes); len++) {
		HL_FREE char *text = hl_base64_encode(bytes, len);
		HL_FREE char *back = NULL;
		size_t back_len;

		assert_int_equal(0, hl_base64_decode(text, &back, &back_len));
		assert_int_equal(len, back_len);
		assert_memory_equal(bytes, back, len);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_and_statuses_come_in_line_by_line),
		cmocka_unit_test(what_cannot_be_stored_costs_that_record),
		cmocka_unit_test(statuses_of_strangers_are_not_taken),
		cmocka_unit_test(a_worker_that_dies_in_a_capture_leaves_what_it_said),
		cmocka_unit_test(an_old_worker_says_that_it_cannot),
		cmocka_unit_test(who_looks_on_is_told_to_end_and_says_what_it_saw),
		cmocka_unit_test(bytes_come_back_from_base64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
