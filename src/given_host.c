/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hosts of the command line: see hoploss/given_host.h.
 */
#include "hoploss/given_host.h"
#include "hoploss/console.h"
#include <errno.h>
#include <string.h>

#define ANSWER_S 15.0 /* that a host may take for its first word */

/* The words of a command, as in a path file: parted by blanks, no quotes. */
static const char *const *split_words(struct hl_arena *arena, const char *text)
{
	char *rest = hl_arena_strdup(arena, text), *word;
	const char **words = NULL;
	size_t nr = 0;

	while ((word = strsep(&rest, " \t"))) {
		if (!*word)
			continue;
		words = hl_arena_extend(arena, words, nr, sizeof(*words));
		words[nr++] = word;
	}
	words = hl_arena_extend(arena, words, nr, sizeof(*words));
	words[nr] = NULL;
	return words;
}

int hl_given_host_read(struct hl_arena *arena, const char *word, struct hl_given_host *ret_host,
		       struct hl_error *err)
{
	const char *equals = strchr(word, '=');
	const char *const *via;
	const char *name;

	if (!equals || equals == word)
		return hl_fail(err, EINVAL,
			       "host \"%s\": write it as NAME=VIA, e.g. pve='ssh root@pve'", word);
	name = hl_arena_strndup(arena, word, (size_t)(equals - word));
	via = split_words(arena, equals + 1);
	if (!via[0])
		return hl_fail(err, EINVAL, "host %s: no command behind the \"=\"", name);
	*ret_host = (struct hl_given_host){
		.name = name,
		.via = strcmp(equals + 1, "local") ? via : NULL,
	};
	return 0;
}

static void close_agent(struct hl_agent **agent)
{
	hl_agent_close(*agent);
}

static const char *name_of(const struct hl_given_host *host)
{
	return host->name ? host->name : "this machine";
}

static void tell_of_waiting(void *context, double waited_seconds)
{
	hl_console_say("%s has not answered for %.0f s; after %.0f s it is given up",
		       name_of(context), waited_seconds, ANSWER_S);
}

int hl_given_host_capture(struct hl_arena *arena, struct hl_given_host *host,
			  struct hl_bundle *bundle, struct hl_error *err)
{
	__attribute__((cleanup(close_agent))) struct hl_agent *agent = NULL;
	struct hl_take take = { .bundle = bundle, .stage = HL_CAPTURE_ONLY };
	const struct hl_agent_patience patience = { ANSWER_S, tell_of_waiting, host };
	struct hl_error why = { 0 };
	int rc;

	hl_console_say("capturing %s", name_of(host));
	hl_agent_open_within(host->name ? host->name : "local", host->via, &patience, &agent, &why);
	if (!host->name)
		host->name = agent ? hl_arena_strdup(arena, hl_agent_hostname(agent)) : "local";
	take.host = host->name;
	take.agent = agent;
	take.reason = why.text;
	rc = hl_take_capture(&take, arena, &host->taken, err);
	if (rc < 0)
		return rc;
	host->captured = host->name;
	host->reason = host->taken.reason;
	return 0;
}
