/*
 * Levels: what kernels are compiled for, from any processor upwards.
 */
#ifndef OP_LEVEL_H
#define OP_LEVEL_H

#include <stddef.h>

enum sw__level {
    SW__LEVEL_PLAIN, /* what the compiler was told to build for */
#ifdef HAVE_X86_LEVELS
    SW__LEVEL_AVX2,
    SW__LEVEL_AVX512, /* foundation, and the double-word, byte-word and vector-length extensions */
#endif
    SW__N_LEVELS
};

/** The highest level whose instructions this processor and its operating system have. */
enum sw__level sw__level_highest(void);

struct sw__op;

/** Row @row of ops.def as CPU carriers execute it at @level; NULL behind the last row. */
const struct sw__op *sw__op_at(enum sw__level level, size_t row);

#endif
