/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the text of lspci: its lines (lspci_text.c), the heads of functions (lspci_head.c)
 * and the fields below them (lspci_field.c).
 */
#ifndef HOPLOSS_PROBES_LSPCI_H
#define HOPLOSS_PROBES_LSPCI_H

#include "hoploss/text.h"
#include "pci.h"

struct lspci_field {
	struct pci_listing *listing;
	struct pci_function *at;
	const char *text;   /* behind its name, to its end, lines joined by blanks */
	const char *source; /* "f.txt:12" */
};

/* ---- lspci_text.c ---- */

bool lspci_is_hex(struct hl_line line); /* "10: 04 00 10 f0 …" */
/* Reads lines [first, first + nr) of a function, its head first, into at. */
void lspci_read_function(const struct hl_text *text, size_t first, size_t nr,
			 struct pci_listing *listing, struct pci_function *at);

/* ---- lspci_head.c ---- */

/* The line begins a function: "01:00.0 Class: name", or "Slot:" and an address. */
bool lspci_is_head(struct hl_line line, struct pci_function *ret_at);
/* A shell's line "lspci -vvs 01:00.0 | grep Lnk", whose output may have no head. */
bool lspci_is_command(struct hl_line line, struct pci_function *ret_at);
/* Reads such a line, behind the address; text is written to. */
void lspci_read_head(const struct lspci_field *field, char *text);

/* ---- lspci_field.c ---- */

bool lspci_is_known(struct hl_line line); /* "LnkCap: …" and others */
/* The row of the field that the line begins, and where its text starts; false = none wanted. */
bool lspci_find_field(struct hl_line line, size_t *ret_row, size_t *ret_skip);
bool lspci_is_one_line(size_t row); /* too short for a mailer to break */
void lspci_read_field(size_t row, const struct lspci_field *field);
/* The number behind that word, base 10 or 16; NAN. */
double lspci_number(const char *text, const char *word, unsigned base);
/* Each sets what is not known yet. */
void lspci_set_number(const struct lspci_field *field, enum pci_number which, double value);
void lspci_set_text(const struct lspci_field *field, enum pci_string which, const char *value,
		    size_t len);

#endif
