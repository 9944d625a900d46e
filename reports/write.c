/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rendering into memory first, so that an error never leaves half a document on stdout.
 */
#include "document.h"
#include "hoploss/report.h"

int hl_report_write(const struct hl_report *report, const struct hl_graph *graph,
		    const struct hl_report_style *style, FILE *out, struct hl_error *err)
{
	struct hl_document document;
	int rc = hl_document_begin(&document, "report", err);

	if (rc < 0)
		return rc;
	rc = report->render(graph, style, document.memory, err);
	return hl_document_end(&document, rc, out, err);
}
