/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both directions of a record's way over the line: see record_line.h.
 */
#include "record_line.h"
#include "hoploss/base64.h"
#include "hoploss/text.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const char *const kinds[] = {
	[HL_RECORD_FILE] = "file",
	[HL_RECORD_LINK] = "link",
	[HL_RECORD_LISTING] = "listing",
	[HL_RECORD_KEPT] = "kept",
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

static bool is_text(const char *bytes, size_t len)
{
	while (len) {
		size_t n = *bytes ? hl_text_utf8(bytes, len) : 0;

		if (!n)
			return false;
		bytes += n;
		len -= n;
	}
	return true;
}

static void put_bytes(struct hl_json_out *out, const char *bytes, size_t len)
{
	bool is_plain = is_text(bytes, len);
	HL_FREE char *text = is_plain ? hl_strndup(bytes, len) : hl_base64_encode(bytes, len);

	hl_json_put_string(out, is_plain ? "text" : "base64", text);
}

void record_line_put(struct hl_json_out *out, const struct hl_record *record)
{
	hl_json_object(out, "record");
	hl_json_put_string(out, "kind", kinds[record->kind]);
	hl_json_put_string(out, "path", record->path);
	hl_json_put_string(out, "node", record->node);
	put_bytes(out, record->bytes, record->len);
	hl_json_close(out);
}

static int read_kind(const char *name, enum hl_record_kind *ret_kind)
{
	for (size_t i = 0; name && i < NR_KINDS; i++) {
		if (!strcmp(kinds[i], name)) {
			*ret_kind = i;
			return 0;
		}
	}
	return -EBADMSG;
}

static int read_bytes(const struct hl_json *from, struct hl_arena *arena, struct hl_record *record)
{
	const char *text = hl_json_string(hl_json_get(from, "text"));
	const char *base64 = hl_json_string(hl_json_get(from, "base64"));
	HL_FREE char *bytes = NULL;
	char *copy;
	int rc;

	if (text) {
		record->bytes = hl_arena_strdup(arena, text);
		record->len = strlen(text);
		return 0;
	}
	rc = base64 ? hl_base64_decode(base64, &bytes, &record->len) : -EBADMSG;
	if (rc < 0)
		return rc;
	copy = hl_arena_alloc(arena, record->len + 1);
	memcpy(copy, bytes, record->len);
	record->bytes = copy;
	return 0;
}

int record_line_read(const struct hl_json *object, struct hl_arena *arena,
		     struct hl_record *ret_record, struct hl_error *err)
{
	const struct hl_json *from = hl_json_get(object, "record");
	const char *path = hl_json_string(hl_json_get(from, "path"));
	struct hl_record record = { .path = hl_arena_strdup(arena, path) };

	record.node = hl_arena_strdup(arena, hl_json_string(hl_json_get(from, "node")));
	if (!path || read_kind(hl_json_string(hl_json_get(from, "kind")), &record.kind) < 0 ||
	    read_bytes(from, arena, &record) < 0)
		return hl_fail(err, EBADMSG, "no right \"record\"");
	*ret_record = record;
	return 0;
}
