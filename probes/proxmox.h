/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the decoders of Proxmox VE's files.
 */
#ifndef PROBES_PROXMOX_H
#define PROBES_PROXMOX_H

#include "hoploss/format.h"

/* "scsi0: local-zfs:vm-100-disk-0,size=32G" */
struct proxmox_line {
	char key[32];
	const char *value; /* not NUL-terminated */
	size_t len;
	unsigned number; /* of the line in the file */
};

/* A line that sets one of the keys of a VM's configuration. */
bool proxmox_is_setting(struct hl_line line, struct proxmox_line *ret_line);
/* "[PENDING]"; name and len (either may be NULL) are what is within. */
bool proxmox_is_section(struct hl_line line, const char **ret_name, size_t *ret_len);
/* Goes on with the value of the line before, which a mailer broke. */
bool proxmox_is_continued(const struct proxmox_line *before, struct hl_line line);
/* A command or a file name in front of a configuration that says which VM it is; 0 = none. */
unsigned proxmox_vmid_of(struct hl_line line);

/* What follows key= in "a,key=value,b"; key NULL = the first word if it has no '='. NULL = none. */
const char *proxmox_option(struct hl_arena *arena, const char *value, const char *key);

/* A line of pci.cfg that names a mapping or a device of one. */
bool proxmox_is_mapping(const struct hl_text *text, size_t at);

size_t proxmox_claim(const struct hl_text *text, size_t at);

#endif
