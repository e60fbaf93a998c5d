/*
 * The memory that an operation reads and writes, and nothing else: the yardstick
 * of operations that should be as fast as it. Every @n is a multiple of 64.
 */
#ifndef TESTS_BENCH_STREAM_H
#define TESTS_BENCH_STREAM_H

#include <stddef.h>

void bench_stream_copy(float *restrict out, const float *restrict a, size_t n);
void bench_stream_add(float *restrict out, const float *restrict a, const float *restrict b, size_t n);
float bench_stream_read(const float *a, size_t n);

#endif
