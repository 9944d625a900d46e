/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks: see hoploss/mark.h.
 */
#include "hoploss/mark.h"
#include "hoploss/alloc.h"
#include "hoploss/machine.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 4096u
#define MAGIC "hoploss scratch target/1\n"
#define UUID  "/proc/sys/kernel/random/uuid"
#define ID    "/etc/machine-id"

static void read_word(const char *path, char *ret_text, size_t size)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	HL_FREE char *bytes = NULL;
	size_t len;

	*ret_text = '\0';
	if (hl_machine_read(machine, path, &bytes, &len, NULL) == 0)
		snprintf(ret_text, size, "%.*s", (int)strcspn(bytes, "\n"), bytes);
	hl_machine_close(machine);
}

int hl_mark_new(uint64_t size, struct hl_mark *ret_mark, struct hl_error *err)
{
	struct hl_mark mark = { .size = size };
	time_t now = time(NULL);
	struct tm utc;

	read_word(UUID, mark.uuid, sizeof(mark.uuid));
	if (strlen(mark.uuid) != sizeof(mark.uuid) - 1)
		return hl_fail(err, EIO, "the kernel gives no UUID: is /proc mounted?");
	read_word(ID, mark.machine, sizeof(mark.machine));
	gmtime_r(&now, &utc);
	strftime(mark.date, sizeof(mark.date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	*ret_mark = mark;
	return 0;
}

/* Each block says which it is, so that no two are the same. */
static void write_block(const struct hl_mark *mark, unsigned number, char *block)
{
	memset(block, 0xa5, BLOCK);
	snprintf(block, BLOCK,
		 MAGIC "uuid %s\nbytes %llu\nmachine %s\ndate %s\nblock %u\n"
		       "This target was given away for writing with \"hoploss mark\".\n",
		 mark->uuid, (unsigned long long)mark->size, mark->machine, mark->date, number);
}

void hl_mark_write(const struct hl_mark *mark, char *ret_area)
{
	for (unsigned i = 0; i < HL_MARK_AREA / BLOCK; i++)
		write_block(mark, i, ret_area + (size_t)i * BLOCK);
}

static void take_line(const char *text, const char *key, char *ret_value, size_t size)
{
	const char *at = strstr(text, key);

	*ret_value = '\0';
	if (at)
		snprintf(ret_value, size, "%.*s", (int)strcspn(at + strlen(key), "\n"),
			 at + strlen(key));
}

/* What the text of the first block says; whether that is a mark is seen by writing it again. */
static struct hl_mark read_text(const char *area)
{
	HL_FREE char *text = hl_strndup(area, BLOCK);
	struct hl_mark mark;
	char bytes[24];

	take_line(text, "\nuuid ", mark.uuid, sizeof(mark.uuid));
	take_line(text, "\nmachine ", mark.machine, sizeof(mark.machine));
	take_line(text, "\ndate ", mark.date, sizeof(mark.date));
	take_line(text, "\nbytes ", bytes, sizeof(bytes));
	mark.size = isdigit((unsigned char)bytes[0]) ? strtoull(bytes, NULL, 10) : 0;
	return mark;
}

int hl_mark_read(const char *area, uint64_t size, struct hl_mark *ret_mark, struct hl_error *err)
{
	HL_FREE char *expected = NULL;
	struct hl_mark mark;

	if (memcmp(area, MAGIC, strlen(MAGIC)) != 0)
		return hl_fail(err, ENOMSG,
			       "it was not given away: \"hoploss mark TARGET\" does that, if it is "
			       "an empty scratch target");
	mark = read_text(area);
	expected = hl_alloc(HL_MARK_AREA);
	hl_mark_write(&mark, expected);
	if (memcmp(area, expected, HL_MARK_AREA) != 0)
		return hl_fail(err, ENOMSG,
			       "its mark was overwritten in part: something lives on it by now");
	if (mark.size != size)
		return hl_fail(err, ENOMSG, "its mark is of a target of %llu bytes, it has %llu",
			       (unsigned long long)mark.size, (unsigned long long)size);
	*ret_mark = mark;
	return 0;
}
