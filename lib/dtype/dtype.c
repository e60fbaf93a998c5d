/*
 * The tables of dtypes and what can be asked of one.
 */
#include "config.h"

#include "dtype/dtype.h"

#include "base/cleanup.h"

#define MAX_PLANES 3

struct dtype_row {
    const char *name; /* NULL: there is no such dtype */
    unsigned bits;
    unsigned bytes;
    int computes;
    struct sw_dtype_plane planes[MAX_PLANES]; /* those that there are first */
};

static const struct dtype_row rows[] = {
#define SW_DTYPE(enumerator, number, name, bits, bytes, computes) \
    [number] = { name, bits, bytes, computes, { { SW_##enumerator, 0, 1 } } },
#include <strideweave/dtype.def>
#undef SW_DTYPE
#define SW_COMPOUND_DTYPE(enumerator, number, name, element, block, scale, whole) \
    [number] = { name, 0, 0, 0, { { element, 0, 1 }, { scale, 0, block }, { whole, 0, 0 } } },
#include <strideweave/compound.def>
#undef SW_COMPOUND_DTYPE
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
    /* The elements' dtype is simple, and its own only plane. */
    return row_of(row_of(dtype)->planes[0].dtype)->bits;
}

size_t sw_dtype_n_planes(enum sw_dtype dtype)
{
    const struct dtype_row *row = row_of(dtype);
    size_t n = 0;

    while (n < MAX_PLANES && row->planes[n].dtype != SW_DTYPE_NONE)
        n++;
    return n;
}

enum sw_status sw_dtype_plane(enum sw_dtype dtype, size_t plane, struct sw_dtype_plane *ret_plane)
{
    SW__TRY(sw__dtype_check(dtype));
    if (plane >= sw_dtype_n_planes(dtype))
        return sw_error_set(SW_INDEX_ERROR, "%s has no plane %zu", sw_dtype_name(dtype), plane);
    *ret_plane = row_of(dtype)->planes[plane];
    return SW_OK;
}

enum sw_status sw_dtype_bits_per_element(enum sw_dtype dtype, int64_t n_elements, double *ret_bits)
{
    const struct dtype_row *row = row_of(dtype);
    double bits = 0;

    SW__TRY(sw__dtype_check(dtype));
    if (n_elements < 1)
        return sw_error_set(SW_VALUE_ERROR, "there are no bits per element of %lld elements", (long long)n_elements);
    for (size_t i = 0; i < sw_dtype_n_planes(dtype); i++) {
        const int64_t block = row->planes[i].block;
        const int64_t n_values = block == 0 ? 1 : n_elements / block + (n_elements % block != 0);
        bits += (double)n_values * sw_dtype_bits(row->planes[i].dtype);
    }
    *ret_bits = bits / (double)n_elements;
    return SW_OK;
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

int sw__dtype_is_simple(enum sw_dtype dtype)
{
    return sw_dtype_n_planes(dtype) == 1;
}
