/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where names of hosts and machines stand. A host may be called "vm", "disk" or "pool"; such a word
 * is replaced there only, for elsewhere it is one of the format, or anybody's.
 *
 * Source: prompts and "ssh USER@HOST", uname(1), path files, qm.conf(5), JSON of iperf3 and of
 * samples, libvirt's <name>, virsh-domstats, QEMU's -name, URLs, sources of NFS and SMB mounts.
 */
#include "pairs.h"
#include <ctype.h>
#include <string.h>

struct place {
	const char *at, *behind; /* of the name, and behind it */
	const char *start, *end; /* of the text */
};

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static bool is_behind(const struct place *place, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(place->at - place->start) >= len && !memcmp(place->at - len, text, len);
}

static char char_behind(const struct place *place, size_t nr)
{
	return place->behind + nr < place->end ? place->behind[nr] : '\0';
}

static const char *line_of(const struct place *place)
{
	const char *line = place->at;

	while (line > place->start && line[-1] != '\n')
		line--;
	return line;
}

/* "root@vm:", "ssh root@vm" */
static bool is_login(const struct place *place)
{
	return place->at - place->start >= 2 && place->at[-1] == '@' && is_word_char(place->at[-2]);
}

/* "Linux vm 6.8", "Linux 6.8 (vm)" */
static bool is_uname(const struct place *place)
{
	const char *line = line_of(place);
	bool has_linux = place->at - line >= 6 && !memcmp(line, "Linux ", 6);

	if (is_behind(place, "Linux "))
		return char_behind(place, 0) == ' ' &&
		       isdigit((unsigned char)char_behind(place, 1));
	return has_linux && is_behind(place, " (") && char_behind(place, 0) == ')';
}

/* "host = vm", "name: vm", and any word of "via = ssh vm" */
static bool is_value_of_line(const struct place *place)
{
	static const char *const keys[] = {
		"host", "on", "vm", "domain", "name", "hostname", "via"
	};
	const char *line = line_of(place), *sign;
	bool is_last = !char_behind(place, 0) || strchr("\r\n", char_behind(place, 0));

	while (line < place->at && isblank((unsigned char)*line))
		line++;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		size_t len = strlen(keys[i]);
		bool is_via = !strcmp(keys[i], "via");

		if ((size_t)(place->at - line) <= len || memcmp(line, keys[i], len) != 0)
			continue;
		sign = line + len;
		while (sign < place->at && isblank((unsigned char)*sign))
			sign++;
		if (sign == place->at || !strchr("=:", *sign++))
			continue;
		while (sign < place->at && isblank((unsigned char)*sign))
			sign++;
		if (is_via || (is_last && sign == place->at))
			return true;
	}
	return false;
}

/* "host": "vm" */
static bool is_value_of_json(const struct place *place)
{
	static const char *const keys[] = { "\"host\"", "\"hostname\"", "\"remote_host\"",
					    "\"on\"",   "\"vm\"",       "\"nodename\"" };
	const char *at = place->at;

	if (char_behind(place, 0) != '"' || at == place->start || *--at != '"')
		return false;
	while (at > place->start && isblank((unsigned char)at[-1]))
		at--;
	if (at == place->start || *--at != ':')
		return false;
	while (at > place->start && isblank((unsigned char)at[-1]))
		at--;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		size_t len = strlen(keys[i]);

		if ((size_t)(at - place->start) >= len && !memcmp(at - len, keys[i], len))
			return true;
	}
	return false;
}

/* Between two signs that say what is between them. */
static bool is_between(const struct place *place)
{
	static const struct {
		const char *before, *behind; /* behind: one of these */
	} signs[] = {
		{ "[host ", "]" },     { "<name>", "<" },    { "<hostname>", "<" },
		{ "Domain: '", "'" },  { "guest=", ", \n" }, { "-name ", ", \n" },
		{ "-name\n", ", \n" }, { "//", "/:" },       { "Connecting to host ", ", \n" },
	};
	char behind = char_behind(place, 0);

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (is_behind(place, signs[i].before) &&
		    (behind ? strchr(signs[i].behind, behind) != NULL
			    : strchr(signs[i].behind, '\n') != NULL))
			return true;
	}
	return false;
}

/* "vm:/export" as a word */
static bool is_source(const struct place *place)
{
	char before = place->at > place->start ? place->at[-1] : ' ';

	return isspace((unsigned char)before) && char_behind(place, 0) == ':' &&
	       char_behind(place, 1) == '/';
}

bool place_is_of_name(const char *at, size_t len, const char *start, const char *end)
{
	const struct place place = { at, at + len, start, end };

	if (is_word_char(char_behind(&place, 0)) || (at > start && is_word_char(at[-1])))
		return false;
	return is_login(&place) || is_uname(&place) || is_value_of_line(&place) ||
	       is_value_of_json(&place) || is_between(&place) || is_source(&place);
}
