/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The version of the program. It stands in no diagnosis: same bundle, same bytes.
 */
#ifndef HOPLOSS_VERSION_H
#define HOPLOSS_VERSION_H

#define HL_VERSION "0.1.0"

#endif
