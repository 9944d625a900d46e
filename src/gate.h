/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the gate.
 */
#ifndef HOPLOSS_SRC_GATE_H
#define HOPLOSS_SRC_GATE_H

#include "hoploss/gate.h"

const char *gate_path(const struct hl_gate_request *request);      /* without file: */
int gate_let_wait(int fd, const char *path, struct hl_error *err); /* no longer O_NONBLOCK */
/* Fills all but fd and is_direct. */
int gate_measure(const char *path, struct hl_gate_pass *pass, struct hl_error *err);

#endif
