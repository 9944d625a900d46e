/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session of the LUN in RAM: see ram_session.h.
 *
 * Source: RFC 7143, chapter 11 (the layout of PDUs: 48 bytes of header, then data, padded to 4),
 * SPC-4 and SBC-3. What comes in one read is answered in one write, so that the target costs as
 * little as it can. Surprising: all blocks are the same bytes, for a real medium is not the matter.
 */
#include "ram_session.h"
#include "hoploss/alloc.h"
#include "hoploss/ram_lun.h"
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define HEADER      48u
#define SEGMENT     262144u /* of data in one PDU, what libiscsi takes at most */
#define MOST_DATA   65536u  /* that comes with a request: only a login has any */
#define INPUT       (MOST_DATA + 64 * HEADER)
#define MOST_PARTS  256 /* of one write */
#define WINDOW      255 /* commands that may be in flight */
#define FINAL       0x80u
#define WITH_STATUS 0x01u
#define CHECK       0x02u
#define NO_TARGET   0x0203u
#define NO_TAG      0xffffffffu

/* That we declare at a login. */
#define KEYS                                                                                       \
	"TargetPortalGroupTag=1\0MaxRecvDataSegmentLength=262144\0HeaderDigest=None\0"             \
	"DataDigest=None\0InitialR2T=Yes\0ImmediateData=No\0MaxBurstLength=262144\0"               \
	"AuthMethod=None"

enum { NOP = 0x00, COMMAND = 0x01, TASK = 0x02, LOGIN = 0x03, LOGOUT = 0x06, IMMEDIATE = 0x40 };
enum { NOP_IN = 0x20, RESPONSE = 0x21, TASK_DONE = 0x22, LOGIN_DONE = 0x23 };
enum { DATA_IN = 0x25, LOGOUT_DONE = 0x26 };

struct session {
	int fd;
	const char *name;
	uint32_t status_number, command_number; /* StatSN, ExpCmdSN */
	unsigned char input[INPUT];
	size_t len;
	unsigned char headers[MOST_PARTS][HEADER];
	unsigned char small[MOST_PARTS][64]; /* answers that are no blocks */
	struct iovec parts[2 * MOST_PARTS];
	unsigned nr_pdus, nr_parts;
	unsigned char *blocks; /* SEGMENT bytes */
	bool is_over;
};

static void put32(unsigned char *at, uint32_t value)
{
	value = htobe32(value);
	memcpy(at, &value, sizeof(value));
}

static uint32_t get32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return be32toh(value);
}

/* ---- output ---- */

static void flush(struct session *session)
{
	struct iovec *part = session->parts;
	unsigned left = session->nr_parts;

	while (left && !session->is_over) {
		ssize_t nr = writev(session->fd, part, (int)left);

		if (nr < 0 && errno == EINTR)
			continue;
		session->is_over = nr < 0;
		while (nr > 0 && left) {
			size_t step = (size_t)nr < part->iov_len ? (size_t)nr : part->iov_len;

			part->iov_base = (char *)part->iov_base + step;
			part->iov_len -= step;
			nr -= (ssize_t)step;
			if (!part->iov_len) {
				part++;
				left--;
			}
		}
	}
	session->nr_pdus = session->nr_parts = 0;
}

static void add_part(struct session *session, void *bytes, size_t len)
{
	if (len)
		session->parts[session->nr_parts++] = (struct iovec){ bytes, len };
}

/* A PDU that answers request; the caller adds what is special. data must outlive the flush. */
static unsigned char *answer(struct session *session, const unsigned char *request, int opcode,
			     void *data, size_t len)
{
	unsigned char *header;

	if (session->nr_pdus == MOST_PARTS)
		flush(session);
	header = memset(session->headers[session->nr_pdus++], 0, HEADER);
	header[0] = (unsigned char)opcode;
	header[1] = FINAL;
	put32(header + 4, (uint32_t)len);
	memcpy(header + 16, request + 16, 4);
	put32(header + 24, session->status_number);
	put32(header + 28, session->command_number);
	put32(header + 32, session->command_number + WINDOW);
	add_part(session, header, HEADER);
	add_part(session, data, (len + 3) / 4 * 4);
	return header;
}

/* Memory for an answer that goes with the next PDU. */
static unsigned char *small_data(struct session *session)
{
	if (session->nr_pdus == MOST_PARTS)
		flush(session);
	return memset(session->small[session->nr_pdus], 0, sizeof(session->small[0]));
}

/* ---- commands ---- */

static void refuse(struct session *session, const unsigned char *request, unsigned char why)
{
	unsigned char *sense = small_data(session);

	sense[1] = 18; /* its length, then fixed format, illegal request */
	sense[2] = 0x70;
	sense[4] = 0x05;
	sense[9] = 10;
	sense[14] = why;
	answer(session, request, RESPONSE, sense, 20)[3] = CHECK;
	session->status_number++;
}

static void succeed(struct session *session, const unsigned char *request)
{
	answer(session, request, RESPONSE, NULL, 0);
	session->status_number++;
}

/* Data, and the status with its last PDU. all: what it is in whole. */
static void give(struct session *session, const unsigned char *request, unsigned char *data,
		 uint32_t all)
{
	uint32_t expected = get32(request + 20), number = 0;
	uint32_t len = all < expected ? all : expected;

	for (uint32_t at = 0; at < len; number++) {
		uint32_t step = len - at < SEGMENT ? len - at : SEGMENT;
		unsigned char *header = answer(session, request, DATA_IN, data, step);
		bool is_last = at + step == len;

		header[1] = is_last ? FINAL | WITH_STATUS : 0;
		put32(header + 20, NO_TAG);
		put32(header + 36, number);
		put32(header + 40, at);
		if (is_last && len < expected) {
			header[1] |= 0x02; /* residual underflow */
			put32(header + 44, expected - len);
		}
		at += step;
	}
	session->status_number++;
}

static void give_identity(struct session *session, const unsigned char *request)
{
	static const char words[] = "HOPLOSS RAM             1   ";
	unsigned char *data = small_data(session);

	data[2] = 0x05;
	data[3] = 0x02;
	data[4] = 31;
	snprintf((char *)data + 8, sizeof(words), "%s", words);
	give(session, request, data, 36);
}

static void give_capacity(struct session *session, const unsigned char *request)
{
	unsigned char *data = small_data(session);

	put32(data + 4, HL_RAM_LUN_SIZE / RAM_BLOCK - 1);
	put32(data + 8, RAM_BLOCK);
	give(session, request, data, 32);
}

static void give_luns(struct session *session, const unsigned char *request)
{
	unsigned char *data = small_data(session);

	data[3] = 8; /* bytes of the list: LUN 0 */
	give(session, request, data, 16);
}

static void read_blocks(struct session *session, const unsigned char *request)
{
	const unsigned char *cdb = request + 32;
	uint64_t first = (uint64_t)get32(cdb + 2) << 32 | get32(cdb + 6);
	uint64_t nr = get32(cdb + 10), all = HL_RAM_LUN_SIZE / RAM_BLOCK;

	if (first >= all || nr > all - first)
		refuse(session, request, 0x21); /* out of range */
	else if (nr == 0)
		succeed(session, request);
	else
		give(session, request, session->blocks, (uint32_t)nr * RAM_BLOCK);
}

static void take_command(struct session *session, const unsigned char *request)
{
	const unsigned char *cdb = request + 32;

	if (cdb[0] == 0x00) /* TEST UNIT READY */
		succeed(session, request);
	else if (cdb[0] == 0x88) /* READ(16) */
		read_blocks(session, request);
	else if (cdb[0] == 0x12 && !(cdb[1] & 1)) /* INQUIRY */
		give_identity(session, request);
	else if (cdb[0] == 0x9e && (cdb[1] & 0x1f) == 0x10) /* READ CAPACITY(16) */
		give_capacity(session, request);
	else if (cdb[0] == 0xa0) /* REPORT LUNS */
		give_luns(session, request);
	else
		refuse(session, request, cdb[0] == 0x12 ? 0x24 : 0x20);
}

/* ---- login ---- */

/* Is TargetName among the keys, which end with NUL each? A second request need not say it again. */
static bool names_target(const struct session *session, const char *keys, size_t len)
{
	static const char key[] = "TargetName=";
	size_t key_len = strlen(key), name_len = strlen(session->name);

	for (size_t at = 0, step; at < len; at += step + 1) {
		step = strnlen(keys + at, len - at);
		if (step < key_len || memcmp(keys + at, key, key_len) != 0)
			continue;
		return step - key_len == name_len &&
		       !memcmp(keys + at + key_len, session->name, name_len);
	}
	return session->status_number > 1;
}

static void take_login(struct session *session, const unsigned char *request, size_t len)
{
	static const char keys[sizeof(KEYS) + 3] = KEYS; /* and what pads it to whole words */
	bool is_ours = names_target(session, (const char *)request + HEADER, len);
	unsigned char *header = answer(session, request, LOGIN_DONE, (void *)keys,
				       is_ours ? sizeof(KEYS) : 0);

	header[1] = request[1] & 0x8f;
	memcpy(header + 8, request + 8, 8);
	header[15] = 1; /* TSIH */
	if (!is_ours) {
		header[36] = NO_TARGET >> 8;
		header[37] = NO_TARGET & 0xff;
	}
	session->status_number++;
	flush(session);
	session->is_over |= !is_ours;
}

/* ---- PDUs ---- */

static void take_pdu(struct session *session, const unsigned char *request, size_t len)
{
	int opcode = request[0] & 0x3f;

	session->command_number = get32(request + 24) + !(request[0] & IMMEDIATE);
	if (opcode == COMMAND) {
		take_command(session, request);
	} else if (opcode == LOGIN) {
		take_login(session, request, len);
	} else if (opcode == NOP && get32(request + 16) != NO_TAG) {
		put32(answer(session, request, NOP_IN, NULL, 0) + 20, NO_TAG);
		session->status_number++;
	} else if (opcode == TASK || opcode == LOGOUT) {
		answer(session, request, opcode == TASK ? TASK_DONE : LOGOUT_DONE, NULL, 0);
		session->status_number++;
		flush(session);
		session->is_over |= opcode == LOGOUT;
	} else if (opcode != NOP) {
		session->is_over = true;
	}
}

/* Bytes of the PDU at the start of the input; 0 = it is not all there. */
static size_t pdu_len(struct session *session, const unsigned char *at, size_t left)
{
	size_t data, len;

	if (left < HEADER)
		return 0;
	data = get32(at + 4) & 0xffffff;
	len = HEADER + (data + 3) / 4 * 4;
	session->is_over |= at[4] != 0 || data > MOST_DATA; /* no such is sent to us */
	return !session->is_over && len <= left ? len : 0;
}

static void take_input(struct session *session)
{
	size_t at = 0, len;

	while ((len = pdu_len(session, session->input + at, session->len - at))) {
		take_pdu(session, session->input + at, get32(session->input + at + 4) & 0xffffff);
		at += len;
	}
	flush(session);
	session->len -= at;
	memmove(session->input, session->input + at, session->len);
}

void ram_session_serve(int fd, const char *name)
{
	struct session *session = hl_alloc(sizeof(*session));

	session->fd = fd;
	session->name = name;
	session->status_number = 1;
	session->blocks = hl_alloc(SEGMENT);
	memset(session->blocks, 0x5a, SEGMENT); /* pages of its own: nobody reads the zero page */
	while (!session->is_over) {
		ssize_t nr = read(fd, session->input + session->len, INPUT - session->len);

		if (nr < 0 && errno == EINTR)
			continue;
		if (nr <= 0)
			break;
		session->len += (size_t)nr;
		take_input(session);
	}
	free(session->blocks);
	free(session);
}
