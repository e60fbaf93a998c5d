/*
 * Bringing the rows of a factor side by side.
 */
#include "config.h"

#include "op/product.h"

#include <string.h>

#include "base/alloc.h"

void sw__factor_clear(struct sw__factor *factor)
{
    sw__source_clear(&factor->free);
    sw__source_clear(&factor->shared);
}

void sw__product_clear(struct sw__product *product)
{
    sw__factor_clear(&product->a);
    sw__factor_clear(&product->b);
}

enum sw_status sw__factor_copy_rows(struct sw__factor *factor, void **ret_memory)
{
    const int64_t n = factor->free.cursor.size, k = factor->shared.cursor.size;
    const size_t bytes = factor->shared.bytes;
    unsigned char *memory = sw__alloc_rows(n, k, bytes);

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
