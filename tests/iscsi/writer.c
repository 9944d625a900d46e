/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * writer URL SECONDS: the initiator that owns a LUN. Writes numbered blocks all the time, reads
 * them back at the end, and fails when one is not as it was written or its session was lost.
 */
#include "hoploss/engine.h"
#include "hoploss/iscsi.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     65536
#define NR_BLOCKS 64

static volatile sig_atomic_t is_told_to_end;
static int result;
static bool is_done;

static void end_soon(int number)
{
	(void)number;
	is_told_to_end = true;
}

static void done(void *context, unsigned tag, int rc)
{
	(void)context;
	(void)tag;
	result = rc;
	is_done = true;
}

static void fill(unsigned char *block, unsigned number, unsigned pass)
{
	memset(block, (int)(number * 7 + pass * 13), BLOCK);
	memcpy(block, &pass, sizeof(pass));
}

static int transfer(struct hl_iscsi *session, unsigned number, unsigned char *block, bool is_write)
{
	uint64_t offset = (uint64_t)number * BLOCK;
	struct hl_error err = { 0 };
	int rc;

	is_done = false;
	rc = is_write ? hl_iscsi_write(session, 0, offset, block, BLOCK, &err)
		      : hl_iscsi_read(session, 0, offset, block, BLOCK, &err);
	while (rc == 0 && !is_done)
		rc = hl_iscsi_poll(session, 1000, &err);
	if (rc == 0)
		rc = result;
	if (rc < 0)
		fprintf(stderr, "block %u: %s\n", number, err.text[0] ? err.text : strerror(-rc));
	return rc;
}

int main(int argc, char **argv)
{
	const struct hl_iscsi_login login = { .url = argc == 3 ? argv[1] : "",
					      .initiator = "iqn.2026-11.net.example:owner",
					      .may_write = true };
	static unsigned char block[BLOCK], wanted[BLOCK];
	uint64_t end = hl_clock_ns() + (argc == 3 ? strtoull(argv[2], NULL, 10) : 0) * 1000000000u;
	struct hl_iscsi *session;
	struct hl_error err;
	unsigned pass = 0;

	if (hl_iscsi_open(&login, &session, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	hl_iscsi_on_done(session, done, NULL);
	signal(SIGTERM, end_soon);
	for (; hl_clock_ns() < end && !is_told_to_end; pass++) {
		for (unsigned number = 0; number < NR_BLOCKS; number++) {
			fill(block, number, pass);
			if (transfer(session, number, block, true) < 0)
				return 1;
		}
	}
	for (unsigned number = 0; number < NR_BLOCKS; number++) {
		fill(wanted, number, pass - 1);
		if (transfer(session, number, block, false) < 0)
			return 1;
		if (memcmp(block, wanted, BLOCK)) {
			fprintf(stderr, "block %u is not as it was written\n", number);
			return 1;
		}
	}
	hl_iscsi_close(session);
	printf("%u passes\n", pass);
	return 0;
}
