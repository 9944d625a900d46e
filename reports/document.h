/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document that is rendered into memory first, so that an error never leaves half of it on
 * stdout.
 */
#ifndef HOPLOSS_REPORTS_DOCUMENT_H
#define HOPLOSS_REPORTS_DOCUMENT_H

#include "hoploss/error.h"
#include <stdio.h>

struct hl_document {
	const char *what; /* for messages: "report" */
	FILE *memory;     /* to be rendered into */
	char *bytes;
	size_t len;
};

int hl_document_begin(struct hl_document *document, const char *what, struct hl_error *err);
/* Writes it to out in one go unless rc says that rendering failed; returns rc, or -errno. */
int hl_document_end(struct hl_document *document, int rc, FILE *out, struct hl_error *err);

#endif
