/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that have a target open or mapped: see hoploss/holder.h. That is how qemu, tgtd and
 * istgt hold what they serve. udev opens a device for a moment after each writer, so what is found
 * must still be there a moment later.
 */
#include "hoploss/alloc.h"
#include "hoploss/holder.h"
#include "hoploss/machine.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOKS    4
#define PAUSE_US 250000

static bool has_in(struct hl_holder_look *look, const char *pid, const char *what)
{
	HL_FREE char *directory = hl_printf("/proc/%s/%s", pid, what);
	char **names;
	size_t nr;
	bool found = false;

	if (hl_machine_list(look->machine, directory, &names, &nr, NULL) < 0)
		return false;
	for (size_t i = 0; i < nr && !found; i++) {
		HL_FREE char *path = hl_printf("%s/%s", directory, names[i]);

		found = hl_holder_leads_to_target(look, path);
	}
	hl_machine_free_names(names, nr);
	return found;
}

static int tell(struct hl_holder_look *look, const char *pid, const char *how)
{
	HL_FREE char *path = hl_printf("/proc/%s/comm", pid);
	HL_FREE char *name = NULL;
	size_t len;

	if (hl_machine_read(look->machine, path, &name, &len, NULL) == 0)
		name[strcspn(name, "\n")] = '\0';
	snprintf(look->who, look->size, "process %s (%s) has %s %s", pid, name ? name : "?",
		 look->backing.st_nlink ? "it or the file under it" : "it", how);
	return 1;
}

static int in_process(struct hl_holder_look *look, const char *pid)
{
	if (!isdigit((unsigned char)pid[0]) || strtol(pid, NULL, 10) == (long)getpid())
		return 0;
	if (has_in(look, pid, "fd"))
		return tell(look, pid, "open");
	return has_in(look, pid, "map_files") ? tell(look, pid, "mapped") : 0;
}

static int look_once(struct hl_holder_look *look)
{
	char **names;
	size_t nr;
	int found = 0;

	if (hl_machine_list(look->machine, "/proc", &names, &nr, NULL) < 0)
		return tell(look, "?", "open, perhaps: /proc cannot be read");
	for (size_t i = 0; i < nr && !found; i++)
		found = in_process(look, names[i]);
	hl_machine_free_names(names, nr);
	return found;
}

int hl_holder_in_processes(struct hl_holder_look *look)
{
	int found = look_once(look);

	for (int i = 1; found && i < LOOKS; i++) {
		usleep(PAUSE_US);
		found = look_once(look);
	}
	return found;
}
