/*
 * A tool of one's own: counts the computations of a program that uses
 * StrideWeave and says so on stderr when the program ends.
 *
 *     cc -shared -fPIC -o count_calls.so count_calls.c $(pkg-config --cflags strideweave)
 *     LD_PRELOAD=./count_calls.so ./program
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <strideweave/hooks.h>

/* The process shares one such word, whoever defined it first. */
uint64_t sw_hooks_wanted = 0;

static uint64_t n_calls, n_failed;
/* The same hook in a tool that was preloaded after this one, if any. */
static sw_hook_compute_fn *next_enter, *next_exit;

__attribute__((constructor)) static void begin(void)
{
    *(void **)&next_enter = dlsym(RTLD_NEXT, "sw_hook_compute_enter");
    *(void **)&next_exit = dlsym(RTLD_NEXT, "sw_hook_compute_exit");
    sw_hooks_want(SW_HOOK_WANT_COMPUTE);
}

void sw_hook_compute_enter(struct sw_hook_compute *call)
{
    __atomic_fetch_add(&n_calls, 1, __ATOMIC_RELAXED);
    sw_hook_pass_compute_enter(call, next_enter);
}

void sw_hook_compute_exit(struct sw_hook_compute *call)
{
    if (!(call->flags & SW_HOOK_SUCCEEDED))
        __atomic_fetch_add(&n_failed, 1, __ATOMIC_RELAXED);
    sw_hook_pass_compute_exit(call, next_exit);
}

__attribute__((destructor)) static void end(void)
{
    fprintf(stderr, "count_calls: %" PRIu64 " calls, %" PRIu64 " failed\n", n_calls, n_failed);
}
