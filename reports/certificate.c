/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of certificate formats, and writing one in one go.
 */
#include "hoploss/certificate.h"
#include "hoploss/alloc.h"
#include <errno.h>
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
	HL_FREE char *bytes = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&bytes, &len);

	if (!memory)
		return hl_fail(err, errno, "make room for the certificate: %s", strerror(errno));
	certificate->render(set, style, memory);
	if (fclose(memory))
		return hl_fail(err, errno, "make room for the certificate: %s", strerror(errno));
	if (fwrite(bytes, 1, len, out) != len || fflush(out))
		return hl_fail(err, errno, "write the certificate: %s", strerror(errno));
	return 0;
}
