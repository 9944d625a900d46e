/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file with a CHAP secret: two lines, user and password. It is read where the person is and goes
 * no way that others see: no argument, no environment, no bundle.
 */
#ifndef HOPLOSS_CHAP_H
#define HOPLOSS_CHAP_H

#include "hoploss/error.h"

struct hl_chap {
	char *bytes;
	const char *user, *password;
};

/* -ENOENT, -EACCES …; -EBADMSG: it has not two lines. Free with hl_chap_clear. */
int hl_chap_read(const char *file, struct hl_chap *ret_chap, struct hl_error *err);
void hl_chap_clear(struct hl_chap *chap); /* overwrites it first */
#define HL_CHAP __attribute__((cleanup(hl_chap_clear)))

#endif
