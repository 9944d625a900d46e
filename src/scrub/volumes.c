/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of pools, data sets, volume groups, storages and directories.
 *
 * Source: where such names stand: the components of paths (hier(7), udev(7) for /dev, configfs of
 * LIO, sysfs of SCST), the first column of zpool(8) and zfs(8), the storages of qm.conf(5), the
 * sources of zfs mounts. A component has one stand-in, wherever it stands, so what was joined by a
 * path is joined by the stand-in, too.
 *
 * Surprising: words that anybody's machine has, like "images" and "data", stay; and so pools that
 * are called like a word of a tool's output cannot break it. /dev/mapper/VG-LV is two names, with
 * a "-" in them doubled; stand-ins have none.
 */
#include "volumes.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_BUCKETS 1024

struct volume {
	const char *from, *to;
	size_t len;
	bool is_head; /* of data sets or volumes, "/" or ":" behind it */
	struct volume *next;
};

struct hl_volumes {
	struct hl_arena *arena;
	struct volume *buckets[NR_BUCKETS];
	unsigned nr;
};

/* ---- words that stay ---- */

/* What anybody's machine has, and what tools print. */
static const char *const common[] = {
	"action",    "all",        "archive",       "backup",    "backups",
	"block",     "bulk",       "cache",         "cdrom",     "cloudinit",
	"config",    "containerd", "containers",    "core",      "csi",
	"data",      "day",        "default",       "dev",       "disk",
	"disks",     "docker",     "dump",          "errors",    "fast",
	"file",      "files",      "fio",           "global",    "globalmount",
	"home",      "hoploss",    "hour",          "images",    "in",
	"io",        "isos",       "iso",           "iscsi",     "job",
	"k3s",       "k8s.io",     "kubelet",       "kubepods",  "kubernetes",
	"lib",       "libvirt",    "local",         "local-lvm", "local-path-provisioner",
	"local-zfs", "log",        "logs",          "longhorn",  "lost+found",
	"lxc",       "machine",    "media",         "merged",    "min",
	"mirror",    "mnt",        "mount",         "mounts",    "name",
	"netns",     "nfs",        "none",          "ns",        "nvme",
	"off",       "on",         "openebs",       "opt",       "overlay",
	"overlay2",  "path",       "plugins",       "pods",      "pool",
	"pools",     "pv",         "pvc",           "qemu",      "raidz",
	"rancher",   "read",       "root",          "rootfs",    "run",
	"s",         "scan",       "sec",           "shm",       "size",
	"slow",      "snap",       "snippets",      "source",    "spare",
	"special",   "srv",        "state",         "status",    "storage",
	"swap",      "systemd",    "target",        "test",      "tmp",
	"type",      "user",       "value",         "var",       "vm",
	"vms",       "volume",     "volumeDevices", "volumes",   "vz",
	"write",     "zvol",
};

/* Ends that say what a thing is; what is before them is its name. */
static const char *const endings[] = { ".qcow2", ".raw", ".img",  ".vmdk", ".iso",  ".bin",
				       ".fd",    ".xml", ".conf", ".sock", ".json", ".txt",
				       ".log",   ".vhd", ".vdi",  ".fio",  ".csv" };

/* Directories in /dev, besides those that have rules of their own: none is a volume group. */
static const char *const dev_directories[] = {
	"block", "bsg",    "bus", "char", "cpu", "disk", "dri", "fd",  "hugepages", "infiniband",
	"input", "mqueue", "net", "ng",   "pts", "raw",  "snd", "usb", "vfio",
};

/* Trees that every Linux has. */
static const char *const trees[] = { "usr",   "etc",   "bin",    "sbin", "lib",
				     "lib32", "lib64", "libx32", "boot" };

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

static bool is_one_of(const char *text, size_t len, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (is_word(text, len, words[i]))
			return true;
	}
	return false;
}

/* sda1, nvme0n1p2, dm-3, md127, zd16, loop0. */
static bool is_device(const char *text, size_t len)
{
	static const char *const stems[] = { "sd", "hd", "vd", "xvd" };
	static const char *const numbered[] = { "nvme", "dm-", "md",   "zd",  "loop", "nbd",
						"sr",   "ram", "zram", "rbd", "drbd", "mpath" };

	for (size_t i = 0; i < LENGTH(stems); i++) {
		size_t stem = strlen(stems[i]), letters;

		if (len <= stem || memcmp(text, stems[i], stem) != 0)
			continue;
		letters = strspn(text + stem, "abcdefghijklmnopqrstuvwxyz");
		if (letters >= 1 && letters <= 3 &&
		    stem + letters + strspn(text + stem + letters, "0123456789") >= len)
			return true;
	}
	for (size_t i = 0; i < LENGTH(numbered); i++) {
		size_t stem = strlen(numbered[i]);

		if (len > stem && !memcmp(text, numbered[i], stem) &&
		    stem + strspn(text + stem, "0123456789npcab") >= len)
			return true;
	}
	return false;
}

/* What Proxmox calls its volumes says only which VM's: vm-100-disk-0, base-9000-disk-1. */
static bool is_numbered_volume(const char *text, size_t len)
{
	static const char *const stems[] = { "vm-", "base-", "subvol-" };

	for (size_t i = 0; i < LENGTH(stems); i++) {
		size_t stem = strlen(stems[i]), digits;

		if (len <= stem || memcmp(text, stems[i], stem) != 0)
			continue;
		digits = strspn(text + stem, "0123456789");
		text += stem + digits;
		len -= stem + digits;
		return digits &&
		       (!strncmp(text, "-disk-", 6) || !strncmp(text, "-cloudinit", 10)) &&
		       len < 16;
	}
	return false;
}

static bool holds_uuid(const char *text, size_t len)
{
	for (size_t i = 0; i + 36 <= len; i++) {
		size_t end = 0;
		const struct hl_identity *kind = hl_identity_at(text + i, text, true, &end);

		if (kind && !strcmp(kind->name, "UUID"))
			return i == 0 || (i == 4 && !strncmp(text, "pvc-", 4));
	}
	return false;
}

static bool has_end(const char *text, size_t len, const char *end)
{
	size_t end_len = strlen(end);

	return len > end_len && !memcmp(text + len - end_len, end, end_len);
}

/* Names nobody, or is seen to elsewhere. */
static bool is_plain(const char *text, size_t len)
{
	static const char *const units[] = { ".slice", ".scope", ".service" };

	for (size_t i = 0; i < LENGTH(units); i++) { /* control groups are found by them */
		if (has_end(text, len, units[i]))
			return true;
	}
	return len == 0 || strspn(text, "0123456789.:-") >= len ||
	       is_one_of(text, len, common, LENGTH(common)) || is_device(text, len) ||
	       is_numbered_volume(text, len) || holds_uuid(text, len) ||
	       !strncmp(text, "kubernetes.io~", 14) || !strncmp(text, "iqn.", 4) ||
	       !strncmp(text, "nqn.", 4);
}

/* ---- stand-ins ---- */

struct hl_volumes *volumes_new(struct hl_arena *arena)
{
	struct hl_volumes *volumes = hl_arena_alloc(arena, sizeof(*volumes));

	volumes->arena = arena;
	return volumes;
}

static struct volume **place_of(struct hl_volumes *volumes, const char *text, size_t len)
{
	uint32_t hash = 2166136261u; /* FNV-1a */
	struct volume **place;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619u;
	place = &volumes->buckets[hash % NR_BUCKETS];
	while (*place && ((*place)->len != len || memcmp((*place)->from, text, len) != 0))
		place = &(*place)->next;
	return place;
}

static struct volume *volume_of(struct hl_volumes *volumes, const char *text, size_t len)
{
	struct volume **place = place_of(volumes, text, len);

	if (!*place) {
		*place = hl_arena_alloc(volumes->arena, sizeof(**place));
		**place = (struct volume){
			.from = hl_arena_strndup(volumes->arena, text, len),
			.to = hl_arena_printf(volumes->arena, "vol%u", ++volumes->nr),
			.len = len,
		};
	}
	return *place;
}

/* "my\040pool" of mountinfo is "my pool"; to be freed. */
static char *without_octal(const char *text, size_t len)
{
	char *plain = hl_alloc(len + 1);
	size_t nr = 0;

	for (size_t i = 0; i < len; i++) {
		bool is_octal = text[i] == '\\' && i + 3 < len && text[i + 1] >= '0' &&
				text[i + 1] <= '3' && isdigit((unsigned char)text[i + 2]) &&
				isdigit((unsigned char)text[i + 3]);

		plain[nr++] = is_octal ? (char)((text[i + 1] - '0') << 6 |
						(text[i + 2] - '0') << 3 | (text[i + 3] - '0'))
				       : text[i];
		i += is_octal ? 3 : 0;
	}
	return plain;
}

/* One name into out, as it is if it is plain; what ends it tells what it is and stays. */
static void put_name(struct hl_volumes *volumes, const char *text, size_t len, FILE *out)
{
	HL_FREE char *plain = without_octal(text, len);
	size_t nr = strlen(plain), end = nr;

	for (size_t i = 0; i < LENGTH(endings); i++) {
		if (has_end(plain, nr, endings[i]))
			end = nr - strlen(endings[i]);
	}
	if (is_plain(plain, end))
		fwrite(text, 1, len, out);
	else
		fprintf(out, "%s%s", volume_of(volumes, plain, end)->to, plain + end);
}

/* "vol@snapshot", "vol-part1". */
static void put_component(struct hl_volumes *volumes, const char *text, size_t len, FILE *out)
{
	const char *at = memchr(text, '@', len);
	size_t part = len;

	if (at && at > text) {
		put_name(volumes, text, (size_t)(at - text), out);
		fputc('@', out);
		put_name(volumes, at + 1, (size_t)(text + len - at - 1), out);
		return;
	}
	while (part && isdigit((unsigned char)text[part - 1]))
		part--;
	if (part == len || part < 6 || memcmp(text + part - 5, "-part", 5) != 0)
		part = len;
	else
		part -= 5;
	put_name(volumes, text, part, out);
	fwrite(text + part, 1, len - part, out);
}

/* VG-LV, each with its "-" doubled. */
static void put_mapped(struct hl_volumes *volumes, const char *text, size_t len, FILE *out)
{
	HL_FREE char *name = hl_alloc(len + 1);
	size_t nr = 0;

	for (size_t i = 0; i <= len; i++) {
		bool is_dash = i < len && text[i] == '-';

		if (is_dash && i + 1 < len && text[i + 1] == '-') {
			name[nr++] = '-';
			i++;
		} else if (is_dash || i == len) {
			put_name(volumes, name, nr, out);
			if (is_dash)
				fputc('-', out);
			memset(name, 0, nr);
			nr = 0;
		} else {
			name[nr++] = text[i];
		}
	}
}

const char *volumes_mapped(struct hl_volumes *volumes, const char *text, size_t len)
{
	HL_FREE char *name = NULL;
	size_t name_len;
	FILE *out = open_memstream(&name, &name_len);

	if (!out)
		return hl_alloc(SIZE_MAX);
	put_mapped(volumes, text, len, out);
	fclose(out);
	return hl_arena_strdup(volumes->arena, name);
}

/* ---- paths ---- */

static bool is_at(const struct volumes_path *path, size_t i, const char *word)
{
	return i < path->nr && is_word(path->parts[i].text, path->parts[i].len, word);
}

/* iblock_0, fileio_3; not "alua". */
static bool is_hba(const struct volumes_part *part)
{
	const char *dash = memchr(part->text, '_', part->len);

	return dash && isdigit((unsigned char)dash[1]);
}

bool volumes_is_named_in_kernel(const struct volumes_path *path)
{
	size_t last = path->nr - 1;

	if (!path->nr || !(is_at(path, 0, "sys") || is_at(path, 0, "proc")))
		return false;
	if (last >= 3 && is_at(path, last - 3, "target") && is_at(path, last - 2, "core"))
		return is_hba(&path->parts[last - 1]);
	if (last >= 2 && is_at(path, last - 2, "scst_tgt"))
		return is_at(path, last - 1, "devices");
	return last >= 1 && is_at(path, last - 1, "ini_groups");
}

enum naming { NAMES_NOTHING, NAMES_VOLUME, NAMES_MAPPED };

static enum naming naming_in_dev(const struct volumes_path *path, bool has_more)
{
	const struct volumes_part *second = &path->parts[1];
	size_t last = path->nr - 1;

	if (last == 0)
		return NAMES_NOTHING;
	if (is_at(path, 1, "disk"))
		return last >= 3 && (is_at(path, 2, "by-label") || is_at(path, 2, "by-partlabel") ||
				     is_at(path, 2, "by-vdev"))
			       ? NAMES_VOLUME
			       : NAMES_NOTHING;
	if (is_at(path, 1, "mapper"))
		return last == 2 && !is_at(path, 2, "control") ? NAMES_MAPPED : NAMES_NOTHING;
	if (is_at(path, 1, "zvol") || is_at(path, 1, "md") || is_at(path, 1, "rbd") ||
	    is_at(path, 1, "shm"))
		return last >= 2 ? NAMES_VOLUME : NAMES_NOTHING;
	if (is_one_of(second->text, second->len, dev_directories, LENGTH(dev_directories)))
		return NAMES_NOTHING;
	return last >= 2 || has_more ? NAMES_VOLUME : NAMES_NOTHING;
}

/* What the last part of a path names. */
static enum naming naming_of(const struct volumes_path *path, bool has_more)
{
	const struct volumes_part *first = &path->parts[0];

	if (path->is_volume)
		return NAMES_VOLUME;
	if (is_at(path, 0, "sys") || is_at(path, 0, "proc"))
		return volumes_is_named_in_kernel(path) ? NAMES_VOLUME : NAMES_NOTHING;
	if (is_at(path, 0, "dev"))
		return naming_in_dev(path, has_more);
	if (is_one_of(first->text, first->len, trees, LENGTH(trees)))
		return NAMES_NOTHING;
	return NAMES_VOLUME;
}

void volumes_path_push(struct volumes_path *path, const char *text, size_t len)
{
	if (is_word(text, len, "..")) {
		path->nr -= path->nr > 0;
		return;
	}
	if (len && !is_word(text, len, ".") && path->nr < LENGTH(path->parts))
		path->parts[path->nr++] = (struct volumes_part){ text, len };
}

bool volumes_put(struct hl_volumes *volumes, const struct volumes_path *path, bool has_more,
		 FILE *out)
{
	const struct volumes_part *last = path->nr ? &path->parts[path->nr - 1] : NULL;
	enum naming naming = last ? naming_of(path, has_more) : NAMES_NOTHING;
	struct volume **known = last ? place_of(volumes, last->text, last->len) : NULL;

	if (naming == NAMES_NOTHING && known && *known && (*known)->is_head &&
	    is_at(path, 0, "proc")) /* of a pool, in /proc/spl/kstat/zfs */
		naming = NAMES_VOLUME;
	if (naming == NAMES_NOTHING || is_plain(last->text, last->len))
		return false;
	if (naming == NAMES_MAPPED)
		put_mapped(volumes, last->text, last->len, out);
	else
		put_component(volumes, last->text, last->len, out);
	return true;
}

size_t volumes_path_at(const char *at, const char *start)
{
	char before = at > start ? at[-1] : '\0';
	const char *closing = " \t\n\"'`,;()<>[]{}|";
	size_t len;

	if (*at != '/' || isalnum((unsigned char)before) ||
	    (before && strchr("_./)%-<\\]~", before)))
		return 0;
	if (before == '"' || before == '\'') { /* blanks may stand in it */
		const char *end = strpbrk(at, "\"'\n");

		len = end && *end == before ? (size_t)(end - at) : strcspn(at, closing);
	} else {
		len = strcspn(at, closing);
	}
	while (len && strchr(".:", at[len - 1]))
		len--;
	return len >= 3 && at[1] != '/' ? len : 0;
}

/* ---- heads: pools and storages ---- */

const char *volumes_learn_head(struct hl_volumes *volumes, const char *text, size_t len)
{
	struct volume *volume;

	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr("_-.", text[i]))
			return NULL;
	}
	if (len < 2 || !isalpha((unsigned char)*text) || is_plain(text, len))
		return NULL;
	volume = volume_of(volumes, text, len);
	volume->is_head = true;
	return volume->to;
}

size_t volumes_head_at(struct hl_volumes *volumes, const char *at, const char *start)
{
	char before = at > start ? at[-1] : '\0';
	size_t len = 0;
	struct volume **place;

	if (isalnum((unsigned char)before) || (before && strchr("_./-\\~", before)) ||
	    !isalpha((unsigned char)*at))
		return 0;
	while (isalnum((unsigned char)at[len]) || (at[len] && strchr("_-.", at[len])))
		len++;
	if (!at[len] || !strchr("/:@", at[len]) || isspace((unsigned char)at[len + 1]) ||
	    at[len + 1] == at[len])
		return 0;
	place = place_of(volumes, at, len);
	return *place && (*place)->is_head ? strcspn(at, " \t\n\"'`,;()<>[]{}|") : 0;
}
