/*
 * The table of simple dtypes and what can be asked of one.
 */
#include "config.h"

#include "dtype/dtype.h"

struct dtype_row {
    const char *name; /* NULL: there is no such dtype */
    unsigned bits;
    unsigned bytes;
    int computes;
};

static const struct dtype_row rows[] = {
#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) [number] = { name, bits, bytes, computes },
#include <strideweave/dtype.def>
#undef SW_DTYPE
};

/* Row 0 (no dtype) is empty and stands in for every unknown number. */
static const struct dtype_row *row_of(enum sw_dtype dtype)
{
    size_t number = (size_t)dtype;

    return &rows[number < sizeof rows / sizeof *rows ? number : 0];
}

const char *sw_dtype_name(enum sw_dtype dtype)
{
    const char *name = row_of(dtype)->name;

    return name != NULL ? name : "unknown dtype";
}

size_t sw_dtype_bytes(enum sw_dtype dtype)
{
    return row_of(dtype)->bytes;
}

unsigned sw_dtype_bits(enum sw_dtype dtype)
{
    return row_of(dtype)->bits;
}

enum sw_status sw__dtype_check(enum sw_dtype dtype)
{
    if (row_of(dtype)->name == NULL)
        return sw_error_set(SW_TYPE_ERROR, "%d is not the number of a dtype", (int)dtype);
    return SW_OK;
}

int sw__dtype_computes(enum sw_dtype dtype)
{
    return row_of(dtype)->computes;
}
