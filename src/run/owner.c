/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The owner of a name that a hop borrows: where "initiator = IQN" is that of another, nobody logs
 * in by it unless the owner's session is up, and ours ends at once when the owner's does.
 *
 * Surprising: the target's own list is looked at on the target's host, which is that of the path to
 * which the portal's address belongs. A worker does one thing at a time, so there is a second one
 * there, which looks while the first measures.
 */
#include "run.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ISCSI      "iscsi://"
#define USUAL_PORT 3260

struct run_owner {
	const char *iqn, *initiator, *host;
	unsigned port;
	struct hl_agent *eyes; /* on the target's host */
	struct hl_agent_logins before;
};

/* The parts of iscsi://ADDRESS[:PORT]/IQN/LUN behind the address. */
static void read_url(struct hl_run *run, const char *url, struct run_owner *owner)
{
	const char *start = url + strlen(ISCSI), *slash = strchr(start, '/');
	const char *bracket = strchr(start, ']');
	const char *colon = strchr(bracket && bracket < slash ? bracket : start, ':');

	owner->port = USUAL_PORT;
	if (colon && slash && colon < slash)
		owner->port = (unsigned)strtoul(colon + 1, NULL, 10);
	start = slash ? slash + 1 : "";
	owner->iqn = hl_arena_printf(run->arena, "%.*s", (int)strcspn(start, "/"), start);
}

/* The host of the path that has the portal's address; NULL. */
static const struct hl_path_host *target_host(const struct hl_run *run, const char *url)
{
	const struct hl_path *path = run->options.path;
	struct hl_route route;
	char portal[64];

	if (!run_portal_of(url, portal, sizeof(portal)))
		return NULL;
	for (size_t i = 0; i < path->nr_hosts; i++) {
		if (run->hosts[i].agent &&
		    hl_agent_route(run->hosts[i].agent, portal, &route, NULL) == 0 &&
		    route.is_local)
			return &path->hosts[i];
	}
	return NULL;
}

static const char *cannot_see(struct hl_run *run, const struct run_owner *owner, const char *why)
{
	return hl_arena_printf(run->arena,
			       "logs in as %s; whether its owner's session is up cannot be seen: "
			       "%s",
			       owner->initiator, why);
}

static int ask(const struct run_owner *owner, bool of_initiator, struct hl_agent_logins *logins)
{
	return hl_agent_logins(owner->eyes, owner->iqn, of_initiator ? owner->initiator : NULL,
			       owner->port, logins, NULL);
}

const char *run_owner_open(struct hl_run *run, size_t index)
{
	const struct hl_path_hop *hop = &run->options.path->hops[index];
	const struct hl_path_host *host;
	struct run_owner *owner;
	struct hl_error err;

	if (!hop->initiator || hop->is_ownerless || strncmp(hop->targets[0], ISCSI, strlen(ISCSI)))
		return NULL;
	owner = hl_arena_alloc(run->arena, sizeof(*owner));
	owner->initiator = hop->initiator;
	read_url(run, hop->targets[0], owner);
	host = target_host(run, hop->targets[0]);
	if (!host)
		return cannot_see(run, owner, "no host of the path has the portal's address");
	owner->host = host->name;
	if (hl_agent_open(host->name, host->via, &owner->eyes, &err) < 0)
		return cannot_see(run, owner, err.text);
	if (ask(owner, true, &owner->before) < 0 || !owner->before.is_seen) {
		hl_agent_close(owner->eyes);
		return cannot_see(run, owner,
				  hl_arena_printf(run->arena,
						  "neither LIO, SCST nor tgt on host %s shows it",
						  host->name));
	}
	run->owners[index] = owner;
	return NULL;
}

void run_owner_close(struct run_owner *owner)
{
	if (owner)
		hl_agent_close(owner->eyes);
}

int run_owner_check(struct run_owner *owner, struct hl_error *err)
{
	if (!owner)
		return 0;
	if (ask(owner, true, &owner->before) < 0)
		return hl_fail(err, EHOSTUNREACH,
			       "host %s does not answer whether the session of %s is up: not "
			       "logging in by its name",
			       owner->host, owner->initiator);
	if (owner->before.nr)
		return 0;
	return hl_fail(
		err, ENOTCONN,
		"%s has no session with the target now: not logging in by its name while "
		"its owner is away; write \"owner = none\" where only hoploss uses that name",
		owner->initiator);
}

static bool has_flow(const struct hl_agent_logins *logins, const char *flow)
{
	for (unsigned i = 0; i < logins->nr_flows; i++) {
		if (!strcmp(logins->flows[i], flow))
			return true;
	}
	return false;
}

/* A connection that was there before ours. Which of them is the owner's is not known. */
bool run_owner_is_gone(struct run_owner *owner)
{
	struct hl_agent_logins now;

	if (!owner)
		return false;
	if (ask(owner, false, &now) < 0)
		return true;
	for (unsigned i = 0; i < owner->before.nr_flows && now.nr_flows < HL_AGENT_FLOWS; i++) {
		if (!has_flow(&now, owner->before.flows[i]))
			return true;
	}
	return false;
}

const char *run_owner_gone_text(struct hl_arena *arena, const struct run_owner *owner)
{
	return hl_arena_printf(arena,
			       "a connection to the target ended while it was measured, perhaps "
			       "that of %s, whose name was borrowed: logged out at once, this "
			       "round is dropped",
			       owner->initiator);
}
