/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Block devices in sysfs: see hoploss/blockdev.h.
 */
#include "hoploss/blockdev.h"
#include "hoploss/alloc.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define SECTOR      512
#define PAGE_HEADER 4 /* of a SCSI VPD page */

static int read_attribute(struct hl_machine *machine, dev_t device, const char *name,
			  char **ret_bytes, size_t *ret_len)
{
	HL_FREE char *path = hl_printf("/sys/dev/block/%u:%u/%s", major(device), minor(device),
				       name);

	return hl_machine_read(machine, path, ret_bytes, ret_len, NULL);
}

/* The printable text of an attribute without blanks around it. */
static void take_text(const char *bytes, size_t len, char *ret_text)
{
	size_t used = 0;

	while (len && !isgraph((unsigned char)*bytes)) {
		bytes++;
		len--;
	}
	for (; used < len && used < HL_BLOCKDEV_TEXT - 1 && isprint((unsigned char)bytes[used]);
	     used++)
		ret_text[used] = bytes[used];
	while (used && ret_text[used - 1] == ' ')
		used--;
	ret_text[used] = '\0';
}

static void read_first(struct hl_machine *machine, dev_t device, const char *const *names,
		       char *ret_text)
{
	for (; *names && !*ret_text; names++) {
		HL_FREE char *bytes = NULL;
		size_t len, skip = strstr(*names, "vpd_pg80") ? PAGE_HEADER : 0;

		if (read_attribute(machine, device, *names, &bytes, &len) == 0 && len > skip)
			take_text(bytes + skip, len - skip, ret_text);
	}
}

void hl_blockdev_identify(struct hl_machine *machine, dev_t device,
			  struct hl_blockdev_identity *ret)
{
	static const char *const serials[] = {
		"serial",    "device/serial",    "device/vpd_pg80",
		"../serial", "../device/serial", "../device/vpd_pg80",
		NULL
	};
	static const char *const wwids[] = { "wwid", "device/wwid", "../wwid", "../device/wwid",
					     NULL };

	*ret = (struct hl_blockdev_identity){ 0 };
	read_first(machine, device, serials, ret->serial);
	read_first(machine, device, wwids, ret->wwid);
}

int hl_blockdev_count(struct hl_machine *machine, dev_t device, struct hl_blockdev_counters *ret)
{
	enum { READS = 1, WRITES = 5, BUSY = 10, DISCARDS = 12 };
	struct hl_blockdev_counters counters = { 0 };
	HL_FREE char *bytes = NULL;
	size_t len;
	char *at;
	int rc = read_attribute(machine, device, "stat", &bytes, &len), column = 1;

	if (rc < 0)
		return rc;
	at = bytes;
	for (;; column++) {
		char *end;
		double number = strtod(at, &end);

		if (end == at)
			break;
		if (column == READS || column == WRITES || column == DISCARDS)
			counters.ios += number;
		if (column == BUSY)
			counters.busy_ms = number;
		at = end;
	}
	if (column <= BUSY)
		return -EBADMSG;
	*ret = counters;
	return 0;
}

double hl_blockdev_start(struct hl_machine *machine, dev_t device)
{
	HL_FREE char *bytes = NULL;
	struct hl_blockdev_counters counters;
	size_t len;

	if (read_attribute(machine, device, "start", &bytes, &len) == 0)
		return strtod(bytes, NULL) * SECTOR;
	return hl_blockdev_count(machine, device, &counters) == 0 ? 0 : NAN;
}
