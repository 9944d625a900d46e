/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the commands share towards the person: messages on stderr, the style of a report on stdout,
 * and the files that were named on the command line.
 */
#ifndef HOPLOSS_CONSOLE_H
#define HOPLOSS_CONSOLE_H

#include "hoploss/command.h"
#include "hoploss/report.h"
#include <stdio.h>

/*
 * Opens /dev/null in place of a standard file that was closed, the wrong way round, so that no
 * other file gets its number and using it fails instead of passing unseen.
 */
void hl_console_hold(void);
/*
 * Text with names from outside: what would act on a terminal, or break the line, is shown as
 * \x1b. A newline is one only at the end of format.
 */
void hl_console_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "hoploss: TEXT" on stderr, as harmless. */
void hl_console_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints err and how to get help; gives HL_EXIT_USAGE. */
enum hl_exit hl_console_misuse(const struct hl_command *command, const struct hl_error *err);
/* Flushes stdout. HL_EXIT_UNABLE, said on stderr, when not all of it was written. */
enum hl_exit hl_console_finish(enum hl_exit so_far);

/* Which format was asked for: --format, else --json, else "text". -EINVAL: two of them. */
int hl_console_format(const struct hl_args *args, const char **ret_format, struct hl_error *err);
/* Width and colour for stdout, by terminal, --color and NO_COLOR. -EINVAL: --color's value. */
int hl_console_style(const struct hl_args *args, struct hl_report_style *ret_style,
		     struct hl_error *err);

/*
 * The whole file, NUL-terminated, to be freed; "-" is standard input. -EISDIR, -EFBIG (more than
 * 1 GiB) or what open(2) and read(2) say; err names the file.
 */
int hl_console_read(const char *path, char **ret_bytes, size_t *ret_len, struct hl_error *err);

#endif
