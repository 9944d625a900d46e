/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The serial number that a PCI Express function carries in its config space.
 *
 * Source: PCI Express Base Specification, 7.9.3: extended capability 0x0003, two dwords behind its
 * header; network adapters have their MAC address in it. lspci -vv prints the eight bytes from the
 * highest on, with dashes.
 */
#include "pairs.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_SIZE   4096
#define EXTENDED      0x100
#define ID_SERIAL     0x0003
#define SERIAL_LENGTH 8
#define CHAIN_MAX     ((CONFIG_SIZE - EXTENDED) / 4)

static uint32_t dword_at(const uint8_t *config, size_t at)
{
	return config[at] | (uint32_t)config[at + 1] << 8 | (uint32_t)config[at + 2] << 16 |
	       (uint32_t)config[at + 3] << 24;
}

/* Where the eight bytes are; 0 = nowhere. */
static size_t find_serial(const uint8_t *config, size_t len)
{
	size_t at = EXTENDED;

	for (int i = 0; i < CHAIN_MAX && at >= EXTENDED && at + 4 + SERIAL_LENGTH <= len; i++) {
		uint32_t header = dword_at(config, at);

		if ((header & 0xffff) == ID_SERIAL)
			return at + 4;
		at = header >> 20 & ~3u;
	}
	return 0;
}

static void disguise_serial(struct hl_scrub *scrub, uint8_t *serial)
{
	char text[3 * SERIAL_LENGTH] = "";
	const char *to;

	if (!memcmp(serial, "\0\0\0\0\0\0\0", SERIAL_LENGTH))
		return;
	for (int i = 0; i < SERIAL_LENGTH; i++)
		snprintf(text + 3 * i, 4, "%02x%s", serial[SERIAL_LENGTH - 1 - i],
			 i < SERIAL_LENGTH - 1 ? "-" : "");
	to = disguise(scrub, text, strlen(text));
	pair_add(scrub, text, strlen(text), to, BOUNDS_WORD);
	for (int i = 0; i < SERIAL_LENGTH; i++)
		serial[SERIAL_LENGTH - 1 - i] = (uint8_t)strtoul(to + 3 * i, NULL, 16);
}

void scrub_config_bytes(struct hl_scrub *scrub, char *bytes, size_t len)
{
	size_t at = find_serial((const uint8_t *)bytes, len);

	if (at)
		disguise_serial(scrub, (uint8_t *)bytes + at);
}

/* ---- as a hex dump ---- */

struct dump { /* of one function */
	uint8_t bytes[CONFIG_SIZE];
	char *digits[CONFIG_SIZE]; /* where each byte stands in the text */
	size_t len;
};

static int nibble(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* "100: 03 00 01 15 …". False: it is no such line, or not the next one. */
static bool take_line(struct dump *dump, char *line)
{
	char *at;
	size_t offset = strtoul(line, &at, 16);

	if (at == line || at > line + 4 || *at != ':' || (offset && offset != dump->len))
		return false;
	dump->len = offset;
	for (at++; *at == ' ' && dump->len < CONFIG_SIZE; at += 3) {
		int high = nibble(at[1]), low = high < 0 ? high : nibble(at[2]);

		if (low < 0)
			break;
		dump->bytes[dump->len] = (uint8_t)(high * 16 + low);
		dump->digits[dump->len++] = at + 1;
	}
	return true;
}

static void end_dump(struct hl_scrub *scrub, struct dump *dump)
{
	size_t at = find_serial(dump->bytes, dump->len);

	if (at)
		disguise_serial(scrub, dump->bytes + at);
	for (size_t i = at; at && i < at + SERIAL_LENGTH; i++) {
		static const char digits[] = "0123456789abcdef";

		dump->digits[i][0] = digits[dump->bytes[i] >> 4];
		dump->digits[i][1] = digits[dump->bytes[i] & 15];
	}
	dump->len = 0;
}

void scrub_config_dump(struct hl_scrub *scrub, char *text)
{
	HL_FREE struct dump *dump = hl_alloc(sizeof(*dump));

	for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		if (!strncmp(line, "00: ", 4))
			end_dump(scrub, dump);
		if (!take_line(dump, line) && dump->len)
			end_dump(scrub, dump);
	}
	end_dump(scrub, dump);
}
