/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exports of a target by the kernel, and what is configured to use it later: see hoploss/holder.h.
 * Any absolute path in one of these files that leads to the target counts.
 */
#include "hoploss/alloc.h"
#include "hoploss/holder.h"
#include "hoploss/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *pattern; /* a part that is * is every name there; sorted listings */
	const char *who;
} sources[] = {
	{ "/sys/kernel/config/target/core/*/*/udev_path", "LIO exports it" },
	{ "/sys/kernel/config/target/core/*/*/info", "LIO exports it" },
	{ "/sys/kernel/scst_tgt/devices/*/filename", "SCST exports it" },
	{ "/sys/kernel/config/nvmet/subsystems/*/namespaces/*/device_path", "nvmet exports it" },
	{ "/etc/fstab", "it stands in /etc/fstab" },
	{ "/etc/crypttab", "it stands in /etc/crypttab" },
	{ "/etc/pve/nodes/*/qemu-server/*", "a virtual machine of Proxmox uses it" },
	{ "/etc/pve/nodes/*/lxc/*", "a container of Proxmox uses it" },
	{ "/etc/libvirt/qemu/*", "a virtual machine of libvirt uses it" },
	{ "/etc/libvirt/storage/*", "a storage pool of libvirt uses it" },
	{ "/etc/tgt/conf.d/*", "tgt is configured to export it" },
	{ "/etc/tgt/targets.conf", "tgt is configured to export it" },
	{ "/etc/target/saveconfig.json", "LIO is configured to export it" },
	{ "/etc/scst.conf", "SCST is configured to export it" },
};

#define ENDS " \t\r\n\"'<>,;=)("

/* A word of a file: NAME=/dev/x, "/dev/x", <source dev='/dev/x'/>, UUID=… of fstab does not lead.
 */
static bool names_target(struct hl_holder_look *look, const char *text)
{
	for (const char *at = strchr(text, '/'); at; at = strchr(at, '/')) {
		size_t len = strcspn(at, ENDS);
		HL_FREE char *path = hl_strndup(at, len);

		if (len > 1 && hl_holder_leads_to_target(look, path))
			return true;
		at += len;
	}
	return false;
}

static int in_file(struct hl_holder_look *look, const char *path, const char *who)
{
	HL_FREE char *bytes = NULL;
	size_t len;

	if (hl_machine_read(look->machine, path, &bytes, &len, NULL) < 0 ||
	    !names_target(look, bytes))
		return 0;
	snprintf(look->who, look->size, "%s (%s)", who, path);
	return 1;
}

/* Goes into every name where the pattern has a star. */
static int in_pattern(struct hl_holder_look *look, const char *pattern, const char *who)
{
	const char *star = strchr(pattern, '*');
	HL_FREE char *directory = NULL;
	char **names;
	size_t nr;
	int found = 0;

	if (!star)
		return in_file(look, pattern, who);
	directory = hl_strndup(pattern, (size_t)(star - pattern) - 1);
	if (hl_machine_list(look->machine, directory, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr && !found; i++) {
		HL_FREE char *path = hl_printf("%s/%s%s", directory, names[i], star + 1);

		found = strchr(names[i], '*') ? 0 : in_pattern(look, path, who);
	}
	hl_machine_free_names(names, nr);
	return found;
}

int hl_holder_in_exports(struct hl_holder_look *look)
{
	int found = 0;

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources) && !found; i++)
		found = in_pattern(look, sources[i].pattern, sources[i].who);
	return found;
}
