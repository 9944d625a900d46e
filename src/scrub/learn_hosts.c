/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of hosts and users in what was pasted from a terminal.
 *
 * Source: prompts ("alice@nas:~$", "[root@nas ~]#"), uname(1) and what prints the same ("Linux nas
 * 6.8.12", iperf3, "(nas)" of sysstat), iperf3's "Connecting to host", hosts in JSON.
 */
#include "pairs.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARS "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"

static void learn(struct hl_scrub *scrub, const char *text, size_t len)
{
	static const char *const users[] = { "root", "admin", "user", "truenas_admin", "truenas" };
	HL_FREE char *name = hl_strndup(text, len);

	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++) {
		if (!strcmp(name, users[i]))
			return;
	}
	if (isalpha((unsigned char)*name) && !strchr(name, '.'))
		hl_scrub_learn_name(scrub, name);
}

/* user@host: or [user@host dir], with a "$", "#" or "%" behind on the line. */
static void learn_prompts(struct hl_scrub *scrub, const char *text)
{
	for (const char *at = text; (at = strchr(at, '@')); at++) {
		size_t len = strspn(at + 1, NAME_CHARS), line = strcspn(at, "\n");
		const char *user = at, *end = at + 1 + len;
		size_t sign = strcspn(end, "$#%\n");

		while (user > text && strchr(NAME_CHARS, user[-1]))
			user--;
		if (user == at || !len || !strchr(": ", *end) || end + sign >= at + line ||
		    (user > text && !isspace((unsigned char)user[-1]) && user[-1] != '['))
			continue;
		learn(scrub, user, (size_t)(at - user));
		learn(scrub, at + 1, len);
	}
}

/* What stands behind a phrase. */
static void learn_phrases(struct hl_scrub *scrub, const char *text)
{
	static const char *const phrases[] = { "Connecting to host ", "\"host\":\t\"",
					       "\"host\": \"",        "\"hostname\": \"",
					       "\"hostname\" : \"",   "\"remote_host\":\t\"" };

	for (size_t i = 0; i < sizeof(phrases) / sizeof(*phrases); i++) {
		for (const char *at = text; (at = strstr(at, phrases[i]));) {
			at += strlen(phrases[i]);
			learn(scrub, at, strcspn(at, ",.\" \t\n"));
		}
	}
}

/* "Linux nas 6.8.12-4-pve", "Linux 6.8.12-4-pve (nas)". */
static void learn_unames(struct hl_scrub *scrub, const char *text)
{
	for (const char *at = text; (at = strstr(at, "Linux "));) {
		size_t len;

		at += strlen("Linux ");
		len = strspn(at, NAME_CHARS);
		if (at[len] == ' ' && isdigit((unsigned char)at[len + 1]) && strchr(at, '.')) {
			learn(scrub, at, len);
		} else if (isdigit((unsigned char)*at)) {
			at += strcspn(at, " \n");
			if (!strncmp(at, " (", 2))
				learn(scrub, at + 2, strcspn(at + 2, ").\n"));
		}
	}
}

void scrub_learn_hosts(struct hl_scrub *scrub, const char *text)
{
	learn_prompts(scrub, text);
	learn_phrases(scrub, text);
	learn_unames(scrub, text);
}
