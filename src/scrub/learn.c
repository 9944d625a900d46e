/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learning what names a machine and its parts, from where it stands: a file of sysfs, a key of JSON
 * or text, a name in /dev/disk/by-id. Notations that speak for themselves (addresses, UUIDs) are
 * not learned but found, see pairs.c.
 */
#include "hoploss/layer.h"
#include "pairs.h"
#include "volumes.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LEAST_LENGTH  6 /* shorter ones would be found by chance */
#define LEAST_DIGITS  8 /* of a bare number, which may be a counter's, too */
#define WITHIN_LENGTH 8 /* from which on it is looked for within words, too */
#define MOST_LENGTH   128
#define BY_ID         "disk/by-id"

/* Files whose whole content is one. */
static const char *const serial_files[] = {
	"serial",
	"serial_number",
	"wwid",
	"wwn",
	"uuid",
	"nguid",
	"eui",
	"sas_address",
	"unique_id",
	"product_uuid",
	"product_serial",
	"board_serial",
	"chassis_serial",
	"hostid",
	"phys_switch_id",
	"port_name",
	"node_name",
	"sys_image_guid",
	"node_guid",
	"unit_serial",
	"t10_dev_identifier",
	"device_guid",
};

static const char *const name_files[] = { "kernel/hostname", "etc/hostname", "kernel/domainname" };

/* Words before a value in JSON, XML and text; needs_sign: only if one of : = > " is between. */
static const struct {
	const char *key;
	bool needs_sign;
} keys[] = {
	{ "serial number", false },
	{ "serial_number", true },
	{ "serialnumber", true },
	{ "serial", true },
	{ "sn", true },
	{ "wwn", true },
	{ "wwid", true },
	{ "nguid", true },
	{ "eui64", true },
	{ "euid", true },
	{ "unit serial", true },
	{ "lu wwn device id", true },
	{ "logical unit id", true },
	{ "scsi id", true },
	{ "scsi sn", true },

	{ "ext_id", true },
	{ "hostid", true },
	{ "asset tag", true },
	{ "drive serial", true },
	{ "guid", true },
	{ "scsi_id", true },
	{ "id_serial", true },
	{ "id_serial_short", true },
	{ "subnqn", true },
};

/* Names of hosts that are words of the texts, too. */
static const char *const common_names[] = {
	"truenas", "freenas",       "proxmox",    "debian",     "ubuntu",    "localhost",
	"server",  "storage",       "hypervisor", "kubernetes", "worker",    "synology",
	"desktop", "diskstation",   "openzfs",    "target",     "initiator", "client",
	"virtual", "machine",       "network",    "default",    "docker",    "cluster",
	"master",  "control-plane",
};

/* Nobody's: what is no name, and schemes of targets. */
static const char *const never_names[] = { "file", "iscsi",  "dev",       "local",
					   "none", "(none)", "localhost", "hoploss" };

/*
 * Words that path files, diagnoses and tools' output are made of, besides those of layers: a host
 * of that name is replaced where names stand only.
 */
static const char *const format_words[] = {
	"after",  "auto",    "block",   "bridge", "bus",    "cache",   "crypt",     "data",
	"device", "disk",    "disks",   "domain", "down",   "drives",  "ext4",      "full",
	"fs",     "guest",   "half",    "hop",    "host",   "hdd",     "id",        "ide",
	"io",     "kvm",     "layer",   "linux",  "live",   "loop",    "lvm",       "machine",
	"medium", "mixed",   "mount",   "name",   "native", "network", "nfs",       "node",
	"nvme",   "off",     "on",      "online", "part",   "path",    "pci",       "pool",
	"pools",  "qcow2",   "qemu",    "queue",  "ram",    "raw",     "read",      "ro",
	"rom",    "root",    "running", "rw",     "rx",     "sas",     "sata",      "scsi",
	"size",   "source",  "spec",    "ssd",    "state",  "storage", "system",    "tcp",
	"test",   "threads", "trim",    "tx",     "type",   "up",      "usb",       "user",
	"via",    "virtio",  "vm",      "vms",    "volume", "volumes", "workloads", "write",
	"xfs",    "yes",     "zfs",     "zvol",
};

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static bool is_one_of(const char *word, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcasecmp(word, words[i]))
			return true;
	}
	return false;
}

/* ---- serials ---- */

static void trim(const char **text, size_t *len)
{
	while (*len && isspace((unsigned char)**text)) {
		++*text;
		--*len;
	}
	while (*len && isspace((unsigned char)(*text)[*len - 1]))
		--*len;
}

struct kinds { /* of characters in a text */
	size_t nr_digits, nr_letters;
	bool is_varied; /* not one and the same */
};

static struct kinds kinds_of(const char *text, size_t len)
{
	struct kinds kinds = { 0 };

	for (size_t i = 0; i < len; i++) {
		kinds.nr_digits += isdigit((unsigned char)text[i]) != 0;
		kinds.nr_letters += isalpha((unsigned char)text[i]) != 0;
		kinds.is_varied |= isalnum((unsigned char)text[i]) && text[i] != text[0];
	}
	return kinds;
}

/* nvme.144d-…: each of its characters in hexadecimal. */
static char *hex_of(const char *text, size_t len)
{
	char *hex = hl_alloc(2 * len + 1);

	for (size_t i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)text[i]);
	return hex;
}

static void add_variants(struct hl_scrub *scrub, const char *from, size_t len, enum bounds bounds)
{
	const char *to = disguise(scrub, from, len);
	HL_FREE char *hex = hex_of(from, len);
	HL_FREE char *hex_to = hex_of(to, len);
	HL_FREE char *bare = hl_alloc(len + 1);
	size_t nr = 0;

	pair_add(scrub, hex, 2 * len, hl_arena_strdup(scrub->arena, hex_to), BOUNDS_NONE);
	for (size_t i = 0; i < len; i++) { /* without what stands between */
		if (isalnum((unsigned char)from[i]))
			bare[nr++] = from[i];
	}
	pair_add(scrub, bare, nr, disguise(scrub, bare, nr), bounds);
	for (size_t i = 0; i < nr; i++)
		bare[i] = (char)tolower((unsigned char)bare[i]);
	pair_add(scrub, bare, nr, disguise(scrub, bare, nr), bounds);
}

void hl_scrub_learn_serial(struct hl_scrub *scrub, const char *serial, size_t len)
{
	struct kinds kinds;
	enum bounds bounds;
	size_t nr;

	trim(&serial, &len);
	kinds = kinds_of(serial, len);
	nr = kinds.nr_digits + kinds.nr_letters;
	if (nr < (kinds.nr_letters ? LEAST_LENGTH : LEAST_DIGITS) || len > MOST_LENGTH ||
	    !kinds.nr_digits || !kinds.is_varied || pair_find(scrub, serial, len))
		return;
	bounds = kinds.nr_letters && nr >= WITHIN_LENGTH ? BOUNDS_NONE : BOUNDS_WORD;
	pair_add(scrub, serial, len, disguise(scrub, serial, len), bounds);
	add_variants(scrub, serial, len, bounds);
}

/* "naa.5002…", "0x5002…": what is behind; "t10.ATA  MODEL  SERIAL": the last word. */
static void learn_value(struct hl_scrub *scrub, const char *text, size_t len)
{
	static const char *const prefixes[] = { "eui.", "naa.", "uuid.", "0x" };
	const char *blank;

	trim(&text, &len);
	for (size_t i = 0; i < LENGTH(prefixes); i++) {
		size_t nr = strlen(prefixes[i]);

		if (len > nr && !strncasecmp(text, prefixes[i], nr)) {
			hl_scrub_learn_serial(scrub, text + nr, len - nr);
			return;
		}
	}
	if (len > 4 && (!strncmp(text, "t10.", 4) || !strncmp(text, "nvme.", 5))) {
		blank = memrchr(text, ' ', len);
		if (blank)
			hl_scrub_learn_serial(scrub, blank + 1, (size_t)(text + len - blank - 1));
		return;
	}
	hl_scrub_learn_serial(scrub, text, len);
}

/* ---- names ---- */

void hl_scrub_keep_name(struct hl_scrub *scrub, const char *name)
{
	scrub->kept = hl_arena_extend(scrub->arena, scrub->kept, scrub->nr_kept,
				      sizeof(*scrub->kept));
	scrub->kept[scrub->nr_kept++] = hl_arena_strdup(scrub->arena, name);
}

bool scrub_keeps(const struct hl_scrub *scrub, const char *name)
{
	return is_one_of(name, scrub->kept, scrub->nr_kept);
}

void hl_scrub_learn_name(struct hl_scrub *scrub, const char *name)
{
	size_t len = strlen(name);
	enum hl_layer layer;
	bool is_word = hl_layer_parse(name, &layer) == 0 ||
		       is_one_of(name, format_words, LENGTH(format_words));
	bool is_common = is_one_of(name, common_names, LENGTH(common_names)) || len < LEAST_LENGTH;

	if (len < 2 || scrub_keeps(scrub, name) ||
	    is_one_of(name, never_names, LENGTH(never_names)) || pair_find(scrub, name, len))
		return;
	pair_add(scrub, name, len, hl_arena_printf(scrub->arena, "name-%u", ++scrub->nr_names),
		 is_word     ? BOUNDS_PLACE
		 : is_common ? BOUNDS_NAME
			     : BOUNDS_NONE)
		->is_name = true;
}

static void learn_name_of(struct hl_scrub *scrub, const char *text, size_t len)
{
	HL_FREE char *name = NULL;

	trim(&text, &len);
	name = hl_strndup(text, len);
	hl_scrub_learn_name(scrub, name);
}

/* ---- texts ---- */

static bool is_key_at(const char *at, const char *start, const char *key)
{
	size_t len = strlen(key);
	char before = at > start ? at[-1] : ' ';

	return !isalnum((unsigned char)before) && before != '_' && !strncasecmp(at, key, len) &&
	       !isalnum((unsigned char)at[len]) && at[len] != '_';
}

/* "wwn": { "naa": 5, "oui": 3152, "id": 4711471147 } */
static void learn_numbers(struct hl_scrub *scrub, const char *object)
{
	const char *end = object + strcspn(object, "}");

	for (const char *at = object; at < end; at++) {
		size_t len = strspn(at, "0123456789");

		hl_scrub_learn_serial(scrub, at, len);
		at += len;
	}
}

/* The value behind a key: up to a quote, a tag, a comma, two blanks or the end of the line. */
static void learn_behind(struct hl_scrub *scrub, const char *behind, bool needs_sign)
{
	size_t skip = strspn(behind, " \t\"':=>");
	const char *value = behind + skip;
	bool has_sign = memchr(behind, ':', skip) || memchr(behind, '=', skip) ||
			memchr(behind, '>', skip);
	size_t len = strcspn(value, "\"'<,;|{}[]\t\r\n");
	const char *gap = len ? memmem(value, len, "  ", 2) : NULL;

	if (needs_sign && !has_sign)
		return;
	if (*value == '{')
		learn_numbers(scrub, value);
	learn_value(scrub, value, gap ? (size_t)(gap - value) : len);
}

static void learn_keys(struct hl_scrub *scrub, const char *text)
{
	for (const char *at = text; *at; at++) {
		if (!strchr("sSwWnNeElLuUoOhHaAdDgGiI", *at))
			continue;
		for (size_t i = 0; i < LENGTH(keys); i++) {
			if (is_key_at(at, text, keys[i].key))
				learn_behind(scrub, at + strlen(keys[i].key), keys[i].needs_sign);
		}
	}
}

/* nvme-MODEL_SERIAL_1, ata-MODEL_SERIAL-part2: the last part that is long enough. */
static void learn_by_id(struct hl_scrub *scrub, const char *name, size_t len)
{
	const char *part = memmem(name, len, "-part", 5);
	const char *end = part ? part : name + len;

	for (const char *at = end; at > name; at--) {
		if (at[-1] != '_')
			continue;
		if (end - at >= LEAST_LENGTH) {
			hl_scrub_learn_serial(scrub, at, (size_t)(end - at));
			return;
		}
		end = at - 1;
	}
}

static void learn_all_by_id(struct hl_scrub *scrub, const char *text)
{
	const char *at = text;

	while ((at = strstr(at, BY_ID "/"))) {
		at += strlen(BY_ID "/");
		learn_by_id(scrub, at, strcspn(at, " \t\n\"'<>,;:/"));
	}
}

static bool ends_in(const char *path, const char *end)
{
	size_t len = strlen(path), end_len = strlen(end);

	return len >= end_len && !strcmp(path + len - end_len, end) &&
	       (len == end_len || path[len - end_len - 1] == '/');
}

/* <name> of a libvirt domain; "name:" of a Proxmox VM. */
static void learn_machines(struct hl_scrub *scrub, const char *path, const char *text)
{
	const char *at = strstr(text, "<domain") ? strstr(text, "<name>") : NULL;
	bool is_proxmox = strstr(path, "qemu-server/") || ends_in(path, "vm.conf") ||
			  strstr(text, "\nscsihw: ") || strstr(text, "\nostype: ") ||
			  strstr(text, "\nnet0: ");

	if (at)
		learn_name_of(scrub, at + 6, strcspn(at + 6, "<\n"));
	for (at = text; is_proxmox && at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		if (!strncmp(at, "name: ", 6))
			learn_name_of(scrub, at + 6, strcspn(at + 6, "\n"));
	}
}

/* Those of interfaces named enx02ab…, which stand without colons. */
static void learn_macs(struct hl_scrub *scrub, const char *text)
{
	for (const char *at = text; (at = strchr(at, ':')); at++) {
		const char *start = at - 2;
		const struct hl_identity *kind;
		HL_FREE char *bare = NULL;
		size_t len;

		if (at - text < 2 || strnlen(start, 17) < 17 || start[5] != ':')
			continue;
		kind = hl_identity_at(start, text, true, &len);
		if (!kind || len != 17)
			continue;
		stand_in(scrub, kind, start, &len);
		bare = hl_alloc(13);
		for (int i = 0; i < 6; i++)
			memcpy(bare + 2 * i, start + 3 * i, 2);
		pair_add(scrub, bare, 12, disguise(scrub, bare, 12), BOUNDS_NONE);
		at += 14;
	}
}

/* Of a serial's own file even a word without a digit is one; not "unknown" and the like. */
static void learn_word(struct hl_scrub *scrub, const char *text, size_t len)
{
	static const char *const fillers[] = { "unknown",  "invalid",   "default",
					       "standard", "undefined", "specified" };
	HL_FREE char *word = NULL;

	trim(&text, &len);
	word = hl_strndup(text, len);
	if (len >= LEAST_LENGTH && !strpbrk(word, " \t\n") &&
	    !is_one_of(word, fillers, LENGTH(fillers)) && kinds_of(text, len).is_varied)
		pair_add(scrub, word, len, disguise(scrub, word, len), BOUNDS_WORD);
}

bool scrub_is_name_file(const char *path)
{
	for (size_t i = 0; i < LENGTH(name_files); i++) {
		if (ends_in(path, name_files[i]))
			return true;
	}
	return false;
}

static void learn_file(struct hl_scrub *scrub, const char *path, const char *text, size_t len)
{
	const char *slash = strrchr(path, '/');

	if (is_one_of(slash ? slash + 1 : path, serial_files, LENGTH(serial_files))) {
		learn_value(scrub, text, len);
		if (!kinds_of(text, len).nr_digits)
			learn_word(scrub, text, len);
	}
	if (scrub_is_name_file(path))
		learn_name_of(scrub, text, strcspn(text, "."));
}

/* Words with a NUL behind each, as in /proc/PID/cmdline, are parted by a line end. */
static char *text_of(const struct hl_record *record)
{
	char *text = hl_alloc(record->len + 1);

	memcpy(text, record->bytes, record->len);
	for (size_t i = 0; i < record->len; i++)
		text[i] = text[i] ? text[i] : '\n';
	return text;
}

void hl_scrub_learn(struct hl_scrub *scrub, const struct hl_record *record)
{
	HL_FREE char *text = text_of(record);
	const char *in_by_id = strstr(record->path, BY_ID "/");

	if (in_by_id)
		learn_by_id(scrub, in_by_id + strlen(BY_ID "/"),
			    strlen(in_by_id + strlen(BY_ID "/")));
	if (record->kind == HL_RECORD_LISTING && ends_in(record->path, BY_ID)) {
		for (const char *at = text; *at; at += strspn(at, "\n")) {
			size_t len = strcspn(at, "\n");

			learn_by_id(scrub, at, len);
			at += len;
		}
	}
	if (record->kind == HL_RECORD_FILE)
		learn_file(scrub, record->path, text, strlen(text));
	volumes_learn(scrub, record, text);
	if (record->kind == HL_RECORD_LINK || record->kind == HL_RECORD_LISTING)
		return;
	learn_keys(scrub, text);
	learn_macs(scrub, text);
	learn_all_by_id(scrub, text);
	learn_machines(scrub, record->path, text);
	scrub_learn_hosts(scrub, text);
	scrub_learn_secrets(scrub, text);
}
