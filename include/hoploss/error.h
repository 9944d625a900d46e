/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors: filled where the failure is found, passed up unchanged, printed once by a command.
 *
 * Every function that can fail returns 0 or -errno and takes a struct hl_error last, which may be
 * NULL. Code below the commands never logs and never exits.
 */
#ifndef HOPLOSS_ERROR_H
#define HOPLOSS_ERROR_H

struct hl_error {
	int code;       /* a positive errno value, 0 = no error */
	char text[240]; /* one line, without a final full stop or newline */
};

/* Exit codes of the program, fit for scripts. */
enum hl_exit {
	HL_EXIT_OK = 0,         /* nothing found, or PASS */
	HL_EXIT_FINDINGS = 1,   /* findings, or FAIL */
	HL_EXIT_USAGE = 2,      /* the command line is wrong */
	HL_EXIT_UNABLE = 3,     /* could not do the job: nothing readable */
	HL_EXIT_INCOMPLETE = 4, /* done, but some inputs or hops were unusable */
};

/*
 * Fills err (unless NULL) with code and the formatted text and returns -code, so that a failing
 * function can end in "return hl_fail(err, EBADMSG, ...)". Control characters that came in with
 * a foreign string are replaced by '?'. A text too long is cut with "...".
 */
int hl_fail(struct hl_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
