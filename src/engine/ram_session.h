/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One iSCSI session of the LUN in RAM, from its login to its end.
 */
#ifndef HOPLOSS_ENGINE_RAM_SESSION_H
#define HOPLOSS_ENGINE_RAM_SESSION_H

#define RAM_BLOCK 512u

/* Serves whoever logs in to a target of that name; returns when the session is over. */
void ram_session_serve(int fd, const char *name);

#endif
