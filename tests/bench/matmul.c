/*
 * A whole matmul call of ours against the bare CBLAS call on the same data.
 */
#include "config.h"

#include "bench.h"

#include <stdlib.h>

#include <strideweave/strideweave.h>

#ifdef HAVE_CBLAS
#include <cblas.h>

#define N_ROUNDS 60

struct product {
    int n;
    struct sw_tensor *a;
    struct sw_tensor *b;
    float *c;
};

static void call_ours(void *context, size_t n)
{
    struct product *product = context;

    for (size_t i = 0; i < n; i++) {
        struct sw_tensor *c;
        if (sw_matmul(product->a, product->b, NULL, &c) != SW_OK)
            bench_fail("matmul");
        sw_tensor_unref(c);
    }
}

/* C(i,j) = sum over k of A(i,k)*B(j,k), all with the first mode fastest. */
static void call_cblas(void *context, size_t n)
{
    struct product *product = context;
    const float *a = sw_cpu_pointer(sw_tensor_carrier(product->a));
    const float *b = sw_cpu_pointer(sw_tensor_carrier(product->b));

    for (size_t i = 0; i < n; i++)
        cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, product->n, product->n, product->n, 1, a, product->n, b,
                    product->n, 0, product->c, product->n);
}

static struct sw_tensor *make_matrix(int n)
{
    int64_t nodes[] = {n, n};
    struct sw_tree *shape;
    struct sw_tensor *matrix;
    float *values = malloc((size_t)n * (size_t)n * sizeof *values);

    if (values == NULL || sw_tree_new(nodes, 2, &shape) != SW_OK)
        bench_fail("no memory for a matrix");
    for (int i = 0; i < n * n; i++)
        values[i] = (float)(i % 17) / 16.0f - 0.5f;
    if (sw_tensor_from_f32(sw_cpu_class(), values, shape, &matrix) != SW_OK)
        bench_fail("a matrix could not be made");
    free(values);
    sw_tree_unref(shape);
    return matrix;
}

void bench_matmul(void)
{
    struct product product = {.n = 512};

    product.a = make_matrix(product.n);
    product.b = make_matrix(product.n);
    product.c = malloc((size_t)product.n * (size_t)product.n * sizeof *product.c);
    if (product.c == NULL)
        bench_fail("no memory for a product");
    struct bench_case cases[] = {
        {.body = call_ours, .context = &product, .n = 1},
        {.body = call_cblas, .context = &product, .n = 1},
    };
    bench_alternate(cases, 2, N_ROUNDS);
    bench_figure("matmul_512_ns", cases[0].min_ns, "ns");
    bench_figure("matmul_512_over_cblas", cases[0].min_ns / cases[1].min_ns, "ratio");
    sw_tensor_unref(product.a);
    sw_tensor_unref(product.b);
    free(product.c);
}
#else
void bench_matmul(void)
{
    /* Nothing to compare with: configure found no CBLAS. */
}
#endif
