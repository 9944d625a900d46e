/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON that was copied out of the source of a web page: every quote in it is "&quot;".
 */
#ifndef PROBES_DRIVE_PAGE_H
#define PROBES_DRIVE_PAGE_H

#include "hoploss/text.h"

/*
 * The text from line at on as it is meant, to be freed with hl_text_free; the line at at is
 * *ret_at in it, and has the same number. NULL: the line does not begin such JSON.
 */
struct hl_text *hl_drive_page_text(const struct hl_text *text, size_t at, size_t *ret_at);

#endif
