/*
 * Bringing the rows of a factor side by side.
 */
#include "config.h"

#include "op/product.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"

enum sw_status sw__factor_copy_rows(struct sw__factor *factor, void **ret_memory)
{
    const int64_t n = factor->free.cursor.size, k = factor->shared.cursor.size;
    const size_t bytes = factor->shared.bytes;
    int64_t size;

    if (!sw__mul_fits(n, k, &size) || !sw__mul_fits(size, (int64_t)bytes, &size))
        return sw_error_set(SW_MEMORY_ERROR, "a factor of %lld by %lld elements is too large to be copied",
                            (long long)n, (long long)k);
    unsigned char *memory = sw__alloc_aligned(64, (size_t)size);
    if (memory == NULL)
        return SW_MEMORY_ERROR;
    for (int64_t i = 0; i < n; i++) {
        unsigned char *to = memory + (size_t)(i * k) * bytes;
        const void *row = sw__factor_row(factor, i, to);
        if (row != to)
            memcpy(to, row, (size_t)k * bytes);
    }
    *ret_memory = memory;
    return SW_OK;
}
