/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In place of probes/libvirt_live.c in the static program: libvirt has no static archive, so virsh
 * is asked, if it is there.
 */
#include "../../../probes/libvirt.h"
#include <string.h>

static int keep_domain(struct hl_capture *capture, const char *uri, const char *name,
		       struct hl_error *err)
{
	const char *const argv[] = { "virsh", "-r", "-c", uri, "dumpxml", "--", name, NULL };
	HL_FREE char *xml = NULL;
	size_t len;
	int rc = hl_capture_output(argv, &xml, &len, err);

	return rc < 0 ? rc : libvirt_keep(capture, "domain.xml", name, xml, len, err);
}

int libvirt_capture(struct hl_capture *capture, const char *uri, struct hl_error *err)
{
	const char *const list[] = { "virsh", "-r", "-c", uri, "list", "--all", "--name", NULL };
	const char *const statistics[] = {
		"virsh",  "-r",      "-c",          uri,        "domstats", "--state",
		"--vcpu", "--block", "--interface", "--nowait", NULL,
	};
	HL_FREE char *names = NULL;
	char *rest, *name;
	size_t len;
	int rc = hl_capture_output(list, &names, &len, err);

	rest = names;
	while (rc == 0 && rest && (name = strsep(&rest, "\n"))) {
		if (*name)
			rc = keep_domain(capture, uri, name, err);
	}
	if (rc == 0) /* a driver without statistics is no failure */
		hl_capture_command(capture, "domstats.txt", NULL, statistics, NULL);
	return rc;
}
