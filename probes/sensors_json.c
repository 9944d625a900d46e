/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sensors -j (lm-sensors 3.5 and later): an object a chip, in it one a feature, in that the values
 * "temp1_input", "temp1_max", "temp1_crit", "temp1_alarm" …; sensors(1).
 *
 * Surprising: a chip's name tells where it sits, "nvme-pci-0100" is PCI function 01:00.0, which
 * leads to the drive or NIC; CPUs have several kinds of chip. The first temperature of a chip
 * stands for the whole ("Composite", "Package id 0", "Tctl"); the others get its label in their
 * node. Limits of 65261 C are the kernel's way to say "none".
 */
#include "hoploss/format.h"
#include "hoploss/json.h"
#include "hoploss/json_extent.h"
#include "hoploss/number.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define MIN_C (-60) /* beyond these no limit or temperature is meant */
#define MAX_C 250

static const char *const cpu_chips[] = { "coretemp-",    "k10temp-",     "zenpower-",
					 "via_cputemp-", "cpu_thermal-", "fam15h_" };

/* ---- where a chip sits ---- */

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* "0000:01:00.0" of "nvme-pci-0100", "cpu" of a CPU's, else the chip's name; to be freed. */
static char *node_of(const char *chip)
{
	static const char mark[] = "-pci-";
	const char *pci = strstr(chip, mark);
	uint64_t at;

	for (size_t i = 0; i < sizeof(cpu_chips) / sizeof(*cpu_chips); i++) {
		if (starts(chip, cpu_chips[i]))
			return hl_strdup("cpu");
	}
	if (!pci || hl_number_hex(pci + strlen(mark), strlen(pci + strlen(mark)), &at) < 0)
		return hl_strdup(chip);
	return hl_printf("%04x:%02x:%02x.%x", (unsigned)(at >> 16 & 0xffff),
			 (unsigned)(at >> 8 & 0xff), (unsigned)(at >> 3 & 0x1f),
			 (unsigned)(at & 7));
}

/* ---- values ---- */

/* "temp1_input" -> "input"; NULL = no value of a temperature. */
static const char *kind_of(const char *name)
{
	const char *at = name + strlen("temp");

	if (!starts(name, "temp"))
		return NULL;
	at += strspn(at, "0123456789");
	return *at == '_' ? at + 1 : NULL;
}

static void add_value(struct hl_graph *graph, const struct hl_origin *origin, const char *kind,
		      double value)
{
	static const struct {
		const char *kind, *key;
	} rows[] = {
		{ "input", "thermal.temperature_c" },
		{ "max", "thermal.max_c" },
		{ "crit", "thermal.critical_c" },
		{ "highest", "thermal.highest_c" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(kind, rows[i].kind) && value > MIN_C && value < MAX_C)
			hl_graph_add_number(graph, origin, rows[i].key, value);
	}
}

static bool is_alarm(const char *kind)
{
	return !strcmp(kind, "alarm") || !strcmp(kind, "max_alarm") || !strcmp(kind, "crit_alarm");
}

static bool is_temperature(const struct hl_json *feature)
{
	const struct hl_json *value;
	const char *name;
	void *iter = NULL;

	while (hl_json_is_object(feature) && hl_json_next(feature, &iter, &name, &value)) {
		const char *kind = kind_of(name);

		if (kind && !strcmp(kind, "input"))
			return true;
	}
	return false;
}

static void read_feature(struct hl_graph *graph, const struct hl_origin *origin,
			 const struct hl_json *feature)
{
	const struct hl_json *value;
	const char *name;
	void *iter = NULL;
	double alarm = NAN; /* any of them */

	while (hl_json_next(feature, &iter, &name, &value)) {
		const char *kind = kind_of(name);
		double number = hl_json_number_like(value);

		if (kind && is_alarm(kind))
			alarm = fmax(alarm, number);
		else if (kind)
			add_value(graph, origin, kind, number);
	}
	if (!isnan(alarm))
		hl_graph_add_boolean(graph, origin, "thermal.is_alarm", alarm > 0);
}

/* ---- chips ---- */

/* Whether another chip of that host stands for the node already. */
static bool is_taken(const struct hl_reading *reading, const char *node)
{
	for (size_t i = 0; i < reading->graph->nr_facts; i++) {
		const struct hl_fact *fact = reading->graph->facts[i];
		bool is_same_host = !fact->host || !reading->host
					    ? fact->host == reading->host
					    : !strcmp(fact->host, reading->host);

		if (is_same_host && !strcmp(fact->key, "thermal.temperature_c") &&
		    !strcmp(fact->node, node))
			return true;
	}
	return false;
}

/* chip: its name, where the feature stands for it. 1, or 0 when it has no values. */
static size_t read_feature_of(const struct hl_reading *reading, const char *node,
			      const char *source, const struct hl_json *feature, const char *chip)
{
	const struct hl_origin origin = { reading->host, node, source };
	size_t before = reading->graph->nr_facts;

	read_feature(reading->graph, &origin, feature);
	if (reading->graph->nr_facts == before)
		return 0;
	hl_graph_add_string(reading->graph, &origin, "thermal.chip", chip);
	return 1;
}

static size_t read_chip(const struct hl_reading *reading, const char *name, const char *source,
			const struct hl_json *chip)
{
	HL_FREE char *node = node_of(name);
	bool has_other = is_taken(reading, node);
	const struct hl_json *feature;
	const char *label;
	void *iter = NULL;
	size_t nr = 0;

	while (hl_json_next(chip, &iter, &label, &feature)) {
		HL_FREE char *own = NULL;

		if (!is_temperature(feature))
			continue;
		own = nr || has_other ? hl_printf("%s/%s", node, label) : hl_strdup(node);
		nr += read_feature_of(reading, own, source, feature, nr ? NULL : name);
	}
	return nr;
}

static size_t read_document(const struct hl_reading *reading, const char *source,
			    const struct hl_json *root)
{
	const struct hl_json *chip;
	const char *name;
	void *iter = NULL;
	size_t nr = 0;

	while (hl_json_is_object(root) && hl_json_next(root, &iter, &name, &chip)) {
		if (hl_json_is_object(chip))
			nr += read_chip(reading, name, source, chip);
	}
	return nr;
}

static int sensors_json_read(const struct hl_text *slice, struct hl_reading *reading,
			     struct hl_error *err)
{
	struct hl_json_piece piece;
	size_t cursor = 0, nr = 0;
	unsigned cut_line = 0;
	int rc;

	while (!(rc = hl_json_piece_next(slice, &cursor, &piece, err))) {
		HL_FREE char *source = hl_printf("%s:%u", slice->name,
						 slice->lines[piece.first].number);

		nr += read_document(reading, source, piece.root);
		if (piece.is_cut)
			cut_line = slice->lines[piece.last].number;
		hl_json_free(piece.root);
	}
	if (rc != -ENODATA)
		return rc;
	if (cut_line)
		return hl_fail(err, EBADMSG, "%s:%u: the JSON of sensors ends early", slice->name,
			       cut_line);
	if (!nr)
		return hl_fail(err, EBADMSG, "%s:%u: no temperature in the JSON of sensors",
			       slice->name, slice->lines[0].number);
	return 0;
}

static size_t sensors_json_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	if (!nr || !hl_json_mentions(&slice, "Adapter"))
		return 0;
	for (int i = 1; i <= 3; i++) {
		HL_FREE char *input = hl_printf("temp%d_input", i);

		if (hl_json_mentions(&slice, input))
			return nr;
	}
	return 0;
}

const struct hl_format hl_format_sensors_json = {
	.name = "sensors-json",
	.summary = "sensors -j",
	.claim = sensors_json_claim,
	.read = sensors_json_read,
};
