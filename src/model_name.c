/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model names: see hoploss/model_name.h.
 */
#include "hoploss/model_name.h"
#include "hoploss/alloc.h"
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#define LEAST_BASE                                                                                 \
	6 /* characters: a shorter word is no part number, and -XT behind it no revision */

/* They tell nothing apart: a model number is of one maker. */
static const char *const idle_words[] = {
	"adata",   "ata",      "corsair", "crucial", "dell",   "disk",     "drive",
	"fujitsu", "hdd",      "hgst",    "hitachi", "hpe",    "hynix",    "ibm",
	"intel",   "kingston", "kioxia",  "lenovo",  "micron", "netapp",   "nvme",
	"phison",  "samsung",  "sandisk", "seagate", "sk",     "solidigm", "ssd",
	"toshiba", "western",  "digital", "wd",      "wdc",
};

static bool is_gap(char c)
{
	return c == ' ' || c == '_' || c == '\t';
}

static bool is_idle(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(idle_words) / sizeof(*idle_words); i++) {
		if (len == strlen(idle_words[i]) && !strncasecmp(word, idle_words[i], len))
			return true;
	}
	return false;
}

/* A word ends at a gap; in a pattern ? stands for one too, behind a maker's word. */
static size_t word_len(const char *word)
{
	size_t len = 0, letters = 0;

	while (word[len] && !is_gap(word[len]))
		len++;
	while (isalpha((unsigned char)word[letters]))
		letters++;
	return word[letters] == '?' && is_idle(word, letters) ? letters : len;
}

/* The words that count, one blank between them; to be freed. */
static char *essence_of(const char *name)
{
	char *essence = hl_alloc(strlen(name) + 1);
	size_t used = 0;

	while (*name) {
		size_t len = word_len(name);

		if (len && !is_idle(name, len)) {
			if (used)
				essence[used++] = ' ';
			memcpy(essence + used, name, len);
			used += len;
		}
		name += len;
		name += *name != '\0';
	}
	essence[used] = '\0';
	return essence;
}

/* "WD40EFRX" of "WD40EFRX-68N32N0"; both letters and digits make it a part number. */
static bool is_without_revision(const char *written, const char *model)
{
	size_t len = strlen(written);

	return len >= LEAST_BASE && !strchr(written, '-') && !strchr(written, ' ') &&
	       strpbrk(written, "0123456789") && !strncasecmp(written, model, len) &&
	       model[len] == '-';
}

bool hl_model_name_is(const char *written, const char *model)
{
	HL_FREE char *wanted = essence_of(written);
	HL_FREE char *own = essence_of(model);

	if (!*wanted) /* a maker alone */
		return !strcasecmp(written, model);
	return !strcasecmp(wanted, own) || is_without_revision(wanted, own);
}

bool hl_model_name_fits(const char *pattern, const char *model)
{
	HL_FREE char *wanted = essence_of(pattern);
	HL_FREE char *own = essence_of(model);

	/* as it is written, for a maker's word in the middle is no gap: "PC?SN730?NVMe?WDC*" */
	if (fnmatch(pattern, model, FNM_CASEFOLD) == 0)
		return true;
	return *wanted && *own && fnmatch(wanted, own, FNM_CASEFOLD) == 0;
}
