/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables in smartctl's text: attributes, device statistics, error counters, self-tests. See
 * smartctl.h.
 *
 * Surprising: a mailer breaks the attributes' long lines before the raw value; a copy loses runs of
 * blanks, so columns are counted in words.
 */
#include "smartctl.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_WORDS 12

static double number(struct hl_line word)
{
	return hl_drive_number(word.start, word.len);
}

/* Tables are also pasted with bars between their columns. */
static bool is_gap(char c)
{
	return isspace((unsigned char)c) || c == '|';
}

static size_t cut_words(struct hl_line line, struct hl_line *words, size_t nr)
{
	for (unsigned i = 0; i < line.len && nr < MAX_WORDS;) {
		unsigned start = i;

		while (i < line.len && !is_gap(line.start[i]))
			i++;
		if (i > start) {
			words[nr] = line;
			words[nr].start += start;
			words[nr++].len = i - start;
		}
		while (i < line.len && is_gap(line.start[i]))
			i++;
	}
	return nr;
}

static bool is_digits(struct hl_line word)
{
	for (unsigned i = 0; i < word.len; i++) {
		if (!isdigit((unsigned char)word.start[i]))
			return false;
	}
	return word.len > 0;
}

/* 0x0033 of -A, or POSRCK of the brief table */
static bool is_flags(struct hl_line word)
{
	static const char letters[] = "POSRCK-+";

	if (hl_line_starts(word, "0x"))
		return true;
	for (unsigned i = 0; i < word.len; i++) {
		if (!strchr(letters, word.start[i]))
			return false;
	}
	return word.len >= 6;
}

/*
 * "  5 Reallocated_Sector_Ct 0x0033 100 100 010 Pre-fail Always - 0", in brief "… PO--CK 100 100
 * 010 - 0". false: no such line, or the raw value stands on the next.
 */
static bool read_attribute(struct hl_drive *drive, const struct hl_line *words, size_t nr)
{
	enum { ID, NAME, FLAGS, VALUE };
	size_t raw = nr > FLAGS && hl_line_starts(words[FLAGS], "0x") ? 9 : 7;
	char name[64], text[64];
	struct hl_smartctl_attribute attribute = { .name = name, .raw = text };

	if (nr <= raw || !is_digits(words[ID]) || words[ID].len > 3 || !is_flags(words[FLAGS]))
		return false;
	attribute.id = (unsigned)number(words[ID]);
	attribute.value = is_digits(words[VALUE]) ? number(words[VALUE]) : NAN;
	snprintf(name, sizeof(name), "%.*s", (int)words[NAME].len, words[NAME].start);
	snprintf(text, sizeof(text), "%.*s", (int)words[raw].len, words[raw].start);
	hl_smartctl_put_attribute(drive, &attribute);
	return true;
}

/* "read: 2242530 24029 1718309 2266559 30372 409777.659 0": the last is what was not corrected */
static bool read_error_counters(struct hl_drive *drive, struct hl_line line)
{
	struct hl_line words[MAX_WORDS];
	size_t nr = cut_words(line, words, 0);
	bool is_read = nr && hl_line_starts(words[0], "read:");

	if (nr < 8 || (!is_read && !hl_line_starts(words[0], "write:")))
		return false;
	hl_drive_put_number(drive, is_read ? "smart.uncorrected_reads" : "smart.uncorrected_writes",
			    number(words[nr - 1]));
	return true;
}

/* "0x01  0x010  4           37357  ---  Power-on Hours" */
static bool read_statistic(struct hl_drive *drive, struct hl_line line)
{
	struct hl_line words[MAX_WORDS], name;
	size_t nr = cut_words(line, words, 0);

	if (nr < 6 || !hl_line_starts(words[0], "0x") || !hl_line_starts(words[1], "0x") ||
	    !is_digits(words[2]))
		return false;
	name = words[5];
	name.len = (unsigned)(line.start + line.len - name.start);
	name = hl_line_trim(name);
	if (is_digits(words[3]))
		hl_smartctl_put_statistic(drive, name.start, name.len, number(words[3]));
	return true;
}

/*
 * "# 1  Short offline       Completed without error       00%      1234         -", or of NVMe
 * " 0   Short              Completed without error                1234    -    -   -   -    -"
 */
bool hl_smartctl_read_self_test(struct hl_drive *drive, struct hl_line line)
{
	static const char *const results[] = { "Completed", "Aborted", "Interrupted", "Fatal",
					       "Self-test", "Unknown", "Failed",      NULL };
	const char *end = line.start + line.len, *result = NULL, *stop;
	double hours = NAN;

	for (size_t i = 0; results[i] && !result; i++)
		result = memmem(line.start, line.len, results[i], strlen(results[i]));
	if (!result || result - line.start < 6)
		return false;
	for (stop = result; stop < end && (*stop != ' ' || (stop + 1 < end && stop[1] != ' '));
	     stop++)
		;
	for (const char *at = stop; at < end; at++) {
		size_t nr = 0;

		while (at + nr < end && isdigit((unsigned char)at[nr]))
			nr++;
		if (nr && (at + nr == end || at[nr] == ' ')) {
			hours = hl_drive_number(at, nr);
			break;
		}
		at += nr;
	}
	hl_smartctl_put_self_test(drive, result, (size_t)(stop - result), hours);
	return true;
}

/* ---- a line ---- */

/* The rest of an attribute's line, which a mailer broke. */
static bool read_broken(struct hl_drive *drive, struct hl_line *words, size_t nr,
			struct hl_line next)
{
	if (nr < 3 || !is_digits(words[0]) || !is_flags(words[2]))
		return false;
	return read_attribute(drive, words, cut_words(next, words, nr));
}

bool hl_smartctl_read_row(struct hl_drive *drive, struct hl_line line, struct hl_line next)
{
	struct hl_line words[MAX_WORDS];
	size_t nr = cut_words(line, words, 0);

	return read_attribute(drive, words, nr) || read_broken(drive, words, nr, next) ||
	       read_error_counters(drive, line) || read_statistic(drive, line);
}

/* "199 UDMA_CRC_Error_Count    0x003e   200   20" */
bool hl_smartctl_is_row_cut(struct hl_line line)
{
	struct hl_drive scratch = { .nr = 0 };
	struct hl_line words[MAX_WORDS];
	size_t nr = cut_words(line, words, 0);
	bool is_whole = read_attribute(&scratch, words, nr);

	hl_drive_clear(&scratch);
	return nr > 1 && !is_whole && is_digits(words[0]) && words[0].len <= 3 &&
	       memchr(words[1].start, '_', words[1].len) && isupper((unsigned char)*words[1].start);
}
