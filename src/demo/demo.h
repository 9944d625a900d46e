/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the demo, shared by the files of this room.
 */
#ifndef HOPLOSS_DEMO_DEMO_H
#define HOPLOSS_DEMO_DEMO_H

#include "hoploss/demo.h"
#include <stdint.h>
#include <sys/types.h>

#define DEMO_IQN       "iqn.2026-11.net.hoploss:demo"
#define DEMO_LUN       1
#define DEMO_DISK_SIZE (UINT64_C(128) << 20) /* bytes */
#define DEMO_DATA_SIZE (UINT64_C(80) << 20)  /* of the file on the LUN's file system */
#define DEMO_ID_LEN    36                    /* of a UUID */

/* ---- what stands in the journal (journal.c) ---- */

struct process {
	pid_t pid;      /* 0 = none yet */
	uint64_t start; /* clock ticks after boot: tells it from a later one with its number */
};

struct journal {
	char id[DEMO_ID_LEN + 1];
	struct process owner, supervisor;
	char dir[64];  /* of the demo, "/run/hoploss/UUID" */
	char file[80]; /* of the journal itself */
};

/* Draws an id, writes the journal and makes the directory. */
int journal_begin(struct journal *ret_journal, struct hl_error *err);
int journal_set_supervisor(struct journal *journal, pid_t pid, struct hl_error *err);

/* ---- network (net.c) ---- */

struct wire {
	const char *name; /* of the device at both ends, and of the hop */
	const char *target_address, *initiator_address;
	uint32_t mtu;
};

/* [0] is the shaped one. */
extern const struct wire demo_wires[2];

struct net { /* namespaces; both file descriptors stay open */
	int target, initiator;
};

/* Leaves the calling process in the target's namespace. rate is in bytes/s, NAN = unshaped. */
int net_make(double rate, struct net *ret_net, struct hl_error *err);

/* ---- disk (ram.c) ---- */

/*
 * A loop device on file, which goes with the last user of the device; its name carries the file's.
 * Returns a descriptor of the device, to be kept open. ret_device has room for 32 bytes.
 */
int loop_attach(const char *file, bool is_read_only, char *ret_device, struct hl_error *err);
int ram_make_file(const char *file, struct hl_error *err);
/* A file system on device, with one file of incompressible data; mounted at dir meanwhile. */
int ram_make_filesystem(const char *device, const char *dir, struct hl_error *err);
int ram_mount_filesystem(const char *device, const char *dir, struct hl_error *err);

/* ---- programs (program.c) ---- */

/* -ENOPKG: err names the package. */
int program_check(const char *name, struct hl_error *err);
/* Starts one that serves; its words go to the file log. environment: NULL = ours. */
int program_start(const char *const *argv, const char *log, char *const *environment,
		  pid_t *ret_pid, struct hl_error *err);
/* Runs one to its end; err has its last words. */
int program_run(const char *const *argv, const char *log, char *const *environment,
		struct hl_error *err);
/* Has it ended? Then err has its last words. */
bool program_has_ended(pid_t pid, const char *name, const char *log, struct hl_error *err);

/* ---- servers (server.c) ---- */

int server_start_target(const char *dir, const char *device, pid_t *ret_pid, struct hl_error *err);
/* The LUN as the read-only file ret_file (room for 80 bytes). */
int server_start_export(const char *dir, char *ret_file, struct hl_error *err);

/* ---- limits (limit.c) ---- */

struct limit {
	char group[128]; /* directory; "" = none */
	char home[256];  /* group that this process was in */
};

/* A group that limits CPU, with that process in it. */
int limit_cpu(const char *id, double pct, pid_t pid, struct hl_error *err);
/* A group that this process and all its later children are in … */
int limit_disk_begin(const char *id, struct limit *ret_limit, struct hl_error *err);
/* … and where the device is read at that rate at most. */
int limit_disk_set(const struct limit *limit, const char *device, double rate,
		   struct hl_error *err);
void limit_disk_end(const struct limit *limit); /* leaves the group */
/* The groups of a demo: calls remove for each that is there. */
void limit_each(const char *id, void (*each)(void *context, const char *group), void *context);

/* ---- supervisor (supervisor.c) ---- */

struct built {        /* in memory shared with the supervisor */
	bool is_done; /* and rc is valid */
	int rc;
	struct hl_error err;
	char device[32];             /* of the loop on the RAM file */
	char image[80];              /* the LUN as a file; "" = none */
	int target_ns, initiator_ns; /* descriptors of the supervisor */
	char left_out[240];
};

struct supervisor {
	pid_t pid;   /* first process of the process namespace that all of the demo is in */
	int control; /* open as long as it shall live */
	int ready;   /* ends when it has built everything */
	int home_ns; /* process namespace of children before */
	struct built *built;
};

int supervisor_start(const struct hl_demo_options *options, const char *id, const char *dir,
		     struct supervisor *ret_supervisor, struct hl_error *err);
/* Waits until all is built. */
int supervisor_wait(const struct supervisor *supervisor, struct hl_error *err);
void supervisor_end(struct supervisor *supervisor); /* everything that runs ends with it */

/* ---- leftovers (clean.c) ---- */

/*
 * Removes all that carries the journal's UUID, and at last the journal. is_of_boot: its processes
 * may live. Each thing removed is told, unless removed is NULL.
 */
int leftover_remove(const struct journal *journal, bool is_of_boot, hl_demo_removed *removed,
		    void *context, struct hl_error *err);

#endif
