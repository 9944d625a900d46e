/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Passwords, tokens and keys in files that somebody gave whole: no probe keeps any, but a saved
 * configuration of a target, an initiator or a VM can hold them.
 *
 * Source: targetcli's saveconfig.json (chap_password), scst.conf and tgt's targets.conf
 * (IncomingUser NAME PASSWORD), iscsid.conf (node.session.auth.password), qm.conf(5) (cipassword,
 * sshkeys), libvirt's XML (passwd), PEM (RFC 7468).
 */
#include "pairs.h"
#include <ctype.h>
#include <string.h>

#define LEAST_LENGTH 4

static void learn(struct hl_scrub *scrub, const char *text, size_t len)
{
	static const char *const fillers[] = { "none", "null", "true", "false", "left-out" };

	for (size_t i = 0; i < sizeof(fillers) / sizeof(*fillers); i++) {
		if (strlen(fillers[i]) == len && !strncasecmp(text, fillers[i], len))
			return;
	}
	if (len >= LEAST_LENGTH)
		pair_add(scrub, text, len,
			 hl_arena_printf(scrub->arena, "secret-%u", ++scrub->nr_secrets),
			 BOUNDS_WORD);
}

/* The value behind a key: KEY = VALUE, "KEY": "VALUE", KEY='VALUE', KEY: VALUE. */
static void learn_value(struct hl_scrub *scrub, const char *behind)
{
	size_t skip = strspn(behind, " \t\"':=>");

	if (memchr(behind, ':', skip) || memchr(behind, '=', skip))
		learn(scrub, behind + skip, strcspn(behind + skip, " \t\r\n\"'<>,;"));
}

/* The words behind IncomingUser: name and password. */
static void learn_user(struct hl_scrub *scrub, const char *behind)
{
	for (int i = 0; i < 2; i++) {
		size_t len;

		behind += strspn(behind, " \t\"'=");
		len = strcspn(behind, " \t\r\n\"'");
		learn(scrub, behind, len);
		behind += len;
	}
}

static void learn_keys(struct hl_scrub *scrub, const char *text)
{
	static const struct {
		const char *key;
		void (*learn)(struct hl_scrub *scrub, const char *behind);
	} keys[] = {
		{ "password", learn_value },        { "passwd", learn_value },
		{ "password_in", learn_value },     { "chap_password", learn_value },
		{ "cipassword", learn_value },      { "chap_mutual_password", learn_value },
		{ "chap_userid", learn_value },     { "chap_mutual_userid", learn_value },
		{ "username", learn_value },        { "username_in", learn_value },
		{ "ciuser", learn_value },          { "sshkeys", learn_value },
		{ "token", learn_value },           { "secret", learn_value },
		{ "incominguser", learn_user },     { "outgoinguser", learn_user },
		{ "client-key-data", learn_value },
	};

	for (const char *at = text; *at; at++) {
		bool is_start = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');

		for (size_t i = 0; is_start && i < sizeof(keys) / sizeof(*keys); i++) {
			size_t len = strlen(keys[i].key);

			if (!strncasecmp(at, keys[i].key, len) &&
			    !isalnum((unsigned char)at[len]) && at[len] != '_')
				keys[i].learn(scrub, at + len);
		}
	}
}

/* The lines between BEGIN … PRIVATE KEY and END. */
static void learn_pem(struct hl_scrub *scrub, const char *text)
{
	for (const char *at = text; (at = strstr(at, "PRIVATE KEY-----"));) {
		at += strcspn(at, "\n");
		while (*at && strncmp(at, "\n-----", 6) != 0) {
			size_t len = strcspn(at + 1, "\r\n");

			learn(scrub, at + 1, len);
			at += 1 + len;
			at += strcspn(at, "\n");
		}
	}
}

void scrub_learn_secrets(struct hl_scrub *scrub, const char *text)
{
	learn_keys(scrub, text);
	learn_pem(scrub, text);
}
