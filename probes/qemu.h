/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the decoder of QEMU's command line.
 */
#ifndef PROBES_QEMU_H
#define PROBES_QEMU_H

#include "hoploss/alloc.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * The value of an option as "driver,key=value,…": what is JSON is brought into that form, with
 * "a.b=value" for what is nested; values with a comma in them are left out.
 */
const char *qemu_flatten(struct hl_arena *arena, const char *value);
/* How much of a disk's source may be told: passwords can stand in it. 0 = nothing. */
size_t qemu_source_length(const char *value, size_t len);
/* /usr/bin/kvm, qemu-system-x86_64 */
bool qemu_is_emulator(const char *word);
/*
 * What may be kept of a command line, in the form that a shell and `qm showcmd --pretty` write it:
 * options and keys by an allow-list, without secrets. words are ended by NUL each. NULL = it is no
 * QEMU. To be freed.
 */
char *qemu_keep(const char *words, size_t len, size_t *ret_len);

#endif
