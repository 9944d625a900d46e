/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Config space of PCI functions written down as a dump, as lspci -xxxx prints it; and the text of
 * lspci -vv of the same.
 */
#ifndef TESTS_PCI_MAKER_H
#define TESTS_PCI_MAKER_H

#include "hoploss/alloc.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORT_ENDPOINT = 0, PORT_ROOT = 4, PORT_UPSTREAM = 5, PORT_DOWNSTREAM = 6 };

struct made_function { /* 0 = not there */
	const char *address, *head;
	unsigned vendor, device, class;
	unsigned type, secondary, subordinate;
	unsigned cap_speed, cap_width, speed, width, target; /* codes and lanes */
	bool has_slot, is_present;
	unsigned correctable; /* AER, with bit 31: has AER */
	unsigned nr_vfs, vf_offset, vf_stride;
};

struct made_space {
	uint8_t bytes[4096];
};

__attribute__((unused)) static void put(struct made_space *space, unsigned at, unsigned nr,
					uint32_t value)
{
	for (unsigned i = 0; i < nr; i++)
		space->bytes[at + i] = (uint8_t)(value >> (8 * i));
}

__attribute__((unused)) static void put_express(struct made_space *space,
						const struct made_function *made)
{
	put(space, 0x50, 4, 0x10 | (2u | made->type << 4 | (unsigned)made->has_slot << 8) << 16);
	put(space, 0x54, 4, 2);                /* DevCap: 512 */
	put(space, 0x58, 2, 1 << 5 | 2 << 12); /* DevCtl: 256, 512 */
	put(space, 0x5c, 4, made->cap_speed | made->cap_width << 4 | 2 << 10 | 1 << 20);
	put(space, 0x60, 2, 2); /* ASPM L1 */
	put(space, 0x62, 2, made->speed | made->width << 4 | (unsigned)(made->width > 0) << 13);
	put(space, 0x6a, 2, (unsigned)made->is_present << 6);
	put(space, 0x80, 2, made->target);
}

__attribute__((unused)) static struct made_space space_of(const struct made_function *made)
{
	struct made_space space = { { 0 } };

	put(&space, 0x00, 2, made->vendor);
	put(&space, 0x02, 2, made->device);
	put(&space, 0x06, 2, 0x10);
	put(&space, 0x0a, 2, made->class);
	put(&space, 0x34, 1, 0x40);
	put(&space, 0x40, 2, 0x01 | (made->cap_width ? 0x50u : 0) << 8); /* power management */
	if (made->secondary) {
		put(&space, 0x0e, 1, 1);
		put(&space, 0x19, 1, made->secondary);
		put(&space, 0x1a, 1, made->subordinate);
	}
	if (made->cap_width)
		put_express(&space, made);
	if (made->correctable || made->nr_vfs)
		put(&space, 0x100, 4, 0x0001 | 1 << 16 | (made->nr_vfs ? 0x160u : 0) << 20);
	put(&space, 0x110, 4, made->correctable & 0x7fffffff);
	if (!made->nr_vfs)
		return space;
	put(&space, 0x160, 4, 0x0010 | 1 << 16);
	put(&space, 0x170, 2, made->nr_vfs);
	put(&space, 0x174, 2, made->vf_offset);
	put(&space, 0x176, 2, made->vf_stride);
	return space;
}

/* The dump of so many bytes of that function; to be freed. */
__attribute__((unused)) static char *dump_bytes(const struct made_function *made, size_t len)
{
	struct made_space space = space_of(made);
	char *text = hl_alloc(len * 5 + 256);
	size_t used = (size_t)sprintf(text, "%s %s\n", made->address, made->head);

	for (size_t i = 0; i < len; i++) {
		if (i % 16 == 0)
			used += (size_t)sprintf(text + used, "%02zx:", i);
		used += (size_t)sprintf(text + used, " %02x%s", space.bytes[i],
					i % 16 == 15 ? "\n" : "");
	}
	return text;
}

/* All of them, 512 bytes each, with empty lines between; to be freed. */
__attribute__((unused)) static char *dump_of(const struct made_function *made, size_t nr)
{
	char *all = hl_strdup("");

	for (size_t i = 0; i < nr; i++) {
		char *one = dump_bytes(&made[i], 512);
		char *more = hl_printf("%s%s\n", all, one);

		free(one);
		free(all);
		all = more;
	}
	return all;
}

#endif
