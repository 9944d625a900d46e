/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel says of one block device.
 *
 * Source: /sys/dev/block/MAJOR:MINOR: stat is Documentation/block/stat.rst, the rest
 * Documentation/ABI/stable/sysfs-block. A partition's identity is that of its whole disk.
 */
#ifndef HOPLOSS_BLOCKDEV_H
#define HOPLOSS_BLOCKDEV_H

#include "hoploss/machine.h"
#include <stdbool.h>
#include <sys/types.h>

#define HL_BLOCKDEV_TEXT 128

struct hl_blockdev_identity {          /* "" = it does not say */
	char serial[HL_BLOCKDEV_TEXT]; /* as its maker prints it */
	char wwid[HL_BLOCKDEV_TEXT];   /* naa., eui. … */
};

/* Indices of the counters, those of enum hl_io. */
enum { HL_BLOCKDEV_READ, HL_BLOCKDEV_WRITE };

struct hl_blockdev_counters {
	double ios;      /* reads, writes and discards that ended */
	double busy_ms;  /* that at least one was in flight */
	double of[2];    /* reads and writes that ended */
	double ms[2];    /* what these took, all added up */
	double queue_ms; /* that any of them was in flight, all added up */
	bool is_off;     /* the kernel was told not to count: they may stand still */
};

struct hl_blockdev_heat { /* NAN = it has no such sensor */
	double celsius, critical;
};

void hl_blockdev_identify(struct hl_machine *machine, dev_t device,
			  struct hl_blockdev_identity *ret);
/*
 * -ENOENT: not in sysfs (device of a network or a copy-on-write file system). Of a namespace of
 * NVMe that has several paths, what its paths did, all together: the namespace itself counts only
 * since Linux 6.4, and its partitions never.
 */
int hl_blockdev_count(struct hl_machine *machine, dev_t device, struct hl_blockdev_counters *ret);
/*
 * Its hottest sensor, next to the temperature that its maker calls critical; each look is a command
 * to the drive. Source: hwmon of a driver of it (nvme, drivetemp),
 * Documentation/hwmon/sysfs-interface.rst.
 */
void hl_blockdev_feel(struct hl_machine *machine, dev_t device, struct hl_blockdev_heat *ret);
/*
 * Paths to it that work: itself, or each device under a multipath; NAN where none tells. Source:
 * device/state of SCSI disks ("running") and NVMe controllers ("live").
 */
double hl_blockdev_paths(struct hl_machine *machine, dev_t device);
/* Does upper lie on lower: as its partition, or stacked on it (md, device mapper)? Or is it it? */
bool hl_blockdev_is_on(struct hl_machine *machine, dev_t upper, dev_t lower);
/* The first byte on its whole disk: 0 for what is no partition; NAN: not in sysfs. */
double hl_blockdev_start(struct hl_machine *machine, dev_t device);

#endif
