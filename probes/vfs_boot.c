/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SR-IOV: are a NIC's VFs made again at boot?
 *
 * Source: the files in which an administrator has that done: rules of udev, units of systemd that
 * are enabled, options of modules, interfaces(5), tmpfiles.d, sysfs.conf, rc.local, cron, netplan,
 * NetworkManager. Secrets can stand beside, so of each file only the lines that set the number of
 * VFs, or say which NIC they are about, are recorded; the others stay behind as empty lines.
 *
 * What counts: a line that names the NIC, or its driver's module, or, where but one NIC has VFs,
 * any such line: yes. No line in any of these places, all of which could be read, while the NIC has
 * VFs: no. A line that cannot be placed, or only one in a script that something may call: not
 * known. Surprising: a directory that may not be read is recorded as an empty file, and a file as
 * an empty directory, so that "not allowed to look" is not taken for "nothing there" when it is
 * read again.
 */
#include "vfs_boot.h"
#include "hoploss/probe.h"
#include "sysfs.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NET       "/sys/class/net"
#define LINE_SIZE 512

enum kind {
	AT_BOOT, /* what stands there is done at boot */
	SCRIPTS, /* if something calls it */
};

static const struct place {
	const char *path;
	enum kind kind;
	bool is_file;
} places[] = {
	{ "/etc/udev/rules.d", AT_BOOT, false },
	{ "/usr/lib/udev/rules.d", AT_BOOT, false },
	{ "/etc/modprobe.d", AT_BOOT, false },
	{ "/usr/lib/modprobe.d", AT_BOOT, false },
	{ "/etc/systemd/system/multi-user.target.wants", AT_BOOT, false },
	{ "/etc/systemd/system/basic.target.wants", AT_BOOT, false },
	{ "/etc/systemd/system/sysinit.target.wants", AT_BOOT, false },
	{ "/etc/systemd/system/default.target.wants", AT_BOOT, false },
	{ "/etc/systemd/system/network.target.wants", AT_BOOT, false },
	{ "/etc/systemd/system/network-pre.target.wants", AT_BOOT, false },
	{ "/etc/systemd/system/network-online.target.wants", AT_BOOT, false },
	{ "/etc/systemd/network", AT_BOOT, false },
	{ "/etc/tmpfiles.d", AT_BOOT, false },
	{ "/etc/sysfs.d", AT_BOOT, false },
	{ "/etc/sysfs.conf", AT_BOOT, true },
	{ "/etc/network/interfaces", AT_BOOT, true },
	{ "/etc/network/interfaces.d", AT_BOOT, false },
	{ "/etc/network/if-pre-up.d", AT_BOOT, false },
	{ "/etc/network/if-up.d", AT_BOOT, false },
	{ "/etc/netplan", AT_BOOT, false },
	{ "/etc/NetworkManager/system-connections", AT_BOOT, false },
	{ "/etc/NetworkManager/dispatcher.d", AT_BOOT, false },
	{ "/etc/rc.local", AT_BOOT, true },
	{ "/etc/rc.d/rc.local", AT_BOOT, true },
	{ "/etc/crontab", AT_BOOT, true },
	{ "/etc/cron.d", AT_BOOT, false },
	{ "/var/spool/cron/crontabs", AT_BOOT, false },
	{ "/var/spool/cron", AT_BOOT, false },
	{ "/data/freenas-v1.db", AT_BOOT, true }, /* TrueNAS: a database, not looked into */
	{ "/etc/init.d", SCRIPTS, false },
	{ "/usr/local/sbin", SCRIPTS, false },
	{ "/usr/local/bin", SCRIPTS, false },
	{ "/var/lib/vz/snippets", SCRIPTS, false },
};

#define NR_PLACES (sizeof(places) / sizeof(*places))

/* ---- NICs that can have VFs ---- */

static void copy_link(struct hl_machine *machine, const char *path, char *to, size_t size)
{
	HL_FREE char *name = hl_sysfs_link(machine, path);

	snprintf(to, size, "%s", name ? name : "");
}

static void read_card(struct hl_machine *machine, const char *nic, struct sriov_cards *cards)
{
	struct sriov_card *card = &cards->items[cards->nr];
	HL_FREE char *device = hl_printf(NET "/%s/device", nic);
	HL_FREE char *driver = hl_printf("%s/driver", device);
	HL_FREE char *most = hl_printf("%s/sriov_totalvfs", device);
	HL_FREE char *now = hl_printf("%s/sriov_numvfs", device);

	if (cards->nr == SRIOV_MOST_CARDS || strlen(nic) >= sizeof(card->name) ||
	    !(hl_sysfs_number(machine, most) > 0))
		return;
	snprintf(card->name, sizeof(card->name), "%s", nic);
	copy_link(machine, device, card->address, sizeof(card->address));
	copy_link(machine, driver, card->driver, sizeof(card->driver));
	card->nr_vfs = hl_sysfs_number(machine, now);
	cards->nr++;
}

static void read_cards(struct hl_machine *machine, struct sriov_cards *ret_cards)
{
	char **names;
	size_t nr;

	ret_cards->nr = 0;
	if (hl_machine_list(machine, NET, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++)
		read_card(machine, names[i], ret_cards);
	hl_machine_free_names(names, nr);
}

/* ---- keeping what matters of a file ---- */

static int put(struct hl_capture *capture, enum hl_record_kind kind, const char *path,
	       const char *bytes, size_t len)
{
	const struct hl_record record = {
		.kind = kind,
		.path = path + 1, /* below the root */
		.bytes = bytes,
		.len = len,
	};

	return capture->sink->put(capture->sink, &record);
}

/* Its lines that matter, the others empty; false = none does. To be freed in any case. */
static bool filter(char *bytes, const struct sriov_cards *cards, char **ret_text, size_t *ret_len)
{
	FILE *out = open_memstream(ret_text, ret_len);
	char *rest = bytes, *line;
	bool makes = false;

	while (out && (line = strsep(&rest, "\n"))) {
		HL_FREE char *part = sriov_line_part(line);

		makes |= part != NULL;
		if (!part && strlen(line) < LINE_SIZE && sriov_line_is_about(line, cards))
			part = hl_strdup(line);
		fprintf(out, "%s\n", part ? part : "");
	}
	if (out)
		fclose(out);
	return makes;
}

/* That it could not be looked at: 1, or -errno. */
static int keep_unread(struct hl_capture *capture, const char *path)
{
	int rc = put(capture, HL_RECORD_LISTING, path, "", 0);

	return rc < 0 ? rc : 1;
}

/*
 * 1 = recorded, 0 = nothing of it matters, or -errno. is_named: it is one of the places itself, so
 * that it tells nothing if it is no text.
 */
static int keep_file(struct hl_capture *capture, const char *path, bool is_named,
		     const struct sriov_cards *cards)
{
	HL_FREE char *bytes = NULL;
	HL_FREE char *text = NULL;
	size_t len, text_len = 0;
	int rc = hl_machine_peek(capture->machine, path, &bytes, &len, NULL);

	if (rc == -EACCES || rc == -EPERM)
		return keep_unread(capture, path);
	if (rc == -ENOENT)
		return 0;
	if (rc < 0 || memchr(bytes, '\0', len)) /* a directory, a program, too large */
		return is_named ? keep_unread(capture, path) : 0;
	if (!filter(bytes, cards, &text, &text_len))
		return 0;
	rc = put(capture, HL_RECORD_FILE, path, text, text_len);
	return rc < 0 ? rc : 1;
}

static int keep_directory(struct hl_capture *capture, const char *path,
			  const struct sriov_cards *cards)
{
	HL_FREE char *kept = hl_strdup("");
	char **names;
	size_t nr;
	int rc = hl_machine_peek_list(capture->machine, path, &names, &nr, NULL);

	if (rc == -EACCES || rc == -EPERM)
		return put(capture, HL_RECORD_FILE, path, "", 0);
	if (rc < 0)
		return 0;
	for (size_t i = 0; rc >= 0 && i < nr; i++) {
		HL_FREE char *file = hl_printf("%s/%s", path, names[i]);
		char *longer;

		rc = keep_file(capture, file, false, cards);
		if (rc <= 0)
			continue;
		longer = hl_printf("%s%s\n", kept, names[i]);
		free(kept);
		kept = longer;
	}
	hl_machine_free_names(names, nr);
	return rc < 0 ? rc : put(capture, HL_RECORD_LISTING, path, kept, strlen(kept));
}

static int sriov_acquire(struct hl_capture *capture, struct hl_error *err)
{
	struct sriov_cards cards;
	int rc = 0;

	read_cards(capture->machine, &cards);
	if (!cards.nr)
		return hl_fail(err, ENOENT, "no NIC that can have VFs");
	for (size_t i = 0; rc >= 0 && i < NR_PLACES; i++)
		rc = places[i].is_file ? keep_file(capture, places[i].path, true, &cards)
				       : keep_directory(capture, places[i].path, &cards);
	return rc < 0 ? hl_fail(err, -rc, "keep what makes VFs: %s", strerror(-rc)) : 0;
}

/* ---- what it says ---- */

struct finding {       /* of one NIC */
	char *at_boot; /* "PATH:LINE" that makes its VFs; NULL */
	bool is_in_script;
};

struct search {
	struct hl_machine *machine;
	struct sriov_cards cards;
	struct finding found[SRIOV_MOST_CARDS];
	char *unplaced; /* a line at boot that no NIC was found for; NULL */
	bool is_whole;  /* all could be read */
	unsigned nr_listed;
};

/* Of that NIC by name, or, where it names none, of all of a driver. */
static bool is_of(const struct search *search, const char *line, const struct sriov_card *card)
{
	for (size_t i = 0; i < search->cards.nr; i++) {
		if (sriov_line_names(line, &search->cards.items[i]))
			return sriov_line_names(line, card);
	}
	return sriov_line_drives(line, card);
}

static void found_line(struct search *search, enum kind kind, const char *path, unsigned number,
		       const char *line)
{
	bool is_placed = false;

	for (size_t i = 0; i < search->cards.nr; i++) {
		struct finding *found = &search->found[i];

		if (!is_of(search, line, &search->cards.items[i]))
			continue;
		is_placed = true;
		if (kind == SCRIPTS)
			found->is_in_script = true;
		else if (!found->at_boot)
			found->at_boot = hl_printf("%s:%u", path, number);
	}
	if (!is_placed && kind == AT_BOOT && !search->unplaced)
		search->unplaced = hl_printf("%s:%u", path, number);
	else if (!is_placed && kind == SCRIPTS)
		search->is_whole = false;
}

static void read_file(struct search *search, enum kind kind, const char *path)
{
	HL_FREE char *bytes = NULL;
	char *rest, *line;
	const char *about = "";
	unsigned number = 0;
	size_t len;
	int rc = hl_machine_read(search->machine, path, &bytes, &len, NULL);

	if (rc < 0) {
		search->is_whole &= rc == -ENOENT;
		return;
	}
	rest = bytes;
	while ((line = strsep(&rest, "\n"))) {
		HL_FREE char *whole = NULL, *part = sriov_line_part(line);

		number++;
		if (sriov_line_is_about(line, &search->cards))
			about = line;
		if (!part)
			continue;
		/* a unit for each NIC has its name in its own: vfs@ens1f0.service */
		whole = hl_printf("%s %s %s", strrchr(path, '/') + 1, about, part);
		found_line(search, kind, path, number, whole);
	}
}

static void read_directory(struct search *search, enum kind kind, const char *path)
{
	char **names;
	size_t nr;
	int rc = hl_machine_list(search->machine, path, &names, &nr, NULL);

	if (rc < 0) {
		search->is_whole &= rc == -ENOENT;
		return;
	}
	search->nr_listed++;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *file = hl_printf("%s/%s", path, names[i]);

		read_file(search, kind, file);
	}
	hl_machine_free_names(names, nr);
}

/* It has VFs, and no other does. */
static bool is_only_one(const struct search *search, const struct sriov_card *card)
{
	for (size_t i = 0; i < search->cards.nr; i++) {
		const struct sriov_card *other = &search->cards.items[i];

		if (other != card && other->nr_vfs > 0)
			return false;
	}
	return card->nr_vfs > 0;
}

static void conclude(const struct search *search, size_t which, const struct hl_origin *origin,
		     struct hl_graph *graph)
{
	const struct sriov_card *card = &search->cards.items[which];
	const struct finding *found = &search->found[which];
	struct hl_origin where = { origin->host, card->name, found->at_boot };

	if (!where.source && is_only_one(search, card))
		where.source = search->unplaced;
	if (where.source) {
		hl_graph_add_boolean(graph, &where, "link.vfs_at_boot", true);
		return;
	}
	if (search->unplaced || found->is_in_script || !search->is_whole || !search->nr_listed ||
	    !(card->nr_vfs > 0))
		return;
	where.source = "no line in /etc/udev, systemd, modprobe.d, network, cron and their like";
	hl_graph_add_boolean(graph, &where, "link.vfs_at_boot", false);
}

static int sriov_decode(struct hl_machine *recorded, const struct hl_origin *origin,
			struct hl_graph *graph, struct hl_error *err)
{
	struct search search = { .machine = recorded, .is_whole = true };

	(void)err;
	read_cards(recorded, &search.cards);
	for (size_t i = 0; search.cards.nr && i < NR_PLACES; i++) {
		if (places[i].is_file)
			read_file(&search, places[i].kind, places[i].path);
		else
			read_directory(&search, places[i].kind, places[i].path);
	}
	for (size_t i = 0; i < search.cards.nr; i++) {
		conclude(&search, i, origin, graph);
		free(search.found[i].at_boot);
	}
	free(search.unplaced);
	return 0;
}

const struct hl_probe hl_probe_sriov = {
	.name = "sriov",
	.summary = "what makes the VFs of a NIC again at boot",
	.layer = HL_LAYER_VNIC,
	.acquire = sriov_acquire,
	.decode = sriov_decode,
};
