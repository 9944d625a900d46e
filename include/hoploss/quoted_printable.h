/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The quoted-printable encoding of mails (RFC 2045, 6.7), as raw archives keep it: "=3D" for "=",
 * and a "=" at the end of a line that was broken.
 */
#ifndef HOPLOSS_QUOTED_PRINTABLE_H
#define HOPLOSS_QUOTED_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether parts of text look encoded: "=3D" in several lines. */
bool hl_qp_is_in(const char *text, size_t len);

/*
 * Decodes one line in place, unless it has a "=" that no encoder writes. Returns the new length,
 * and whether the line goes on in the next one.
 */
size_t hl_qp_decode(char *line, size_t len, bool *ret_goes_on);

#endif
