/*
 * The last resort of the question whether indices repeat: list them all, as
 * bits or as a sorted array, whichever is smaller.
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "layout/relation.h"

/* Visits every index: the coordinate counts up like an odometer. */
struct odometer {
    const struct sw__leaf *leaves;
    size_t n;
    int64_t index;
    int64_t coordinate[SW__MAX_LEAVES];
};

/* The next index; 0 returned when that was the last. */
static int advance(struct odometer *odometer)
{
    for (size_t i = 0; i < odometer->n; i++) {
        const struct sw__leaf *leaf = &odometer->leaves[i];

        if (++odometer->coordinate[i] < leaf->extent) {
            odometer->index += leaf->stride;
            return 1;
        }
        odometer->coordinate[i] = 0;
        odometer->index -= (leaf->extent - 1) * leaf->stride;
    }
    return 0;
}

static enum sw_status mark(struct odometer *odometer, int64_t cosize, int *ret_collide)
{
    uint8_t *marks SW__OWNED = sw__alloc_zero((size_t)cosize / 8 + 1);

    if (marks == NULL)
        return SW_MEMORY_ERROR;
    do {
        uint8_t bit = (uint8_t)(1u << (odometer->index % 8));

        if (marks[odometer->index / 8] & bit) {
            *ret_collide = 1;
            return SW_OK;
        }
        marks[odometer->index / 8] |= bit;
    } while (advance(odometer));
    *ret_collide = 0;
    return SW_OK;
}

static int by_value(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

static enum sw_status sort(struct odometer *odometer, int64_t size, int *ret_collide)
{
    size_t n = 0;
    int64_t *indices SW__OWNED = sw__alloc((size_t)size * sizeof indices[0]);

    if (indices == NULL)
        return SW_MEMORY_ERROR;
    do
        indices[n++] = odometer->index;
    while (advance(odometer));
    qsort(indices, n, sizeof indices[0], by_value);
    *ret_collide = 0;
    for (size_t i = 1; i < n && !*ret_collide; i++)
        *ret_collide = indices[i] == indices[i - 1];
    return SW_OK;
}

enum sw_status sw__leaves_collide_enumerated(const struct sw__leaf *leaves, size_t n, int *ret_collide)
{
    int64_t size = 1, cosize = 1;

    for (size_t i = 0; i < n; i++) {
        size *= leaves[i].extent;
        cosize += (leaves[i].extent - 1) * leaves[i].stride;
    }
    if (size > SW__ENUMERATION_BYTES / 8 && cosize / 8 >= SW__ENUMERATION_BYTES)
        return sw_error_set(SW_MEMORY_ERROR, "no memory to find out whether %lld indices below %lld repeat",
                            (long long)size, (long long)cosize);
    struct odometer odometer = { .leaves = leaves, .n = n };
    if (cosize / 64 <= size)
        return mark(&odometer, cosize, ret_collide);
    return sort(&odometer, size, ret_collide);
}
