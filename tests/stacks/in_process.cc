/*
 * A program that profiles itself and prints what it was called from: state, then
 * the calls of each event, a line each, the innermost first, and an empty line.
 * Arguments: depth, and a file that takes the program's own place before names
 * are looked up.
 */
#include <strideweave/strideweave.h>

#include <cstdio>
#include <cstdlib>

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

static struct sw_tensor *tensor;

namespace model {
template <typename T> struct Layer {
    KEPT void forward(T value);
};

template <typename T> void Layer<T>::forward(T value)
{
    struct sw_tensor *out = nullptr;

    if (sw_neg(tensor, &out) != SW_OK)
        std::abort();
    sw_tensor_unref(out);
    __asm__ volatile("" ::"m"(value) : "memory");
}
} // namespace model

extern "C" KEPT __attribute__((visibility("default"))) void once()
{
    model::Layer<double>().forward(1.0);
    __asm__ volatile("" ::: "memory");
}

extern "C" KEPT __attribute__((visibility("default"))) void twice(int n)
{
    if (n > 0)
        twice(n - 1);
    once();
    __asm__ volatile("" ::: "memory");
}

static void make_tensor()
{
    const float values[4] = {1, 2, 3, 4};
    const int64_t extents[1] = {4};
    struct sw_tree *shape = nullptr;

    if (sw_tree_flat(extents, 1, &shape) != SW_OK ||
        sw_tensor_from_f32(sw_cpu_class(), values, shape, &tensor) != SW_OK)
        std::abort();
    sw_tree_unref(shape);
}

static void print(struct sw_profiler *profiler)
{
    const struct sw_profiler_event *events;
    size_t n;

    if (sw_profiler_events(profiler, &events, &n) != SW_OK)
        std::abort();
    for (size_t i = 0; i < n; i++) {
        const char *const *entries;
        size_t n_entries;

        if (sw_profiler_event_stack(profiler, events[i].id, &entries, &n_entries) != SW_OK)
            std::abort();
        for (size_t k = 0; k < n_entries; k++)
            std::puts(entries[k]);
        std::puts("");
    }
}

int main(int n_arguments, char **arguments)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_profiler *profiler = nullptr;

    options.stack_depth = n_arguments > 1 ? (uint32_t)std::atoi(arguments[1]) : 0;
    make_tensor();
    if (sw_profiler_new(&options, &profiler) != SW_OK || sw_profiler_enter(profiler) != SW_OK)
        return 2;
    once();
    twice(1);
    if (sw_profiler_exit(profiler) != SW_OK)
        return 2;
    std::printf("state %d\n", (int)sw_profiler_stacks(profiler));
    if (n_arguments > 2 && std::rename(arguments[2], arguments[0]) != 0)
        return 2;
    print(profiler);
    sw_profiler_free(profiler);
    sw_tensor_unref(tensor);
    return 0;
}
