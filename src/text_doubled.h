/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that a mailer, an editor or a page set at double line spacing.
 */
#ifndef TEXT_DOUBLED_H
#define TEXT_DOUBLED_H

#include "hoploss/text.h"

/*
 * Takes the blank lines out of every stretch in which each line is followed by one: there they say
 * nothing. Returns how many lines are left.
 */
size_t hl_text_close_up(struct hl_line *lines, size_t nr);

#endif
