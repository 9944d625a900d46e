/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quotes of mails: "> text", on most lines of a block.
 */
#ifndef HOPLOSS_MAIL_QUOTE_H
#define HOPLOSS_MAIL_QUOTE_H

#include "hoploss/text.h"

/* Takes all levels of them off the lines. Returns whether any line got shorter. */
bool hl_mail_unquote(struct hl_line *lines, size_t nr);

#endif
