/*
 * Kernels of the sort family: two ways to put words into ascending order. The
 * words of a fibre differ, because their low halves are ordinals.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "op/op.h"

/* ---- By comparisons ------------------------------------------------------------------ */

static int compare_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void order_by_comparison(uint64_t *words, uint64_t *room, size_t n)
{
    (void)room;
    qsort(words, n, sizeof *words, compare_words);
}

/* ---- By digits of the high half -------------------------------------------------------- */

#define DIGIT_BITS 8
#define N_DIGITS 4
#define N_VALUES (1 << DIGIT_BITS)

/* Up to here inserting each word is faster. */
#define FEW 48

static void insert_each(uint64_t *words, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t word = words[i];
        size_t at = i;
        for (; at > 0 && words[at - 1] > word; at--)
            words[at] = words[at - 1];
        words[at] = word;
    }
}

static unsigned digit_of(uint64_t word, unsigned digit)
{
    return (unsigned)(word >> (32 + digit * DIGIT_BITS)) % N_VALUES;
}

/* From how often each value stands there to where its words begin. */
static void accumulate(size_t *counts)
{
    size_t sum = 0;

    for (unsigned value = 0; value < N_VALUES; value++) {
        const size_t count = counts[value];
        counts[value] = sum;
        sum += count;
    }
}

/* Words come with ascending ordinals and every pass keeps the order of equals. An even number of passes. */
static void order_by_digits(uint64_t *words, uint64_t *room, size_t n)
{
    size_t counts[N_DIGITS][N_VALUES];

    if (n <= FEW) {
        insert_each(words, n);
        return;
    }
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < n; i++)
        for (unsigned digit = 0; digit < N_DIGITS; digit++)
            counts[digit][digit_of(words[i], digit)]++;
    for (unsigned digit = 0; digit < N_DIGITS; digit++) {
        accumulate(counts[digit]);
        for (size_t i = 0; i < n; i++)
            room[counts[digit][digit_of(words[i], digit)]++] = words[i];
        uint64_t *sorted = room;
        room = words;
        words = sorted;
    }
}

#define SORT_KERNELS(name, takes_count, gives_ordinals)                                                   \
    const struct sw__sort_kernel sw__kernel_##name##_reference = { order_by_comparison, takes_count,      \
                                                                   gives_ordinals };                      \
    const struct sw__sort_kernel sw__kernel_##name##_fast = { order_by_digits, takes_count, gives_ordinals };

SORT_KERNELS(sort_values, 0, 0)
SORT_KERNELS(sort_indices, 0, 1)
SORT_KERNELS(topk_values, 1, 0)
SORT_KERNELS(topk_indices, 1, 1)
