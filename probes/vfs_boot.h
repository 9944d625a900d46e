/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What makes VFs again at boot: the places where such a line may stand, and what one says. Private
 * to vfs_boot.c and vfs_line.c.
 */
#ifndef PROBES_VFS_BOOT_H
#define PROBES_VFS_BOOT_H

#include "hoploss/machine.h"
#include <stdbool.h>
#include <stddef.h>

#define SRIOV_MOST_CARDS 64

struct sriov_card { /* a NIC that can have VFs */
	char name[16];
	char address[32]; /* "0000:41:00.0"; "" = not known */
	char driver[32];
	double nr_vfs; /* that it has now; NAN */
};

struct sriov_cards {
	struct sriov_card items[SRIOV_MOST_CARDS];
	size_t nr;
};

/* ---- lines (vfs_line.c) ---- */

/*
 * That part of a line which makes VFs, as it sets their number to anything but 0: of "a; echo 4 >
 * …/sriov_numvfs && b" the middle. To be freed; NULL = none does, or it is a comment.
 */
char *sriov_line_part(const char *line);
/* Says which NIC the lines behind it are about: "iface ens1f0 inet manual", "Path=pci-…". */
bool sriov_line_is_about(const char *line, const struct sriov_cards *cards);
/* Is that NIC named, by its name or its address? */
bool sriov_line_names(const char *line, const struct sriov_card *card);
/* Its driver, as in parameters of modules. */
bool sriov_line_drives(const char *line, const struct sriov_card *card);

#endif
