/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe "proxmox": the VMs of a Proxmox VE host and the mappings of its cluster.
 *
 * Source: qm.conf(5), /etc/pve/qemu-server/N.conf and /etc/pve/mapping/pci.cfg. Passwords and keys
 * for cloud-init stand in the same files, and descriptions can hold anything, so lines are kept by
 * an allow-list. Surprising: /etc/pve is a file system of the cluster's daemon; one that hangs
 * hangs whoever reads it.
 */
#include "proxmox.h"
#include "hoploss/probe.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIRECTORY "/etc/pve/qemu-server"
#define MAPPING   "/etc/pve/mapping/pci.cfg"

static const char *const kept_keys[] = {
	"affinity",  "balloon", "cores",   "cpu",    "cpulimit", "cpuunits", "delete",
	"hugepages", "kvm",     "machine", "memory", "name",     "numa",     "ostype",
	"scsihw",    "smp",     "sockets", "vcpus",  "hostpci",  "ide",      "net",
	"sata",      "scsi",    "virtio",  NULL,
};

static bool is_kept(const struct proxmox_line *line)
{
	size_t len = strcspn(line->key, "0123456789");

	for (const char *const *key = kept_keys; *key; key++) {
		if (strlen(*key) == len && !memcmp(*key, line->key, len))
			return true;
	}
	return false;
}

static void put_line(FILE *out, struct hl_line line)
{
	fprintf(out, "%.*s\n", (int)line.len, line.start);
}

/* Of snapshots only that they are there. */
static void put_vm(FILE *out, const struct hl_text *text)
{
	bool is_wanted = true;

	for (size_t i = 0; i < text->nr_lines; i++) {
		struct proxmox_line line;
		const char *name;
		size_t len;

		if (proxmox_is_section(text->lines[i], &name, &len)) {
			is_wanted = len == strlen("PENDING") && !memcmp(name, "PENDING", len);
			put_line(out, text->lines[i]);
		} else if (is_wanted && proxmox_is_setting(text->lines[i], &line) &&
			   is_kept(&line)) {
			put_line(out, text->lines[i]);
		}
	}
}

static void put_mapping(FILE *out, const struct hl_text *text)
{
	for (size_t i = 0; i < text->nr_lines; i++) {
		if (proxmox_is_mapping(text, i))
			put_line(out, text->lines[i]);
	}
}

static int keep(struct hl_capture *capture, const char *path, const char *name, const char *node,
		void (*put)(FILE *out, const struct hl_text *text), struct hl_error *err)
{
	struct hl_text *text;
	HL_FREE char *bytes = NULL;
	HL_FREE char *kept = NULL;
	size_t len, kept_len = 0;
	FILE *out;
	int rc = hl_machine_peek(capture->machine, path, &bytes, &len, err);

	if (rc < 0)
		return rc;
	out = open_memstream(&kept, &kept_len);
	if (!out)
		return hl_fail(err, ENOMEM, "no memory for %s", path);
	text = hl_text_new(name, bytes, len);
	put(out, text);
	hl_text_free(text);
	fclose(out);
	return kept_len ? hl_capture_keep(capture, name, node, kept, kept_len, err) : 0;
}

static int keep_vm(struct hl_capture *capture, const char *file, struct hl_error *err)
{
	const char *end = strstr(file, ".conf");
	HL_FREE char *vmid = end ? hl_strndup(file, (size_t)(end - file)) : NULL;
	HL_FREE char *path = hl_printf(DIRECTORY "/%s", file);

	if (!vmid || end[5] || !*vmid || vmid[strspn(vmid, "0123456789")])
		return 0;
	return keep(capture, path, "vm.conf", vmid, put_vm, err);
}

static int proxmox_acquire(struct hl_capture *capture, struct hl_error *err)
{
	char **files;
	size_t nr;
	int rc = hl_machine_list(capture->machine, DIRECTORY, &files, &nr, err);

	if (rc < 0)
		return rc == -ENOENT ? hl_fail(err, ENOENT, "no Proxmox VE") : rc;
	for (size_t i = 0; i < nr; i++) {
		int r = keep_vm(capture, files[i], err);

		rc = rc < 0 || r == -ENOENT ? rc : r; /* one can be removed meanwhile */
	}
	hl_machine_free_names(files, nr);
	keep(capture, MAPPING, "pci.cfg", NULL, put_mapping, NULL);
	return rc;
}

const struct hl_probe hl_probe_proxmox = {
	.name = "proxmox",
	.summary = "VMs of Proxmox VE, their disks, NICs and passed-through devices",
	.layer = HL_LAYER_VDISK,
	.acquire = proxmox_acquire,
};
