/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attributes of sysfs: see probes/sysfs.h and Documentation/filesystems/sysfs.rst.
 */
#include "sysfs.h"
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

char *hl_sysfs_text(struct hl_machine *machine, const char *path)
{
	HL_FREE char *bytes = NULL;
	const char *start;
	size_t len;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NULL;
	start = bytes;
	len = strlen(bytes); /* text ends at the first NUL */
	for (; len && isspace((unsigned char)*start); len--)
		start++;
	while (len && isspace((unsigned char)start[len - 1]))
		len--;
	return len ? hl_strndup(start, len) : NULL;
}

double hl_sysfs_number(struct hl_machine *machine, const char *path)
{
	HL_FREE char *text = hl_sysfs_text(machine, path);
	int64_t value;

	return text && !hl_number_i64(text, strlen(text), &value) ? (double)value : NAN;
}

char *hl_sysfs_link(struct hl_machine *machine, const char *path)
{
	HL_FREE char *target = NULL;
	const char *slash;

	if (hl_machine_readlink(machine, path, &target, NULL) < 0)
		return NULL;
	slash = strrchr(target, '/');
	return hl_strdup(slash ? slash + 1 : target);
}

char *hl_sysfs_names(struct hl_machine *machine, const char *path)
{
	char *text = NULL, **names;
	size_t nr;

	if (hl_machine_list(machine, path, &names, &nr, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		char *longer = hl_printf("%s%s%s", text ? text : "", text ? " " : "", names[i]);

		free(text);
		text = longer;
	}
	hl_machine_free_names(names, nr);
	return text;
}
