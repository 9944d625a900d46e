/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who carries the I/O: see carrier.h.
 *
 * Source: proc(5): /proc/PID/stat (name, parent), /proc/PID/net/tcp (Documentation/networking/
 * proc_net_tcp.rst), /proc/PID/fd and, for virtual machines, /proc/net/arp. Surprising: the table
 * of sockets is read by way of the process, for it may live in another network namespace. Only what
 * is busy or was stopped is asked about, so this reads little on a machine with thousands of
 * processes.
 */
#include "carrier.h"
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include <arpa/inet.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KTHREADD    2    /* the parent of all kernel threads */
#define MAX_FDS     4096 /* that are looked at */
#define MAX_SOCKETS 1024
#define LOCAL       1 /* columns of the table of sockets */
#define INODE       9

struct sockets {
	uint64_t inodes[MAX_SOCKETS];
	size_t nr;
};

/* ---- by name ---- */

static const char *const kernel_threads[] = {
	"iscsi_*",
	"iscsird*",
	"iscsiwr*",
	"scst*",
	"nvmet*",
	"md[0-9]*",
	"zvol*",
	"z_*",
	"dp_*",
	"loop[0-9]*",

	"kcryptd*",
	"dmcrypt*",
	"bcache*",
	"kworker/*nvme*",
	"kworker/*loop*",
	"kworker/*iscsi*",
	"kworker/*kcryptd*",
	"kworker/*dm*",
	"kworker/*zvol*",
	NULL,
};

/* Virtual machines; Proxmox calls them kvm. */
static const char *const machines[] = { "qemu-*", "kvm", NULL };

static bool is_one_of(const char *name, const char *const *patterns)
{
	for (; *patterns; patterns++) {
		if (!fnmatch(*patterns, name, 0))
			return true;
	}
	return false;
}

/* The index-th word of text, cut off in place; NULL. */
static char *word_at(char *text, unsigned index)
{
	char *word;

	while ((word = strsep(&text, " \t"))) {
		if (*word && !index--)
			return word;
	}
	return NULL;
}

static bool is_number(const char *word, uint64_t *ret_value)
{
	return word && hl_number_u64(word, strlen(word), ret_value) == 0;
}

/* Name (to be freed) and parent. */
static char *read_name(struct hl_machine *machine, uint64_t pid, uint64_t *ret_parent)
{
	HL_FREE char *bytes = NULL;
	char path[64], *open, *close;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", pid);
	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NULL;
	open = strchr(bytes, '(');
	close = strrchr(bytes, ')');
	if (!open || !close || close < open || !is_number(word_at(close + 1, 1), ret_parent))
		return NULL;
	return hl_strndup(open + 1, (size_t)(close - open - 1));
}

/* ---- by the MAC that answers for the portal ---- */

/* "52:54:00:12:34:56", of the neighbour with that address; false: none known. */
static bool read_neighbour(struct hl_machine *machine, const char *address, char ret_mac[18])
{
	HL_FREE char *bytes = NULL;
	char *rest, *line, ip[64], mac[64];
	size_t len;

	if (hl_machine_read(machine, "/proc/net/arp", &bytes, &len, NULL) < 0)
		return false;
	rest = bytes;
	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "%63s %*s %*s %63s", ip, mac) != 2 || strcmp(ip, address) != 0 ||
		    strlen(mac) != 17 || !strcmp(mac, "00:00:00:00:00:00"))
			continue;
		memcpy(ret_mac, mac, 18);
		return true;
	}
	return false;
}

/* A word of the virtual machine's command line has that MAC. */
static bool has_portal_inside(struct hl_machine *machine, const struct hl_meter_target *target,
			      uint64_t pid)
{
	HL_FREE char *path = hl_printf("/proc/%" PRIu64 "/cmdline", pid);
	HL_FREE char *words = NULL;
	char mac[18];
	size_t len;

	if (!target->address || !read_neighbour(machine, target->address, mac) ||
	    hl_machine_read(machine, path, &words, &len, NULL) < 0)
		return false;
	for (const char *word = words; word < words + len; word += strlen(word) + 1) {
		if (strcasestr(word, mac))
			return true;
	}
	return false;
}

/* "vhost-4711": the process that it works for. */
static uint64_t owner_of_vhost(const char *name)
{
	uint64_t pid;

	if (strncmp(name, "vhost-", 6) != 0 || hl_number_u64(name + 6, strlen(name + 6), &pid) < 0)
		return 0;
	return pid;
}

/* ---- by socket ---- */

/* "0100007F:0CBC": each word of the address as this machine holds it in memory. */
static bool is_portal(const char *local, const unsigned char *address, size_t address_len,
		      unsigned port)
{
	const char *colon = strchr(local, ':');
	unsigned char bytes[16];
	bool is_any = true;

	if (!colon || (size_t)(colon - local) != address_len * 2 ||
	    strtoul(colon + 1, NULL, 16) != port)
		return false;
	for (size_t i = 0; i < address_len; i += 4) {
		char word[9] = "";
		uint32_t value;

		memcpy(word, local + i * 2, 8);
		value = (uint32_t)strtoul(word, NULL, 16);
		memcpy(bytes + i, &value, 4);
		is_any &= value == 0;
	}
	return is_any || !memcmp(bytes, address, address_len);
}

/* Sockets whose own end is the portal: the one that listens, and the flows. */
static void read_sockets(struct hl_machine *machine, uint64_t pid,
			 const struct hl_meter_target *target, struct sockets *sockets)
{
	bool is_ipv6 = strchr(target->address, ':') != NULL;
	unsigned char address[16];
	HL_FREE char *path = hl_printf("/proc/%" PRIu64 "/net/tcp%s", pid, is_ipv6 ? "6" : "");
	HL_FREE char *bytes = NULL;
	char *rest, *line;
	size_t len;

	if (inet_pton(is_ipv6 ? AF_INET6 : AF_INET, target->address, address) != 1 ||
	    hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return;
	rest = bytes;
	while ((line = strsep(&rest, "\n")) && sockets->nr < MAX_SOCKETS) {
		HL_FREE char *copy = hl_strdup(line);
		const char *local = word_at(copy, LOCAL);
		uint64_t inode;

		if (local && is_number(word_at(line, INODE), &inode) && inode &&
		    is_portal(local, address, is_ipv6 ? 16 : 4, target->port))
			sockets->inodes[sockets->nr++] = inode;
	}
}

static bool is_among(const struct sockets *sockets, const char *link)
{
	uint64_t inode;

	if (strncmp(link, "socket:[", 8) != 0 ||
	    hl_number_u64(link + 8, strcspn(link + 8, "]"), &inode) < 0)
		return false;
	for (size_t i = 0; i < sockets->nr; i++) {
		if (sockets->inodes[i] == inode)
			return true;
	}
	return false;
}

/* One of its open files is such a socket, or (with wants_fuse) a file system that it serves. */
static bool has_open(struct hl_machine *machine, uint64_t pid, const struct sockets *sockets,
		     bool wants_fuse)
{
	HL_FREE char *directory = hl_printf("/proc/%" PRIu64 "/fd", pid);
	bool is_found = false;
	char **names;
	size_t nr;

	if (hl_machine_list(machine, directory, &names, &nr, NULL) < 0)
		return false;
	for (size_t i = 0; i < nr && i < MAX_FDS && !is_found; i++) {
		HL_FREE char *path = hl_printf("%s/%s", directory, names[i]);
		HL_FREE char *link = NULL;

		if (hl_machine_readlink(machine, path, &link, NULL) == 0)
			is_found = is_among(sockets, link) ||
				   (wants_fuse && !strcmp(link, "/dev/fuse"));
	}
	hl_machine_free_names(names, nr);
	return is_found;
}

bool carrier_is(struct hl_machine *machine, const struct hl_meter_target *target, uint64_t pid)
{
	HL_FREE struct sockets *sockets = NULL;
	HL_FREE char *name = NULL;
	uint64_t parent;

	if (pid == (uint64_t)getpid())
		return true;
	name = read_name(machine, pid, &parent);
	if (!name)
		return false;
	if (parent == KTHREADD && owner_of_vhost(name))
		return has_portal_inside(machine, target, owner_of_vhost(name));
	if (parent == KTHREADD)
		return is_one_of(name, kernel_threads);
	if (is_one_of(name, machines) && has_portal_inside(machine, target, pid))
		return true;
	sockets = hl_alloc(sizeof(*sockets));
	if (target->address)
		read_sockets(machine, pid, target, sockets);
	return has_open(machine, pid, sockets, target->path != NULL);
}
