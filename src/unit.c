/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units: reading what fio, iperf3, tc and people write, and printing for people.
 *
 * Surprising: fio 2.x prints "KB/s" and means KiB/s; fio 3.x prints "kB/s" (small k) for 1,000.
 * So a small k before a B is always 1,000, and the caller says what the capitals are. A small b is
 * a bit in a rate and a byte in a size. "mb/s" could be either, and is refused.
 */
#include "hoploss/unit.h"
#include "hoploss/number.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- readers ---- */

struct scan {
	const char *at, *end;
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool eat(struct scan *scan, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(scan->end - scan->at) < len || memcmp(scan->at, word, len) != 0)
		return false;
	scan->at += len;
	return true;
}

static bool eat_any_case(struct scan *scan, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(scan->end - scan->at) < len)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (lower(scan->at[i]) != word[i])
			return false;
	}
	scan->at += len;
	return true;
}

static bool is_done(const struct scan *scan)
{
	return scan->at == scan->end;
}

/* "12.5" and the blanks after it, which must not be the last thing. */
static bool eat_number(struct scan *scan, double *ret_value)
{
	const char *start = scan->at;
	size_t len;

	while (scan->at < scan->end && ((*scan->at >= '0' && *scan->at <= '9') || *scan->at == '.'))
		scan->at++;
	len = (size_t)(scan->at - start);
	if (hl_number_double(start, len, ret_value) < 0)
		return false;
	while (scan->at < scan->end && *scan->at == ' ')
		scan->at++;
	return scan->at < scan->end || scan->at == start + len;
}

/* A prefix as it was written; power 0 = none. */
struct prefix {
	int power;
	char letter;
	bool is_binary; /* "Ki" */
};

static struct prefix eat_prefix(struct scan *scan)
{
	static const char letters[] = "kmgtpe";
	struct prefix prefix = { 0 };
	const char *found;

	if (is_done(scan))
		return prefix;
	found = strchr(letters, lower(*scan->at));
	if (!found || !*found)
		return prefix;
	prefix.power = (int)(found - letters) + 1;
	prefix.letter = *scan->at++;
	prefix.is_binary = eat(scan, "i");
	return prefix;
}

static double prefix_factor(struct prefix prefix, double kilo)
{
	return pow(prefix.is_binary ? 1024 : kilo, prefix.power);
}

static int give(double value, double *ret_value)
{
	if (!isfinite(value))
		return -EINVAL;
	*ret_value = value;
	return 0;
}

/* Names of units, the longer before those that they start with. */
static const struct {
	const char *name;
	bool is_bit;
	bool any_case;
} rate_units[] = {
	{ "bits", true, true },  { "bit", true, true }, { "bytes", false, true },
	{ "byte", false, true }, { "B", false, false }, { "b", true, false },
};

/* "/s", "/S", "/sec", "ps" and, after "bit" as tc prints it, nothing. */
static bool eat_per_second(struct scan *scan, bool may_be_left_out)
{
	if (is_done(scan))
		return may_be_left_out;
	if (!eat(scan, "/"))
		return eat(scan, "ps") && is_done(scan);
	return eat_any_case(scan, "s") && (is_done(scan) || eat_any_case(scan, "ec")) &&
	       is_done(scan);
}

int hl_unit_read_rate(const char *text, size_t len, double old_kilo, double *ret_bytes_per_s)
{
	struct scan scan = { text, text + len };
	struct prefix prefix;
	double number;
	double kilo;

	if (!eat_number(&scan, &number))
		return -EINVAL;
	prefix = eat_prefix(&scan);
	for (size_t i = 0; i < sizeof(rate_units) / sizeof(*rate_units); i++) {
		const char *name = rate_units[i].name;
		bool is_word = name[1] != '\0';

		if (!(rate_units[i].any_case ? eat_any_case(&scan, name) : eat(&scan, name)))
			continue;
		if (!eat_per_second(&scan, is_word && rate_units[i].is_bit))
			return -EINVAL;
		/* "mb/s": who writes a small m did not mind the case of the b either */
		if (!strcmp(name, "b") && prefix.power > 1 && prefix.letter >= 'a')
			return -EINVAL;
		kilo = prefix.letter == 'k' ? 1000 : old_kilo;
		number *= prefix_factor(prefix, kilo) / (rate_units[i].is_bit ? 8 : 1);
		return give(number, ret_bytes_per_s);
	}
	return -EINVAL;
}

int hl_unit_read_size(const char *text, size_t len, double old_kilo, double *ret_bytes)
{
	struct scan scan = { text, text + len };
	struct prefix prefix;
	bool is_decimal;
	double number;

	if (!eat_number(&scan, &number))
		return -EINVAL;
	prefix = eat_prefix(&scan);
	is_decimal = prefix.letter == 'k' && !is_done(&scan) && *scan.at == 'B';
	if (!eat_any_case(&scan, "bytes") && !eat_any_case(&scan, "byte"))
		eat_any_case(&scan, "b");
	if (!is_done(&scan))
		return -EINVAL;
	return give(number * prefix_factor(prefix, is_decimal ? 1000 : old_kilo), ret_bytes);
}

int hl_unit_read_count(const char *text, size_t len, double *ret_count)
{
	struct scan scan = { text, text + len };
	struct prefix prefix;
	double number;

	if (!eat_number(&scan, &number))
		return -EINVAL;
	prefix = eat_prefix(&scan);
	if (!is_done(&scan) || prefix.is_binary || (prefix.power > 1 && prefix.letter >= 'a'))
		return -EINVAL;
	return give(number * prefix_factor(prefix, 1000), ret_count);
}

static const struct {
	const char *name;
	double ns;
} time_units[] = {
	{ "d", 86400e9 },   { "h", 3600e9 },    { "min", 60e9 }, { "m", 60e9 },   { "sec", 1e9 },
	{ "s", 1e9 },       { "msec", 1e6 },    { "ms", 1e6 },   { "usec", 1e3 }, { "us", 1e3 },
	{ "\u00b5s", 1e3 }, { "\u03bcs", 1e3 }, { "nsec", 1 },   { "ns", 1 },
};

/* The unit is all letters up to the next digit or blank. 0 = no such unit. */
static double eat_time_unit(struct scan *scan)
{
	const char *start = scan->at;
	size_t len;

	while (scan->at < scan->end && (is_letter(*scan->at) || (*scan->at & 0x80)))
		scan->at++;
	len = (size_t)(scan->at - start);
	for (size_t i = 0; i < sizeof(time_units) / sizeof(*time_units); i++) {
		if (strlen(time_units[i].name) == len && !memcmp(time_units[i].name, start, len))
			return time_units[i].ns;
	}
	return 0;
}

int hl_unit_read_time(const char *text, size_t len, double *ret_ns)
{
	struct scan scan = { text, text + len };
	double last_unit = INFINITY;
	double sum = 0;

	do {
		double number;
		double unit;

		if (!eat_number(&scan, &number))
			return -EINVAL;
		unit = eat_time_unit(&scan);
		if (!unit || unit >= last_unit)
			return -EINVAL;
		sum += number * unit;
		last_unit = unit;
		if (eat(&scan, " ") && is_done(&scan))
			return -EINVAL;
	} while (!is_done(&scan));
	return give(sum, ret_ns);
}

/* ---- printers ---- */

/* A unit is used from this value on: where rounding would show the smaller one's limit. */
struct step {
	double from, factor;
	const char *name;
};

#define NR(steps) (sizeof(steps) / sizeof(*(steps)))

/* MiB/s up to 9,999, so that the hops of one path are shown in one unit. */
static const struct step rate_steps[] = {
	{ 0, 1, "B/s" },
	{ 1023.5, HL_KIB, "KiB/s" },
	{ 0.9995 * HL_MIB, HL_MIB, "MiB/s" },
	{ 9999.5 * HL_MIB, HL_GIB, "GiB/s" },
	{ 9999.5 * HL_GIB, HL_GIB * 1024, "TiB/s" },
};

static const struct step decimal_rate_steps[NR(rate_steps)] = {
	{ 0, 1, "B/s" },    { 0, 1e3, "kB/s" },  { 0, 1e6, "MB/s" },
	{ 0, 1e9, "GB/s" }, { 0, 1e12, "TB/s" },
};

static const struct step time_steps[] = {
	{ 0, 1, "ns" },
	{ 999.5, 1e3, "us" },
	{ 999.5e3, 1e6, "ms" },
	{ 999.5e6, 1e9, "s" },
};

static const struct step size_steps[] = {
	{ 0, 1, "B" },
	{ 1023.5, HL_KIB, "KiB" },
	{ 1023.5 * HL_KIB, HL_MIB, "MiB" },
	{ 1023.5 * HL_MIB, HL_GIB, "GiB" },
	{ 1023.5 * HL_GIB, HL_GIB *HL_KIB, "TiB" },
	{ 1023.5 * HL_GIB * HL_KIB, HL_GIB *HL_MIB, "PiB" },
};

/* Sheets say 13,000 MB/s, and GB/s of a whole array only. */
static const struct step sheet_rate_steps[] = {
	{ 0, 1, "B/s" },
	{ 999.5, 1e3, "kB/s" },
	{ 999.5e3, 1e6, "MB/s" },
	{ 99999.5e6, 1e9, "GB/s" },
};

static const struct step sheet_size_steps[] = {
	{ 0, 1, "B" },          { 999.5, 1e3, "kB" },    { 999.5e3, 1e6, "MB" },
	{ 999.5e6, 1e9, "GB" }, { 999.5e9, 1e12, "TB" }, { 999.5e12, 1e15, "PB" },
};

static const struct step count_steps[] = {
	{ 0, 1, "" },          { 9999.5, 1e3, "k" },   { 999.5e3, 1e6, "M" },
	{ 999.5e6, 1e9, "G" }, { 999.5e9, 1e12, "T" },
};

static const struct step *choose_step(const struct step *steps, size_t nr, double value)
{
	const struct step *step = steps;

	for (size_t i = 0; i < nr; i++) {
		if (fabs(value) >= steps[i].from)
			step = &steps[i];
	}
	return step;
}

static int decimals_of(double value)
{
	double size = fabs(value);

	if (size >= 99.95 || size == 0)
		return 0;
	return size >= 9.995 ? 1 : 2;
}

/* Whole numbers without a fraction where no prefix scales them: "35 ns", but "1.20 s". */
static void print_digits(char *text, double value, bool is_scaled)
{
	double size = fabs(value);

	if (size >= 1e6 || (size < 0.01 && size > 0))
		snprintf(text, HL_UNIT_TEXT, "%.3g", value);
	else if (!is_scaled && value == floor(value))
		snprintf(text, HL_UNIT_TEXT, "%.0f", value);
	else
		snprintf(text, HL_UNIT_TEXT, "%.*f", decimals_of(value), value);
}

static void trim_zeros(char *text)
{
	char *end = text + strlen(text);

	if (!strchr(text, '.') || strchr(text, 'e'))
		return;
	while (end[-1] == '0')
		end--;
	if (end[-1] == '.')
		end--;
	*end = '\0';
}

static void append(char *text, const char *what)
{
	size_t len = strlen(text);

	snprintf(text + len, HL_UNIT_TEXT - len, "%s", what);
}

static char *print_not_measured(char *text)
{
	snprintf(text, HL_UNIT_TEXT, "not measured");
	return text;
}

static char *print_step(char *text, double value, const struct step *step, const char *blank)
{
	print_digits(text, value / step->factor, step->factor != 1);
	append(text, blank);
	append(text, step->name);
	return text;
}

static char *print(char *text, double value, const struct step *steps, size_t nr)
{
	if (!isfinite(value))
		return print_not_measured(text);
	return print_step(text, value, choose_step(steps, nr, value), " ");
}

char *hl_unit_rate(char *text, double bytes_per_s)
{
	return print(text, bytes_per_s, rate_steps, NR(rate_steps));
}

char *hl_unit_rate_both(char *text, double bytes_per_s)
{
	const struct step *step = choose_step(rate_steps, NR(rate_steps), bytes_per_s);
	char decimal[HL_UNIT_TEXT];

	hl_unit_rate(text, bytes_per_s);
	if (!isfinite(bytes_per_s) || step == rate_steps)
		return text;
	print_step(decimal, bytes_per_s, &decimal_rate_steps[step - rate_steps], " ");
	append(text, " (");
	append(text, decimal);
	append(text, ")");
	return text;
}

char *hl_unit_time(char *text, double ns)
{
	return print(text, ns, time_steps, NR(time_steps));
}

char *hl_unit_size(char *text, double bytes)
{
	const struct step *step = choose_step(size_steps, NR(size_steps), bytes);

	if (!isfinite(bytes))
		return print_not_measured(text);
	print_digits(text, bytes / step->factor, true);
	trim_zeros(text);
	append(text, " ");
	append(text, step->name);
	return text;
}

char *hl_unit_rate_sheet(char *text, double bytes_per_s)
{
	char binary[HL_UNIT_TEXT];

	print(text, bytes_per_s, sheet_rate_steps, NR(sheet_rate_steps));
	if (!isfinite(bytes_per_s) || fabs(bytes_per_s) < sheet_rate_steps[1].from)
		return text;
	append(text, " (");
	append(text, hl_unit_rate(binary, bytes_per_s));
	append(text, ")");
	return text;
}

char *hl_unit_size_sheet(char *text, double bytes)
{
	return print(text, bytes, sheet_size_steps, NR(sheet_size_steps));
}

char *hl_unit_count(char *text, double count)
{
	if (!isfinite(count))
		return print_not_measured(text);
	return print_step(text, count, choose_step(count_steps, NR(count_steps), count), "");
}

char *hl_unit_percent(char *text, double percent)
{
	double size = fabs(percent);
	int decimals = size >= 99.95 || size == 0 ? 0 : size < 0.1 ? 2 : 1;

	if (!isfinite(percent))
		return print_not_measured(text);
	if (size >= 1e6)
		snprintf(text, HL_UNIT_TEXT, "%.3g %%", percent);
	else
		snprintf(text, HL_UNIT_TEXT, "%.*f %%", decimals, percent);
	return text;
}
