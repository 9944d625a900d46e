/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals, for who writes them and who cleans up by them.
 */
#ifndef HOPLOSS_DEMO_JOURNAL_H
#define HOPLOSS_DEMO_JOURNAL_H

#include "demo.h"

#define JOURNAL_SUFFIX ".json"
#define JOURNAL_SCHEMA "hoploss.demo/1"
#define BOOT_ID        "/proc/sys/kernel/random/boot_id"
#define MACHINE_ID     "/etc/machine-id"
#define SMALL_FILE_MAX (64u << 10)

/* -EXDEV: of another machine, -EBADMSG: not one of ours. Of an earlier boot no process lives. */
int journal_read(const char *id, struct journal *ret_journal, bool *ret_is_of_boot,
		 struct hl_error *err);

/* When a process started, in ticks after boot; 0 = there is none that lives. */
uint64_t journal_start_of(pid_t pid);
bool journal_lives(const struct process *process);

#endif
