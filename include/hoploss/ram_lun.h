/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A LUN in RAM behind an iSCSI target of our own on loopback: what the iSCSI engine reads from it
 * is what the engine itself can do on this machine, with no medium and no foreign target in the
 * way. It only gives, it takes no writes, and is gone after a bound time.
 *
 * Source: RFC 7143 (iSCSI), SPC-4 and SBC-3 (commands), as much as libiscsi asks for.
 */
#ifndef HOPLOSS_RAM_LUN_H
#define HOPLOSS_RAM_LUN_H

#include "hoploss/error.h"
#include <stddef.h>

#define HL_RAM_LUN_SIZE (256u << 20) /* bytes that it claims to have */

struct hl_ram_lun;

/*
 * Starts a child that serves it to whoever knows ret_url, which has a one-time token in it, on
 * 127.0.0.1, for at most so many seconds. -EADDRNOTAVAIL …: no such listener here.
 */
int hl_ram_lun_serve(double seconds, struct hl_ram_lun **ret_lun, char *ret_url, size_t size,
		     struct hl_error *err);
void hl_ram_lun_stop(struct hl_ram_lun *lun); /* NULL allowed */

#endif
