/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading JSON with jansson, which only this file includes.
 *
 * Surprising: tools print JSON that is none. fio prints nan and inf as they are, raw bytes of file
 * names and, on Windows, single backslashes; a mailer breaks strings. So what is refused is read a
 * second time through a filter that mends these as the bytes go by.
 *
 * Integers are read as doubles: fio prints 18446744073709551615 for "no minimum yet".
 */
#include "hoploss/json.h"
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include "hoploss/text.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>

#define FLAGS (JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL)

/* ---- the filter that mends ---- */

struct mender {
	const char *at, *end;
	bool is_in_string;
};

/* The most that one step of the filter puts out. */
#define STEP_MAX 4

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '+' || c == '.' || c == '#';
}

/* Length of a word that stands for no number: "-nan", "inf", "1.#IND". 0 = none. */
static size_t no_number_len(const char *text, const char *end)
{
	const char *at = text + (*text == '-');

	if (end - at < 3 || (strncasecmp(at, "nan", 3) != 0 && strncasecmp(at, "inf", 3) != 0 &&
			     strncmp(at, "1.#", 3) != 0))
		return 0;
	while (at < end && is_word_char(*at))
		at++;
	return (size_t)(at - text);
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* An escape of JSON: the backslash and what must follow it. */
static bool is_escape(const char *text, const char *end)
{
	if (end - text < 2 || !text[1] || !strchr("\"\\/bfnrtu", text[1]))
		return false;
	if (text[1] != 'u')
		return true;
	return end - text >= 6 && is_hex(text[2]) && is_hex(text[3]) && is_hex(text[4]) &&
	       is_hex(text[5]);
}

static size_t put(char *out, const char *what, size_t len)
{
	memcpy(out, what, len);
	return len;
}

static size_t mend_in_string(struct mender *mender, char *out)
{
	const char *at = mender->at;
	size_t len = hl_text_utf8(at, (size_t)(mender->end - at));

	mender->at += len ? len : 1;
	if (!len)
		return put(out, "\ufffd", 3);
	if (*at == '"')
		mender->is_in_string = false;
	if (*at == '\\' && is_escape(at, mender->end)) {
		mender->at++;
		return put(out, at, 2);
	}
	if (*at == '\\')
		return put(out, "\\\\", 2);
	return put(out, (unsigned char)*at < 0x20 ? " " : at, len);
}

/* Takes a bit of the source, puts its mended form out and returns the bytes put. */
static size_t mend(struct mender *mender, char *out)
{
	size_t len;
	char c;

	if (mender->is_in_string)
		return mend_in_string(mender, out);
	len = no_number_len(mender->at, mender->end);
	if (len) {
		mender->at += len;
		return put(out, "null", 4);
	}
	c = *mender->at++;
	mender->is_in_string = c == '"';
	return put(out, c ? &c : " ", 1);
}

static size_t mend_callback(void *buffer, size_t size, void *data)
{
	struct mender *mender = data;
	size_t used = 0;

	while (mender->at < mender->end && size - used >= STEP_MAX)
		used += mend(mender, (char *)buffer + used);
	return used;
}

/* Where in the source the byte at position of the mended text comes from. */
static size_t source_position(const char *bytes, size_t len, size_t position)
{
	struct mender mender = { .at = bytes, .end = bytes + len };
	char out[STEP_MAX];
	size_t used = 0;

	while (used < position && mender.at < mender.end)
		used += mend(&mender, out);
	return (size_t)(mender.at - bytes);
}

/* ---- parsing ---- */

static size_t line_at(const char *bytes, size_t position)
{
	size_t line = 1;

	for (size_t i = 0; i < position; i++)
		line += bytes[i] == '\n';
	return line;
}

static int fail_at(struct hl_error *err, const json_error_t *error, size_t line)
{
	switch (json_error_code(error)) {
	case json_error_premature_end_of_input:
		return hl_fail(err, EBADMSG, "line %zu: the JSON is cut short", line);
	case json_error_out_of_memory:
		return hl_fail(err, ENOMEM, "line %zu: no memory for the JSON", line);
	default:
		return hl_fail(err, EBADMSG, "line %zu: not JSON: %s", line, error->text);
	}
}

/* Of what was refused all that did not just end too early; jansson also skips some NUL bytes. */
static bool is_to_be_mended(const json_t *root, const char *bytes, const json_error_t *error)
{
	if (root)
		return memchr(bytes, '\0', (size_t)error->position);
	return json_error_code(error) != json_error_premature_end_of_input;
}

int hl_json_parse(const char *bytes, size_t len, struct hl_json **ret_json, size_t *ret_used,
		  struct hl_error *err)
{
	struct mender mender;
	json_error_t error;
	size_t position;
	json_t *root;

	if (len > INT_MAX) /* jansson's positions are ints */
		len = INT_MAX;
	root = json_loadb(bytes, len, FLAGS, &error);
	position = (size_t)error.position;
	if (is_to_be_mended(root, bytes, &error)) {
		json_decref(root);
		mender = (struct mender){ .at = bytes, .end = bytes + len };
		root = json_load_callback(mend_callback, &mender, FLAGS, &error);
		position = source_position(bytes, len, (size_t)error.position);
	}
	if (!root)
		return fail_at(err, &error, line_at(bytes, position < len ? position : len));
	*ret_json = (struct hl_json *)root;
	if (ret_used)
		*ret_used = position;
	return 0;
}

void hl_json_free(struct hl_json *root)
{
	json_decref((json_t *)root);
}

/* ---- access ---- */

static const json_t *as_jansson(const struct hl_json *value)
{
	return (const json_t *)value;
}

const struct hl_json *hl_json_get(const struct hl_json *object, const char *key)
{
	return (const struct hl_json *)json_object_get(as_jansson(object), key);
}

const struct hl_json *hl_json_path(const struct hl_json *object, const char *dotted)
{
	while (object) {
		size_t len = strcspn(dotted, ".");
		HL_FREE char *key = hl_strndup(dotted, len);

		object = hl_json_get(object, key);
		if (!dotted[len])
			break;
		dotted += len + 1;
	}
	return object;
}

size_t hl_json_length(const struct hl_json *array)
{
	return json_array_size(as_jansson(array));
}

const struct hl_json *hl_json_at(const struct hl_json *array, size_t index)
{
	return (const struct hl_json *)json_array_get(as_jansson(array), index);
}

const char *hl_json_string(const struct hl_json *value)
{
	return json_string_value(as_jansson(value));
}

double hl_json_number(const struct hl_json *value)
{
	return json_is_number(as_jansson(value)) ? json_number_value(as_jansson(value)) : NAN;
}

/* "310", "12.5 C", "3%", "0x04": what tools put in quotes. */
static double leading_number(const char *text)
{
	size_t len = strcspn(text, " \t%");
	uint64_t hex;
	double value;

	if (hl_number_double(text, len, &value) == 0)
		return value;
	if (len > 2 && text[1] == 'x' && hl_number_hex(text, len, &hex) == 0)
		return (double)hex;
	return NAN;
}

double hl_json_number_like(const struct hl_json *value)
{
	const char *text = hl_json_string(value);

	return text ? leading_number(text) : hl_json_number(value);
}

int hl_json_boolean(const struct hl_json *value)
{
	return json_is_boolean(as_jansson(value)) ? json_is_true(as_jansson(value)) : -1;
}

bool hl_json_is_object(const struct hl_json *value)
{
	return json_is_object(as_jansson(value));
}

bool hl_json_is_array(const struct hl_json *value)
{
	return json_is_array(as_jansson(value));
}

bool hl_json_next(const struct hl_json *object, void **iter, const char **ret_key,
		  const struct hl_json **ret_value)
{
	json_t *json = (json_t *)object; /* jansson's iterator has no const form */

	*iter = *iter ? json_object_iter_next(json, *iter) : json_object_iter(json);
	if (!*iter)
		return false;
	*ret_key = json_object_iter_key(*iter);
	*ret_value = (const struct hl_json *)json_object_iter_value(*iter);
	return true;
}
