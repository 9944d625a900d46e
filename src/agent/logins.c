/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at the sessions of a target where it runs: see logins.h.
 *
 * Source: configfs of LIO (acls/INITIATOR/info, dynamic_sessions), sysfs of SCST (a directory a
 * session, of the initiator's name, with "_N" for further ones), tgtadm(8), and /proc/net/tcp of
 * proc(5). Surprising: no target shows which of two sessions by one name is ours, so a session
 * that ends is seen by its connection: a peer's address and port.
 */
#include "logins.h"
#include "hoploss/alloc.h"
#include "hoploss/capture.h"
#include "hoploss/number.h"
#include "message.h"
#include "worker.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIO          "/sys/kernel/config/target/iscsi"
#define SCST         "/sys/kernel/scst_tgt/targets/iscsi"
#define TGT_SOCKET   "/tgtd/socket."
#define ESTABLISHED  1
#define MOST_TARGETS 16 /* tgtd processes on one host */

/* ---- LIO and SCST ---- */

static bool holds_line(const char *bytes, size_t len, const char *line)
{
	size_t wanted = strlen(line);

	for (size_t at = 0; at < len;) {
		size_t end = at;

		while (end < len && bytes[end] != '\n' && bytes[end] != '\0')
			end++;
		if (end - at == wanted && !memcmp(bytes + at, line, wanted))
			return true;
		at = end + 1;
	}
	return false;
}

/* Sessions in one portal group: of an initiator with an ACL one is shown, whatever their number. */
static unsigned nr_in_group(struct hl_machine *machine, const char *group, const char *initiator)
{
	HL_FREE char *info_path = hl_printf("%s/acls/%s/info", group, initiator);
	HL_FREE char *dynamic_path = hl_printf("%s/dynamic_sessions", group);
	HL_FREE char *info = NULL;
	HL_FREE char *dynamic = NULL;
	size_t len;

	if (hl_machine_read(machine, info_path, &info, &len, NULL) == 0 &&
	    strstr(info, "LOGGED_IN"))
		return 1;
	return hl_machine_read(machine, dynamic_path, &dynamic, &len, NULL) == 0 &&
	       holds_line(dynamic, len, initiator);
}

static bool in_lio(struct hl_machine *machine, const char *iqn, const char *initiator,
		   unsigned *ret_nr)
{
	HL_FREE char *target = hl_printf(LIO "/%s", iqn);
	char **names;
	size_t nr;

	if (hl_machine_list(machine, target, &names, &nr, NULL) < 0)
		return false;
	*ret_nr = 0;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *group = hl_printf("%s/%s", target, names[i]);

		if (!strncmp(names[i], "tpgt_", 5))
			*ret_nr += nr_in_group(machine, group, initiator);
	}
	hl_machine_free_names(names, nr);
	return true;
}

/* "iqn.x:y" and "iqn.x:y_2", but not "iqn.x:y2" or "iqn.x:y_z" */
static bool is_session_of(const char *name, const char *initiator)
{
	size_t len = strlen(initiator);

	if (strncmp(name, initiator, len) != 0)
		return false;
	return !name[len] || (name[len] == '_' && name[len + 1] &&
			      strspn(name + len + 1, "0123456789") == strlen(name + len + 1));
}

static bool in_scst(struct hl_machine *machine, const char *iqn, const char *initiator,
		    unsigned *ret_nr)
{
	HL_FREE char *sessions = hl_printf(SCST "/%s/sessions", iqn);
	char **names;
	size_t nr;

	if (hl_machine_list(machine, sessions, &names, &nr, NULL) < 0)
		return false;
	*ret_nr = 0;
	for (size_t i = 0; i < nr; i++)
		*ret_nr += is_session_of(names[i], initiator);
	hl_machine_free_names(names, nr);
	return true;
}

bool logins_in_kernel(struct hl_machine *machine, const char *iqn, const char *initiator,
		      unsigned *ret_nr)
{
	return in_lio(machine, iqn, initiator, ret_nr) || in_scst(machine, iqn, initiator, ret_nr);
}

/* ---- tgt ---- */

/* The word behind a label on a line that begins with it, behind its blanks; or NULL. */
static const char *behind(const char *line, const char *label)
{
	line += strspn(line, " ");
	return !strncmp(line, label, strlen(label)) ? line + strlen(label) : NULL;
}

static bool is_word(const char *at, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(at, word, len) && strcspn(at + len, " \r\n") == 0;
}

bool logins_in_tgt(const char *text, const char *iqn, const char *initiator, unsigned *ret_nr)
{
	bool is_target = false, is_seen = false;
	unsigned nr = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *name;

		line += *line == '\n';
		if (!strncmp(line, "Target ", 7)) {
			name = strstr(line, ": ");
			is_target = name && is_word(name + 2, iqn);
			is_seen |= is_target;
		}
		name = behind(line, "Initiator: ");
		nr += is_target && name && is_word(name, initiator);
	}
	*ret_nr = nr;
	return is_seen;
}

size_t logins_tgt_controls(const char *unix_sockets, unsigned *ret_numbers, size_t max)
{
	size_t nr = 0;

	for (const char *at = strstr(unix_sockets, TGT_SOCKET); at && nr < max;
	     at = strstr(at, TGT_SOCKET)) {
		uint64_t number;
		bool is_known = false;

		at += strlen(TGT_SOCKET);
		if (hl_number_u64(at, strspn(at, "0123456789"), &number) < 0 || number > 65535)
			continue;
		for (size_t i = 0; i < nr; i++)
			is_known |= ret_numbers[i] == number;
		if (!is_known)
			ret_numbers[nr++] = (unsigned)number;
	}
	return nr;
}

static bool in_tgt(struct hl_machine *machine, const char *iqn, const char *initiator,
		   unsigned *ret_nr)
{
	HL_FREE char *sockets = NULL;
	unsigned controls[MOST_TARGETS];
	bool is_seen = false;
	size_t len, nr = 0;

	if (hl_machine_read(machine, "/proc/net/unix", &sockets, &len, NULL) == 0)
		nr = logins_tgt_controls(sockets, controls, MOST_TARGETS);
	for (size_t i = 0; i < nr && !is_seen; i++) {
		HL_FREE char *control = hl_printf("%u", controls[i]);
		const char *const argv[] = { "tgtadm", "-C",   control,  "--lld",  "iscsi",
					     "--op",   "show", "--mode", "target", NULL };
		HL_FREE char *text = NULL;

		hl_capture_output(argv, &text, &len, NULL);
		is_seen = text && logins_in_tgt(text, iqn, initiator, ret_nr);
	}
	return is_seen;
}

/* ---- connections ---- */

/* The word number n of a line, from 0; its length is 0 behind the last. */
static const char *word_of(const char *line, unsigned n, size_t *ret_len)
{
	line += strspn(line, " ");
	for (; n; n--) {
		line += strcspn(line, " \n");
		line += strspn(line, " ");
	}
	*ret_len = strcspn(line, " \n");
	return line;
}

/* A line: "0: 0100007F:0CBC 0200007F:9C40 01 …", addresses in hexadecimal. */
static void take_flow(const char *line, unsigned port, struct hl_agent_logins *logins)
{
	size_t local_len, peer_len, state_len;
	const char *local = word_of(line, 1, &local_len), *peer = word_of(line, 2, &peer_len);
	const char *state = word_of(line, 3, &state_len);
	const char *colon = memchr(local, ':', local_len);
	uint64_t local_port, number;

	if (logins->nr_flows == HL_AGENT_FLOWS || !colon || !peer_len ||
	    hl_number_hex(colon + 1, local_len - (size_t)(colon + 1 - local), &local_port) < 0 ||
	    hl_number_hex(state, state_len, &number) < 0 || local_port != port ||
	    number != ESTABLISHED)
		return;
	snprintf(logins->flows[logins->nr_flows++], sizeof(logins->flows[0]), "%.*s", (int)peer_len,
		 peer);
}

void logins_flows(struct hl_machine *machine, unsigned port, struct hl_agent_logins *logins)
{
	static const char *const files[] = { "/proc/net/tcp", "/proc/net/tcp6" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		HL_FREE char *text = NULL;
		size_t len;

		if (hl_machine_read(machine, files[i], &text, &len, NULL) < 0)
			continue;
		for (const char *line = text; line; line = strchr(line, '\n')) {
			line += *line == '\n';
			take_flow(line, port, logins);
		}
	}
}

/* ---- the request ---- */

static void put_logins(struct hl_json_out *out, const struct hl_agent_logins *logins)
{
	hl_json_put_boolean(out, "is_seen", logins->is_seen);
	hl_json_put_number(out, "nr", logins->nr);
	hl_json_array(out, "flows");
	for (unsigned i = 0; i < logins->nr_flows; i++)
		hl_json_put_string(out, NULL, logins->flows[i]);
	hl_json_close(out);
}

int serve_logins(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	const char *iqn = hl_json_string(hl_json_get(request, "target"));
	const char *initiator = hl_json_string(hl_json_get(request, "initiator"));
	double port = hl_json_number(hl_json_get(request, "port"));
	struct hl_agent_logins logins = { 0 };
	struct hl_machine *machine;
	struct hl_json_out *out;

	if (!(port >= 1 && port <= 65535) || (initiator && (!iqn || strchr(iqn, '/'))) ||
	    (initiator && strchr(initiator, '/')))
		return hl_fail(err, EBADMSG, "\"logins\" wants a port, and names without a slash");
	machine = hl_machine_open("/", NULL);
	if (initiator)
		logins.is_seen = logins_in_kernel(machine, iqn, initiator, &logins.nr) ||
				 in_tgt(machine, iqn, initiator, &logins.nr);
	logins_flows(machine, (unsigned)port, &logins);
	hl_machine_close(machine);
	out = answer_begin(worker);
	put_logins(out, &logins);
	answer_end(worker, out);
	return 0;
}
