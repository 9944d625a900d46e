/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rendering into memory first: see document.h.
 */
#include "document.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <string.h>

int hl_document_begin(struct hl_document *document, const char *what, struct hl_error *err)
{
	*document = (struct hl_document){ .what = what };
	document->memory = open_memstream(&document->bytes, &document->len);
	if (!document->memory)
		return hl_fail(err, errno, "make room for the %s: %s", what, strerror(errno));
	return 0;
}

int hl_document_end(struct hl_document *document, int rc, FILE *out, struct hl_error *err)
{
	bool is_short = fclose(document->memory) != 0;
	HL_FREE char *bytes = document->bytes;

	if (is_short && !rc)
		rc = hl_fail(err, errno, "make room for the %s: %s", document->what,
			     strerror(errno));
	if (rc)
		return rc;
	if (fwrite(bytes, 1, document->len, out) != document->len || fflush(out))
		return hl_fail(err, errno, "write the %s: %s", document->what, strerror(errno));
	return 0;
}
