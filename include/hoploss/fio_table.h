/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every option of fio 3 (fio(1)), and what hoploss does about it when it runs a job. To add one: a
 * row in src/fio/fio_table.c.
 */
#ifndef HOPLOSS_FIO_TABLE_H
#define HOPLOSS_FIO_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum hl_fio_effect {
	HL_FIO_HONOURED, /* what hl_fio_options_set or the reader of jobs does */
	HL_FIO_IDLE,     /* accepted, without effect on the I/O: listed in the report */
	HL_FIO_WRITERS,  /* idle in a job that only reads, else refused */
	HL_FIO_REFUSED,  /* it would change the I/O, and hoploss does not do it */
};

struct hl_fio_option {
	const char *name;
	const char *alias; /* NULL = none */
	enum hl_fio_effect effect;
	bool is_flag;        /* needs no value */
	bool is_program;     /* of fio's command line, not of a job */
	const char *neutral; /* values, by blanks, with which it is no more than idle; NULL */
	const char *why;     /* refused: "it would …"; honoured: how a value is written */
};

/* By name or alias. NULL = fio has no such option. */
const struct hl_fio_option *hl_fio_option_find(const char *name);
const struct hl_fio_option *hl_fio_option_at(size_t index); /* NULL behind the last */
/* Does that value leave the I/O as it is? value may be NULL. */
bool hl_fio_option_is_neutral(const struct hl_fio_option *option, const char *value);

#endif
