/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text of "ip link" and "ip address" (ip-link(8)), with -d, -s or -o or without.
 *
 *   5: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq master bond0 state UP qlen 1000
 *       link/ether 02:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff
 *       vf 0     link/ether 02:00:5e:00:53:02 brd …, vlan 5, spoof checking on, link-state auto
 *       vf 1 MAC 02:00:5e:00:53:03, tx rate 1000 (Mbps), spoof checking on, link-state auto
 *
 * It is read word by word, for a mail may have broken the lines anywhere. Surprising: before
 * iproute2 4.20 a VF's line begins "vf 1 MAC"; the counters of a VF look like those of its NIC.
 */
#include "hoploss/format.h"
#include "hoploss/number.h"
#include "nic.h"
#include "saved.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORD     256
#define MAX_COLUMNS  8
#define LEAST_BROKEN 60      /* columns */
#define SEPARATORS   "<,>&;" /* of flags; "&lt;" is one more of them */

/* ---- claiming ---- */

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && isdigit((unsigned char)*at))
		at++;
	return at;
}

/* "5: eth0@if4: <BROADCAST" */
static bool is_head(struct hl_line line)
{
	const char *at, *end, *name;

	line = hl_line_trim(line);
	end = line.start + line.len;
	at = skip_digits(line.start, end);
	if (at == line.start || end - at < 2 || at[0] != ':' || at[1] != ' ')
		return false;
	name = at += 2;
	while (at < end && !isspace((unsigned char)*at))
		at++;
	if (at <= name + 1 || at[-1] != ':')
		return false;
	at++;
	if (end - at > 4 && !memcmp(at, "&lt;", 4)) /* copied out of a page's source */
		return isupper((unsigned char)at[4]);
	return end - at > 1 && at[0] == '<' && isupper((unsigned char)at[1]);
}

/* What a line that goes on may begin with, where the indentation is lost or a mail broke it. */
static bool is_continued(struct hl_line line)
{
	static const char *const begins[] = {
		"link/*",       "vf [0-9]*",   "inet *",        "inet6 *",       "valid_lft *",
		"altname *",    "RX*",         "TX*",           "[0-9]* [0-9]*", "mtu *",
		"qdisc *",      "state *",     "mode *",        "group *",       "qlen *",
		"master *",     "brd *",       "promiscuity *", "spoof *",       "checking *",
		"link-state *", "trust *",     "alias *",       "bond*",         "bridge*",
		"vlan *",       "veth *",      "vxlan *",       "max_tx_rate *", "[oO][nN],*",
		"off,*",        "query_rss *", "DEFAULT *",     "default *",     "on",
		"tun *",        "macvlan *",   "addrgenmode *", "numtxqueues *", "parentbus *",
		"parentdev *",  "auto,*",      "scope *",       "MAC *",         "default",
		NULL,
	};

	if (saved_is_command(line, "ip", NULL, 0))
		return false;
	return (line.len && isspace((unsigned char)line.start[0])) || saved_is_like(line, begins);
}

/* A mail broke a long line, even within a word: what follows goes on as before. */
static bool is_broken_off(const struct hl_text *text, size_t at)
{
	return text->lines[at - 1].len >= LEAST_BROKEN && at + 1 < text->nr_lines &&
	       !saved_is_command(text->lines[at], "ip", NULL, 0) &&
	       (is_head(text->lines[at + 1]) || is_continued(text->lines[at + 1]));
}

static size_t ip_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1;

	if (!is_head(text->lines[at]))
		return 0;
	for (size_t i = end; i < text->nr_lines; i++) {
		if (saved_is_blank(text->lines[i]))
			continue;
		/* behind a blank line only another NIC is sure to belong here */
		if (!is_head(text->lines[i]) &&
		    (i > end || !(is_continued(text->lines[i]) || is_broken_off(text, i))))
			break;
		end = i + 1;
	}
	return end - at;
}

/* ---- words ---- */

struct words {
	const char *at, *end;
	const struct hl_line *line; /* that the word is in, */
	const struct hl_line *last; /* of these */
	char word[MAX_WORD];        /* cut where longer; without a comma or backslash at its end */
};

static bool next_word(struct words *words)
{
	size_t len = 0;

	while (words->at < words->end && (isspace((unsigned char)*words->at) || *words->at == '\\'))
		words->at++;
	while (words->line < words->last && words->line[1].start <= words->at)
		words->line++;
	while (words->at + len < words->end && !isspace((unsigned char)words->at[len]))
		len++;
	if (!len)
		return false;
	memset(words->word, 0, sizeof(words->word));
	memcpy(words->word, words->at, len < MAX_WORD ? len : MAX_WORD - 1);
	words->at += len;
	len = strlen(words->word);
	while (len && strchr(",\\", words->word[len - 1]))
		words->word[--len] = '\0';
	return true;
}

/* The next word, if it is not the start of another thing; words stays before it otherwise. */
static const char *peek(const struct words *words, struct words *ret_after)
{
	*ret_after = *words;
	return next_word(ret_after) ? ret_after->word : NULL;
}

static double number_of(const char *word)
{
	size_t len = strspn(word, "0123456789");
	double value;

	return len && !hl_number_double(word, len, &value) ? value : NAN;
}

/* ---- reading ---- */

struct reader {
	struct nics nics;
	struct words words;
	struct nic_vf *vf; /* that the words are about; NULL = the NIC itself */
};

enum type { NUMBER, TEXT, ON_OFF };

/* A word, and where what follows it goes. */
struct row {
	const char *word;
	enum type type;
	size_t offset;
};

static const struct row nic_rows[] = {
	{ "mtu", NUMBER, offsetof(struct nic, mtu) },
	{ "qdisc", TEXT, offsetof(struct nic, qdisc) },
	{ "master", TEXT, offsetof(struct nic, master) },
	{ "state", TEXT, offsetof(struct nic, operstate) },
	{ "link/ether", TEXT, offsetof(struct nic, mac) },
	{ "parentdev", TEXT, offsetof(struct nic, parent) },
	{ "active_slave", TEXT, offsetof(struct nic, active_slave) },
	{ NULL, 0, 0 },
};

static const struct row vf_rows[] = {
	{ "link/ether", TEXT, offsetof(struct nic_vf, mac) },
	{ "MAC", TEXT, offsetof(struct nic_vf, mac) },
	{ "vlan", NUMBER, offsetof(struct nic_vf, vlan) },
	{ "rate", NUMBER, offsetof(struct nic_vf, max_tx_mbps) },
	{ "max_tx_rate", NUMBER, offsetof(struct nic_vf, max_tx_mbps) },
	{ "min_tx_rate", NUMBER, offsetof(struct nic_vf, min_tx_mbps) },
	{ "checking", ON_OFF, offsetof(struct nic_vf, spoofchk) },
	{ "link-state", TEXT, offsetof(struct nic_vf, link_state) },
	{ "trust", ON_OFF, offsetof(struct nic_vf, trust) },
	{ NULL, 0, 0 },
};

/* Columns of counters, below "RX:" or "TX:". */
static const struct row nic_rx[] = {
	{ "errors", NUMBER, offsetof(struct nic, rx_errors) },
	{ "dropped", NUMBER, offsetof(struct nic, rx_dropped) },
	{ "missed", NUMBER, offsetof(struct nic, rx_missed) },
	{ "crc", NUMBER, offsetof(struct nic, rx_crc) },
	{ NULL, 0, 0 },
};

static const struct row nic_tx[] = {
	{ "errors", NUMBER, offsetof(struct nic, tx_errors) },
	{ "dropped", NUMBER, offsetof(struct nic, tx_dropped) },
	{ NULL, 0, 0 },
};

static const struct row vf_rx[] = {
	{ "dropped", NUMBER, offsetof(struct nic_vf, rx_dropped) },
	{ NULL, 0, 0 },
};

static const struct row vf_tx[] = {
	{ "dropped", NUMBER, offsetof(struct nic_vf, tx_dropped) },
	{ NULL, 0, 0 },
};

static struct nic *nic_of(struct reader *reader)
{
	return &reader->nics.items[reader->nics.nr - 1];
}

static const struct row *find_row(const struct row *rows, const char *word)
{
	/* Ethernet, InfiniBand: an address follows; that of lo says nothing */
	if (!strncmp(word, "link/", 5) && strcmp(word, "link/loopback") != 0)
		word = "link/ether";
	for (; rows->word; rows++) {
		if (!strcmp(rows->word, word))
			return rows;
	}
	return NULL;
}

/* The first value counts; what is no value is left unknown. */
static void take_value(struct reader *reader, const struct row *row, const char *word)
{
	char *base = reader->vf ? (char *)reader->vf : (char *)nic_of(reader);
	void *at = base + row->offset;

	if (row->type == NUMBER && isnan(*(double *)at))
		*(double *)at = number_of(word);
	else if (row->type == TEXT && !*(const char **)at)
		*(const char **)at = hl_arena_strdup(reader->nics.graph->arena, word);
	else if (row->type == ON_OFF && *(int *)at < 0)
		*(int *)at = saved_boolean(word);
}

/* "eth0.100@eth0:"; "@if4" is in another namespace. */
static void begin_nic(struct reader *reader, const char *word)
{
	size_t len = strcspn(word, "@");
	const char *lower = word[len] ? word + len + 1 : "";
	size_t lower_len = strcspn(lower, ":");
	bool is_foreign = !strncmp(lower, "if", 2) &&
			  2 + strspn(lower + 2, "0123456789") == lower_len;
	struct nic *nic;

	if (!*lower)
		len = strcspn(word, ":");
	nic = nic_add(&reader->nics, word, len);
	nic->line = reader->words.line->number;
	reader->vf = NULL;
	if (lower_len && !is_foreign && strncmp(lower, "NONE", 4) != 0)
		nic->lower = hl_arena_strndup(reader->nics.graph->arena, lower, lower_len);
}

static bool has_flag(const char *flags, const char *flag)
{
	size_t len = strlen(flag);

	while (*flags) {
		size_t one = strcspn(flags, SEPARATORS);

		if (one == len && !memcmp(flags, flag, len))
			return true;
		flags += one;
		flags += strspn(flags, SEPARATORS);
	}
	return false;
}

/* "<NO-CARRIER,BROADCAST,MULTICAST,UP>". The first kernels had no LOWER_UP to say it by. */
static void read_flags(struct reader *reader, const char *flags)
{
	struct nic *nic = nic_of(reader);

	if (has_flag(flags, "LOWER_UP"))
		nic->is_running = 1;
	if (has_flag(flags, "NO-CARRIER") || has_flag(flags, "M-DOWN") || !has_flag(flags, "UP"))
		nic->is_running = 0;
	nic->is_promiscuous = has_flag(flags, "PROMISC");
}

/* A word that was a comma alone is empty. */
static bool ends_in_colon(const char *word)
{
	return *word && word[strlen(word) - 1] == ':';
}

static bool is_index(const char *word)
{
	size_t len = strspn(word, "0123456789");

	return len && word[len] == ':' && !word[len + 1];
}

/* "5:" "eth0:" "<UP>" from the current word on. */
static bool read_head(struct reader *reader)
{
	struct words name, flags;

	if (!is_index(reader->words.word) || !peek(&reader->words, &name) ||
	    !ends_in_colon(name.word) || !peek(&name, &flags) ||
	    (flags.word[0] != '<' && strncmp(flags.word, "&lt;", 4) != 0))
		return false;
	begin_nic(reader, name.word);
	read_flags(reader, flags.word);
	reader->words = flags;
	return true;
}

/* "RX: bytes packets errors" and as many numbers; "RX errors: length crc" and as many. */
static void read_counters(struct reader *reader, bool is_rx)
{
	const struct row *rows = is_rx ? (reader->vf ? vf_rx : nic_rx)
				       : (reader->vf ? vf_tx : nic_tx);
	const struct row *columns[MAX_COLUMNS];
	size_t nr = 0;
	struct words after;

	while (nr < MAX_COLUMNS && peek(&reader->words, &after) &&
	       !isdigit((unsigned char)after.word[0])) {
		if (!ends_in_colon(after.word))
			columns[nr++] = find_row(rows, after.word);
		reader->words = after;
	}
	for (size_t i = 0; i < nr && peek(&reader->words, &after) && !is_index(after.word); i++) {
		if (columns[i])
			take_value(reader, columns[i], after.word);
		reader->words = after;
	}
}

/* With -d, the kind of link stands alone, and its own settings follow. */
static bool read_kind(struct reader *reader)
{
	static const char *const kinds[] = {
		"bond",   "bridge", "vlan",  "veth", "tun",         "macvlan", "macvtap", "ipvlan",
		"ipvtap", "vxlan",  "dummy", "team", "openvswitch", "ifb",     "vrf",     "geneve",
	};
	struct nic *nic = nic_of(reader);

	if (reader->vf || nic->kind)
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strcmp(kinds[i], reader->words.word)) {
			nic->kind = kinds[i];
			return true;
		}
	}
	return false;
}

/* "bond mode active-backup", "vlan protocol 802.1Q id 100": only behind the kind. */
static void read_detail(struct reader *reader, const char *value)
{
	struct nic *nic = nic_of(reader);
	const char *word = reader->words.word;

	if (!strcmp(word, "mode") && nic->kind && !nic->mode && !strcmp(nic->kind, "bond"))
		nic->mode = hl_arena_strdup(reader->nics.graph->arena, value);
	if (!strcmp(word, "id") && nic->kind && !strcmp(nic->kind, "vlan") && isnan(nic->vlan))
		nic->vlan = number_of(value);
}

/* One word, and what follows it if that is its value. */
static void read_word(struct reader *reader)
{
	const char *word = reader->words.word;
	const struct row *row = find_row(reader->vf ? vf_rows : nic_rows, word);
	struct words after;

	if (!strcmp(word, "RX:") || !strcmp(word, "TX:") || !strcmp(word, "RX") ||
	    !strcmp(word, "TX")) {
		read_counters(reader, word[0] == 'R');
		return;
	}
	if (read_kind(reader) || !peek(&reader->words, &after) || is_index(after.word))
		return;
	if (!strcmp(word, "vf") && !isnan(number_of(after.word))) {
		reader->vf = nic_add_vf(&reader->nics, number_of(after.word));
		reader->vf->line = reader->words.line->number;
		reader->words = after;
	} else if (row) {
		take_value(reader, row, after.word);
		reader->words = after;
	} else if (!strcmp(word, "alias") || !strcmp(word, "altname")) {
		reader->words = after;
	} else if (!reader->vf) {
		read_detail(reader, after.word);
	}
}

static int ip_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct reader reader = { .nics = { .graph = reading->graph } };
	size_t len;
	const char *bytes = hl_text_bytes(slice, &len);

	reader.words = (struct words){
		.at = bytes,
		.end = bytes + len,
		.line = slice->lines,
		.last = slice->lines + slice->nr_lines - 1,
	};
	while (slice->nr_lines && next_word(&reader.words)) {
		if (!read_head(&reader) && reader.nics.nr)
			read_word(&reader);
	}
	if (!reader.nics.nr)
		return hl_fail(err, EBADMSG, "%s: no link in it", slice->name);
	nic_add_facts(&reader.nics, reading->host,
		      hl_arena_strdup(reading->graph->arena, slice->name));
	return 0;
}

const struct hl_format hl_format_ip_link = {
	.name = "ip-link",
	.summary = "ip link and ip address, with -d, -s or -o",
	.claim = ip_claim,
	.read = ip_read,
};
