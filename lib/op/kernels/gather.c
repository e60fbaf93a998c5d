/*
 * The kernel of gather.
 */
#include "config.h"

#include "op/op.h"

static void gather_f32(float *restrict out, const float *restrict base, const int64_t *restrict indices, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = base[indices[i]];
}

const struct sw__gather_kernel sw__kernel_gather = { gather_f32 };
