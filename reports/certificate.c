/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of certificate formats, and writing one in one go.
 */
#include "hoploss/certificate.h"
#include "document.h"
#include <string.h>

extern const struct hl_certificate hl_certificate_text, hl_certificate_json, hl_certificate_html;

const struct hl_certificate *const hl_certificates[] = {
	&hl_certificate_text,
	&hl_certificate_json,
	&hl_certificate_html,
	NULL,
};

const struct hl_certificate *hl_certificate_find(const char *name)
{
	for (size_t i = 0; hl_certificates[i]; i++) {
		if (!strcmp(hl_certificates[i]->name, name))
			return hl_certificates[i];
	}
	return NULL;
}

int hl_certificate_write(const struct hl_certificate *certificate,
			 const struct hl_acceptance_set *set, const struct hl_report_style *style,
			 FILE *out, struct hl_error *err)
{
	struct hl_document document;
	int rc = hl_document_begin(&document, "certificate", err);

	if (rc < 0)
		return rc;
	certificate->render(set, style, document.memory);
	return hl_document_end(&document, 0, out, err);
}
