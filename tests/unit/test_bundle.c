/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/bundle.h"
#include "hoploss/json.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[] = "/tmp/hoploss-test-XXXXXX";

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) && chdir(scratch) == 0 ? 0 : -1;
}

static int remove_scratch(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", scratch);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

static int clear_scratch(void **state)
{
	(void)state;
	return system("rm -rf b ../hoploss-escaped");
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static struct hl_bundle *open_bundle(const char *dir)
{
	struct hl_bundle *bundle = NULL;
	struct hl_error err = { 0 };

	if (hl_bundle_open(dir, &bundle, &err) < 0)
		fail_msg("%s", err.text);
	return bundle;
}

static void fill(struct hl_bundle *bundle)
{
	const struct hl_bundle_input inputs[] = {
		{ "a b/\xff.txt", "pvc", HL_LAYER_FILESYSTEM, true, "read\0: IOPS", 11 },
		{ "empty.json", NULL, HL_LAYER_NONE, false, "", 0 },
	};
	const struct hl_bundle_spec spec = { "KCD61LUL7T68", "[spec]\n", 7, 5 };

	const struct hl_bundle_path path = { "pvc.conf", "[path]\n", 7 };

	assert_int_equal(0, hl_bundle_set_path(bundle, &path, NULL));
	assert_int_equal(0, hl_bundle_set_stop_reason(bundle, "20 rounds", NULL));
	assert_int_equal(0, hl_bundle_add_note(bundle, "left out: a\xff", NULL));
	assert_int_equal(0, hl_bundle_add_note(bundle, "and b", NULL));
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(0, hl_bundle_add_input(bundle, &inputs[i], NULL));
	assert_int_equal(0, hl_bundle_set_spec(bundle, &spec, NULL));
	assert_int_equal(0, hl_bundle_add_sample(bundle, "{\"t\": 0}", NULL));
	assert_int_equal(0, hl_bundle_add_sample(bundle, "{\"t\": 1}", NULL));
}

static void check_bytes(const struct hl_bundle *bundle, size_t index, const char *bytes, size_t nr)
{
	HL_FREE char *read = NULL;
	size_t len;

	assert_int_equal(0, hl_bundle_read_input(bundle, index, &read, &len, NULL));
	assert_memory_equal(bytes, read, nr);
	assert_int_equal('\0', read[len]);
}

static void check_filled(const struct hl_bundle *bundle)
{
	const struct hl_bundle_input *input = hl_bundle_input_at(bundle, 0);
	const struct hl_bundle_spec *spec = hl_bundle_spec(bundle);

	assert_int_equal(2, hl_bundle_nr_inputs(bundle));
	assert_string_equal("a b/\ufffd.txt", input->file);
	assert_string_equal("pvc", input->hop);
	assert_int_equal(HL_LAYER_FILESYSTEM, input->layer);
	assert_true(input->is_ordered);
	assert_int_equal(11, input->len);
	check_bytes(bundle, 0, "read\0: IOPS", 12);
	input = hl_bundle_input_at(bundle, 1);
	assert_string_equal("empty.json", input->file);
	assert_null(input->hop);
	assert_int_equal(HL_LAYER_NONE, input->layer);
	assert_false(input->is_ordered);
	assert_int_equal(0, input->len);
	assert_null(hl_bundle_input_at(bundle, 2));
	assert_string_equal("pvc.conf", hl_bundle_path(bundle)->name);
	assert_string_equal("[path]\n", hl_bundle_path(bundle)->text);
	assert_string_equal("20 rounds", hl_bundle_stop_reason(bundle));
	assert_string_equal("left out: a\ufffd", hl_bundle_note_at(bundle, 0));
	assert_string_equal("and b", hl_bundle_note_at(bundle, 1));
	assert_null(hl_bundle_note_at(bundle, 2));
	assert_string_equal("KCD61LUL7T68", spec->name);
	assert_string_equal("[spec]\n", spec->text);
	assert_int_equal(7, spec->len);
	assert_int_equal(5, spec->drives);
	assert_int_equal(2, hl_bundle_nr_samples(bundle));
	assert_string_equal("{\"t\": 1}", hl_bundle_sample_at(bundle, 1));
	assert_null(hl_bundle_sample_at(bundle, 2));
}

static void a_bundle_in_memory_and_one_read_back_are_the_same(void **state)
{
	struct hl_bundle *memory = hl_bundle_new();
	struct hl_bundle *disk = NULL;
	uint64_t seed;

	(void)state;
	fill(memory);
	check_filled(memory);
	assert_true(hl_bundle_seed(memory) == 1);
	hl_bundle_free(memory);

	assert_false(hl_bundle_is_dir("b"));
	assert_int_equal(0, hl_bundle_create("b", &disk, NULL));
	assert_true(hl_bundle_is_dir("b"));
	fill(disk);
	check_filled(disk);
	seed = hl_bundle_seed(disk);
	assert_true(seed > 1 && seed <= HL_BUNDLE_SEED_MAX);
	hl_bundle_free(disk);

	disk = open_bundle("b");
	check_filled(disk);
	assert_true(hl_bundle_seed(disk) == seed);
	hl_bundle_free(disk);
	hl_bundle_free(NULL);
}

static void a_new_bundle_is_empty_and_opens(void **state)
{
	struct hl_bundle *bundle = NULL;

	(void)state;
	assert_int_equal(0, mkdir("b", 0700));
	assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
	hl_bundle_free(bundle);
	bundle = open_bundle("b");
	assert_int_equal(0, hl_bundle_nr_inputs(bundle));
	assert_int_equal(0, hl_bundle_nr_samples(bundle));
	assert_null(hl_bundle_spec(bundle));
	hl_bundle_free(bundle);
}

static void a_directory_with_something_in_it_is_not_taken(void **state)
{
	struct hl_bundle *bundle = NULL;
	struct hl_error err;

	(void)state;
	assert_int_equal(0, mkdir("b", 0700));
	write_text("b/precious", "x");
	assert_int_equal(-EEXIST, hl_bundle_create("b", &bundle, &err));
	assert_string_equal("b exists and is not empty", err.text);
	assert_int_equal(0, system("test \"$(ls -A b)\" = precious"));
	assert_int_equal(-ENOTDIR, hl_bundle_create("b/precious", &bundle, &err));
	assert_int_equal(-ENOENT, hl_bundle_create("b/x/y", &bundle, &err));
	assert_null(bundle);
}

/* Makes a directory b with this bundle.json, and opens it. */
static void check_open(const char *json, int result, const char *text)
{
	struct hl_bundle *bundle = NULL;
	struct hl_error err = { 0 };

	mkdir("b", 0700);
	mkdir("b/inputs", 0700);
	write_text("b/bundle.json", json);
	assert_int_equal(result, hl_bundle_open("b", &bundle, &err));
	assert_string_equal(text, err.text);
	hl_bundle_free(bundle);
}

static void what_is_no_bundle_or_a_newer_one_is_refused(void **state)
{
	struct hl_bundle *bundle = NULL;
	struct hl_error err;

	(void)state;
	assert_int_equal(-ENOENT, hl_bundle_open("b", &bundle, &err));
	assert_string_equal("open the bundle b: No such file or directory", err.text);
	assert_int_equal(0, mkdir("b", 0700));
	assert_int_equal(-ENOENT, hl_bundle_open("b", &bundle, &err));
	assert_string_equal("b is no bundle: it has no bundle.json", err.text);
	check_open("{\"schema\": \"hoploss.bundle/2\"}", -EPROTONOSUPPORT,
		   "b was written by a newer hoploss (hoploss.bundle/2; this one reads up to "
		   "hoploss.bundle/1)");
	check_open("{\"schema\": \"hoploss.bundle/1\", \"seed\": 7}", 0, "");
	check_open("{\"schema\": \"hoploss.bundle/1\", \"seed\": 7, \"later\": [1]}", 0, "");
}

static void a_broken_bundle_names_its_file(void **state)
{
#define START "{\"schema\": \"hoploss.bundle/1\", \"seed\": 7, "
	static const struct {
		const char *json, *error;
	} cases[] = {
		{ "", "b/bundle.json: line 1: the JSON is cut short" },
		{ "{\"schema\": \"hoploss.bundle/1\",\n",
		  "b/bundle.json: line 2: the JSON is cut short" },
		{ "[]", "b/bundle.json: not the schema of a bundle" },
		{ "{\"schema\": \"hoploss.diagnosis/1\"}",
		  "b/bundle.json: not the schema of a bundle" },
		{ "{\"schema\": \"hoploss.bundle/0\"}",
		  "b/bundle.json: not the schema of a bundle" },
		{ "{\"schema\": \"hoploss.bundle/1\"}", "b/bundle.json: no seed" },
		{ "{\"schema\": \"hoploss.bundle/1\", \"seed\": 0}", "b/bundle.json: no seed" },
		{ "{\"schema\": \"hoploss.bundle/1\", \"seed\": 1.5}", "b/bundle.json: no seed" },
		{ "{\"schema\": \"hoploss.bundle/1\", \"seed\": 1e300}", "b/bundle.json: no seed" },
		{ START "\"spec\": {\"name\": \"x\", \"drives\": 0}}",
		  "b/bundle.json: a spec without name or drives" },
		{ START "\"inputs\": [{\"file\": \"f\"}]}",
		  "b/bundle.json: an input without a plain file name" },
		{ START "\"inputs\": [{\"stored\": \"s\"}]}",
		  "b/bundle.json: an input that does not say what it was" },
		{ START "\"inputs\": [{\"file\": \"f\", \"stored\": \"s\", \"layer\": \"x\"}]}",
		  "b/bundle.json: an input of an unknown layer" },
		{ START "\"inputs\": [7]}", "b/bundle.json: an input without a plain file name" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_open(cases[i].json, -EBADMSG, cases[i].error);
}

static void no_name_in_a_bundle_leads_out_of_it(void **state)
{
	static const char *const names[] = {
		"../bundle.json", "/etc/passwd", "..", ".", "", "x/y", "./x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		HL_FREE char *json = hl_printf(
			START "\"inputs\": [{\"file\": \"f\", \"stored\": \"%s\"}]}", names[i]);

		check_open(json, -EBADMSG, "b/bundle.json: an input without a plain file name");
	}
}

static void links_in_a_bundle_are_not_followed(void **state)
{
	(void)state;
	assert_int_equal(0, mkdir("b", 0700));
	assert_int_equal(0, mkdir("b/inputs", 0700));
	assert_int_equal(0, symlink("/etc/passwd", "b/inputs/001-f"));
	check_open(START "\"inputs\": [{\"file\": \"f\", \"stored\": \"001-f\"}]}", -EBADMSG,
		   "b/001-f: is a symbolic link, and none is followed");
	assert_int_equal(0, symlink("/no/such/file", "b/samples.jsonl"));
	check_open("{\"schema\": \"hoploss.bundle/1\", \"seed\": 7}", -EBADMSG,
		   "b/samples.jsonl: is a symbolic link, and none is followed");
	assert_int_equal(0, system("rm -r b/samples.jsonl b/inputs && ln -s /etc b/inputs"));
	check_open(START "\"inputs\": [{\"file\": \"f\", \"stored\": \"passwd\"}]}", -EBADMSG,
		   "b/inputs: is no directory");
}

static void a_file_is_read_when_it_is_asked_for(void **state)
{
	const struct hl_bundle_input input = { .file = "f.txt", .hop = "h" };
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_FREE char *bytes = NULL;
	size_t len;

	(void)state;
	write_text("f", "first");
	assert_int_equal(0, hl_bundle_add_file(bundle, &input, "f", NULL));
	assert_null(hl_bundle_input_at(bundle, 0)->bytes);
	assert_int_equal(5, hl_bundle_input_at(bundle, 0)->len);
	write_text("f", "second");
	check_bytes(bundle, 0, "second", 7);
	unlink("f");
	assert_int_equal(-ENOENT, hl_bundle_read_input(bundle, 0, &bytes, &len, NULL));
	assert_int_equal(-ENOENT, hl_bundle_read_input(bundle, 1, &bytes, &len, NULL));
}

static void a_file_is_copied_into_a_bundle_on_disk(void **state)
{
	const struct hl_bundle_input input = { .file = "f.txt", .hop = "h" };
	HL_BUNDLE struct hl_bundle *bundle = NULL, *again = NULL;

	(void)state;
	write_text("f", "first");
	assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
	assert_int_equal(0, hl_bundle_add_file(bundle, &input, "f", NULL));
	unlink("f");
	check_bytes(bundle, 0, "first", 6);
	again = open_bundle("b");
	check_bytes(again, 0, "first", 6);
}

static void what_is_no_regular_file_is_not_kept_for_later(void **state)
{
	const struct hl_bundle_input input = { .file = "f.txt", .hop = "h" };
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	struct hl_error err;

	(void)state;
	assert_int_equal(0, symlink("/etc/passwd", "b"));
	assert_int_equal(-ELOOP, hl_bundle_add_file(bundle, &input, "b", NULL));
	assert_int_equal(-EINVAL, hl_bundle_add_file(bundle, &input, "/dev/null", NULL));
	assert_int_equal(-ENOENT, hl_bundle_add_file(bundle, &input, "none", &err));
	assert_string_equal("read none: No such file or directory", err.text);
	assert_int_equal(0, hl_bundle_nr_inputs(bundle));
}

static void hostile_file_names_stay_inside_when_written(void **state)
{
	const struct hl_bundle_input input = {
		.file = "../../hoploss-escaped\n", .hop = "h", .bytes = "x", .len = 1
	};
	struct hl_bundle *bundle = NULL;

	(void)state;
	assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
	assert_int_equal(0, hl_bundle_add_input(bundle, &input, NULL));
	hl_bundle_free(bundle);
	assert_int_equal(0, system("test \"$(ls -A b/inputs)\" = 001-.._.._hoploss-escaped_"));
	bundle = open_bundle("b");
	assert_string_equal(input.file, hl_bundle_input_at(bundle, 0)->file);
	hl_bundle_free(bundle);
}

static void a_torn_last_sample_is_left_out_and_told(void **state)
{
	struct hl_bundle *bundle = NULL;

	(void)state;
	assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
	hl_bundle_free(bundle);
	write_text("b/samples.jsonl", "{\"t\": 0}\n\n{\"t\": 1}\n{\"t\":");
	bundle = open_bundle("b");
	assert_int_equal(3, hl_bundle_nr_samples(bundle)); /* an empty line keeps its number */
	assert_string_equal("{\"t\": 1}", hl_bundle_sample_at(bundle, 2));
	assert_string_equal("samples.jsonl:4: this line was cut short: it is left out",
			    hl_bundle_loss_at(bundle, 0));
	assert_null(hl_bundle_loss_at(bundle, 1));
	hl_bundle_free(bundle);
}

static void what_was_lost_of_a_file_is_told_and_the_rest_opens(void **state)
{
	static const struct {
		const char *spoil, *loss;
	} cases[] = {
		{ "true", NULL },
		{ "truncate -s 11 b/samples.jsonl",
		  "samples.jsonl:2: this line was cut short: it is left out" },
		{ "truncate -s 9 b/samples.jsonl",
		  "samples.jsonl:2: it ends here, with 1 of 2 samples: the others were lost" },
		{ ": >b/samples.jsonl",
		  "samples.jsonl:1: it ends here, with 0 of 2 samples: the others were lost" },
		{ "sed -i s/0/7/ b/samples.jsonl",
		  "samples.jsonl: it was changed since it was recorded" },
		{ "rm b/samples.jsonl", "samples.jsonl is missing" },
		{ "rm b/samples.jsonl && mkdir b/samples.jsonl",
		  "samples.jsonl is no file, but a directory or the like" },
		{ "truncate -s 3 b/spec.conf", "spec.conf: it was cut: 3 of 7 bytes are left" },
		{ ": >b/path.conf", "path.conf: it was cut: 0 of 7 bytes are left" },
		{ "echo x >>b/path.conf", "path.conf: it was changed since it was recorded" },
		{ "rm b/spec.conf", "spec.conf is missing" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hl_bundle *bundle = NULL;

		clear_scratch(NULL);
		assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
		fill(bundle);
		assert_int_equal(0, hl_bundle_set_stop_reason(bundle, "20 rounds", NULL));
		hl_bundle_free(bundle);
		assert_int_equal(0, system(cases[i].spoil));
		bundle = open_bundle("b");
		if (cases[i].loss)
			assert_string_equal(cases[i].loss, hl_bundle_loss_at(bundle, 0));
		else
			assert_null(hl_bundle_loss_at(bundle, 0));
		hl_bundle_free(bundle);
	}
}

static void what_was_lost_of_an_input_is_told_when_it_is_read(void **state)
{
	static const struct {
		const char *spoil, *change;
	} cases[] = {
		{ "true", NULL },
		{ "truncate -s 3 b/inputs/001*", "it was cut: 3 of 11 bytes are left" },
		{ "truncate -s 0 b/inputs/001*", "it was cut: 0 of 11 bytes are left" },
		{ "truncate -s 12 b/inputs/001*", "it was changed since it was recorded" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hl_bundle *bundle = NULL;
		HL_FREE char *bytes = NULL;
		HL_FREE char *change = NULL;
		size_t len;

		clear_scratch(NULL);
		assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
		fill(bundle);
		hl_bundle_free(bundle);
		assert_int_equal(0, system(cases[i].spoil));
		bundle = open_bundle("b");
		assert_int_equal(0, hl_bundle_read_input(bundle, 0, &bytes, &len, NULL));
		change = hl_bundle_check_input(bundle, 0, bytes, len);
		if (cases[i].change)
			assert_string_equal(cases[i].change, change);
		else
			assert_null(change);
		hl_bundle_free(bundle);
	}
}

static void an_input_that_is_gone_is_listed_all_the_same(void **state)
{
	struct hl_bundle *bundle = NULL;
	HL_FREE char *bytes = NULL;
	size_t len;

	(void)state;
	assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
	fill(bundle);
	hl_bundle_free(bundle);
	assert_int_equal(0, system("rm b/inputs/001*"));
	bundle = open_bundle("b");
	assert_int_equal(2, hl_bundle_nr_inputs(bundle));
	assert_int_equal(-ENOENT, hl_bundle_read_input(bundle, 0, &bytes, &len, NULL));
	hl_bundle_free(bundle);
}

static void a_sample_is_one_line(void **state)
{
	struct hl_bundle *bundle = hl_bundle_new();

	(void)state;
	assert_int_equal(-EINVAL, hl_bundle_add_sample(bundle, "{}\n{}", NULL));
	assert_int_equal(-EINVAL, hl_bundle_add_sample(bundle, "", NULL));
	assert_int_equal(0, hl_bundle_nr_samples(bundle));
	hl_bundle_free(bundle);
}

/* ---- going on ---- */

static void capture(struct hl_bundle *bundle, enum hl_capture_stage stage, const char *file)
{
	const struct hl_record record = {
		.kind = HL_RECORD_KEPT, .path = file, .bytes = "x", .len = 1
	};
	struct hl_capture_sink *sink;

	assert_int_equal(0, hl_bundle_begin_capture(bundle, "local", stage, &sink, NULL));
	assert_int_equal(0, sink->put(sink, &record));
	assert_int_equal(0, hl_bundle_end_capture(bundle, NULL));
}

/* A run that was stopped behind its second sample, had all the same a certificate. */
static void make_stopped(void)
{
	const struct hl_bundle_path path = { "p", "[path]\n", 7 };
	const struct hl_bundle_input input = { .file = "drive-test.json", .bytes = "{}", .len = 2 };
	struct hl_bundle *bundle = NULL;

	assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
	assert_int_equal(0, hl_bundle_set_path(bundle, &path, NULL));
	assert_int_equal(0, hl_bundle_add_note(bundle, "a note", NULL));
	capture(bundle, HL_CAPTURE_BEFORE, "first");
	for (int i = 0; i < 3; i++)
		assert_int_equal(0, hl_bundle_add_sample(bundle, i ? "{\"t\": 1}" : "{}", NULL));
	assert_int_equal(0, hl_bundle_set_stop_reason(bundle, "interrupted", NULL));
	capture(bundle, HL_CAPTURE_AFTER, "gone");
	assert_int_equal(0, hl_bundle_add_input(bundle, &input, NULL));
	hl_bundle_free(bundle);
}

static void check_going_on(const struct hl_bundle *bundle, size_t nr_samples)
{
	assert_int_equal(nr_samples, hl_bundle_nr_samples(bundle));
	assert_int_equal(0, hl_bundle_nr_inputs(bundle));
	assert_null(hl_bundle_stop_reason(bundle));
	assert_string_equal("a note", hl_bundle_note_at(bundle, 0));
	assert_string_equal("p", hl_bundle_path(bundle)->name);
}

static void a_run_goes_on_behind_what_counts(void **state)
{
	struct hl_bundle *bundle = NULL;
	const struct hl_captured *after;

	(void)state;
	make_stopped();
	assert_int_equal(-ENODATA, hl_bundle_resume("b", 4, &bundle, NULL));
	assert_int_equal(0, hl_bundle_resume("b", 2, &bundle, NULL));
	check_going_on(bundle, 2);
	assert_int_equal(1, hl_captures_nr(hl_bundle_captures(bundle)));
	assert_int_equal(0, hl_bundle_add_sample(bundle, "{\"t\": 2}", NULL));
	assert_int_equal(0, hl_bundle_sync(bundle, NULL));
	capture(bundle, HL_CAPTURE_AFTER, "last");
	hl_bundle_free(bundle);
	bundle = open_bundle("b");
	check_going_on(bundle, 3);
	assert_string_equal("{\"t\": 2}", hl_bundle_sample_at(bundle, 2));
	after = hl_captures_at(hl_bundle_captures(bundle), 1);
	assert_int_equal(1, after->nr_kept);
	assert_string_equal("last", after->kept[0].name);
	hl_bundle_free(bundle);
}

static void a_run_without_a_round_is_captured_anew(void **state)
{
	struct hl_bundle *bundle = NULL;

	(void)state;
	make_stopped();
	assert_int_equal(0, hl_bundle_resume("b", 0, &bundle, NULL));
	check_going_on(bundle, 0);
	assert_int_equal(0, hl_captures_nr(hl_bundle_captures(bundle)));
	hl_bundle_free(bundle);
}

static void a_run_without_samples_is_whole_only_if_it_was_interrupted(void **state)
{
	const struct hl_bundle_path path = { "p", "[path]\n", 7 };
	struct hl_bundle *bundle = NULL, *lost = NULL;

	(void)state;
	assert_int_equal(0, hl_bundle_create("b", &bundle, NULL));
	assert_int_equal(0, hl_bundle_set_path(bundle, &path, NULL));
	assert_int_equal(0, hl_bundle_set_stop_reason(bundle, "all rounds done", NULL));
	lost = open_bundle("b");
	assert_string_equal("samples.jsonl holds no sample, but the run went on to its end: they "
			    "were lost",
			    hl_bundle_loss_at(lost, 0));
	hl_bundle_free(lost);
	assert_int_equal(0, hl_bundle_set_stop_reason(bundle, "interrupted", NULL));
	hl_bundle_free(bundle);
	bundle = open_bundle("b");
	assert_string_equal("interrupted", hl_bundle_stop_reason(bundle));
	hl_bundle_free(bundle);
}

/* ---- kill -9 ---- */

/* What the writer was told is done; shared with its killer. */
struct progress {
	volatile size_t nr_inputs, nr_samples;
	volatile bool has_bundle;
};

/* Each input holds its number, repeated as often as the number says. */
static void add_numbered_input(struct hl_bundle *bundle, unsigned number)
{
	size_t len = number * 1000;
	HL_FREE char *bytes = hl_alloc(len + 1);
	const struct hl_bundle_input input = {
		.file = "f.txt", .hop = "h", .bytes = bytes, .len = len
	};

	memset(bytes, (int)('a' + number % 26), len);
	if (hl_bundle_add_input(bundle, &input, NULL) < 0)
		_exit(1);
}

static void write_until_killed(struct progress *progress)
{
	struct hl_bundle *bundle = NULL;

	if (hl_bundle_create("b", &bundle, NULL) < 0)
		_exit(1);
	progress->has_bundle = true;
	for (unsigned i = 0; i < 100000; i++) {
		HL_FREE char *line = hl_printf("{\"t\": %u}", i);

		if (hl_bundle_add_sample(bundle, line, NULL) < 0)
			_exit(1);
		progress->nr_samples++;
		if (i % 20 == 0) {
			add_numbered_input(bundle, i / 20);
			progress->nr_inputs++;
		}
	}
	_exit(1);
}

static void check_killed(const struct progress *progress)
{
	struct hl_bundle *bundle = NULL;
	int r = hl_bundle_open("b", &bundle, NULL);

	if (r == -ENOENT && !progress->has_bundle)
		return;
	assert_int_equal(0, r);
	assert_in_range(hl_bundle_nr_samples(bundle), progress->nr_samples,
			progress->nr_samples + 1);
	assert_in_range(hl_bundle_nr_inputs(bundle), progress->nr_inputs, progress->nr_inputs + 1);
	for (size_t i = 0; i < hl_bundle_nr_samples(bundle); i++) {
		HL_FREE char *line = hl_printf("{\"t\": %zu}", i);

		assert_string_equal(line, hl_bundle_sample_at(bundle, i));
	}
	for (size_t i = 0; i < hl_bundle_nr_inputs(bundle); i++) {
		HL_FREE char *bytes = NULL;
		size_t len;

		assert_int_equal(0, hl_bundle_read_input(bundle, i, &bytes, &len, NULL));
		assert_int_equal(i * 1000, len);
		for (size_t k = 0; k < len; k++)
			assert_int_equal('a' + i % 26, bytes[k]);
	}
	hl_bundle_free(bundle);
}

static void a_bundle_opens_after_kill_9_at_any_moment(void **state)
{
	struct progress *progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(MAP_FAILED, progress);
	srandom(1);
	for (int i = 0; i < 40; i++) {
		pid_t child;
		int status;

		assert_int_equal(0, system("rm -rf b"));
		*progress = (struct progress){ 0 };
		child = fork();
		assert_true(child >= 0);
		if (child == 0)
			write_until_killed(progress);
		while (i >= 10 && !progress->has_bundle)
			usleep(100);
		usleep((useconds_t)(random() % (i < 10 ? 3000 : 30000)));
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		assert_true(WIFSIGNALED(status));
		check_killed(progress);
	}
	munmap(progress, sizeof(*progress));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_bundle_in_memory_and_one_read_back_are_the_same,
				       clear_scratch),
		cmocka_unit_test_setup(a_new_bundle_is_empty_and_opens, clear_scratch),
		cmocka_unit_test_setup(a_directory_with_something_in_it_is_not_taken,
				       clear_scratch),
		cmocka_unit_test_setup(what_is_no_bundle_or_a_newer_one_is_refused, clear_scratch),
		cmocka_unit_test_setup(a_broken_bundle_names_its_file, clear_scratch),
		cmocka_unit_test_setup(no_name_in_a_bundle_leads_out_of_it, clear_scratch),
		cmocka_unit_test_setup(links_in_a_bundle_are_not_followed, clear_scratch),
		cmocka_unit_test_setup(a_file_is_read_when_it_is_asked_for, clear_scratch),
		cmocka_unit_test_setup(a_file_is_copied_into_a_bundle_on_disk, clear_scratch),
		cmocka_unit_test_setup(what_is_no_regular_file_is_not_kept_for_later,
				       clear_scratch),
		cmocka_unit_test_setup(hostile_file_names_stay_inside_when_written, clear_scratch),
		cmocka_unit_test_setup(a_torn_last_sample_is_left_out_and_told, clear_scratch),
		cmocka_unit_test_setup(what_was_lost_of_a_file_is_told_and_the_rest_opens,
				       clear_scratch),
		cmocka_unit_test_setup(what_was_lost_of_an_input_is_told_when_it_is_read,
				       clear_scratch),
		cmocka_unit_test_setup(an_input_that_is_gone_is_listed_all_the_same, clear_scratch),
		cmocka_unit_test_setup(a_sample_is_one_line, clear_scratch),
		cmocka_unit_test_setup(a_run_goes_on_behind_what_counts, clear_scratch),
		cmocka_unit_test_setup(a_run_without_a_round_is_captured_anew, clear_scratch),
		cmocka_unit_test_setup(a_run_without_samples_is_whole_only_if_it_was_interrupted,
				       clear_scratch),
		cmocka_unit_test_setup(a_bundle_opens_after_kill_9_at_any_moment, clear_scratch),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
