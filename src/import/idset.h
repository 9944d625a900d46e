/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set of hashes: what a scan of a long text has seen already.
 */
#ifndef IMPORT_IDSET_H
#define IMPORT_IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hl_idset { /* all zero = empty */
	uint64_t *slots;
	size_t size, nr;
};

uint64_t hl_idset_hash(uint64_t hash, const char *bytes, size_t len); /* start with 0 */
void hl_idset_add(struct hl_idset *set, uint64_t id);
bool hl_idset_has(const struct hl_idset *set, uint64_t id);
void hl_idset_clear(struct hl_idset *set); /* frees, too */
#define HL_IDSET __attribute__((cleanup(hl_idset_clear)))

#endif
