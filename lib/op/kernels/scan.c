/*
 * The kernel of cumsum: rows of elements that lie side by side are added to
 * the next row, so that only a scan along the first mode is one element at a
 * time.
 */
#include "config.h"

#include "op/op.h"

/* Begins with +0, as every sum does: a first -0 becomes +0. */
static void sum_row(float *restrict row, const float *restrict previous, size_t n)
{
    for (size_t i = 0; i < n; i++)
        row[i] = (previous != NULL ? previous[i] : 0.0f) + row[i];
}

static void sum_along(float *values, size_t n)
{
    float sum = 0.0f;

    for (size_t i = 0; i < n; i++)
        values[i] = sum = sum + values[i];
}

static void cumsum_f32(float *values, size_t n_before, size_t n_along, size_t n_after)
{
    for (size_t after = 0; after < n_after; after++, values += n_before * n_along) {
        if (n_before == 1) {
            sum_along(values, n_along);
            continue;
        }
        for (size_t i = 0; i < n_along; i++)
            sum_row(values + i * n_before, i > 0 ? values + (i - 1) * n_before : NULL, n_before);
    }
}

const struct sw__scan_kernel SW__KERNEL(cumsum) = { cumsum_f32 };
