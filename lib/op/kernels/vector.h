/*
 * Vectors of the width that a file of kernels is compiled for, and the turning
 * of a block of them: a block of as many rows by as many terms as a vector has
 * lanes is turned by exchanging halves of its vectors, then quarters, and so on.
 */
#ifndef OP_KERNELS_VECTOR_H
#define OP_KERNELS_VECTOR_H

#if defined __AVX512F__
#define WIDTH 16
#elif defined __AVX2__
#define WIDTH 8
#else
#define WIDTH 4
#endif

/** Lanes of binary32, anywhere in memory. */
typedef float vector __attribute__((vector_size(WIDTH * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Compilers without such shuffles do without turn(). */
#if defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HAVE_TURN 1
#endif
#endif

#ifdef HAVE_TURN
#if WIDTH == 16
#define EACH_LANE(f, s)                                                                                              \
    f(s, 0), f(s, 1), f(s, 2), f(s, 3), f(s, 4), f(s, 5), f(s, 6), f(s, 7), f(s, 8), f(s, 9), f(s, 10), f(s, 11),    \
        f(s, 12), f(s, 13), f(s, 14), f(s, 15)
#elif WIDTH == 8
#define EACH_LANE(f, s) f(s, 0), f(s, 1), f(s, 2), f(s, 3), f(s, 4), f(s, 5), f(s, 6), f(s, 7)
#else
#define EACH_LANE(f, s) f(s, 0), f(s, 1), f(s, 2), f(s, 3)
#endif

/* Lanes of the second of two vectors have numbers behind those of the first. */
#define LOW_LANE(step, lane) ((lane) & (step) ? WIDTH + (lane) - (step) : (lane))
#define HIGH_LANE(step, lane) ((lane) & (step) ? WIDTH + (lane) : (lane) + (step))
#define EXCHANGE(block, step)                                                                                         \
    _Pragma("GCC unroll 16") for (int i = 0; i < WIDTH; i++)                                                          \
    {                                                                                                                 \
        const vector low = block[i & ~(step)], high = block[i | (step)];                                              \
        if (i & (step))                                                                                               \
            continue;                                                                                                 \
        block[i] = __builtin_shufflevector(low, high, EACH_LANE(LOW_LANE, step));                                     \
        block[i | (step)] = __builtin_shufflevector(low, high, EACH_LANE(HIGH_LANE, step));                           \
    }

/** Lane i of vector k becomes lane k of vector i. */
static inline void turn(vector block[WIDTH])
{
#if WIDTH > 8
    EXCHANGE(block, 8)
#endif
#if WIDTH > 4
    EXCHANGE(block, 4)
#endif
    EXCHANGE(block, 2)
    EXCHANGE(block, 1)
}
#endif

#endif
