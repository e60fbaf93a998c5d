/*
 * A whole convolution of ours against the bare CBLAS call that multiplies as
 * much: (1,64,56,56) with 64 kernels of (64,3,3), padded to the same extents.
 */
#include "config.h"

#include "bench.h"

#include <stdlib.h>

#include <strideweave/strideweave.h>

#ifdef HAVE_CBLAS
#include <cblas.h>

#define N_ROUNDS 60
#define N_FEATURES 64
#define N_POSITIONS (56 * 56)
#define N_TERMS (64 * 3 * 3)

struct convolution {
    struct sw_tensor *in;
    struct sw_tensor *kernel;
    float *patches;
    float *out;
};

static void call_ours(void *context, size_t n)
{
    static const int64_t padding[][2] = { { 1, 1 }, { 1, 1 } };
    const struct convolution *convolution = context;
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;

    options.padding = padding;
    for (size_t i = 0; i < n; i++) {
        struct sw_tensor *out;
        if (sw_conv_general(convolution->in, convolution->kernel, &options, &out) != SW_OK)
            bench_fail("conv_general");
        sw_tensor_unref(out);
    }
}

static void call_cblas(void *context, size_t n)
{
    const struct convolution *convolution = context;
    const float *kernel = sw_cpu_pointer(sw_tensor_carrier(convolution->kernel));

    for (size_t i = 0; i < n; i++)
        cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N_FEATURES, N_POSITIONS, N_TERMS, 1, kernel, N_FEATURES,
                    convolution->patches, N_TERMS, 0, convolution->out, N_FEATURES);
}

static struct sw_tensor *make_tensor(const char *shape_text)
{
    struct sw_scalar half = { .kind = SW_SCALAR_FLOATING, .as.floating = 0.5 };
    struct sw_tree *shape;
    struct sw_tensor *tensor;

    if (sw_tree_parse(shape_text, &shape) != SW_OK ||
        sw_tensor_full(sw_cpu_class(), SW_FLOAT32, shape, &half, &tensor) != SW_OK)
        bench_fail("a tensor could not be made");
    sw_tree_unref(shape);
    return tensor;
}

void bench_conv(void)
{
    struct convolution convolution = { make_tensor("(1,64,56,56)"), make_tensor("(64,64,3,3)"), NULL, NULL };

    convolution.patches = calloc((size_t)N_POSITIONS * N_TERMS, sizeof *convolution.patches);
    convolution.out = calloc((size_t)N_POSITIONS * N_FEATURES, sizeof *convolution.out);
    if (convolution.patches == NULL || convolution.out == NULL)
        bench_fail("no memory for a convolution");
    struct bench_case cases[] = {
        { .body = call_ours, .context = &convolution, .n = 1 },
        { .body = call_cblas, .context = &convolution, .n = 1 },
    };
    bench_alternate(cases, 2, N_ROUNDS);
    bench_figure("conv_ns", cases[0].min_ns, "ns");
    bench_figure("conv_over_sgemm", cases[0].min_ns / cases[1].min_ns, "ratio");
    sw_tensor_unref(convolution.in);
    sw_tensor_unref(convolution.kernel);
    free(convolution.patches);
    free(convolution.out);
}
#else
void bench_conv(void)
{
    /* Nothing to compare with: configure found no CBLAS. */
}
#endif
