/*
 * Large results that live together: what the memory for them costs, which
 * SW_STORAGE_CACHE decides.
 */
#include "config.h"

#include "bench.h"
#include "stream.h"

#include <string.h>

#include <strideweave/strideweave.h>

#define N_ROUNDS 60
#define N_RESULTS 2
/* 4 MiB each. */
#define N_SLOTS ((size_t)1 << 20)

struct work {
    struct sw_tensor *a;
    struct sw_tensor *b;
    float *out[N_RESULTS];
};

static struct sw_tensor *make_tensor(float value)
{
    const struct sw_scalar scalar = {.kind = SW_SCALAR_FLOATING, .as.floating = (double)value};
    struct sw_tree *shape;
    struct sw_tensor *tensor;

    if (sw_tree_parse("(1024,1024)", &shape) != SW_OK ||
        sw_tensor_full(sw_cpu_class(), SW_FLOAT32, shape, &scalar, &tensor) != SW_OK)
        bench_fail("a tensor of 4 MiB");
    sw_tree_unref(shape);
    return tensor;
}

static void add(void *context, size_t n)
{
    const struct work *work = context;

    for (size_t i = 0; i < n; i++) {
        struct sw_tensor *results[N_RESULTS];
        for (size_t k = 0; k < N_RESULTS; k++)
            if (sw_add(work->a, work->b, &results[k]) != SW_OK)
                bench_fail("an addition");
        for (size_t k = 0; k < N_RESULTS; k++)
            sw_tensor_unref(results[k]);
    }
}

static void stream(void *context, size_t n)
{
    const struct work *work = context;
    const float *a = sw_cpu_pointer(sw_tensor_carrier(work->a)), *b = sw_cpu_pointer(sw_tensor_carrier(work->b));

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < N_RESULTS; k++)
            bench_stream_add(work->out[k], a, b, N_SLOTS);
}

/* Carriers that begin as zeros and are written from end to end. */
static void fill_zeros(void *context, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        struct sw_carrier *carriers[N_RESULTS];
        for (size_t k = 0; k < N_RESULTS; k++) {
            if (sw_cpu_new(N_SLOTS, NULL, &carriers[k]) != SW_OK)
                bench_fail("a carrier of 4 MiB");
            memset(sw_cpu_pointer(carriers[k]), 1, N_SLOTS * sizeof(float));
        }
        for (size_t k = 0; k < N_RESULTS; k++)
            sw_carrier_unref(carriers[k]);
    }
}

void bench_results(char **arguments)
{
    struct work work = {
        .a = make_tensor(0.5f),
        .b = make_tensor(1.5f),
        .out = {bench_allocate(N_SLOTS * sizeof(float)), bench_allocate(N_SLOTS * sizeof(float))},
    };
    struct bench_case cases[] = {
        {.body = add, .context = &work, .n = 1},
        {.body = stream, .context = &work, .n = 1},
        {.body = fill_zeros, .n = 1},
    };

    (void)arguments;
    bench_alternate(cases, 3, N_ROUNDS);
    const int is_cached = sw_memory_cached() != 0;
    bench_figure(is_cached ? "results_over_bandwidth" : "results_uncached_over_bandwidth",
                 cases[0].min_ns / cases[1].min_ns, "ratio");
    bench_figure(is_cached ? "zeroed_storage_ns" : "zeroed_storage_uncached_ns", cases[2].min_ns / N_RESULTS, "ns");
    sw_tensor_unref(work.a);
    sw_tensor_unref(work.b);
}
