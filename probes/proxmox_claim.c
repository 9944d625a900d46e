/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines are the configuration of a Proxmox VM.
 *
 * Source: qm.conf(5). Every line sets a key of a known list, names a section, or is a comment; so
 * prose is not taken for it. Surprising: Proxmox sorts the keys, so where one is set twice in a
 * section, another VM has begun: somebody printed all files at once.
 */
#include "proxmox.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX  256
#define NOTES_MAX 64 /* lines of a description */

/* Those with a number behind them end with '#'. */
static const char *const keys[] = {
	"acpi",
	"affinity",
	"agent",
	"allow-ksm",
	"amd-sev",
	"arch",
	"args",
	"audio#",
	"autostart",
	"balloon",
	"bios",
	"boot",
	"bootdisk",
	"cdrom",
	"cicustom",
	"cipassword",
	"citype",
	"ciupgrade",
	"ciuser",
	"cores",
	"cpu",
	"cpulimit",
	"cpuunits",
	"description",
	"digest",
	"efidisk#",
	"freeze",
	"hookscript",
	"hostpci#",
	"hotplug",
	"hugepages",
	"ide#",
	"intel-tdx",
	"ipconfig#",
	"ivshmem",
	"keephugepages",
	"keyboard",
	"kvm",
	"localtime",
	"lock",
	"machine",
	"memory",
	"meta",
	"migrate_downtime",
	"migrate_speed",
	"name",
	"nameserver",
	"net#",
	"numa",
	"numa#",
	"onboot",
	"ostype",
	"parallel#",
	"parent",
	"protection",
	"reboot",
	"revert",
	"rng#",
	"runningcpu",
	"runningmachine",
	"sata#",
	"scsi#",
	"scsihw",
	"searchdomain",
	"serial#",
	"shares",
	"smbios1",
	"smp",
	"snapstate",
	"snaptime",
	"sockets",
	"spice_enhancements",
	"sshkeys",
	"startdate",
	"startup",
	"tablet",
	"tags",
	"tdf",
	"template",
	"tpmstate#",
	"unused#",
	"usb#",
	"vcpus",
	"vga",
	"virtio#",
	"virtiofs#",
	"vmgenid",
	"vmstate",
	"vmstatestorage",
	"watchdog",
	"delete",
};

/* One of them makes it a VM: the others are words of other files too. */
static const char *const telling[] = { "scsihw", "smbios1", "vmgenid", "net#", "hostpci#",
				       "scsi#",  "virtio#", "sata#",   "ide#", "efidisk#" };

static bool is_key(const char *key, size_t len, const char *name)
{
	size_t nr = strlen(name);
	bool is_numbered = name[nr - 1] == '#';

	nr -= is_numbered;
	if (len < nr + is_numbered || len > nr + 3 * is_numbered || memcmp(key, name, nr) != 0)
		return false;
	for (size_t i = nr; i < len; i++) {
		if (!isdigit((unsigned char)key[i]))
			return false;
	}
	return true;
}

static bool is_one_of(const char *key, size_t len, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (is_key(key, len, names[i]))
			return true;
	}
	return false;
}

bool proxmox_is_setting(struct hl_line line, struct proxmox_line *ret_line)
{
	struct hl_line trimmed = hl_line_trim(line);
	const char *colon = trimmed.len ? memchr(trimmed.start, ':', trimmed.len) : NULL;
	size_t len = colon ? (size_t)(colon - trimmed.start) : 0;
	struct proxmox_line setting = { .number = line.number };
	struct hl_line value;

	if (!len || len >= sizeof(setting.key) ||
	    (len + 1 < trimmed.len && !isspace((unsigned char)colon[1])) ||
	    !is_one_of(trimmed.start, len, keys, sizeof(keys) / sizeof(*keys)))
		return false;
	memcpy(setting.key, trimmed.start, len);
	value = (struct hl_line){ colon + 1, trimmed.len - (unsigned)len - 1, 0 };
	value = hl_line_trim(value);
	setting.value = value.start;
	setting.len = value.len;
	*ret_line = setting;
	return true;
}

bool proxmox_is_section(struct hl_line line, const char **ret_name, size_t *ret_len)
{
	struct hl_line trimmed = hl_line_trim(line);

	if (trimmed.len < 3 || *trimmed.start != '[' || trimmed.start[trimmed.len - 1] != ']')
		return false;
	for (size_t i = 1; i < trimmed.len - 1; i++) {
		if (!isalnum((unsigned char)trimmed.start[i]) && !strchr("_-:.", trimmed.start[i]))
			return false;
	}
	if (ret_name)
		*ret_name = trimmed.start + 1;
	if (ret_len)
		*ret_len = trimmed.len - 2;
	return true;
}

bool proxmox_is_continued(const struct proxmox_line *before, struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);
	struct proxmox_line setting;

	if (!trimmed.len || *trimmed.start == '#' || proxmox_is_setting(line, &setting) ||
	    proxmox_is_section(line, NULL, NULL) || memchr(trimmed.start, ' ', trimmed.len))
		return false;
	return !before->len || before->value[before->len - 1] == ',' || *trimmed.start == ',';
}

/* The number that ends before at, if it is a word or a file's name by itself; 0. */
static unsigned number_before(const char *start, const char *at)
{
	unsigned number = 0, place = 1;

	for (; at > start && isdigit((unsigned char)at[-1]) && place < 1000000000; place *= 10)
		number += place * (unsigned)(*--at - '0');
	return at == start || strchr(" \t/", at[-1]) ? number : 0;
}

/* "qm config 100 --current 1", "cat /etc/pve/qemu-server/100.conf", "==> 100.conf <==" */
unsigned proxmox_vmid_of(struct hl_line line)
{
	static const char command[] = "qm config ", file[] = ".conf";
	const char *found = memmem(line.start, line.len, command, strlen(command));
	const char *at, *end = line.start + line.len;

	if (found) {
		found += strlen(command);
		for (at = found; at < end && isdigit((unsigned char)*at);)
			at++;
		return number_before(found, at);
	}
	at = memmem(line.start, line.len, file, strlen(file));
	return at ? number_before(line.start, at) : 0;
}

/* "l26", "win11": that of a container is the name of a distribution. */
static bool is_guest(const struct proxmox_line *line)
{
	static const char *const types[] = {
		"l24", "l26", "solaris", "win", "w2k", "wxp", "wvista"
	};

	for (size_t i = 0; !strcmp(line->key, "ostype") && i < sizeof(types) / sizeof(*types);
	     i++) {
		if (line->len >= strlen(types[i]) &&
		    !memcmp(line->value, types[i], strlen(types[i])))
			return true;
	}
	return false;
}

/* A NIC of a container has a name in front, where one of a VM has its model. */
static bool tells(const struct proxmox_line *line)
{
	bool is_container = line->len > 5 && !memcmp(line->value, "name=", 5);

	return is_guest(line) || (!is_container && is_one_of(line->key, strlen(line->key), telling,
							     sizeof(telling) / sizeof(*telling)));
}

static bool is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

static bool is_comment(struct hl_line line)
{
	return hl_line_starts(hl_line_trim(line), "#");
}

/* Is there a line of it at or, behind blank ones and comments, after at? */
static bool goes_on(const struct hl_text *text, size_t at)
{
	size_t end = at + NOTES_MAX < text->nr_lines ? at + NOTES_MAX : text->nr_lines;
	struct proxmox_line line;

	while (at < end && (is_blank(text->lines[at]) || is_comment(text->lines[at])))
		at++;
	return at < end && (proxmox_is_setting(text->lines[at], &line) ||
			    proxmox_is_section(text->lines[at], NULL, NULL));
}

/* What was set in the section so far. */
struct seen {
	struct {
		char key[32];
		size_t at;
	} keys[KEYS_MAX];
	size_t nr;
};

/*
 * The line in which the file that holds line at begins, when key was set before, at index first:
 * the last one whose key sorts below that of the line before it.
 */
static size_t find_break(const struct seen *seen, size_t first, size_t at, const char *key)
{
	size_t found = at;

	for (size_t i = seen->nr; i > first + 1; i--) {
		if (strcmp(key, seen->keys[i - 1].key) < 0)
			return found;
		found = seen->keys[i - 1].at;
		key = seen->keys[i - 1].key;
	}
	return at;
}

/* The line at which another VM begins, if the setting of line at shows it; 0 = it does not. */
static size_t take_key(struct seen *seen, size_t at, const struct proxmox_line *line)
{
	for (size_t i = 0; i < seen->nr; i++) {
		if (!strcmp(seen->keys[i].key, line->key))
			return find_break(seen, i, at, line->key);
	}
	if (seen->nr < KEYS_MAX) {
		memcpy(seen->keys[seen->nr].key, line->key, sizeof(line->key));
		seen->keys[seen->nr++].at = at;
	}
	return 0;
}

/* Behind the last line of the VM that begins at at. */
static size_t find_end(const struct hl_text *text, size_t at, bool *ret_is_vm)
{
	struct seen *seen = hl_alloc(sizeof(*seen));
	struct proxmox_line before = { .len = 1, .value = "" };
	size_t end = at;

	for (size_t i = at; i < text->nr_lines; i++) {
		struct proxmox_line line;
		size_t other;

		if (proxmox_is_section(text->lines[i], NULL, NULL)) {
			seen->nr = 0;
		} else if (proxmox_is_setting(text->lines[i], &line)) {
			other = take_key(seen, i, &line);
			if (other > at) {
				end = other;
				break;
			}
			*ret_is_vm |= tells(&line);
			before = line;
		} else if (!proxmox_is_continued(&before, text->lines[i]) &&
			   !((is_blank(text->lines[i]) || is_comment(text->lines[i])) &&
			     goes_on(text, i))) {
			break;
		}
		end = i + 1;
	}
	free(seen);
	return end;
}

size_t proxmox_claim(const struct hl_text *text, size_t at)
{
	struct proxmox_line line;
	size_t first = at, end;
	bool is_vm = false;

	if (proxmox_vmid_of(text->lines[at]))
		first++;
	if (first == text->nr_lines || !goes_on(text, first) ||
	    (first == at && !is_comment(text->lines[at]) &&
	     !proxmox_is_setting(text->lines[at], &line)))
		return 0;
	end = find_end(text, first, &is_vm);
	return is_vm ? end - at : 0;
}
