/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Warnings of a comparison: see warn.h.
 */
#include "warn.h"
#include <stdarg.h>

void comparison_warn(struct hl_comparison *comparison, const char *format, ...)
{
	va_list args;

	comparison->warnings = hl_arena_extend(comparison->arena, comparison->warnings,
					       comparison->nr_warnings,
					       sizeof(*comparison->warnings));
	va_start(args, format);
	comparison->warnings[comparison->nr_warnings++] = hl_arena_vprintf(comparison->arena,
									   format, args);
	va_end(args);
}
