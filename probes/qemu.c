/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe "qemu": the command lines of the QEMUs that run here, whoever started them.
 *
 * Source: proc(5), /proc/PID/cmdline. What is kept of one is in qemu_words.c, in the form of
 * `qm showcmd --pretty` with the process in front as `ps -eo pid,args` prints it.
 */
#include "qemu.h"
#include "hoploss/probe.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_process(FILE *out, struct hl_machine *machine, const char *pid)
{
	HL_FREE char *path = hl_printf("/proc/%s/cmdline", pid);
	HL_FREE char *words = NULL;
	HL_FREE char *kept = NULL;
	size_t len, kept_len;

	if (!isdigit((unsigned char)*pid) || hl_machine_peek(machine, path, &words, &len, NULL) < 0)
		return;
	kept = qemu_keep(words, len, &kept_len);
	if (kept)
		fprintf(out, "%s %s\n", pid, kept);
}

static int qemu_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_FREE char *text = NULL;
	char **pids;
	size_t nr, len = 0;
	FILE *out;
	int rc = hl_machine_list(capture->machine, "/proc", &pids, &nr, err);

	if (rc < 0)
		return rc;
	out = open_memstream(&text, &len);
	for (size_t i = 0; out && i < nr; i++)
		put_process(out, capture->machine, pids[i]);
	hl_machine_free_names(pids, nr);
	if (!out || fclose(out) != 0)
		return hl_fail(err, ENOMEM, "no memory for command lines");
	if (!len)
		return hl_fail(err, ENOENT, "no QEMU runs here");
	return hl_capture_keep(capture, "qemu-command.txt", NULL, text, len, err);
}

const struct hl_probe hl_probe_qemu = {
	.name = "qemu",
	.summary = "QEMUs that run here, and which devices they have",
	.layer = HL_LAYER_VDISK,
	.acquire = qemu_acquire,
};
