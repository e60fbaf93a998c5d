/*
 * What a range costs: swprof_range_push() and swprof_range_pop(), as a
 * program calls them.
 */
#include "config.h"

#include "bench.h"

#include <swprof/annotate.h>

/* About 1 ms each, and in all no more notes than a report of 512 MiB has room for. */
#define N_RANGES 20000
#define N_ROUNDS 100

static void pass_ranges(void *context, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        swprof_range_push("forward");
        swprof_range_pop();
    }
}

static void measure(const char *name)
{
    struct bench_case cases[] = {{.body = pass_ranges, .n = N_RANGES}};

    bench_alternate(cases, 1, N_ROUNDS);
    bench_figure(name, cases[0].median_ns, "ns");
}

void bench_range(char **arguments)
{
    (void)arguments;
    if (!swprof_is_loaded())
        bench_fail("ranges are recorded under the shim alone");
    measure("range_ns");
}

void bench_range_absent(char **arguments)
{
    (void)arguments;
    measure("range_absent_ns");
}
