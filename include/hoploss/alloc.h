/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that belongs to a scope, and the arena that belongs to a graph.
 *
 * Out of memory prints one line and exits 3: no caller checks for NULL.
 */
#ifndef HOPLOSS_ALLOC_H
#define HOPLOSS_ALLOC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

void *hl_alloc(size_t size);                           /* zeroed */
void *hl_grow(void *old, size_t nr, size_t item_size); /* realloc of nr items, overflow-checked */
char *hl_strdup(const char *text);
char *hl_strndup(const char *text, size_t len);
char *hl_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Cleanup attributes: declare "HL_FREE char *name = NULL;". */
void hl_free_pointer(void *pointer_to_pointer);
void hl_close_file(void *pointer_to_file); /* FILE **, NULL allowed */
void hl_close_fd(const int *fd);           /* negative allowed */
#define HL_FREE   __attribute__((cleanup(hl_free_pointer)))
#define HL_FCLOSE __attribute__((cleanup(hl_close_file)))
#define HL_CLOSE  __attribute__((cleanup(hl_close_fd)))

/* An arena: many small objects, freed all at once. Everything in it is zeroed and aligned. */
struct hl_arena;

struct hl_arena *hl_arena_new(void);
void hl_arena_free(struct hl_arena *arena); /* NULL allowed */
void *hl_arena_alloc(struct hl_arena *arena, size_t size);
char *hl_arena_strdup(struct hl_arena *arena, const char *text); /* NULL gives NULL */
char *hl_arena_strndup(struct hl_arena *arena, const char *text, size_t len);
char *hl_arena_printf(struct hl_arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *hl_arena_vprintf(struct hl_arena *arena, const char *format, va_list args);
/* Gives the arena something to free with itself by free_object(object); last given, first freed. */
void hl_arena_adopt(struct hl_arena *arena, void *object, void (*free_object)(void *object));
/*
 * Makes room for one more item behind nr items of an array that lives in the arena; doubles it at
 * powers of two. Returns the array, moved or not. Start with NULL and 0.
 */
void *hl_arena_extend(struct hl_arena *arena, void *array, size_t nr, size_t item_size);

#endif
