/*
 * The hook table: the only way in which the library calls a hook.
 */
#ifndef BASE_HOOKS_H
#define BASE_HOOKS_H

#include <strideweave/hooks.h>

struct sw__collector;
struct sw__session;

/**
 * Filled by the dynamic loader. volatile, because compilers fold calls to a
 * weak definition that they can see, and comparisons with it; what they must
 * load at run time they cannot fold.
 */
extern const volatile struct sw_hook_table sw__hooks __attribute__((visibility("hidden")));

/** What tools see of this copy of the library; lib/profiler fills it. */
extern const struct sw_hook_library sw__hook_library __attribute__((visibility("hidden")));

/** storage_number() of struct sw_hook_library; lib/dispatch defines it. */
uint64_t sw__storage_number(const struct sw_tensor *tensor);

/** What a boundary reads and writes of its thread: side by side, so that one address computation serves both. */
struct sw__thread {
    uint64_t n_boundaries;           /* entered by this thread */
    struct sw__session *session;     /* its active Profiler's, NULL without one; written by the thread itself */
    struct sw__collector *collector; /* of host ranges, NULL while it collects none; written by the thread itself */
    uint32_t n_collections;          /* begun by this thread */
    uint32_t range_level;            /* ranges of the program that are open (swprof/annotate.h) */
};

extern __thread struct sw__thread sw__thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** Whether anybody wants @kind (SW_HOOK_WANT_...) now. */
static inline int sw__hook_is_wanted(uint64_t kind)
{
#if SW_ENABLE_PROFILING
    return (__atomic_load_n(sw__hooks.wanted, __ATOMIC_RELAXED) & SW_HOOK_WANT_MASK(kind)) != 0;
#else
    (void)kind;
    return 0;
#endif
}

#endif
