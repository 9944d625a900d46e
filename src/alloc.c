/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that never runs out quietly, cleanup handlers, and the arena: a chain of blocks, each
 * filled from the front. A request larger than a block gets a block of its own.
 */
#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_SIZE                                                                                 \
	(4 * 1024) /* most arenas hold little; each next block is four times as large              \
		    */
#define BLOCK_SIZE (64 * 1024)
#define ALIGNMENT  16

struct block {
	struct block *next;
	size_t size, used;
	char data[] __attribute__((aligned(ALIGNMENT)));
};

struct adopted {
	struct adopted *next;
	void *object;
	void (*free_object)(void *object);
};

struct hl_arena {
	struct block *blocks;    /* the one being filled first */
	struct adopted *adopted; /* they live in the blocks */
};

static void out_of_memory(void)
{
	fputs("hoploss: out of memory\n", stderr);
	exit(HL_EXIT_UNABLE);
}

void *hl_alloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		out_of_memory();
	return memory;
}

void *hl_grow(void *old, size_t nr, size_t item_size)
{
	void *memory = reallocarray(old, nr ? nr : 1, item_size);

	if (!memory)
		out_of_memory();
	return memory;
}

char *hl_strdup(const char *text)
{
	return hl_strndup(text, strlen(text));
}

char *hl_strndup(const char *text, size_t len)
{
	char *copy = hl_alloc(len + 1);

	memcpy(copy, text, len);
	return copy;
}

char *hl_printf(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		out_of_memory();
	return text;
}

void hl_free_pointer(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

void hl_close_file(void *pointer_to_file)
{
	FILE *file = *(FILE **)pointer_to_file;

	if (file)
		fclose(file);
}

void hl_close_fd(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

struct hl_arena *hl_arena_new(void)
{
	return hl_alloc(sizeof(struct hl_arena));
}

void hl_arena_free(struct hl_arena *arena)
{
	struct block *block = arena ? arena->blocks : NULL;

	for (struct adopted *a = arena ? arena->adopted : NULL; a; a = a->next)
		a->free_object(a->object);
	while (block) {
		struct block *next = block->next;

		free(block);
		block = next;
	}
	free(arena);
}

static struct block *block_new(const struct block *last, size_t at_least)
{
	size_t size = last ? last->size * 4 : FIRST_SIZE;
	struct block *block;

	if (size > BLOCK_SIZE)
		size = BLOCK_SIZE;
	if (size < at_least)
		size = at_least;
	block = hl_alloc(sizeof(*block) + size);

	block->size = size;
	return block;
}

void *hl_arena_alloc(struct hl_arena *arena, size_t size)
{
	struct block *block = arena->blocks;
	void *memory;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (!block || block->size - block->used < size) {
		block = block_new(block, size);
		/* keep filling the old one when the new one is for this request alone */
		if (arena->blocks && size > BLOCK_SIZE / 4) {
			block->next = arena->blocks->next;
			arena->blocks->next = block;
		} else {
			block->next = arena->blocks;
			arena->blocks = block;
		}
	}
	memory = block->data + block->used;
	block->used += size;
	return memory;
}

void hl_arena_adopt(struct hl_arena *arena, void *object, void (*free_object)(void *object))
{
	struct adopted *adopted = hl_arena_alloc(arena, sizeof(*adopted));

	*adopted = (struct adopted){ arena->adopted, object, free_object };
	arena->adopted = adopted;
}

char *hl_arena_strndup(struct hl_arena *arena, const char *text, size_t len)
{
	char *copy = hl_arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	return copy;
}

char *hl_arena_strdup(struct hl_arena *arena, const char *text)
{
	return text ? hl_arena_strndup(arena, text, strlen(text)) : NULL;
}

char *hl_arena_vprintf(struct hl_arena *arena, const char *format, va_list args)
{
	HL_FREE char *text = NULL;
	int len = vasprintf(&text, format, args);

	if (len < 0)
		out_of_memory();
	return hl_arena_strndup(arena, text, (size_t)len);
}

char *hl_arena_printf(struct hl_arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = hl_arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

void *hl_arena_extend(struct hl_arena *arena, void *array, size_t nr, size_t item_size)
{
	bool is_full = (nr & (nr - 1)) == 0; /* 0, 1, 2, 4, 8 … */
	void *larger;

	if (!is_full)
		return array;
	larger = hl_arena_alloc(arena, (nr ? nr * 2 : 1) * item_size);
	if (nr)
		memcpy(larger, array, nr * item_size);
	return larger;
}
