/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What tgtadm, /proc/net/unix, /proc/self/mountinfo and zfs list say.
 */
#include "../../src/agent/logins.h"
#include "hoploss/alloc.h"
#include "hoploss/pool_room.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = hl_strndup((const char *)data, size), pool[16];
	unsigned nr, numbers[4];
	struct hl_pool_room room;

	logins_in_tgt(text, "iqn.2026-11.net.example:t", "iqn.x:y", &nr);
	logins_tgt_controls(text, numbers, 4);
	hl_pool_of_mount(text, 42, pool, sizeof(pool));
	hl_pool_room_read(text, &room);
	free(text);
	return 0;
}
