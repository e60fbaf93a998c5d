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

/* All of @inner for each element of @outer. */
static enum sw_status copy_lines(struct sw__source *outer, struct sw__source *inner, void **ret_memory)
{
    const int64_t n_lines = outer->cursor.size, n = inner->cursor.size;
    const size_t bytes = inner->bytes;
    unsigned char *memory = sw__alloc_rows(n_lines, n, bytes);

    if (memory == NULL)
        return SW_MEMORY_ERROR;
    for (int64_t i = 0; i < n_lines; i++) {
        unsigned char *to = memory + (size_t)(i * n) * bytes;
        sw__source_aim(inner, outer, i);
        const void *line = sw__source_read(inner, (size_t)n, to);
        if (line != to)
            memcpy(to, line, (size_t)n * bytes);
    }
    *ret_memory = memory;
    return SW_OK;
}

enum sw_status sw__factor_copy_rows(struct sw__factor *factor, void **ret_memory)
{
    return copy_lines(&factor->free, &factor->shared, ret_memory);
}

enum sw_status sw__factor_copy_columns(struct sw__factor *factor, void **ret_memory)
{
    return copy_lines(&factor->shared, &factor->free, ret_memory);
}
