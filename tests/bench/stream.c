/*
 * Loops over memory that do next to nothing else.
 */
#include "config.h"

#include "stream.h"

/* What the memory gives, with the widest vectors there are. In this file only: clang calls such functions by other names. */
#ifdef HAVE_X86_LEVELS
#define STREAM static __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define STREAM static
#endif
#define N_LANES 16
typedef float lanes __attribute__((vector_size(N_LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

STREAM void copy(float *restrict out, const float *restrict a, size_t n)
{
    for (size_t i = 0; i < n; i += N_LANES)
        *(lanes *)(out + i) = -*(const lanes *)(a + i);
}

STREAM void add(float *restrict out, const float *restrict a, const float *restrict b, size_t n)
{
    for (size_t i = 0; i < n; i += N_LANES)
        *(lanes *)(out + i) = *(const lanes *)(a + i) + *(const lanes *)(b + i);
}

/* Sums of their own, so that additions need not wait for each other. */
STREAM float read_all(const float *a, size_t n)
{
    lanes sums[4] = {{0}};
    float sum = 0;

    for (size_t i = 0; i < n; i += 4 * N_LANES)
        for (size_t k = 0; k < 4; k++)
            sums[k] += *(const lanes *)(a + i + k * N_LANES);
    for (size_t k = 0; k < N_LANES; k++)
        sum += sums[0][k] + sums[1][k] + sums[2][k] + sums[3][k];
    return sum;
}

void bench_stream_copy(float *restrict out, const float *restrict a, size_t n)
{
    copy(out, a, n);
}

void bench_stream_add(float *restrict out, const float *restrict a, const float *restrict b, size_t n)
{
    add(out, a, b, n);
}

float bench_stream_read(const float *a, size_t n)
{
    return read_all(a, n);
}
