/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding identities in text: see hoploss/identity.h.
 *
 * Surprising: what looks alike and is none. PCI functions (0000:01:00.0) and times (12:30:01) have
 * colons, versions (2.2.10) have dots, "MiB/s" has a slash.
 */
#include "hoploss/identity.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* How many of the first characters of text are in the set. */
static size_t span(const char *text, const char *set)
{
	return strspn(text, set);
}

#define DIGITS       "0123456789"
#define HEX          DIGITS "abcdefABCDEF"
#define LOWER        "abcdefghijklmnopqrstuvwxyz"
#define UPPER        "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define WWN_LEAST    16 /* hexadecimal digits */
#define SERIAL_LEAST 6  /* shorter ones would be found by chance */
#define NAME         DIGITS LOWER UPPER "-_."

/* Without the dots, colons and dashes that end a sentence, not a name. */
static size_t without_tail(const char *at, size_t len)
{
	while (len && strchr(".:-", at[len - 1]))
		len--;
	return len;
}

static size_t match_prefixed(const char *at, const char *prefix, const char *set)
{
	size_t prefix_len = strlen(prefix);
	size_t len;

	if (strncmp(at, prefix, prefix_len) != 0)
		return 0;
	len = without_tail(at, prefix_len + span(at + prefix_len, set));
	return len > prefix_len ? len : 0;
}

static size_t iqn_match(const char *at)
{
	size_t len = match_prefixed(at, "iqn.", NAME ":");

	return len && isdigit((unsigned char)at[4]) ? len : 0;
}

static size_t nqn_match(const char *at)
{
	size_t len = match_prefixed(at, "nqn.", NAME ":");

	return len && isdigit((unsigned char)at[4]) ? len : 0;
}

/* naa.…, eui.…, t10.…, wwn-0x…, nvme-eui.…, uuid.… as in /dev/disk/by-id and sysfs. */
static size_t wwn_match(const char *at)
{
	static const char *const prefixes[] = { "naa.", "eui.", "wwn-0x", "0x5", "uuid." };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t len = match_prefixed(at, prefixes[i], HEX "-");

		if (len >= 16 + strlen(prefixes[i]) - (prefixes[i][0] == '0') && !is_word(at[len]))
			return len;
	}
	return match_prefixed(at, "t10.", NAME);
}

static size_t uuid_match(const char *at)
{
	static const size_t groups[] = { 8, 4, 4, 4, 12 };
	size_t len = 0;

	for (size_t i = 0; i < 5; i++) {
		if (span(at + len, HEX) != groups[i])
			return 0;
		len += groups[i];
		if (i < 4 && at[len++] != '-')
			return 0;
	}
	return is_word(at[len]) ? 0 : len;
}

static size_t mac_match(const char *at)
{
	static const char nobody[] = "000000000000";
	char separator = at[0] && at[1] ? at[2] : '\0';
	char digits[13] = "";

	if (separator != ':' && separator != '-')
		return 0;
	for (size_t i = 0; i < 6; i++) {
		if (span(at + 3 * i, HEX) != 2 || (i < 5 && at[3 * i + 2] != separator))
			return 0;
		memcpy(digits + 2 * i, at + 3 * i, 2);
	}
	if (is_word(at[17]) || at[17] == separator)
		return 0;
	return strcmp(digits, nobody) != 0 && strcasecmp(digits, "ffffffffffff") != 0 ? 17 : 0;
}

static size_t ipv4_match(const char *at)
{
	unsigned bytes[4];
	size_t len = 0;

	for (size_t i = 0; i < 4; i++) {
		size_t nr_digits = span(at + len, DIGITS);

		if (nr_digits < 1 || nr_digits > 3)
			return 0;
		bytes[i] = 0;
		for (size_t j = 0; j < nr_digits; j++)
			bytes[i] = bytes[i] * 10 + (unsigned)(at[len + j] - '0');
		if (bytes[i] > 255)
			return 0;
		len += nr_digits;
		if (i < 3 && at[len++] != '.')
			return 0;
	}
	if (is_word(at[len]) || (at[len] == '.' && isdigit((unsigned char)at[len + 1])))
		return 0;
	return bytes[0] == 127 || bytes[0] == 0 || bytes[0] == 255 ? 0 : len;
}

/* Full form, or one with "::" that has more than one group; "%eth0" stays. */
static size_t ipv6_match(const char *at)
{
	size_t len = span(at, HEX ":"), nr_groups = 0, nr_gaps = 0, nr_colons = 0;

	if (len && at[len - 1] == ':' && (len < 2 || at[len - 2] != ':'))
		len--; /* "fe80::1:" at the end of a clause */
	for (size_t i = 0; i < len;) {
		size_t nr_digits = span(at + i, HEX);

		if (nr_digits > 4)
			return 0;
		nr_groups += nr_digits > 0;
		i += nr_digits;
		if (i < len) {
			nr_gaps += at[i] == ':' && at[i + 1] == ':';
			nr_colons++;
			i++;
		}
	}
	if (is_word(at[len]))
		return 0;
	if (nr_gaps == 1)
		return nr_groups >= 2 && nr_groups <= 7 ? len : 0;
	return nr_groups == 8 && nr_colons == 7 && !nr_gaps ? len : 0;
}

/* Kernel names: sda1, nvme0n1p2, dm-3, md127, loop0, zd16, vdb, null. */
static bool is_kernel_device(const char *name, size_t len)
{
	static const char *const stems[] = { "sd",   "hd",  "vd",   "xvd",  "nvme",   "ng",
					     "loop", "dm-", "md",   "zd",   "ram",    "zram",
					     "nbd",  "sr",  "sg",   "null", "zero",   "full",
					     "shm",  "rbd", "drbd", "tty",  "urandom" };
	size_t stem, rest;

	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		stem = strlen(stems[i]);
		if (len < stem || strncmp(name, stems[i], stem) != 0)
			continue;
		rest = span(name + stem, LOWER);
		rest = rest > 3 ? 0 : rest;
		rest += span(name + stem + rest, DIGITS "np");
		if (stem + rest == len)
			return true;
	}
	return false;
}

/* Paths that every Linux has name nobody; in some directories what they hold does. */
static bool is_common_path(const char *path, size_t len)
{
	static const char *const trees[] = { "/sys", "/proc", "/usr", "/etc", "/bin", "/sbin" };
	static const char *const directories[] = {
		"/dev",
		"/dev/disk",
		"/dev/disk/by-id",
		"/dev/disk/by-path",
		"/dev/disk/by-uuid",
		"/dev/disk/by-partuuid",
		"/dev/disk/by-label",
		"/dev/disk/by-partlabel",
		"/dev/mapper",
		"/dev/zvol",
	};
	size_t stem;

	if (!strncmp(path, "/dev/", 5) && is_kernel_device(path + 5, len - 5))
		return true;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		stem = strlen(trees[i]);
		if (len >= stem && !strncmp(path, trees[i], stem) &&
		    (len == stem || path[stem] == '/'))
			return true;
	}
	while (len > 1 && path[len - 1] == '/')
		len--;
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		if (strlen(directories[i]) == len && !strncmp(path, directories[i], len))
			return true;
	}
	return false;
}

static size_t path_match(const char *at)
{
	size_t len;

	if (*at != '/')
		return 0;
	len = without_tail(at, strcspn(at, " \t\n\"'`,;:()<>[]{}|"));
	if (len < 3 || !isalpha((unsigned char)at[1]) || is_common_path(at, len))
		return 0;
	return len;
}

static size_t windows_path_match(const char *at)
{
	if (!isalpha((unsigned char)*at) || at[1] != ':' || at[2] != '\\')
		return 0;
	return without_tail(at, strcspn(at, " \t\n\"',;()<>|"));
}

static size_t mail_match(const char *at)
{
	size_t user = span(at, NAME "+"), host;

	if (!user || at[user] != '@')
		return 0;
	host = without_tail(at + user + 1, span(at + user + 1, NAME));
	return host && isalpha((unsigned char)at[user + 1]) && memchr(at + user + 1, '.', host)
		       ? user + 1 + host
		       : 0;
}

/* A dotted name under a top-level domain that file names and versions do not end in. */
static size_t domain_match(const char *at)
{
	static const char *const tops[] = { "com",  "net",         "org",  "edu",  "gov",
					    "io",   "eu",          "de",   "uk",   "fr",
					    "lan",  "internal",    "corp", "home", "intra",
					    "arpa", "localdomain", "local" };
	size_t len = without_tail(at, span(at, NAME)), top = len;

	while (top && at[top - 1] != '.')
		top--;
	if (top < 3)
		return 0;
	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
		if (strlen(tops[i]) == len - top && !strncasecmp(at + top, tops[i], len - top))
			return len;
	}
	return 0;
}

/* Without "-part3" at the end: which partition it is names nobody. */
static size_t without_partition(const char *at, size_t len)
{
	static const char mark[] = "-part";
	size_t stem = len;

	while (stem && isdigit((unsigned char)at[stem - 1]))
		stem--;
	if (stem < len && stem > strlen(mark) &&
	    !strncmp(at + stem - strlen(mark), mark, strlen(mark)))
		return stem - strlen(mark);
	return len;
}

/* ..._SERIAL, ..._SERIAL_1: a part behind a "_" that is long enough and has digits. */
static bool has_serial_part(const char *at, size_t len)
{
	size_t nr_chars = 0, nr_digits = 0;

	while (len--) {
		if (at[len] == '_' && nr_chars >= SERIAL_LEAST && nr_digits > 1)
			return true;
		nr_chars = at[len] == '_' ? 0 : nr_chars + 1;
		nr_digits = at[len] == '_' ? 0 : nr_digits + !!isdigit((unsigned char)at[len]);
	}
	return false;
}

/* Names in /dev/disk/by-id, as pools have them: ata-MODEL_SERIAL, scsi-35000c500a1b2c3d4. */
static size_t by_id_match(const char *at)
{
	static const char *const buses[] = { "ata-", "nvme-",   "scsi-", "usb-",
					     "mmc-", "virtio-", "nvme." };

	for (size_t i = 0; i < sizeof(buses) / sizeof(buses[0]); i++) {
		size_t stem = strlen(buses[i]);
		size_t len = match_prefixed(at, buses[i], NAME "+:");

		len = without_partition(at, len);
		if (len > stem && (has_serial_part(at + stem, len - stem) ||
				   span(at + stem, HEX "-") >= WWN_LEAST))
			return len;
	}
	return 0;
}

/* In the order of trying: what contains another comes first. */
const struct hl_identity hl_identities[] = {
	{ .name = "iSCSI name", .format = "iqn.2000-01.example:%u", .match = iqn_match },
	{ .name = "NVMe name", .format = "nqn.2000-01.example:%u", .match = nqn_match },
	{ .name = "path",
	  .format = "/path-%u",
	  .is_path = true,
	  .not_after = "./)%-",
	  .match = path_match },
	{ .name = "path", .format = "C:\\path-%u", .is_path = true, .match = windows_path_match },
	{ .name = "drive by id",
	  .format = "disk-by-id-%u",
	  .is_path = true,
	  .not_after = "-.",
	  .match = by_id_match },
	{ .name = "UUID", .format = "00000000-0000-4000-8000-%012u", .match = uuid_match },
	{ .name = "world-wide name", .format = "naa.5000000%09u", .match = wwn_match },
	{ .name = "mail address",
	  .format = "user-%u@example.net",
	  .not_after = "-.+@",
	  .match = mail_match },
	{ .name = "MAC address",
	  .format = "02:00:00:00:%02x:%02x",
	  .is_pair = true,
	  .match = mac_match },
	{ .name = "IPv4 address",
	  .format = "198.18.%u.%u",
	  .is_pair = true,
	  .not_after = ".",
	  .match = ipv4_match },
	{ .name = "IPv6 address", .format = "2001:db8::%x", .not_after = ":", .match = ipv6_match },
	{ .name = "domain name",
	  .format = "host-%u.example.net",
	  .not_after = "-./@:\\",
	  .match = domain_match },
	{ 0 },
};

static bool may_stand_after(const struct hl_identity *kind, char before)
{
	return !before || !kind->not_after || !strchr(kind->not_after, before);
}

const struct hl_identity *hl_identity_at(const char *at, const char *start, bool keeps_paths,
					 size_t *ret_len)
{
	char before = at > start ? at[-1] : '\0';

	if (is_word(before)) /* most characters: no notation begins within a word */
		return NULL;
	for (const struct hl_identity *kind = hl_identities; kind->name; kind++) {
		size_t len;

		if ((keeps_paths && kind->is_path) || !may_stand_after(kind, before))
			continue;
		len = kind->match(at);
		if (len) {
			*ret_len = len;
			return kind;
		}
	}
	return NULL;
}
