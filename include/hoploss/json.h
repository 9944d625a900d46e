/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON: reading (jansson behind src/json.c, the only file that includes it) and streaming writing.
 */
#ifndef HOPLOSS_JSON_H
#define HOPLOSS_JSON_H

#include "hoploss/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A parsed value; valid until the document it belongs to is freed. NULL stands for "not there". */
struct hl_json;

/*
 * Parses the first JSON value in bytes; what follows it is left alone. ret_used (may be NULL): the
 * bytes eaten. On error err names the line within bytes. Free with hl_json_free.
 * -EBADMSG: not JSON or cut short.
 */
int hl_json_parse(const char *bytes, size_t len, struct hl_json **ret_json, size_t *ret_used,
		  struct hl_error *err);
void hl_json_free(struct hl_json *root); /* only the root that hl_json_parse gave; NULL allowed */
__attribute__((unused)) static inline void hl_json_cleanup(struct hl_json **root)
{
	hl_json_free(*root);
}
#define HL_JSON __attribute__((cleanup(hl_json_cleanup)))

/* All accept NULL and a value of another kind, and then say "not there". */
const struct hl_json *hl_json_get(const struct hl_json *object, const char *key);
const struct hl_json *hl_json_path(const struct hl_json *object, const char *dotted); /* "a.b.c" */
size_t hl_json_length(const struct hl_json *array);
const struct hl_json *hl_json_at(const struct hl_json *array, size_t index);
const char *hl_json_string(const struct hl_json *value); /* NULL if no string */
double hl_json_number(const struct hl_json *value);      /* NAN if no number */
double hl_json_number_like(const struct hl_json *value); /* takes "123" and "123 units" too */
int hl_json_boolean(const struct hl_json *value);        /* 0, 1, or -1 if no boolean */
bool hl_json_is_object(const struct hl_json *value);
bool hl_json_is_array(const struct hl_json *value);

/* Members in their order in the text: starts with *iter = NULL; false at the end. */
bool hl_json_next(const struct hl_json *object, void **iter, const char **ret_key,
		  const struct hl_json **ret_value);

/*
 * The writer owns commas, nesting and escaping. key is NULL inside arrays. Numbers print with the
 * fewest digits that read back the same; NAN and infinities are left out, key and all ("unknown is
 * absent"); so is a NULL string. Invalid UTF-8 is replaced by U+FFFD. Output is indented by one tab
 * a level and ends with a newline at the last close.
 */
struct hl_json_out;

struct hl_json_out *hl_json_out_new(FILE *file);
/* The same on one line, without blanks and without a newline at the end: for JSON lines. */
struct hl_json_out *hl_json_out_new_line(FILE *file);
int hl_json_out_free(struct hl_json_out *out); /* -EIO if a write failed; asserts all closed */
void hl_json_object(struct hl_json_out *out, const char *key);
void hl_json_array(struct hl_json_out *out, const char *key);
void hl_json_close(struct hl_json_out *out); /* the innermost object or array */
void hl_json_put_string(struct hl_json_out *out, const char *key, const char *value);
void hl_json_put_number(struct hl_json_out *out, const char *key, double value);
void hl_json_put_boolean(struct hl_json_out *out, const char *key, bool value);

#endif
