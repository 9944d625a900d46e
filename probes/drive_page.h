/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON that is none until it is mended: some members of an object without its braces.
 */
#ifndef PROBES_DRIVE_PAGE_H
#define PROBES_DRIVE_PAGE_H

#include "hoploss/text.h"

/*
 * The text from line at on as it is meant, behind skip empty lines (so that lines can keep their
 * numbers), to be freed with hl_text_free. NULL: the line begins no such JSON.
 */
struct hl_text *hl_drive_page_text(const struct hl_text *text, size_t at, size_t skip);

#endif
