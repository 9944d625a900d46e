/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model names of drives. A drive says "SSD 980 PRO 1TB" where its box says "Samsung SSD 980 PRO
 * 1TB", and smartctl puts the maker before a name that has none. Makers' words and words for what
 * any drive is do not count; all others do, so that a 980 PRO is no 980.
 */
#ifndef HOPLOSS_MODEL_NAME_H
#define HOPLOSS_MODEL_NAME_H

#include <stdbool.h>

/*
 * A name as people write it, against what a drive says. Where it says nothing behind a "-", what
 * the drive has there is a revision: WD40EFRX is WD40EFRX-68N32N0, and never the other way.
 */
bool hl_model_name_is(const char *written, const char *model);
/* A pattern of a datasheet: * and ? as in a file name. */
bool hl_model_name_fits(const char *pattern, const char *model);

#endif
