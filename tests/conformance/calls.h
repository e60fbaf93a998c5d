/*
 * Traced calls: the calls that cases give in words, and what they are in C.
 */
#ifndef TESTS_CONFORMANCE_CALLS_H
#define TESTS_CONFORMANCE_CALLS_H

#include "conformance.h"

/** Prepared operands of a call; what prepares them is not part of the trace. */
struct prepared {
    struct sw_tensor *tensors[3];
    size_t n;
};

struct traced {
    const char *words; /* how the words of the call begin */
    enum sw_status (*call)(struct trial *trial, const struct prepared *with);
    const char *operands[3]; /* "CPU Float32 (2,3)": place, dtype and shape of a tensor of zeros */
};

/** NULL for words that no row begins with. */
const struct traced *find_call(const char *words);

#endif
