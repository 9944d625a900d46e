/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The NVMe probe against a controller that is a table: each admin command that is expected, with
 * the answer it gets.
 */
#include "../../probes/nvme_ask.h"
#include "../../probes/nvme_device.h"
#include "hoploss/file.h"
#include "hoploss/format.h"
#include "nvme_ioctl.h"
#include <fcntl.h>

struct answer {
	unsigned char *data;
	uint32_t *result;
};

struct command {
	uint8_t opcode;
	uint32_t nsid, cdw10; /* mask: of cdw10, what is looked at */
	uint32_t mask;
	void (*answer)(const struct answer *to);
	int status; /* < 0: -errno */
	unsigned nr_sent;
};

static struct command *commands;
static size_t nr_commands;

static int answer_admin(struct nvme_passthru_cmd *sent)
{
	for (size_t i = 0; i < nr_commands; i++) {
		struct command *expected = &commands[i];

		if (expected->opcode != sent->opcode || expected->nsid != sent->nsid ||
		    expected->cdw10 != (sent->cdw10 & expected->mask))
			continue;
		expected->nr_sent++;
		if (expected->answer && expected->status >= 0)
			expected->answer(&(struct answer){ data_of(sent), &sent->result });
		return expected->status;
	}
	fail_msg("unexpected command %02x nsid %x cdw10 %x", sent->opcode, sent->nsid, sent->cdw10);
	return -1;
}

static void put16(unsigned char *data, size_t at, unsigned value)
{
	data[at] = (unsigned char)value;
	data[at + 1] = (unsigned char)(value >> 8);
}

/* Identify pads by blanks, and ends no text. */
static void put_text(unsigned char *at, const char *text)
{
	while (*text)
		*at++ = (unsigned char)*text++;
}

static void identify_plain(const struct answer *to)
{
	put_text(to->data + 4, "SERIAL01            ");
	put_text(to->data + 24, "KCD61LUL7T68                            ");
	put_text(to->data + 64, "0104    ");
	to->data[262] = 1; /* two entries in the error log */
	put16(to->data, 266, 343);
}

static void identify_rich(const struct answer *to)
{
	identify_plain(to);
	put16(to->data, 256, 0x10); /* self-tests */
	to->data[265] = 1;          /* APST */
	put16(to->data, 322, 1);    /* HCTM */
	to->data[525] = 1;          /* write cache */
}

static void smart(const struct answer *to)
{
	to->data[0] = 0x10;
	put16(to->data, 1, 310);
	to->data[3] = 99;
	to->data[4] = 10;
	put16(to->data, 48, 1234); /* to->data units written */
	put16(to->data, 216, 7);   /* thm_temp1_trans_count */
}

static void errors(const struct answer *to)
{
	to->data[0] = 5;
	put16(to->data, 12, 0x4005); /* status 0x2002 with the phase tag */
}

static void self_tests(const struct answer *to)
{
	memset(to->data, 0xff, HL_NVME_SELF_TEST_BYTES);
	to->data[0] = 0;
	to->data[4] = 0x17; /* short, failed */
	to->data[8] = 100;
	memset(to->data + 9, 0, 7);
}

static void namespace(const struct answer *to)
{
	put16(to->data, 0, 4096);
	put16(to->data, 16, 2048);
	to->data[25] = 1; /* two formats */
	to->data[128 + 2] = 9;
	to->data[128 + 3] = 2;
	to->data[132 + 2] = 12;
}

static void hctm(const struct answer *to)
{
	*to->result = 353U << 16 | 0;
}

static void on(const struct answer *to)
{
	*to->result = 1;
}

#define ALL 0xffffffff

static const struct command plain[] = {
	{ IDENTIFY, 0, 1, 0xff, identify_plain, 0, 0 },
	{ GET_LOG, ALL, 0x007f8002, 0x0fffffff, smart, 0, 0 },
	{ GET_LOG, ALL, 0x001f8001, 0x0fffffff, errors, 0, 0 },
	{ GET_FEATURES, 0, HL_NVME_TEMPERATURE_THRESHOLD, 0xff, NULL, 0, 0 },
	{ IDENTIFY, 1, 0, 0xff, namespace, 0, 0 },
};

static const struct command rich[] = {
	{ IDENTIFY, 0, 1, 0xff, identify_rich, 0, 0 },
	{ GET_LOG, ALL, 0x02, 0xff, smart, 0, 0 },
	{ GET_LOG, ALL, 0x01, 0xff, errors, 0, 0 },
	{ GET_LOG, ALL, 0x06, 0xff, self_tests, 0, 0 },
	{ GET_FEATURES, 0, HL_NVME_TEMPERATURE_THRESHOLD, 0xff, NULL, 0x4002, 0 },
	{ GET_FEATURES, 0, HL_NVME_WRITE_CACHE, 0xff, on, 0, 0 },
	{ GET_FEATURES, 0, HL_NVME_APST, 0xff, NULL, 0, 0 },
	{ GET_FEATURES, 0, HL_NVME_HCTM, 0xff, hctm, 0, 0 },
	{ IDENTIFY, 1, 0, 0xff, namespace, 0, 0 },
};

static const struct command refused[] = {
	{ IDENTIFY, 0, 1, 0xff, NULL, -EACCES, 0 },
};

static const struct tree_row tree[] = {
	{ "/sys/class/nvme/nvme0/model", "KCD61LUL7T68   \n" },
	{ "/sys/class/nvme/nvme0/serial", "SERIAL01\n" },
	{ "/sys/class/nvme/nvme0/transport", "pcie\n" },
	{ "/sys/class/nvme/nvme0/address", "0000:01:00.0\n" },
	{ "/sys/class/nvme/nvme0/nvme0c0n1/nsid", "1\n" },
	{ "/sys/class/nvme/nvme1/model", "far away\n" },
	{ "/sys/class/nvme/nvme1/transport", "tcp\n" },
	{ "/sys/class/nvme/nvme1/address", "traddr=10.0.0.1,trsvcid=4420\n" },
};

/* Reads what was kept as a person's saved files would be read. */
static void read_kept(const char *directory, const char *node, struct hl_graph *graph)
{
	HL_FREE char *list = hl_printf("find %s -type f | sort", directory);
	FILE *files = popen(list, "r");
	char path[256];

	assert_non_null(files);
	while (fgets(path, sizeof(path), files)) {
		HL_FREE char *bytes = NULL;
		struct hl_reading reading = { .graph = graph, .hop_name = "f", .stem = "f" };
		struct hl_text *text;
		size_t len;

		path[strcspn(path, "\n")] = '\0';
		if (!strstr(path, node))
			continue;
		assert_int_equal(0, hl_file_read_at(AT_FDCWD, path, 1 << 20, &bytes, &len));
		reading.node = node;
		text = hl_text_new(path, bytes, len);
		if (hl_formats_read(text, &reading, NULL) < 0)
			fail_msg("%s: %s", path, bytes);
		hl_text_free(text);
	}
	pclose(files);
}

/* Asks nvme0 of the tree; what was kept stands below "to". */
static int ask(const struct command *rows, size_t nr, const char *to)
{
	HL_FREE char *kept = hl_printf("%s.kept", to);
	struct hl_capture_sink *sink = hl_record_dir_open(to, kept);
	struct hl_machine *machine = hl_machine_open_to("machine", sink);
	struct hl_capture capture = { machine, sink };
	int r;

	commands = hl_grow(NULL, nr, sizeof(*rows));
	memcpy(commands, rows, nr * sizeof(*rows));
	nr_commands = nr;
	r = hl_nvme_ask(&capture, "nvme0", 0, NULL);
	hl_machine_close(machine);
	hl_record_sink_close(sink);
	return r;
}

#define ASK(rows, to) ask(rows, sizeof(rows) / sizeof(*(rows)), to)

static void assert_all_sent(void)
{
	for (size_t i = 0; i < nr_commands; i++) {
		if (commands[i].nr_sent != 1)
			fail_msg("command %zu was sent %u times", i, commands[i].nr_sent);
	}
	free(commands);
}

static void a_plain_controller_is_only_asked_what_it_knows(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	assert_int_equal(0, ASK(plain, "plain"));
	assert_all_sent();
	read_kept("plain.kept", "nvme0", graph);
	assert_string_equal("KCD61LUL7T68", tree_text(graph, "nvme0", "drive.model"));
	assert_string_equal("SERIAL01", tree_text(graph, "nvme0", "drive.serial"));
	assert_true(tree_number(graph, "nvme0", "drive.temperature_warn_c") == 70);
	assert_true(tree_number(graph, "nvme0", "smart.temperature_c") == 37);
	assert_true(tree_number(graph, "nvme0", "smart.critical_warning") == 16);
	assert_true(tree_number(graph, "nvme0", "smart.data_units_written") == 1234);
	assert_true(tree_number(graph, "nvme0", "smart.thm_temp1_trans_count") == 7);
	assert_true(tree_number(graph, "nvme0", "smart.error_log_held") == 1);
	assert_true(tree_number(graph, "nvme0", "smart.error_log_status") == 0x2002);
}

static void a_rich_one_tells_tests_features_and_formats(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	assert_int_equal(0, ASK(rich, "rich"));
	assert_all_sent();
	read_kept("rich.kept", "nvme0", graph);
	assert_true(tree_number(graph, "nvme0", "smart.self_tests") == 1);
	assert_true(tree_number(graph, "nvme0", "smart.self_test_failures") == 1);
	assert_true(tree_number(graph, "nvme0", "smart.self_test_hours") == 100);
	assert_true(tree_number(graph, "nvme0", "nvme.hctm_light_c") == 80);
	assert_null(hl_graph_find_fact(graph, "nvme0", "nvme.hctm_heavy_c")); /* off */
	assert_true(hl_graph_find_fact(graph, "nvme0", "nvme.write_cache_is_on")->boolean);
	assert_false(hl_graph_find_fact(graph, "nvme0", "nvme.apst_is_on")->boolean);
	read_kept("rich.kept", "nvme0n1", graph);
	assert_true(tree_number(graph, "nvme0n1", "drive.lba_bytes") == 512);
	assert_true(tree_number(graph, "nvme0n1", "nvme.lba_relative_performance") == 2);
	assert_true(tree_number(graph, "nvme0n1", "nvme.lba_best_bytes") == 4096);
	assert_true(tree_number(graph, "nvme0n1", "drive.capacity_bytes") == 4096 * 512);
}

static void without_privilege_the_reason_is_told(void **state)
{
	(void)state;
	assert_int_equal(-EACCES, ASK(refused, "refused"));
	free(commands);
}

static void sysfs_says_what_a_controller_is_without_asking_it(void **state)
{
	extern const struct hl_probe hl_probe_nvme;
	struct hl_graph *seen = tree_decode(&hl_probe_nvme, "machine");
	struct hl_graph *replayed = tree_record(&hl_probe_nvme, "machine", "again");

	(void)state;
	assert_string_equal("KCD61LUL7T68", tree_text(seen, "nvme0", "drive.model"));
	assert_string_equal("0000:01:00.0", tree_text(seen, "nvme0", "block.pci_address"));
	assert_string_equal("far away", tree_text(seen, "nvme1", "drive.model"));
	assert_string_equal("", tree_text(seen, "nvme1", "block.pci_address"));
	assert_same_facts(seen, replayed);
	hl_graph_free(seen);
	hl_graph_free(replayed);
}

static int setup(void **state)
{
	int r = tree_setup(state);

	tree_make("machine", tree, NR_ROWS(tree));
	return r;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_controller_is_only_asked_what_it_knows),
		cmocka_unit_test(a_rich_one_tells_tests_features_and_formats),
		cmocka_unit_test(without_privilege_the_reason_is_told),
		cmocka_unit_test(sysfs_says_what_a_controller_is_without_asking_it),
	};

	return cmocka_run_group_tests(tests, setup, tree_remove);
}
