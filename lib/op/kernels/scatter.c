/*
 * Kernels of the scatter family: elements of the result meet updates, both
 * dense.
 */
#include "config.h"

#include <string.h>

#include "op/op.h"

static void replace_f32(float *restrict out, const float *restrict updates, size_t n)
{
    memcpy(out, updates, n * sizeof *out);
}

static void add_f32(float *restrict out, const float *restrict updates, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] += updates[i];
}

const struct sw__scatter_kernel sw__kernel_scatter = { replace_f32, 1 };
const struct sw__scatter_kernel sw__kernel_scatter_add = { add_f32, 0 };
