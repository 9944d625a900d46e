/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learning the names of pools, storages and volumes that stand without a path: from the tables of
 * zpool(8), zfs(8), mount(8) and lsblk(8), /proc/self/mountinfo, VMs of Proxmox and libvirt, and
 * the directories of targets. Notations that hold such a name in a path are not learned but found.
 */
#include "volumes.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_LENGTH 3 /* of a name that is looked for anywhere */
#define BLANKS       " \t"

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

/* A name that stands alone, too. */
static void learn_word(struct hl_scrub *scrub, const char *text, size_t len, enum bounds bounds)
{
	HL_FREE char *word = hl_strndup(text, len);
	const char *to = volumes_learn_head(scrub->volumes, text, len);

	if (to && len >= LEAST_LENGTH && !scrub_keeps(scrub, word))
		pair_add(scrub, text, len, to, bounds);
}

/* "tank" of "tank/vol@snap". */
static void learn_pool(struct hl_scrub *scrub, const char *text, size_t len)
{
	learn_word(scrub, text, strcspn(text, "/@") < len ? strcspn(text, "/@") : len, BOUNDS_NAME);
}

/* ---- tables of ZFS ---- */

static bool line_holds(const char *line, const char *word)
{
	return memmem(line, strcspn(line, "\n"), word, strlen(word)) != NULL;
}

/* The header of zpool list, zfs list, zpool iostat, zpool get or zfs get. */
static bool is_zfs_header(const char *line)
{
	bool is_named = !strncmp(line, "NAME ", 5) || !strncmp(line, "NAME\t", 5);

	if (!strncmp(line, "pool ", 5) && line_holds(line, "alloc"))
		return true;
	return is_named && (line_holds(line, "ALLOC") || line_holds(line, "PROPERTY") ||
			    line_holds(line, "REFER") || line_holds(line, "VOLSIZE"));
}

/* NAME, property, value and source, with tabs between: zfs get -H. */
static bool is_property(const char *line)
{
	size_t nr = 0;

	for (size_t i = 0; line[i] && line[i] != '\n'; i++)
		nr += line[i] == '\t';
	return nr == 3 && *line != '\t';
}

static void learn_zfs_tables(struct hl_scrub *scrub, const char *path, const char *text)
{
	bool is_kept = !strncmp(path, "zfs-get", 7) || !strncmp(path, "zpool-get.", 10);
	bool is_in_table = false;

	for (const char *line = text; line; line = next_line(line)) {
		size_t len = strcspn(line, BLANKS "\n"), skip = strspn(line, BLANKS);

		if (!strncmp(line + skip, "pool: ", 6))
			learn_pool(scrub, line + skip + 6, strcspn(line + skip + 6, BLANKS "\n"));
		else if ((is_in_table && len && *line != '-') || (is_kept && is_property(line)))
			learn_pool(scrub, line, len);
		is_in_table = is_zfs_header(line) || (is_in_table && (len || skip));
	}
}

/* ---- mounts and block devices ---- */

/* The word before "at" in a line. */
static void learn_before(struct hl_scrub *scrub, const char *line, const char *at)
{
	const char *start = at;

	while (start > line && !isspace((unsigned char)start[-1]))
		start--;
	learn_pool(scrub, start, (size_t)(at - start));
}

/* mountinfo: "… - zfs tank/data rw"; mount: "tank/data on /x type zfs"; df -T: "tank/data zfs". */
static void learn_mount(struct hl_scrub *scrub, const char *line)
{
	static const char in_info[] = " - zfs ";
	size_t len = strcspn(line, "\n"), first = strcspn(line, BLANKS "\n");
	const char *at = memmem(line, len, in_info, strlen(in_info));
	const char *on = memmem(line, len, " on /", 5);

	if (at) {
		at += strlen(in_info);
		learn_pool(scrub, at, strcspn(at, BLANKS "\n"));
	} else if (on && line_holds(on, " type zfs")) {
		learn_before(scrub, line, on);
	} else if (first && !strncmp(line + first + strspn(line + first, BLANKS), "zfs ", 4)) {
		learn_pool(scrub, line, first);
	}
}

/* ---- sources that are no path ---- */

static bool is_of_network(const char *line)
{
	static const char *const signs[] = { " nfs",   " nfs4",      " cifs", " smb3", " smbfs",
					     " fuse.", " glusterfs", " ceph", " 9p",   " virtiofs",
					     "\tnfs",  "\tcifs",     "% /" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (line_holds(line, signs[i]))
			return true;
	}
	return false;
}

/* A host, if it is neither an address nor a domain's, which are found by their notation. */
static void learn_server(struct hl_scrub *scrub, const char *text, size_t len)
{
	HL_FREE char *name = hl_strndup(text, len);

	if (isalpha((unsigned char)*name) && !strchr(name, '.'))
		hl_scrub_learn_name(scrub, name);
}

static void learn_parts(struct hl_scrub *scrub, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		size_t part = strcspn(text, "/ \t\n");

		part = part < (size_t)(end - text) ? part : (size_t)(end - text);
		learn_word(scrub, text, part, BOUNDS_WORD);
		text += part + 1;
	}
}

/* "nas:/export", "user@nas:/x", "//nas/share/dir", "LABEL=x", "remote:dir". */
static void learn_source(struct hl_scrub *scrub, const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len), *equals = memchr(text, '=', len);
	const char *at = memchr(text, '@', len);

	if (len > 3 && !memcmp(text, "//", 2)) {
		const char *slash = memchr(text + 2, '/', len - 2);

		learn_server(scrub, text + 2, slash ? (size_t)(slash - text - 2) : len - 2);
		if (slash)
			learn_parts(scrub, slash + 1, (size_t)(text + len - slash - 1));
	} else if (len > 6 && equals && equals - text >= 5 && !memcmp(equals - 5, "LABEL", 5)) {
		learn_parts(scrub, equals + 1, (size_t)(text + len - equals - 1));
	} else if (colon && colon > text && (!equals || equals > colon) && *text != '/') {
		if (at && at < colon)
			learn_server(scrub, text, (size_t)(at - text));
		text = at && at < colon ? at + 1 : text;
		learn_server(scrub, text, (size_t)(colon - text));
	}
}

static bool is_source_sign(const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);
	bool is_number = strspn(text, "0123456789:.") >= len;

	if (is_number || memchr(text, ',', len) || memmem(text, len, "://", 3))
		return false;
	return (len > 3 && !memcmp(text, "//", 2)) || (colon && colon + 1 < text + len) ||
	       memmem(text, len, "LABEL=", 6);
}

/* Each word of a line of mount, mountinfo, fstab, df or findmnt that may be one. */
static void learn_sources(struct hl_scrub *scrub, const char *line)
{
	bool is_network = is_of_network(line);

	for (size_t len; *line && *line != '\n'; line += len) {
		line += strspn(line, BLANKS);
		len = strcspn(line, BLANKS "\n");
		if (is_source_sign(line, len) && (is_network || memmem(line, len, "LABEL=", 6)))
			learn_source(scrub, line, len);
	}
}

/* lsblk: "└─vg0-web 253:0 0 8G 0 lvm /srv". */
static void learn_lvm_row(struct hl_scrub *scrub, const char *line)
{
	size_t skip = 0, len;

	if (!line_holds(line, " lvm"))
		return;
	while (line[skip] && line[skip] != '\n' && !isalpha((unsigned char)line[skip]))
		skip++;
	len = strcspn(line + skip, BLANKS "\n");
	if (strspn(line + skip + len, BLANKS "0123456789:") >= 4)
		pair_add(scrub, line + skip, len, volumes_mapped(scrub->volumes, line + skip, len),
			 BOUNDS_WORD);
}

/* lsblk -J: {"name": "vg0-web", …, "type": "lvm"}. */
static void learn_lvm_objects(struct hl_scrub *scrub, const char *text)
{
	const char *name = NULL;

	for (const char *at = text; (at = strchr(at, '"')); at++) {
		if (!strncmp(at, "\"name\":", 7))
			name = strchr(at + 7, '"');
		else if (name && !strncmp(at, "\"lvm\"", 5) && at > name)
			pair_add(scrub, name + 1, strcspn(name + 1, "\""),
				 volumes_mapped(scrub->volumes, name + 1, strcspn(name + 1, "\"")),
				 BOUNDS_WORD);
	}
}

/* ---- machines ---- */

/* scsi0: STORAGE:VOLUME,… in the configuration of a Proxmox VM. */
static void learn_disk(struct hl_scrub *scrub, const char *line)
{
	static const char *const buses[] = { "scsi",    "virtio",   "ide",   "sata",
					     "efidisk", "tpmstate", "unused" };

	for (size_t i = 0; i < sizeof(buses) / sizeof(*buses); i++) {
		size_t len = strlen(buses[i]), digits;
		const char *value;

		if (strncmp(line, buses[i], len) != 0)
			continue;
		digits = strspn(line + len, "0123456789");
		value = line + len + digits;
		if (!digits || strncmp(value, ": ", 2) != 0)
			continue;
		value += 2;
		len = strcspn(value, ":,\n");
		if (value[len] == ':')
			learn_word(scrub, value, len, BOUNDS_NAME);
		value += len + strcspn(value + len, "/,\n"); /* local:iso/NAME.iso */
		if (*value == '/')
			learn_word(scrub, value + 1, strcspn(value + 1, ".,\n"), BOUNDS_WORD);
	}
}

/* <source pool="…" volume="…"/> of a libvirt domain. */
static void learn_attribute(struct hl_scrub *scrub, const char *text, const char *attribute)
{
	for (const char *at = text; (at = strstr(at, attribute));) {
		at += strlen(attribute);
		if (*at == '"' || *at == '\'')
			learn_word(scrub, at + 1, strcspn(at + 1, ".\"'\n"), BOUNDS_WORD);
	}
}

/* ---- places ---- */

/* In the path of a record: /dev/zvol/POOL/…, /proc/spl/kstat/zfs/POOL/state, …/devices/NAME/…. */
static void learn_place(struct hl_scrub *scrub, const struct hl_record *record)
{
	static const char zvol[] = "dev/zvol/", kstat[] = "proc/spl/kstat/zfs/";
	const char *path = record->path, *at;
	struct volumes_path parts = { 0 };

	if (!strncmp(path, zvol, strlen(zvol)))
		learn_pool(scrub, path + strlen(zvol), strlen(path + strlen(zvol)));
	at = path + strlen(kstat);
	if (!strncmp(path, kstat, strlen(kstat)) && strchr(at, '/'))
		learn_pool(scrub, at, strlen(at));
	for (at = path; *at; at += strspn(at, "/")) {
		size_t len = strcspn(at, "/");

		volumes_path_push(&parts, at, len);
		if (volumes_is_named_in_kernel(&parts))
			learn_word(scrub, at, len, BOUNDS_NAME);
		at += len;
	}
}

static void learn_zvols(struct hl_scrub *scrub, const char *text)
{
	static const char zvol[] = "/dev/zvol/";

	for (const char *at = text; (at = strstr(at, zvol));) {
		at += strlen(zvol);
		learn_pool(scrub, at, strcspn(at, "/ \t\n\"',;<>"));
	}
}

void volumes_learn(struct hl_scrub *scrub, const struct hl_record *record, const char *text)
{
	if (record->kind != HL_RECORD_KEPT)
		learn_place(scrub, record);
	if (record->kind == HL_RECORD_LISTING && !strcmp(record->path, "dev/zvol")) {
		for (const char *line = text; line && *line; line = next_line(line))
			learn_pool(scrub, line, strcspn(line, "\n"));
	}
	if (record->kind == HL_RECORD_LISTING || record->kind == HL_RECORD_LINK)
		return;
	learn_zfs_tables(scrub, record->path, text);
	learn_zvols(scrub, text);
	learn_lvm_objects(scrub, text);
	if (strstr(text, "<domain")) {
		learn_attribute(scrub, text, " pool=");
		learn_attribute(scrub, text, " volume=");
	}
	for (const char *line = text; line; line = next_line(line)) {
		learn_mount(scrub, line);
		learn_sources(scrub, line);
		learn_lvm_row(scrub, line);
		learn_disk(scrub, line);
	}
}
