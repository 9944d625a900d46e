/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PCI Express as the kernel has it: every function's config space, its link, its error counters,
 * its place on the board.
 *
 * Source: /sys/bus/pci/devices and /sys/bus/pci/slots (Documentation/ABI/testing/sysfs-bus-pci,
 * sysfs-bus-pci-devices-aer_stats). Config space is 4096 bytes for root and 64 for others, who
 * learn the links from current_link_speed and its like. Names come from this machine's list of PCI
 * ids and are kept as lspci prints them, for another machine's list gives other names.
 *
 * Surprising: reading config space wakes a device up, so that of one that sleeps is not read. Vital
 * product data is never read: some devices hang on it.
 */
#include "hoploss/number.h"
#include "hoploss/probe.h"
#include "pci.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES   "/sys/bus/pci/devices"
#define SLOTS     "/sys/bus/pci/slots"
#define MAX_PATH  160
#define KEEP_NAME "lspci.txt"

struct reading {
	struct hl_machine *machine;
	struct pci_listing *listing;
	struct pci_function *at; /* being read */
};

/* ---- one file ---- */

static const char *path_of(struct reading *reading, const char *name)
{
	return hl_arena_printf(reading->listing->arena, DEVICES "/%s/%s", reading->at->node, name);
}

/* The file's first line, to be freed; NULL. */
static char *read_line(struct reading *reading, const char *path)
{
	char *text = NULL;
	size_t len;

	if (hl_machine_read(reading->machine, path, &text, &len, NULL) < 0)
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static double hex_of(const char *text)
{
	uint64_t value;

	return hl_number_hex(text, strlen(text), &value) < 0 ? NAN : (double)value;
}

static double count_of(const char *text)
{
	uint64_t value;

	return hl_number_u64(text, strlen(text), &value) < 0 ? NAN : (double)value;
}

/* "0x010802": base class, subclass, interface */
static double class_of(const char *text)
{
	return floor(hex_of(text) / 256);
}

/* "8.0 GT/s PCIe", "Unknown" */
static double speed_of(const char *text)
{
	double gts;

	return hl_number_double(text, strcspn(text, " "), &gts) < 0 || !strstr(text, "GT/s") ? NAN
											     : gts;
}

static double width_of(const char *text)
{
	return hl_pci_width(count_of(text));
}

static const struct {
	const char *name;
	enum pci_number which;
	double (*read)(const char *text);
	bool is_link; /* asks the device */
} attributes[] = {
	{ "vendor", PCI_VENDOR, hex_of, false },
	{ "device", PCI_DEVICE, hex_of, false },
	{ "class", PCI_CLASS_CODE, class_of, false },
	{ "numa_node", PCI_NUMA_NODE, count_of, false }, /* -1 = none */
	{ "sriov_numvfs", PCI_NR_VFS, count_of, false },
	{ "max_link_speed", PCI_CAP_SPEED, speed_of, true },
	{ "max_link_width", PCI_CAP_WIDTH, width_of, true },
	{ "current_link_speed", PCI_SPEED, speed_of, true },
	{ "current_link_width", PCI_WIDTH, width_of, true },
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

/* Of a link that is down the speed means nothing. */
static void read_attributes(struct reading *reading, bool is_asleep)
{
	for (size_t i = 0; i < NR(attributes); i++) {
		const char *path = path_of(reading, attributes[i].name);
		HL_FREE char *text = NULL;

		if (attributes[i].is_link && is_asleep)
			continue;
		text = read_line(reading, path);
		if (text)
			hl_pci_set_number(reading->at, attributes[i].which,
					  attributes[i].read(text), path);
	}
	if (isnan(reading->at->numbers[PCI_WIDTH]))
		reading->at->numbers[PCI_SPEED] = NAN;
}

/* ---- what a device links to ---- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The last part of where the link name of the device points to, in the arena; NULL. */
static const char *read_link(struct reading *reading, const char *name)
{
	HL_FREE char *target = NULL;

	if (hl_machine_readlink(reading->machine, path_of(reading, name), &target, NULL) < 0)
		return NULL;
	return hl_arena_strdup(reading->listing->arena, last_part(target));
}

static void set_link(struct reading *reading, enum pci_string which, const char *name)
{
	hl_pci_set_string(reading->listing, reading->at, which, read_link(reading, name),
			  path_of(reading, name));
}

/* ".../0000:00:01.1/0000:01:00.0": the directory above is the bridge above; at last "pci0000:00" */
static void read_parent(struct reading *reading)
{
	const char *path = hl_arena_printf(reading->listing->arena, DEVICES "/%s",
					   reading->at->node);
	HL_FREE char *target = NULL;
	struct pci_function bridge;
	char *slash;

	if (hl_machine_readlink(reading->machine, path, &target, NULL) < 0)
		return;
	slash = strrchr(target, '/');
	if (!slash)
		return;
	*slash = '\0';
	if (hl_pci_read_address(last_part(target), strlen(last_part(target)), &bridge))
		hl_pci_set_string(reading->listing, reading->at, PCI_PARENT, last_part(target),
				  path);
	else if (!strncmp(last_part(target), "pci", strlen("pci")))
		hl_pci_set_number(reading->at, PCI_AT_ROOT, 1, path);
}

static void read_links(struct reading *reading)
{
	const char *group = read_link(reading, "iommu_group");

	set_link(reading, PCI_DRIVER, "driver");
	set_link(reading, PCI_PHYSFN, "physfn");
	if (group)
		hl_pci_set_number(reading->at, PCI_IOMMU_GROUP, count_of(group),
				  path_of(reading, "iommu_group"));
	read_parent(reading);
}

/* ---- errors ---- */

static const struct {
	const char *name, *total;
	enum pci_number which;
} counters[] = {
	{ "aer_dev_correctable", "TOTAL_ERR_COR", PCI_AER_CORRECTABLE_COUNT },
	{ "aer_dev_nonfatal", "TOTAL_ERR_NONFATAL", PCI_AER_NONFATAL_COUNT },
	{ "aer_dev_fatal", "TOTAL_ERR_FATAL", PCI_AER_FATAL_COUNT },
};

/* Receiver and link errors. A device's own "non-fatal" ones come of probing, not of a bad link. */
static bool is_of_link(const char *kind)
{
	static const char *const kinds[] = { "RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout" };

	for (size_t i = 0; i < NR(kinds); i++) {
		if (!strcmp(kinds[i], kind))
			return true;
	}
	return false;
}

struct counts {
	double total, of_link;
	char kinds[MAX_PATH]; /* those that are not 0: "RxErr 12 BadTLP 3" */
	size_t used;
};

static void add_count(struct counts *counts, const char *kind, double count)
{
	if (is_of_link(kind))
		counts->of_link = isnan(counts->of_link) ? count : counts->of_link + count;
	if (count > 0 && counts->used < sizeof(counts->kinds))
		counts->used += (size_t)snprintf(counts->kinds + counts->used,
						 sizeof(counts->kinds) - counts->used, "%s%s %.0f",
						 counts->used ? " " : "", kind, count);
}

/* Lines of "RxErr 12", the last is the total. */
static struct counts read_counts(char *text, const char *total)
{
	struct counts counts = { .total = NAN, .of_link = NAN };
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		char *blank = strchr(line, ' ');
		double count;

		if (!blank)
			continue;
		count = count_of(blank + 1);
		if (isnan(count))
			continue;
		*blank = '\0';
		if (!strcmp(line, total))
			counts.total = count;
		else
			add_count(&counts, line, count);
	}
	return counts;
}

static void set_counts(struct reading *reading, const struct counts *counts, enum pci_number which,
		       const char *path)
{
	hl_pci_set_number(reading->at, which, counts->total, path);
	if (which != PCI_AER_CORRECTABLE_COUNT)
		return;
	hl_pci_set_number(reading->at, PCI_AER_LINK_COUNT, counts->of_link, path);
	if (counts->used)
		hl_pci_set_string(reading->listing, reading->at, PCI_AER_COUNTED, counts->kinds,
				  path);
}

static void read_errors(struct reading *reading)
{
	for (size_t i = 0; i < NR(counters); i++) {
		const char *path = path_of(reading, counters[i].name);
		HL_FREE char *text = NULL;
		struct counts counts;
		size_t len;

		if (hl_machine_read(reading->machine, path, &text, &len, NULL) < 0)
			continue;
		counts = read_counts(text, counters[i].total);
		set_counts(reading, &counts, counters[i].which, path);
	}
}

/* ---- config space ---- */

static bool is_asleep(struct reading *reading)
{
	HL_FREE char *status = read_line(reading, path_of(reading, "power/runtime_status"));
	HL_FREE char *state = read_line(reading, path_of(reading, "power_state"));

	return (status && !strncmp(status, "suspend", strlen("suspend"))) ||
	       (state && !strncmp(state, "D3", 2));
}

/* What the kernel says counts: it knows D3cold, which no register can tell. */
static void read_power(struct reading *reading)
{
	const char *path = path_of(reading, "power_state");
	HL_FREE char *state = read_line(reading, path);

	if (state && state[0] == 'D')
		hl_pci_set_string(reading->listing, reading->at, PCI_POWER_STATE, state, path);
}

/* Who is not root gets the header alone; the status register says whether there is more. */
static bool is_cut(const char *bytes, size_t len)
{
	return len == 64 && (bytes[6] & 0x10);
}

static void read_config(struct reading *reading)
{
	const char *path = path_of(reading, "config");
	HL_FREE char *bytes = NULL;
	struct pci_config *config;
	size_t len;

	if (hl_machine_read(reading->machine, path, &bytes, &len, NULL) < 0)
		return;
	config = hl_pci_config_of(reading->listing, reading->at, path);
	for (size_t i = 0; i < len; i++)
		hl_pci_config_set(config, i, (uint8_t)bytes[i]);
	if (is_cut(bytes, len))
		hl_machine_deny(reading->machine, path);
}

/* ---- all devices ---- */

static void read_device(struct reading *reading)
{
	bool sleeps = is_asleep(reading);

	reading->at->source = hl_arena_printf(reading->listing->arena, DEVICES "/%s",
					      reading->at->node);
	read_attributes(reading, sleeps);
	read_links(reading);
	read_errors(reading);
	read_power(reading);
	if (!sleeps)
		read_config(reading);
}

/* "0000:01:00": all functions of that device */
static void read_slot(struct reading *reading, const char *slot)
{
	const char *path = hl_arena_printf(reading->listing->arena, SLOTS "/%s/address", slot);
	HL_FREE char *address = read_line(reading, path);
	size_t len = address ? strlen(address) : 0;

	for (size_t i = 0; len && i < reading->listing->nr; i++) {
		struct pci_function *at = reading->listing->functions[i];

		if (!strncmp(at->node, address, len) && at->node[len] == '.')
			hl_pci_set_string(reading->listing, at, PCI_SLOT, slot, path);
	}
}

static void read_slots(struct reading *reading)
{
	char **names;
	size_t nr;

	if (hl_machine_list(reading->machine, SLOTS, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++)
		read_slot(reading, names[i]);
	hl_machine_free_names(names, nr);
}

static int read_devices(struct hl_machine *machine, struct pci_listing *listing,
			struct hl_error *err)
{
	struct reading reading = { .machine = machine, .listing = listing };
	char **names;
	size_t nr;
	int r = hl_machine_list(machine, DEVICES, &names, &nr, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < nr; i++) {
		struct pci_function at;

		if (hl_pci_read_address(names[i], strlen(names[i]), &at) != strlen(names[i]))
			continue;
		reading.at = hl_pci_listing_add(listing, &at);
		read_device(&reading);
	}
	hl_machine_free_names(names, nr);
	read_slots(&reading);
	return listing->nr ? 0 : hl_fail(err, ENOENT, "this machine has no PCI devices");
}

/* ---- the probe ---- */

static void free_arena(struct hl_arena **arena)
{
	hl_arena_free(*arena);
}

/* The static file has no libpci; the list is only looked at, not recorded. */
static void name_devices(struct hl_machine *machine, struct pci_listing *listing)
{
	static const char *const lists[] = { "/usr/share/misc/pci.ids",
					     "/usr/share/hwdata/pci.ids" };

	if (hl_pci_config_name(listing, NULL) != -EOPNOTSUPP)
		return;
	for (size_t i = 0; i < NR(lists); i++) {
		HL_FREE char *ids = NULL;
		size_t len;

		if (hl_machine_peek(machine, lists[i], &ids, &len, NULL) < 0)
			continue;
		hl_pci_ids_name(listing, ids);
		return;
	}
}

/* As "lspci -Dnn" prints them. */
static int keep_names(struct hl_capture *capture, struct pci_listing *listing, struct hl_error *err)
{
	HL_FREE char *text = NULL;
	size_t len = 0;
	FILE *out;

	name_devices(capture->machine, listing);
	out = open_memstream(&text, &len);
	if (!out)
		return hl_fail(err, errno, "out of memory");
	for (size_t i = 0; i < listing->nr; i++) {
		const struct pci_function *at = listing->functions[i];

		if (at->strings[PCI_CLASS] && at->strings[PCI_NAME])
			fprintf(out, "%s %s [%04x]: %s [%04x:%04x]\n", at->node,
				at->strings[PCI_CLASS], (unsigned)at->numbers[PCI_CLASS_CODE],
				at->strings[PCI_NAME], (unsigned)at->numbers[PCI_VENDOR],
				(unsigned)at->numbers[PCI_DEVICE]);
	}
	fclose(out);
	return len ? hl_capture_keep(capture, KEEP_NAME, NULL, text, len, err) : 0;
}

static int pcie_acquire(struct hl_capture *capture, struct hl_error *err)
{
	__attribute__((cleanup(free_arena))) struct hl_arena *arena = hl_arena_new();
	struct pci_listing listing = { .arena = arena };
	int r = read_devices(capture->machine, &listing, err);

	return r < 0 ? r : keep_names(capture, &listing, err);
}

static void take_fact(struct pci_listing *listing, const struct hl_fact *fact,
		      enum pci_string which)
{
	struct pci_function at, *found;

	if (!fact->string || !fact->node ||
	    !hl_pci_read_address(fact->node, strlen(fact->node), &at))
		return;
	found = hl_pci_listing_find(listing, &at);
	if (found && !found->strings[which])
		hl_pci_set_string(listing, found, which, fact->string, fact->source);
}

/* The names that were kept have become facts before. */
static void take_names(struct pci_listing *listing, const struct hl_origin *origin,
		       const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (origin->host && fact->host && strcmp(origin->host, fact->host) != 0)
			continue;
		if (!strcmp(fact->key, "pcie.name"))
			take_fact(listing, fact, PCI_NAME);
		else if (!strcmp(fact->key, "pcie.class"))
			take_fact(listing, fact, PCI_CLASS);
	}
}

static int pcie_decode(struct hl_machine *recorded, const struct hl_origin *origin,
		       struct hl_graph *graph, struct hl_error *err)
{
	struct pci_listing listing = { .arena = graph->arena };
	int r = read_devices(recorded, &listing, err);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	take_names(&listing, origin, graph);
	r = hl_pci_config_read(&listing, err);
	hl_pci_tree_fill(&listing);
	hl_pci_chain_fill(&listing);
	hl_pci_facts_add(&listing, origin->host, graph);
	return r;
}

const struct hl_probe hl_probe_pcie = {
	.name = "pcie",
	.summary = "PCIe links up to the root, their errors, VFs and slots",
	.layer = HL_LAYER_LINK,
	.acquire = pcie_acquire,
	.decode = pcie_decode,
};
