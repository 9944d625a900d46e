/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel names of disks and their partitions: see hoploss/disk_name.h.
 */
#include "hoploss/disk_name.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool hl_disk_name_cut(const char *device, char *ret_disk, size_t size)
{
	size_t len = strlen(device), digits = len;

	while (digits && isdigit((unsigned char)device[digits - 1]))
		digits--;
	if (digits == len || !digits)
		return false;
	if (device[digits - 1] == 'p' && digits > 1 && isdigit((unsigned char)device[digits - 2]))
		digits--;
	else if (strncmp(device, "sd", 2) && strncmp(device, "vd", 2) &&
		 strncmp(device, "xvd", 3) && strncmp(device, "hd", 2))
		return false;
	snprintf(ret_disk, size, "%.*s", (int)digits, device);
	return true;
}
