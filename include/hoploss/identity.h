/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What in a text names a person's machines: addresses, world-wide names, UUIDs, paths, domains.
 *
 * Source: the notations themselves: IPv4 (RFC 791, dotted), IPv6 (RFC 4291, 2.2), EUI-48, iSCSI
 * names (RFC 3720, 3.2.6; RFC 3980 for naa.), NVMe qualified names, UUIDs (RFC 4122). A kind is a
 * row of a table. Loopback and unspecified addresses name nobody; nor do kernel names of devices
 * and the directories that every Linux has.
 */
#ifndef HOPLOSS_IDENTITY_H
#define HOPLOSS_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

struct hl_identity {
	const char *name;   /* "IPv4 address" */
	const char *format; /* how its n-th stand-in is printed: "%u" from n, or, if is_pair, */
	bool is_pair;       /* from n / 256 and n % 256 */
	bool is_path;
	const char *not_after; /* characters that it does not follow, besides those of words */
	size_t (*match)(const char *at); /* how many characters of it start at "at"; 0 = none */
};

extern const struct hl_identity hl_identities[]; /* ends with a NULL name */

/*
 * What starts at "at", and its length; NULL = nothing. keeps_paths: paths do not count, for a text
 * in which they are examples.
 */
const struct hl_identity *hl_identity_at(const char *at, const char *start, bool keeps_paths,
					 size_t *ret_len);

#endif
