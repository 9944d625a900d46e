/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engines, one line each.
 */
#include "hoploss/engine.h"
#include <string.h>

extern const struct hl_engine hl_engine_uring, hl_engine_psync, hl_engine_iscsi, hl_engine_tcp,
	hl_engine_null;

const struct hl_engine *const hl_engines[] = {
	&hl_engine_uring, &hl_engine_psync, &hl_engine_iscsi, &hl_engine_tcp, &hl_engine_null, NULL,
};

const struct hl_engine *hl_engine_find(const char *name)
{
	for (size_t i = 0; hl_engines[i]; i++) {
		if (!strcmp(hl_engines[i]->name, name))
			return hl_engines[i];
	}
	return NULL;
}

const struct hl_engine *hl_engine_for_files(struct hl_error *err)
{
	return hl_engine_uring.check(err) < 0 ? &hl_engine_psync : &hl_engine_uring;
}
