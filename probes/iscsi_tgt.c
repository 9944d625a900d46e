/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets of tgtd, live: see iscsi_probe.h. tgtadm(8) asks the daemon; below "Account information"
 * it lists who may log in, which is left out.
 */
#include "hoploss/alloc.h"
#include "iscsi_probe.h"
#include <errno.h>
#include <string.h>

static size_t indent_of(const char *line)
{
	return strspn(line, " ");
}

/* In place: the lines below that title go. */
static void drop_accounts(char *text)
{
	char *to = text;
	bool is_dropping = false;
	size_t indent = 0;

	for (char *line = text; *line;) {
		size_t len = strcspn(line, "\n");

		len += line[len] == '\n';
		if (is_dropping && indent_of(line) <= indent)
			is_dropping = false;
		if (!is_dropping) {
			indent = indent_of(line);
			is_dropping = !strncmp(line + indent, "Account information:", 20);
			memmove(to, line, len);
			to += len;
		}
		line += len;
	}
	*to = '\0';
}

int iscsi_tgt_keep(struct hl_capture *capture, struct hl_error *err)
{
	static const char *const words[] = { "tgtadm", "--lld", "iscsi", "--mode",
					     "target", "--op",  "show",  NULL };
	HL_FREE char *text = NULL;
	size_t len;
	int rc = hl_capture_output(words, &text, &len, err);

	if (rc < 0 || !text)
		return rc < 0 ? rc : hl_fail(err, ENOENT, "no target of tgtd");
	drop_accounts(text);
	if (!*text)
		return hl_fail(err, ENOENT, "no target of tgtd");
	return hl_capture_keep(capture, "tgtadm.txt", NULL, text, strlen(text), err);
}
