/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of foreign configuration: what is kept of one makes VFs again when it is read back. */
#include "../../probes/vfs_boot.h"
#include "hoploss/alloc.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sriov_cards cards = {
		.items = { { "ens1f0", "0000:41:00.0", "igb", 2 } }, .nr = 1
	};
	HL_FREE char *text = hl_strndup((const char *)data, size);
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		HL_FREE char *part = sriov_line_part(line);
		HL_FREE char *again = part ? sriov_line_part(part) : NULL;

		if (part && (!again || strcmp(part, again) != 0 || !strstr(line, part)))
			abort();
		sriov_line_is_about(line, &cards);
		sriov_line_names(line, &cards.items[0]);
		sriov_line_drives(line, &cards.items[0]);
	}
	return 0;
}
