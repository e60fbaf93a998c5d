/*
 * The hooks without an operation, and the clock without the hooks.
 */
#include "config.h"

#include "pair.h"

#include "bench.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static struct sw_tensor *make_tensor(void)
{
    const struct sw_scalar half = {.kind = SW_SCALAR_FLOATING, .as.floating = 0.5};
    struct sw_tree *shape;
    struct sw_tensor *tensor;

    if (sw_tree_parse("(8,16)", &shape) != SW_OK ||
        sw_tensor_full(sw_cpu_class(), SW_FLOAT32, shape, &half, &tensor) != SW_OK)
        bench_fail("a tensor could not be made");
    sw_tree_unref(shape);
    return tensor;
}

void bench_pair_make(struct bench_pair *pair)
{
    const struct sw_hook_library *info = sw_hook_library_info();

    *pair = (struct bench_pair){
        .bound = info->bound,
        .library = *info,
        .dispatch = {
            .struct_bytes = sizeof pair->dispatch,
            .id = 1000,
            .name = "pair",
            .carrier_module = "bench",
            .carrier_name = "Nowhere",
            .implementation_module = "bench",
            .implementation_name = "Pair",
            .carrier_class = &sw_cpu_class()->head,
            .implementation_class = &sw_cpu_class()->head,
        },
    };
    for (int i = 0; i < 2; i++)
        pair->operands[i] = sw_operand_tensor(make_tensor());
}

void bench_pair_drop(struct bench_pair *pair)
{
    for (int i = 0; i < 2; i++)
        sw_tensor_unref((struct sw_tensor *)(uintptr_t)pair->operands[i].as.tensor);
}

/* As in lib/dispatch/execute.c. */
static __attribute__((noinline)) void pass(const struct bench_pair *pair)
{
    struct sw_hook_compute call = {
        .struct_bytes = sizeof call,
        .flags = pair->flags,
        .library = &pair->library,
        .dispatch = &pair->dispatch,
        .operands = pair->operands,
        .n_operands = 2,
        .operand_bytes = sizeof *pair->operands,
    };

    pair->bound->compute_enter(&call);
    call.flags |= SW_HOOK_SUCCEEDED;
    pair->bound->compute_exit(&call);
}

void bench_pair_pass(void *context, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pass(context);
}

#if defined(__x86_64__)
uint64_t bench_ticks(void)
{
    return __rdtsc();
}

void bench_read_clock_twice(void *context, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        __asm__ volatile("" ::"r"(__rdtsc()));
        __asm__ volatile("" ::"r"(__rdtsc()));
    }
}
#else
uint64_t bench_ticks(void)
{
    return (uint64_t)bench_now_ns();
}

void bench_read_clock_twice(void *context, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        __asm__ volatile("" ::"r"(bench_now_ns()));
        __asm__ volatile("" ::"r"(bench_now_ns()));
    }
}
#endif
