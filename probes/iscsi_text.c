/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iscsiadm(8): sessions (-m session, with -P 1, 2 or 3, or the old -i) and what is configured for a
 * node (-m node -T IQN). Facts of node IQN@PORTAL; "?" for the part that is not said.
 *
 * Surprising: a second session to the same portal begins with no more than an empty line, so each
 * "Iface Name" or "SID" after the first begins one. A portal is written with its group's tag
 * ("10.0.0.2:3260,1"), which is not part of the name here. Names and passwords of CHAP are passed
 * over.
 */
#include "hoploss/format.h"
#include "saved.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_TEXT     256
#define MAX_DEFERRED 8
#define DISK         "Attached scsi disk "

/* ---- claiming ---- */

static const char *const begins[] = {
	"Target: iqn.*",
	"Target: eui.*",
	"Target: naa.*",
	"iSCSI Transport Class version *",
	"iscsiadm version *",
	"[a-z]*: [[][0-9]*[]] *:[0-9]*,* *",
	"Session (sid *) using module *",
	"Current Portal: *",
	"TargetName: iqn.*",
	"TargetName: eui.*",
	"node.name = *",
	/* a part of it */
	"Persistent Portal: *",
	"Iface Name: *",
	"SID: [0-9]*",
	"iSCSI Connection State: *",
	"Negotiated iSCSI params:*",
	"HeaderDigest: *",
	"MaxRecvDataSegmentLength: *",
	NULL,
};

static const char *const flat[] = { "[a-z]*: [[][0-9]*[]] *:[0-9]*,* *", NULL };

/* Of what begins it, this much must follow before the next blank line, or it is prose. */
static const char *const more[] = {
	"version [0-9]*",
	"[*][*][*][*]*",
	"Interface:*",
	"Iface *",
	"SID: *",
	"iSCSI *",
	"Internal iscsid *",
	"Timeouts:*",
	"Recovery Timeout:*",
	"Target Reset Timeout:*",
	"LUN Reset Timeout:*",
	"Abort Timeout:*",
	"CHAP:*",
	"username*:*",
	"password*:*",
	"Negotiated iSCSI *",
	"HeaderDigest:*",
	"DataDigest:*",
	"*BurstLength:*",
	"*DataSegmentLength:*",
	"ImmediateData:*",
	"InitialR2T:*",
	"*OutstandingR2T:*",
	"Attached *",
	"Host Number:*",
	"scsi[0-9]*Lun:*",
	"scsi[0-9]*Channel*",
	"State: *",
	"*Portal: *",
	"Portal Group Tag:*",
	"node.*= *",
	"iface.*= *",
	"discovery.*= *",
	"# BEGIN RECORD*",
	"# END RECORD*",
	"#*****",
	NULL,
};

static bool is_record(struct hl_line line)
{
	return saved_is_like(line, begins) || saved_is_like(line, more);
}

static bool knows(const void *context, struct hl_line line)
{
	(void)context;
	return is_record(line);
}

static size_t iscsi_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1;

	if (!saved_is_like(text->lines[at], begins))
		return 0;
	for (size_t i = end; i < text->nr_lines; i++) {
		if (saved_is_blank(text->lines[i]))
			continue;
		if (!is_record(text->lines[i]) &&
		    (i > end || saved_is_command(text->lines[i], "iscsiadm", NULL, 0) ||
		     !saved_is_broken_off(text, i, knows, NULL)))
			break;
		end = i + 1;
	}
	/* one line alone may be prose, but for the list of sessions */
	return end - at > 1 || saved_is_like(text->lines[at], flat) ? end - at : 0;
}

/* ---- what is read ---- */

enum kind { NUMBER, TEXT, BOOLEAN };

static const struct {
	const char *name; /* as iscsiadm prints it */
	const char *key;
	enum kind kind;
} rows[] = {
	{ "SID", "iscsi.sid", NUMBER },
	{ "iSCSI Connection State", "iscsi.connection_state", TEXT },
	{ "iSCSI Session State", "iscsi.session_state", TEXT },
	{ "Iface Name", "iscsi.iface", TEXT },
	{ "Iface Transport", "iscsi.transport", TEXT },
	{ "Iface Initiatorname", "iscsi.initiator", TEXT },
	{ "Iface IPaddress", "iscsi.initiator_address", TEXT },
	{ "Iface Netdev", "iscsi.nic", TEXT },
	{ "Recovery Timeout", "iscsi.recovery_timeout_s", NUMBER },
	{ "HeaderDigest", "iscsi.header_digest", TEXT },
	{ "DataDigest", "iscsi.data_digest", TEXT },
	{ "MaxRecvDataSegmentLength", "iscsi.max_recv", NUMBER },
	{ "MaxXmitDataSegmentLength", "iscsi.max_xmit", NUMBER },
	{ "FirstBurstLength", "iscsi.first_burst", NUMBER },
	{ "MaxBurstLength", "iscsi.max_burst", NUMBER },
	{ "ImmediateData", "iscsi.immediate_data", BOOLEAN },
	{ "InitialR2T", "iscsi.initial_r2t", BOOLEAN },
	{ "MaxOutstandingR2T", "iscsi.max_outstanding_r2t", NUMBER },
	{ "node.session.cmds_max", "iscsi.cmds_max", NUMBER },
	{ "node.session.queue_depth", "iscsi.queue_depth", NUMBER },
	{ "node.session.nr_sessions", "iscsi.nr_sessions", NUMBER },
};

struct deferred { /* said before it was said of what session */
	size_t row;
	const char *value;
	unsigned line;
};

struct reader {
	struct hl_reading *reading;
	const char *file;
	char target[MAX_TEXT], portal[MAX_TEXT]; /* "" = not said */
	const char *node;                        /* of the session; NULL = to be made */
	bool has_iface, has_sid;                 /* what begins a session was seen */
	struct deferred deferred[MAX_DEFERRED];
	size_t nr_deferred;
	const char *disks;
	unsigned disks_line;
	double lun; /* of the next disk; NAN */
};

static const char *node_of(struct reader *reader)
{
	if (!reader->node)
		reader->node = hl_arena_printf(reader->reading->graph->arena, "%s@%s",
					       reader->target[0] ? reader->target : "?",
					       reader->portal[0] ? reader->portal : "?");
	return reader->node;
}

static struct hl_origin origin_of(struct reader *reader, const char *node, unsigned line)
{
	return (struct hl_origin){
		.host = reader->reading->host,
		.node = node,
		.source = hl_arena_printf(reader->reading->graph->arena, "%s:%u", reader->file,
					  line),
	};
}

/* All disks of a session in one fact, and each one's way back to it. */
static void end_session(struct reader *reader)
{
	struct hl_graph *graph = reader->reading->graph;
	struct hl_origin origin;

	if (reader->disks) {
		origin = origin_of(reader, node_of(reader), reader->disks_line);
		hl_graph_add_string(graph, &origin, "iscsi.disks", reader->disks);
	}
	reader->disks = NULL;
	reader->node = NULL;
	reader->has_iface = reader->has_sid = false;
}

/* Up to the first blank: behind it stands "(non-flash)", or what somebody remarked. */
static void take_word(char *to, const char *value)
{
	size_t len = strcspn(value, " \t");

	memcpy(to, value, len);
	to[len] = '\0';
}

/* "10.0.0.2:3260,1", "[fe80::1]:3260,1": without the tag. */
static void take_portal(struct reader *reader, const char *value)
{
	end_session(reader);
	take_word(reader->portal, value);
	reader->portal[strcspn(reader->portal, ",")] = '\0';
}

static void take_target(struct reader *reader, const char *value)
{
	end_session(reader);
	take_word(reader->target, value);
	reader->portal[0] = '\0';
}

/* "Attached scsi disk sda  State: running" */
static void take_disk(struct reader *reader, const char *text, unsigned line)
{
	struct hl_arena *arena = reader->reading->graph->arena;
	const char *name = text + strlen(DISK) + strspn(text + strlen(DISK), " ");
	struct hl_origin origin;

	name = hl_arena_strndup(arena, name, strcspn(name, " "));
	if (!*name)
		return;
	reader->disks_line = reader->disks ? reader->disks_line : line;
	reader->disks = reader->disks ? hl_arena_printf(arena, "%s %s", reader->disks, name) : name;
	origin = origin_of(reader, name, line);
	hl_graph_add_string(reader->reading->graph, &origin, "block.session", node_of(reader));
	hl_graph_add_number(reader->reading->graph, &origin, "block.lun", reader->lun);
	reader->lun = NAN;
}

/* "scsi2 Channel 00 Id 0 Lun: 1", above its disk; one without a disk is a controller. */
static bool take_lun(struct reader *reader, const char *text)
{
	const char *lun = strncmp(text, "scsi", 4) ? NULL : strstr(text, "Lun: ");

	if (!lun)
		return false;
	reader->lun = saved_number(lun + 5);
	return true;
}

static bool is_said(const char *value)
{
	return *value && strcmp(value, "<empty>") != 0 && strcasecmp(value, "Unknown") != 0 &&
	       strcmp(value, "&lt;empty&gt;") != 0;
}

static void add_value(struct reader *reader, size_t row, const char *value, unsigned line)
{
	struct hl_graph *graph = reader->reading->graph;
	const char *key = rows[row].key;
	struct hl_origin origin;

	if (!is_said(value))
		return;
	/* a session that is bound to no NIC says so by the name of its interface */
	if (!strcmp(key, "iscsi.nic") && !strcmp(value, "default"))
		return;
	origin = origin_of(reader, node_of(reader), line);
	if (rows[row].kind == NUMBER)
		hl_graph_add_number(graph, &origin, key, saved_number(value));
	else if (rows[row].kind == TEXT)
		hl_graph_add_string(graph, &origin, key, value);
	else if (saved_boolean(value) >= 0)
		hl_graph_add_boolean(graph, &origin, key, saved_boolean(value));
}

/* A copy that lost its first letter is still known. */
static bool is_name(const char *name, const char *wanted)
{
	return !strcmp(name, wanted) || (strlen(wanted) > 8 && !strcmp(name, wanted + 1));
}

static void take_pair(struct reader *reader, const char *name, const char *value, unsigned line)
{
	bool is_iface = !strcmp(name, "Iface Name"), is_sid = !strcmp(name, "SID");

	if ((is_iface && (reader->has_iface || reader->has_sid)) || (is_sid && reader->has_sid))
		end_session(reader);
	reader->has_iface |= is_iface;
	reader->has_sid |= is_sid;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (is_name(name, rows[i].name)) {
			add_value(reader, i, value, line);
			return;
		}
	}
}

/* ---- what is said before its session ---- */

static void defer(struct reader *reader, const char *name, const char *value, unsigned line)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(rows[i].name, name) && reader->nr_deferred < MAX_DEFERRED)
			reader->deferred[reader->nr_deferred++] = (struct deferred){
				i, hl_arena_strdup(reader->reading->graph->arena, value), line
			};
	}
}

static void add_deferred(struct reader *reader)
{
	for (size_t i = 0; i < reader->nr_deferred; i++) {
		const struct deferred *deferred = &reader->deferred[i];

		add_value(reader, deferred->row, deferred->value, deferred->line);
	}
	reader->nr_deferred = 0;
}

/* "Session (sid 1) using module tcp:", the old form; target and portal follow. */
static bool take_old_session(struct reader *reader, const char *text, unsigned line)
{
	static const char start[] = "Session (sid ";
	char sid[MAX_TEXT];

	if (strncmp(text, start, strlen(start)) != 0)
		return false;
	end_session(reader);
	reader->target[0] = reader->portal[0] = '\0';
	take_word(sid, text + strlen(start));
	sid[strcspn(sid, ")")] = '\0';
	defer(reader, "SID", sid, line);
	return true;
}

/* "tcp: [1] 10.0.0.2:3260,1 iqn.2005-10.org.example:vol (non-flash)" */
static bool take_flat(struct reader *reader, const char *text, unsigned line)
{
	size_t transport = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
	const char *sid = text + transport + 3, *portal, *target;
	struct hl_origin origin;

	if (!transport || strncmp(text + transport, ": [", 3) != 0)
		return false;
	portal = strchr(sid, ' ');
	target = portal ? strchr(portal + 1, ' ') : NULL;
	if (!target)
		return false;
	take_target(reader, target + 1);
	take_portal(reader, portal + 1);
	origin = origin_of(reader, node_of(reader), line);
	hl_graph_add_number(reader->reading->graph, &origin, "iscsi.sid", strtod(sid, NULL));
	return true;
}

/* ---- records of a node ---- */

static void end_record(struct reader *reader)
{
	if (reader->nr_deferred)
		add_deferred(reader);
	end_session(reader);
}

/* "node.conn[0].address = 10.0.0.2" and "node.conn[0].port = 3260" make the portal. */
static bool take_setting(struct reader *reader, const char *text, unsigned line)
{
	const char *equals = strstr(text, " = ");
	size_t len = equals ? (size_t)(equals - text) : 0;
	char name[MAX_TEXT];

	if (!len || (strncmp(text, "node.", 5) != 0 && strncmp(text, "iface.", 6) != 0))
		return false;
	memcpy(name, text, len);
	name[len] = '\0';
	if (!strcmp(name, "node.name")) {
		end_record(reader);
		take_target(reader, equals + 3);
	} else if (!strcmp(name, "node.conn[0].address")) {
		take_word(reader->portal, equals + 3);
	} else if (!strcmp(name, "node.conn[0].port")) {
		len = strlen(reader->portal);
		snprintf(reader->portal + len, sizeof(reader->portal) - len, ":%s", equals + 3);
	} else {
		defer(reader, name, equals + 3, line);
	}
	return true;
}

/* ---- lines ---- */

/* Cut at a remark that somebody added. */
static void copy_line(struct hl_line line, char text[MAX_TEXT])
{
	char *remark;

	line = hl_line_trim(line);
	if (line.len >= MAX_TEXT)
		line.len = MAX_TEXT - 1;
	memcpy(text, line.start, line.len);
	text[line.len] = '\0';
	for (char *gap = strpbrk(text, "\t\n"); gap; gap = strpbrk(gap, "\t\n"))
		*gap = ' ';
	remark = strstr(text, " #");
	if (remark)
		*remark = '\0';
}

static void read_line(struct reader *reader, struct hl_line line)
{
	char text[MAX_TEXT];
	struct hl_line cut = line;
	struct saved_pair pair;

	copy_line(line, text);
	if (take_old_session(reader, text, line.number) || take_flat(reader, text, line.number) ||
	    take_setting(reader, text, line.number) || take_lun(reader, text))
		return;
	cut.start = text;
	cut.len = (unsigned)strlen(text);
	if (!strncmp(text, DISK, strlen(DISK)))
		take_disk(reader, text, line.number);
	if (!saved_pair_read(cut, false, &pair))
		return;
	if (!strcmp(pair.name, "Target") || !strcmp(pair.name, "TargetName")) {
		take_target(reader, pair.value);
	} else if (!strcmp(pair.name, "Current Portal") || !strcmp(pair.name, "Portal") ||
		   !strcmp(pair.name, "Network Portal")) {
		take_portal(reader, pair.value);
		add_deferred(reader);
	} else {
		take_pair(reader, pair.name, pair.value, line.number);
	}
}

/* "Iface Initiatorname:", with its value in a line of its own; the lines lie one behind the other.
 */
static struct hl_line join_broken(const struct hl_text *slice, size_t at)
{
	struct hl_line line = slice->lines[at], trimmed = hl_line_trim(line);
	const struct hl_line *next = at + 1 < slice->nr_lines ? &slice->lines[at + 1] : NULL;

	if (next && trimmed.len && trimmed.start[trimmed.len - 1] == ':' &&
	    !saved_is_blank(*next) && !is_record(*next))
		line.len = (unsigned)(next->start + next->len - line.start);
	return line;
}

static int iscsi_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct reader reader = { .reading = reading, .file = slice->name, .lun = NAN };
	size_t before = reading->graph->nr_facts;

	for (size_t i = 0; i < slice->nr_lines; i++)
		read_line(&reader, join_broken(slice, i));
	end_record(&reader);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: no session in it", slice->name,
			       slice->nr_lines ? slice->lines[0].number : 0);
	return 0;
}

const struct hl_format hl_format_iscsiadm = {
	.name = "iscsiadm",
	.summary = "iscsiadm -m session, with -P 1 to 3 or -i, and -m node",
	.claim = iscsi_claim,
	.read = iscsi_read,
};
