/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a CHAP secret: see hoploss/chap.h.
 */
#include "hoploss/chap.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 4096

int hl_chap_read(const char *file, struct hl_chap *ret_chap, struct hl_error *err)
{
	struct hl_chap chap = { 0 };
	char *end, *password;
	size_t len;
	int rc = hl_file_read_at(AT_FDCWD, file, LIMIT, &chap.bytes, &len);

	if (rc < 0)
		return hl_fail(err, -rc, "CHAP file %s: %s", file, strerror(-rc));
	end = strchr(chap.bytes, '\n');
	if (!end) {
		hl_chap_clear(&chap);
		return hl_fail(err, EBADMSG, "CHAP file %s: it has two lines, user and password",
			       file);
	}
	*end = '\0';
	password = end + 1;
	password[strcspn(password, "\r\n")] = '\0';
	chap.bytes[strcspn(chap.bytes, "\r")] = '\0';
	chap.user = chap.bytes;
	chap.password = password;
	*ret_chap = chap;
	return 0;
}

void hl_chap_clear(struct hl_chap *chap)
{
	if (!chap->bytes)
		return;
	explicit_bzero(chap->bytes, strlen(chap->bytes));
	if (chap->password)
		explicit_bzero((char *)chap->password, strlen(chap->password));
	free(chap->bytes);
}
