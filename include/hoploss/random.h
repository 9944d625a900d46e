/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers that look random and follow from a seed: what was read where can be told again, and data
 * that no drive compresses. Not for secrets.
 *
 * Source: S. Vigna, splitmix64; one state word, equidistributed, a few instructions.
 */
#ifndef HOPLOSS_RANDOM_H
#define HOPLOSS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#define HL_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t hl_random_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint64_t hl_random_next(uint64_t *state)
{
	return hl_random_mix(*state += HL_RANDOM_STEP);
}

static inline void hl_random_fill(uint64_t *words, size_t nr, uint64_t *state)
{
	for (size_t i = 0; i < nr; i++)
		words[i] = hl_random_next(state);
}

#endif
