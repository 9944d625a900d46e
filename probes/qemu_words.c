/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of QEMU's command line: bringing JSON into the plain form, and keeping what may be kept.
 *
 * Source: qemu(1). Surprising: a source of a disk can hold a password ("rbd:…:key=…", a URL), so of
 * those only paths are kept, and of rbd the pool and the image.
 */
#include "hoploss/json.h"
#include "qemu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NESTED_MAX 8

/* ---- JSON ---- */

static void put_pair(FILE *out, const char *prefix, const char *key, const struct hl_json *value)
{
	const char *text = hl_json_string(value);
	double number = hl_json_number(value);
	int boolean = hl_json_boolean(value);

	if (text && !strpbrk(text, ",\n"))
		fprintf(out, ",%s%s=%s", prefix, key, text);
	else if (!text && number == number)
		fprintf(out, ",%s%s=%.17g", prefix, key, number);
	else if (!text && boolean >= 0)
		fprintf(out, ",%s%s=%s", prefix, key, boolean ? "on" : "off");
}

static void put_object(FILE *out, const char *prefix, const struct hl_json *object, int depth)
{
	const struct hl_json *value;
	const char *key;
	void *iter = NULL;

	while (hl_json_next(object, &iter, &key, &value)) {
		HL_FREE char *nested = hl_printf("%s%s.", prefix, key);

		if (!depth && (!strcmp(key, "driver") || !strcmp(key, "qom-type")))
			continue;
		if (strpbrk(key, ",=\n"))
			continue;
		if (!hl_json_is_object(value))
			put_pair(out, prefix, key, value);
		else if (depth < NESTED_MAX)
			put_object(out, nested, value, depth + 1);
	}
}

const char *qemu_flatten(struct hl_arena *arena, const char *value)
{
	HL_JSON struct hl_json *root = NULL;
	HL_FREE char *text = NULL;
	const char *driver;
	size_t len = 0;
	FILE *out;

	if (*value != '{' || hl_json_parse(value, strlen(value), &root, NULL, NULL) < 0)
		return value;
	driver = hl_json_string(hl_json_get(root, "driver"));
	if (!driver)
		driver = hl_json_string(hl_json_get(root, "qom-type"));
	out = open_memstream(&text, &len);
	if (!out)
		return value;
	fputs(driver && !strpbrk(driver, ",=\n") ? driver : "", out);
	put_object(out, "", root, 0);
	fclose(out);
	return hl_arena_strdup(arena, text);
}

/* ---- what may be kept ---- */

static const char *const options[] = {
	"-id",     "-name",  "-smp",    "-m",        "-machine", "-M",     "-cpu",
	"-device", "-drive", "-netdev", "-blockdev", "-object",  "-accel", NULL,
};

static const char *const keys[] = {
	"accel",    "addr",       "aio",           "bus",           "cache",      "cores",
	"cpus",     "direct",     "discard",       "drive",         "driver",     "fds",
	"filename", "format",     "guest",         "host",          "host_mtu",   "id",
	"if",       "ifname",     "image",         "iothread",      "mac",        "maxcpus",
	"media",    "mq",         "netdev",        "node-name",     "num-queues", "num_queues",
	"pool",     "queue-size", "queues",        "rx_queue_size", "serial",     "size",
	"sockets",  "threads",    "tx_queue_size", "type",          "vectors",    "vhost",
	"file",     NULL,
};

static bool is_listed(const char *word, size_t len, const char *const *list)
{
	for (; *list; list++) {
		if (strlen(*list) == len && !memcmp(word, *list, len))
			return true;
	}
	return false;
}

size_t qemu_source_length(const char *value, size_t len)
{
	const char *colon;

	if (len && *value == '/')
		return len;
	if (len < 4 || memcmp(value, "rbd:", 4) != 0)
		return 0;
	colon = memchr(value + 4, ':', len - 4);
	return colon ? (size_t)(colon - value) : len;
}

static void keep_pair(FILE *out, const char *word, size_t len, bool *is_first)
{
	const char *equals = memchr(word, '=', len), *dot, *key = word;
	size_t key_len = equals ? (size_t)(equals - word) : 0;
	size_t value_len = equals ? len - key_len - 1 : 0;

	if (equals) {
		while ((dot = memchr(key, '.', (size_t)(equals - key))))
			key = dot + 1;
		if (!is_listed(key, (size_t)(equals - key), keys))
			return;
		if (is_listed(key, (size_t)(equals - key),
			      (const char *const[]){ "file", "filename", NULL }))
			value_len = qemu_source_length(equals + 1, value_len);
		len = value_len ? key_len + 1 + value_len : 0;
	} else if (!*is_first) {
		return; /* a switch, or the rest of a value with a comma in it */
	}
	if (!len)
		return;
	fprintf(out, "%s%.*s", *is_first ? "" : ",", (int)len, word);
	*is_first = false;
}

/* 'a'\''b' */
static void put_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
	fputc('\'', out);
}

static void keep_option(FILE *out, const char *option, const char *value)
{
	struct hl_arena *arena = hl_arena_new();
	const char *flat = qemu_flatten(arena, value);
	HL_FREE char *text = NULL;
	bool is_first = true;
	size_t len = 0;
	FILE *kept = open_memstream(&text, &len);

	/* "-object secret,…" has none of the keys, but is best not named either */
	if (kept && (strcmp(option, "-object") != 0 || !strncmp(flat, "iothread", 8))) {
		while (*flat) {
			size_t nr = strcspn(flat, ",");

			keep_pair(kept, flat, nr, &is_first);
			flat += nr + (flat[nr] == ',');
		}
	}
	if (kept)
		fclose(kept);
	if (len) {
		fprintf(out, " \\\n  %s ", option);
		put_quoted(out, text);
	}
	hl_arena_free(arena);
}

bool qemu_is_emulator(const char *word)
{
	const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;

	return !strcmp(base, "kvm") || !strcmp(base, "qemu-kvm") || !strcmp(base, "qemu") ||
	       !strncmp(base, "qemu-system-", 12);
}

char *qemu_keep(const char *words, size_t len, size_t *ret_len)
{
	const char *end = words + len, *word = words, *next;
	char *text = NULL;
	FILE *out;

	if (!len || words[len - 1] || !qemu_is_emulator(words))
		return NULL;
	out = open_memstream(&text, ret_len);
	if (!out)
		return NULL;
	put_quoted(out, word);
	for (; word < end; word = next) {
		next = word + strlen(word) + 1;
		if (next >= end || !is_listed(word, strlen(word), options))
			continue;
		keep_option(out, word, next);
		next += strlen(next) + 1;
	}
	fputc('\n', out);
	fclose(out);
	return text;
}
