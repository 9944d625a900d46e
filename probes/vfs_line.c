/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that make VFs: see vfs_boot.h.
 *
 *   SUBSYSTEM=="net", KERNEL=="ens1f0", ATTR{device/sriov_numvfs}="4"     udev(7)
 *   post-up echo 4 > /sys/class/net/ens1f0/device/sriov_numvfs            interfaces(5)
 *   w /sys/class/net/ens1f0/device/sriov_numvfs - - - - 4                 tmpfiles.d(5)
 *   class/net/ens1f0/device/sriov_numvfs = 4                              sysfs.conf of sysfsutils
 *   options igb max_vfs=7                                                 modprobe.d(5)
 *   SR-IOVVirtualFunctions=4                                              systemd.link(5)
 *   total-vfs=4                                                           NetworkManager, [sriov]
 *   virtual-function-count: 4                                             netplan
 *
 * Surprising: udev compares with "==" what it sets with "="; and a line that sets 0 takes VFs away,
 * as one must before another number can be set.
 */
#include "hoploss/alloc.h"
#include "vfs_boot.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
	"sriov_numvfs", "max_vfs",
	"num_vfs",      "SR-IOVVirtualFunctions=",
	"total-vfs=",   "virtual-function-count:",
};

#define NR_WORDS (sizeof(words) / sizeof(*words))

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

static bool is_comment(const char *line)
{
	line = skip_blanks(line);
	return *line == '#' || *line == ';';
}

/* The first of the words, and what stands behind it; NULL = none. */
static const char *find_word(const char *line, const char **ret_behind)
{
	const char *first = NULL;

	for (size_t i = 0; i < NR_WORDS; i++) {
		const char *at = strstr(line, words[i]);

		if (at && (!first || at < first)) {
			first = at;
			*ret_behind = at + strlen(words[i]);
		}
	}
	return first;
}

/* A number that is 0, "" and what is no number are not told apart from any other. */
static bool is_zero(const char *text)
{
	char *end;

	text += strspn(text, " \t\"'");
	return strtoul(text, &end, 10) == 0 && end != text;
}

/* "echo 4 > …", "echo -n 4 | tee …": what is written into the file that is named behind it. */
static bool writes_zero(const char *line, const char *word)
{
	const char *echo = strstr(line, "echo ");

	if (!echo || echo > word)
		return false;
	echo += strlen("echo ");
	echo = skip_blanks(echo);
	if (!strncmp(echo, "-n ", 3))
		echo += 3;
	return is_zero(echo);
}

static bool is_set(const char *line, const char *word, const char *behind)
{
	bool has_sign = behind[-1] == '=' || behind[-1] == ':';
	const char *at = behind + strspn(behind, "} \t\"'");

	if (has_sign)
		return !is_zero(behind);
	if (at[0] == '=' && at[1] == '=')
		return false; /* a condition */
	if (at[0] == '!' && at[1] == '=')
		return false;
	if (at[0] == '=')
		return !is_zero(at + 1);
	if (*at == '-') /* tmpfiles: mode, user, group and age, then what to write */
		return !is_zero(at + strspn(at, "- \t"));
	return !writes_zero(line, word);
}

static bool makes_vfs(const char *part)
{
	const char *rest = part, *word, *behind;

	if (is_comment(part))
		return false;
	while ((word = find_word(rest, &behind))) {
		if (is_set(part, word, behind))
			return true;
		rest = behind;
	}
	return false;
}

char *sriov_line_part(const char *line)
{
	size_t len;

	for (const char *at = line; !is_comment(line); at += len + (at[len] == ';' ? 1 : 2)) {
		HL_FREE char *part = NULL;

		for (len = 0; at[len] && at[len] != ';' && strncmp(at + len, "&&", 2) != 0; len++)
			continue;
		part = hl_strndup(at, len);
		if (makes_vfs(part))
			return hl_strdup(part);
		if (!at[len])
			break;
	}
	return NULL;
}

/* ---- which NIC ---- */

static bool is_part_of_name(char sign)
{
	return isalnum((unsigned char)sign) || sign == '_';
}

static bool has_token(const char *line, const char *token)
{
	size_t len = strlen(token);

	for (const char *at = line; len && (at = strstr(at, token)); at++) {
		if ((at == line || !is_part_of_name(at[-1])) && !is_part_of_name(at[len]))
			return true;
	}
	return false;
}

bool sriov_line_names(const char *line, const struct sriov_card *card)
{
	return has_token(line, card->name) || has_token(line, card->address);
}

bool sriov_line_drives(const char *line, const struct sriov_card *card)
{
	return has_token(line, card->driver);
}

bool sriov_line_is_about(const char *line, const struct sriov_cards *cards)
{
	static const char *const starts[] = { "iface ",
					      "interface-name=", "OriginalName=", "Path=" };
	size_t len = strlen(line = skip_blanks(line));

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (!strncmp(line, starts[i], strlen(starts[i])))
			return true;
	}
	for (size_t i = 0; i < cards->nr; i++) { /* netplan: "    ens1f0:" */
		if (len == strlen(cards->items[i].name) + 1 && line[len - 1] == ':' &&
		    !strncmp(line, cards->items[i].name, len - 1))
			return true;
	}
	return false;
}
