/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A capture: the bytes that probes copy from one live machine, on their way into a bundle.
 *
 * Files go by the machine (hoploss/machine.h), which records what is read. What a library or a
 * tool says is kept under a name, in the format of the field's standard tool, so that whoever
 * reads the bundle can read it too.
 */
#ifndef HOPLOSS_CAPTURE_H
#define HOPLOSS_CAPTURE_H

#include "hoploss/machine.h"
#include "hoploss/record.h"

struct hl_capture {
	struct hl_machine *machine; /* live; every file read is recorded into sink */
	struct hl_capture_sink *sink;
};

/*
 * Keeps what a library said, in a tool's format. name: "lspci.txt", "smart-log.json"; node: what
 * it is about ("nvme0", a domain, a NIC), or NULL where the text itself says so or it is about the
 * whole machine. A name is kept once a node.
 */
int hl_capture_keep(struct hl_capture *capture, const char *name, const char *node,
		    const char *bytes, size_t len, struct hl_error *err);

/*
 * Runs a standard tool that only reads, by its words and without a shell, in the C locale, and
 * keeps what it prints; nothing is kept if it prints nothing. -ENOENT: it is not installed. A tool
 * that fails: -EACCES or -EIO with its last words, and what it printed before is kept.
 */
int hl_capture_command(struct hl_capture *capture, const char *name, const char *node,
		       const char *const *argv, struct hl_error *err);

/*
 * The same without keeping it, for what may have secrets in it: what it printed, to be freed; NULL
 * if it did not run. Errors are those of hl_capture_command.
 */
int hl_capture_output(const char *const *argv, char **ret_bytes, size_t *ret_len,
		      struct hl_error *err);

#endif
