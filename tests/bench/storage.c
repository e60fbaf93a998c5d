/*
 * What it costs to make a carrier with storage and to give it back: alone, and
 * with both recorded (SWPROF_MEMORY=1).
 */
#include "config.h"

#include "bench.h"

#include <strideweave/strideweave.h>

/* 400000 records in all: 13 MB of notes. */
#define N_CARRIERS 2000
#define N_ROUNDS 100
#define N_SLOTS 16

static void make_and_give_back(void *context, size_t n)
{
    struct sw_carrier *carrier;

    (void)context;
    for (size_t i = 0; i < n; i++) {
        if (sw_cpu_new(N_SLOTS, NULL, &carrier) != SW_OK)
            bench_fail("a carrier of 16 slots");
        sw_carrier_unref(carrier);
    }
}

static void figure(const char *name)
{
    struct bench_case carriers = { .body = make_and_give_back, .n = N_CARRIERS };

    bench_alternate(&carriers, 1, N_ROUNDS);
    bench_figure(name, carriers.min_ns, "ns");
}

void bench_storage_absent(char **arguments)
{
    (void)arguments;
    figure("storage_absent_ns");
}

void bench_storage(char **arguments)
{
    (void)arguments;
    if ((sw_hooks_wanted & SW_HOOK_WANT_MASK(SW_HOOK_WANT_STORAGE)) == 0)
        bench_fail("nobody records storage: SWPROF_MEMORY=1");
    figure("storage_recorded_ns");
}
