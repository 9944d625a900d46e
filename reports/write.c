/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rendering into memory first, so that an error never leaves half a document on stdout.
 */
#include "hoploss/alloc.h"
#include "hoploss/report.h"
#include <errno.h>
#include <string.h>

int hl_report_write(const struct hl_report *report, const struct hl_graph *graph,
		    const struct hl_report_style *style, FILE *out, struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&bytes, &len);
	int rc;

	if (!memory)
		return hl_fail(err, errno, "make room for the report: %s", strerror(errno));
	rc = report->render(graph, style, memory, err);
	if (fclose(memory) && !rc)
		rc = hl_fail(err, errno, "make room for the report: %s", strerror(errno));
	if (rc)
		return rc;
	if (fwrite(bytes, 1, len, out) != len || fflush(out))
		return hl_fail(err, errno, "write the report: %s", strerror(errno));
	return 0;
}
