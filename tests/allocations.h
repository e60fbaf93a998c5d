/*
 * Calls that run out of memory: each of their allocations in turn fails. For
 * builds with --enable-failure-injection.
 */
#ifndef TESTS_ALLOCATIONS_H
#define TESTS_ALLOCATIONS_H

#include <strideweave/status.h>

#include "base/inject.h"
#include "check_main.h"

/** Makes the call on @argument, gives back what it gave, and checks that a failure gave nothing. */
typedef enum sw_status allocating_fn(const void *argument);

static inline enum sw_status run_with_failures(allocating_fn *run, const void *argument, uint64_t n_allocations,
                                               uint64_t n_failures)
{
    sw__inject_failures(n_allocations, n_failures);
    enum sw_status status = run(argument);
    sw__inject_failure_after(UINT64_MAX);
    return status;
}

/* Alone, and with all that follow: whoever goes on after a failure is caught by one or the other. */
static inline enum sw_status run_failing(allocating_fn *run, const void *argument, uint64_t n_allocations,
                                         const char *text)
{
    enum sw_status once = run_with_failures(run, argument, n_allocations, 1);
    enum sw_status from_there = run_with_failures(run, argument, n_allocations, UINT64_MAX);

    ck_assert_msg(once == from_there, "%s and %s after %llu allocations: %s", sw_status_name(once),
                  sw_status_name(from_there), (unsigned long long)n_allocations, text);
    return once;
}

/**
 * Fail each allocation of a call: it says MemoryError and keeps no memory. The last run, in which none fails, gives
 * @expected. Returns how many allocations were made to fail.
 */
static inline uint64_t fail_each_allocation(allocating_fn *run, const void *argument, const char *text,
                                            enum sw_status expected)
{
    uint64_t n = 0;
    enum sw_status status;

    /* The first run makes what stays: interned names, dispatch entries, the text of an error. */
    ck_assert_msg(run_with_failures(run, argument, UINT64_MAX, 0) == expected, "%s: %s", text, sw_error_message());
    (void)run_with_failures(run, argument, 0, 1);
    const uint64_t before = sw__inject_n_live();
    while ((status = run_failing(run, argument, n, text)) == SW_MEMORY_ERROR)
        n++;
    ck_assert_msg(status == expected, "%s instead of %s after %llu allocations: %s", sw_status_name(status),
                  sw_status_name(expected), (unsigned long long)n, text);
    ck_assert_msg(sw__inject_n_live() == before, "%lld allocations are left: %s",
                  (long long)(sw__inject_n_live() - before), text);
    return n;
}

#endif
