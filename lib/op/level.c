/*
 * Asking the processor.
 */
#include "config.h"

#include "op/level.h"

enum sw__level sw__level_highest(void)
{
#ifdef HAVE_X86_LEVELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return SW__LEVEL_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return SW__LEVEL_AVX2;
#endif
    return SW__LEVEL_PLAIN;
}
