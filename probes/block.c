/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Block devices: limits and switches of their queues, what they are, and what they stand on.
 *
 * Source: /sys/class/block, Documentation/ABI/stable/sysfs-block and queue-sysfs.rst. Devices
 * without a size (loop devices that are not in use) are left out. Surprising: partitions have no
 * queue; they stand on their disk. Reading an attribute wakes no disk.
 */
#include "block.h"
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include "sysfs.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLASS  "/sys/class/block"
#define SECTOR 512

enum kind {
	TEXT,
	CHOICE, /* "none [mq-deadline] kyber": the one in brackets */
	FLAG,   /* 0 or 1 */
	NUMBER, /* below 0 = not said */
	KIB,
	SECTORS,
	USEC, /* 0 = off */
	HINT, /* 0 = none given */
};

static const struct {
	const char *path, *key;
	enum kind kind;
} attributes[] = {
	{ "size", "block.size", SECTORS },
	{ "ro", "block.is_read_only", FLAG },
	{ "queue/scheduler", "block.scheduler", CHOICE },
	{ "queue/nr_requests", "block.nr_requests", NUMBER },
	{ "queue/max_sectors_kb", "block.max_io_size", KIB },
	{ "queue/max_hw_sectors_kb", "block.max_hw_io_size", KIB },
	{ "queue/max_segments", "block.max_segments", NUMBER },
	{ "queue/max_segment_size", "block.max_segment_size", NUMBER },
	{ "queue/read_ahead_kb", "block.read_ahead", KIB },
	{ "queue/rotational", "block.is_rotational", FLAG },
	{ "queue/write_cache", "block.write_cache", TEXT },
	{ "queue/fua", "block.has_fua", FLAG },
	{ "queue/wbt_lat_usec", "block.wbt_lat_ns", USEC },
	{ "queue/nomerges", "block.nomerges", NUMBER },
	{ "queue/rq_affinity", "block.rq_affinity", NUMBER },
	{ "queue/logical_block_size", "block.logical_block_size", NUMBER },
	{ "queue/physical_block_size", "block.physical_block_size", NUMBER },
	{ "queue/minimum_io_size", "block.minimum_io_size", NUMBER },
	{ "queue/optimal_io_size", "block.optimal_io_size", HINT },
	{ "queue/zoned", "block.zoned", TEXT },
	{ "device/queue_depth", "block.queue_depth", NUMBER },
	{ "device/state", "block.state", TEXT },
	{ "device/model", "drive.model", TEXT },
	{ "device/firmware_rev", "drive.firmware", TEXT },
	{ "device/rev", "drive.firmware", TEXT },
	{ "wwid", "block.wwid", TEXT },
	{ "device/wwid", "block.wwid", TEXT },
	{ "serial", "block.serial", TEXT },
	{ "device/serial", "block.serial", TEXT },
	{ "loop/dio", "block.has_direct_io", FLAG },
	{ "md/level", "block.md_level", TEXT },
	{ "md/raid_disks", "block.md_disks", NUMBER },
	{ "md/chunk_size", "block.md_chunk_size", NUMBER },
	{ "md/degraded", "block.md_degraded", NUMBER },
	{ "md/sync_action", "block.md_sync_action", TEXT },
};

void hl_block_add_text(const struct hl_block *block, const char *key, const char *value,
		       const char *path)
{
	const struct hl_origin origin = { .host = block->host,
					  .node = block->name,
					  .source = path };

	if (value && *value)
		hl_graph_add_string(block->graph, &origin, key, value);
}

void hl_block_add_number(const struct hl_block *block, const char *key, double value,
			 const char *path)
{
	const struct hl_origin origin = { .host = block->host,
					  .node = block->name,
					  .source = path };

	hl_graph_add_number(block->graph, &origin, key, value);
}

static void add_choice(const struct hl_block *block, const char *key, char *text, const char *path)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (close) {
		*close = '\0';
		text = open + 1;
	}
	hl_block_add_text(block, key, text, path);
}

static double value_of(double number, enum kind kind)
{
	if (!(number >= 0) || (kind == HINT && !(number > 0)))
		return NAN;
	switch (kind) {
	case KIB:
		return number * 1024;
	case SECTORS:
		return number * SECTOR;
	case USEC:
		return number * 1e3;
	default:
		return number;
	}
}

static void add_attribute(const struct hl_block *block, const char *path, const char *key,
			  enum kind kind)
{
	const struct hl_origin origin = { .host = block->host,
					  .node = block->name,
					  .source = path };
	HL_FREE char *text = NULL;

	if (kind != TEXT && kind != CHOICE && kind != FLAG) {
		double number = hl_sysfs_number(block->machine, path);

		hl_block_add_number(block, key, value_of(number, kind), path);
		return;
	}
	text = hl_sysfs_text(block->machine, path);
	if (!text)
		return;
	if (kind == TEXT)
		hl_block_add_text(block, key, text, path);
	else if (kind == CHOICE)
		add_choice(block, key, text, path);
	else if (!strcmp(text, "0") || !strcmp(text, "1"))
		hl_graph_add_boolean(block->graph, &origin, key, *text == '1');
}

/* Two files can have the same fact, one of SCSI and one of NVMe: the first counts. */
static bool has_fact(const struct hl_block *block, const char *key, size_t first)
{
	for (size_t i = first; i < block->graph->nr_facts; i++) {
		if (!strcmp(block->graph->facts[i]->key, key))
			return true;
	}
	return false;
}

static void add_device(const struct hl_block *block)
{
	size_t first = block->graph->nr_facts;

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		HL_FREE char *path = hl_printf(CLASS "/%s/%s", block->name, attributes[i].path);

		if (!has_fact(block, attributes[i].key, first))
			add_attribute(block, path, attributes[i].key, attributes[i].kind);
	}
	hl_block_place(block);
}

static int block_decode(struct hl_machine *recorded, const struct hl_origin *origin,
			struct hl_graph *graph, struct hl_error *err)
{
	char **names;
	size_t nr;

	(void)err;
	if (hl_machine_list(recorded, CLASS, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf(CLASS "/%s", names[i]);
		HL_FREE char *size = hl_printf(CLASS "/%s/size", names[i]);
		HL_FREE char *link = NULL;
		struct hl_block block = { recorded, graph, origin->host, names[i], "" };

		if (!(hl_sysfs_number(recorded, size) > 0))
			continue;
		if (hl_machine_readlink(recorded, path, &link, NULL) == 0)
			block.link = link;
		add_device(&block);
	}
	hl_machine_free_names(names, nr);
	hl_block_names(recorded, origin->host, graph);
	return 0;
}

/* What decoding reads is what is recorded: so it decodes, and forgets what came of it. */
static int block_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *unused = hl_graph_new();
	const struct hl_origin origin = { .host = NULL };
	char **names;
	size_t nr;
	int rc = hl_machine_list(capture->machine, CLASS, &names, &nr, err);

	if (rc < 0)
		return rc;
	hl_machine_free_names(names, nr);
	if (!nr)
		return hl_fail(err, ENOENT, "no block devices");
	return block_decode(capture->machine, &origin, unused, err);
}

const struct hl_probe hl_probe_block = {
	.name = "block",
	.summary = "block devices, the limits of their queues, and what they stand on",
	.layer = HL_LAYER_DRIVE,
	.acquire = block_acquire,
	.decode = block_decode,
};
