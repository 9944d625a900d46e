/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Room in a ZFS pool: see hoploss/pool_room.h.
 */
#include "hoploss/pool_room.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

/* "0:42", the third word of a line. */
static bool is_device(const char *line, dev_t device)
{
	char *colon, *end;
	unsigned long major_nr, minor_nr;

	for (int i = 0; i < 2; i++) {
		line += strcspn(line, " \n");
		line += *line == ' ';
	}
	major_nr = strtoul(line, &colon, 10);
	if (colon == line || *colon != ':')
		return false;
	minor_nr = strtoul(colon + 1, &end, 10);
	return end != colon + 1 && *end == ' ' &&
	       makedev((unsigned)major_nr, (unsigned)minor_nr) == device;
}

/* "36 35 0:42 / /tank/data rw,relatime shared:1 - zfs tank/data rw,xattr" */
static bool take_line(const char *line, dev_t device, char *ret_pool, size_t size)
{
	size_t len = strcspn(line, "\n");
	const char *dash = strstr(line, " - zfs ");

	if (!is_device(line, device) || !dash || dash >= line + len)
		return false;
	dash += strlen(" - zfs ");
	snprintf(ret_pool, size, "%.*s", (int)strcspn(dash, "/@ \n"), dash);
	return ret_pool[0] != '\0';
}

bool hl_pool_of_mount(const char *mountinfo, dev_t device, char *ret_pool, size_t size)
{
	for (const char *line = mountinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (take_line(line, device, ret_pool, size))
			return true;
	}
	return false;
}

int hl_pool_room_read(const char *text, struct hl_pool_room *ret_room)
{
	char *end, *last;
	double used = strtod(text, &end), available = strtod(end, &last);

	if (end == text || last == end || *end != '\t' || !(used >= 0) || !(available >= 0) ||
	    isinf(used + available))
		return -EBADMSG;
	*ret_room = (struct hl_pool_room){ used, available };
	return 0;
}
