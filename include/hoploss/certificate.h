/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A certificate: what `accept` found, in a format. Renderers read the finished set only.
 */
#ifndef HOPLOSS_CERTIFICATE_H
#define HOPLOSS_CERTIFICATE_H

#include "hoploss/acceptance.h"
#include "hoploss/report.h"

struct hl_certificate {
	const char *name; /* "text" */
	void (*render)(const struct hl_acceptance_set *set, const struct hl_report_style *style,
		       FILE *out);
};

extern const struct hl_certificate *const hl_certificates[]; /* NULL-terminated */

const struct hl_certificate *hl_certificate_find(const char *name); /* or NULL */
/* Renders into memory, then writes it to out in one go. */
int hl_certificate_write(const struct hl_certificate *certificate,
			 const struct hl_acceptance_set *set, const struct hl_report_style *style,
			 FILE *out, struct hl_error *err);

#endif
