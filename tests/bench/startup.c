/*
 * What the shim costs a program that never uses the library: its whole run
 * under the shim, over that under an object in which there is nothing.
 */
#include "config.h"

#include "bench.h"

#include "child.h"

#include <unistd.h>

/* A run takes 2 ms, give or take half of one. */
#define N_ROUNDS 1000

static void run_true(void *context, size_t n)
{
    static char program[] = "/bin/true";
    char *command[] = {program, NULL};

    for (size_t i = 0; i < n; i++)
        child_run(command, context);
}

void bench_startup(char **arguments)
{
    struct bench_case cases[] = {
        {.body = run_true, .context = arguments[0], .n = 1},
        {.body = run_true, .context = arguments[1], .n = 1},
    };

    /* The loader only warns, and goes on without. */
    for (int i = 0; i < 2; i++)
        if (access(arguments[i], R_OK) != 0)
            bench_fail(arguments[i]);
    bench_figure("preload_startup_extra_us", bench_median_difference(cases, N_ROUNDS) / 1e3, "us");
    bench_figure("preload_startup_us", cases[0].min_ns / 1e3, "us");
}
