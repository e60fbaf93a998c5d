/*
 * Kernels of the CPU carrier against what the machine gives: BLAS for products
 * of every kind of operand, a loop over the same memory for what is elementwise
 * or folds, and for a small tensor the loop alone.
 */
#include "config.h"

#include "bench.h"
#include "stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <strideweave/strideweave.h>

#define N_ROUNDS 60
/* Where a difference of a few percent counts: the least of either is to be of the machine's fast phase. */
#define N_ROUNDS_OF_DIFFERENCES 600
/* A result of 4 MiB. */
#define N_ROWS 1024
#define N_COLUMNS 1024

static struct sw_tensor *make_matrix(const char *layout_text)
{
    struct sw_layout *layout;
    struct sw_carrier *carrier;
    struct sw_tensor *matrix;
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;

    if (sw_layout_parse(layout_text, &layout) != SW_OK)
        bench_fail(layout_text);
    const size_t n = (size_t)sw_layout_cosize(layout);
    if (sw_cpu_new(n, &options, &carrier) != SW_OK || sw_tensor_new(carrier, 0, layout, &matrix) != SW_OK)
        bench_fail("a matrix could not be made");
    float *values = sw_cpu_pointer(carrier);
    for (size_t i = 0; i < n; i++)
        values[i] = (float)(i % 17) / 16.0f - 0.5f;
    sw_carrier_unref(carrier);
    sw_layout_unref(layout);
    return matrix;
}

static float *values_of(const struct sw_tensor *tensor)
{
    return sw_cpu_pointer(sw_tensor_carrier(tensor));
}

/* ---- Products --------------------------------------------------------------------------- */

#ifdef HAVE_CBLAS
#include <cblas.h>

struct product {
    int n;
    int leading;
    CBLAS_TRANSPOSE a_is;
    CBLAS_TRANSPOSE b_is;
    struct sw_tensor *a;
    struct sw_tensor *b;
    float *c;
};

static void multiply_ours(void *context, size_t n)
{
    struct product *product = context;

    for (size_t i = 0; i < n; i++) {
        struct sw_tensor *c;
        if (sw_matmul(product->a, product->b, NULL, &c) != SW_OK)
            bench_fail("matmul");
        sw_tensor_unref(c);
    }
}

static void multiply_bare(void *context, size_t n)
{
    struct product *product = context;

    for (size_t i = 0; i < n; i++)
        cblas_sgemm(CblasColMajor, product->a_is, product->b_is, product->n, product->n, product->n, 1,
                    values_of(product->a), product->leading, values_of(product->b), product->leading, 0, product->c,
                    product->n);
}

/* Operands that BLAS cannot express. */
struct packed {
    int n;
    int strides[2]; /* of both operands */
    struct sw_tensor *a;
    struct sw_tensor *b;
    float *rows[2];
    float *c;
};

static void multiply_apart(void *context, size_t n)
{
    const struct packed *packed = context;

    for (size_t i = 0; i < n; i++) {
        struct sw_tensor *c;
        if (sw_matmul(packed->a, packed->b, NULL, &c) != SW_OK)
            bench_fail("matmul");
        sw_tensor_unref(c);
    }
}

static void pack(const struct packed *packed, const float *from, float *to)
{
    for (int i = 0; i < packed->n; i++)
        for (int k = 0; k < packed->n; k++)
            *to++ = from[(ptrdiff_t)i * packed->strides[0] + (ptrdiff_t)k * packed->strides[1]];
}

static void pack_and_multiply(void *context, size_t n)
{
    const struct packed *packed = context;

    for (size_t i = 0; i < n; i++) {
        pack(packed, values_of(packed->a), packed->rows[0]);
        pack(packed, values_of(packed->b), packed->rows[1]);
        cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, packed->n, packed->n, packed->n, 1, packed->rows[0],
                    packed->n, packed->rows[1], packed->n, 0, packed->c, packed->n);
    }
}

static float *make_room(int n)
{
    float *room = malloc((size_t)n * (size_t)n * sizeof *room);

    if (room == NULL)
        bench_fail("no memory for a product");
    return room;
}

/* Every second element of a row. */
static void compare_packed(int n)
{
    struct packed packed = {.n = n, .strides = {2 * n, 2}, .c = make_room(n), .rows = {make_room(n), make_room(n)}};
    char layout[64], name[64];

    snprintf(layout, sizeof layout, "(%d,%d):(%d,%d)", n, n, packed.strides[0], packed.strides[1]);
    packed.a = make_matrix(layout);
    packed.b = make_matrix(layout);
    struct bench_case cases[] = {
        {.body = multiply_apart, .context = &packed, .n = n <= 128 ? 16 : n <= 256 ? 4 : 1},
        {.body = pack_and_multiply, .context = &packed, .n = n <= 128 ? 16 : n <= 256 ? 4 : 1},
    };
    bench_alternate(cases, 2, N_ROUNDS);
    snprintf(name, sizeof name, "matmul_%d_apart_over_pack_and_cblas", n);
    bench_figure(name, cases[0].min_ns / cases[1].min_ns, "ratio");
    sw_tensor_unref(packed.a);
    sw_tensor_unref(packed.b);
    free(packed.rows[0]);
    free(packed.rows[1]);
    free(packed.c);
}

/* Operands whose first mode is dense are A and the transpose of B, as BLAS sees them. */
static void compare_product(const char *what, int n, int leading, int a_is_transposed, int b_is_transposed)
{
    struct product product = {.n = n, .leading = leading};
    char layouts[2][64], name[64];

    snprintf(layouts[0], sizeof layouts[0], "(%d,%d):(1,%d)", n, n, leading);
    snprintf(layouts[1], sizeof layouts[1], "(%d,%d):(%d,1)", n, n, leading);
    product.a = make_matrix(layouts[a_is_transposed]);
    product.b = make_matrix(layouts[b_is_transposed]);
    product.a_is = a_is_transposed ? CblasTrans : CblasNoTrans;
    product.b_is = b_is_transposed ? CblasNoTrans : CblasTrans;
    product.c = make_room(n);
    const size_t each = n <= 64 ? 64 : n <= 128 ? 16 : n <= 256 ? 4 : 1;
    struct bench_case cases[] = {
        {.body = multiply_ours, .context = &product, .n = each},
        {.body = multiply_bare, .context = &product, .n = each},
    };
    bench_alternate(cases, 2, n <= 64 ? N_ROUNDS_OF_DIFFERENCES : N_ROUNDS);
    snprintf(name, sizeof name, "matmul_%d%s_over_cblas", n, what);
    bench_figure(name, cases[0].min_ns / cases[1].min_ns, "ratio");
    if (n <= 64) {
        snprintf(name, sizeof name, "matmul_%d%s_extra_ns", n, what);
        bench_figure(name, cases[0].min_ns - cases[1].min_ns, "ns");
    }
    sw_tensor_unref(product.a);
    sw_tensor_unref(product.b);
    free(product.c);
}

static void compare_products(void)
{
    static const int sizes[] = {16, 32, 64, 128, 256, 512};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int n = sizes[i];
        compare_product("", n, n, 0, 0);
        compare_product("_transposed", n, n, 1, 1);
        compare_product("_strided", n, n + 24, 0, 1);
        if (n > 64)
            compare_packed(n);
    }
}
#else
static void compare_products(void)
{
    /* Nothing to compare with: configure found no CBLAS. */
}
#endif

/* ---- Elementwise and folds ---------------------------------------------------------------- */

struct pieces {
    struct sw_tensor *a;
    struct sw_tensor *b;
    struct sw_tensor *row_major;
    struct sw_tensor *kept;  /* one value per row */
    struct sw_tensor *line;  /* all elements in the second of two modes */
    float *out;
};

static void stream_one(void *context, size_t n)
{
    struct pieces *pieces = context;

    for (size_t i = 0; i < n; i++)
        bench_stream_copy(pieces->out, values_of(pieces->a), (size_t)N_ROWS * N_COLUMNS);
}

static void stream_two(void *context, size_t n)
{
    struct pieces *pieces = context;

    for (size_t i = 0; i < n; i++)
        bench_stream_add(pieces->out, values_of(pieces->a), values_of(pieces->b), (size_t)N_ROWS * N_COLUMNS);
}

static void stream_in(void *context, size_t n)
{
    struct pieces *pieces = context;

    for (size_t i = 0; i < n; i++)
        *(volatile float *)pieces->out = bench_stream_read(values_of(pieces->a), (size_t)N_ROWS * N_COLUMNS);
}

#define PIECE(name, call)                                    \
    static void piece_##name(void *context, size_t n)        \
    {                                                        \
        const struct pieces *pieces = context;               \
        for (size_t i = 0; i < n; i++) {                     \
            struct sw_tensor *out;                           \
            if (call != SW_OK)                               \
                bench_fail(#name);                           \
            sw_tensor_unref(out);                            \
        }                                                    \
    }

PIECE(add, sw_add(pieces->a, pieces->b, &out))
PIECE(neg, sw_neg(pieces->a, &out))
PIECE(relu, sw_relu(pieces->a, &out))
PIECE(maximum, sw_maximum(pieces->a, pieces->b, &out))
PIECE(mul_scalar, sw_mul_f64(pieces->a, 3.0, &out))
PIECE(sub_broadcast, sw_sub(pieces->a, pieces->kept, &out))
PIECE(div_broadcast, sw_div(pieces->a, pieces->kept, &out))
PIECE(exp, sw_exp(pieces->a, &out))
PIECE(log, sw_log(pieces->b, &out))
PIECE(tanh, sw_tanh(pieces->a, &out))
PIECE(sigmoid, sw_sigmoid(pieces->a, &out))
PIECE(gelu, sw_gelu(pieces->a, &out))
PIECE(silu, sw_silu(pieces->a, &out))
PIECE(softplus, sw_softplus(pieces->a, &out))
PIECE(sin, sw_sin(pieces->a, &out))
PIECE(sum, sw_reduce_sum(pieces->a, "a b -> a", NULL, &out))
PIECE(max, sw_reduce_max(pieces->a, "a b -> a", &out))
PIECE(sum_row_major, sw_reduce_sum(pieces->row_major, "a b -> a", NULL, &out))
PIECE(max_row_major, sw_reduce_max(pieces->row_major, "a b -> a", &out))
PIECE(sum_all, sw_reduce_sum(pieces->line, "a b -> a", NULL, &out))
PIECE(max_all, sw_reduce_max(pieces->line, "a b -> a", &out))
PIECE(argmax_row_major, sw_argmax(pieces->row_major, "a b -> a", &out))

static void compare_pieces(void)
{
    static const struct {
        const char *name;
        bench_body *ours;
        bench_body *stream;
    } rows[] = {
        {"elementwise_over_bandwidth", piece_add, stream_two},
        {"neg_over_bandwidth", piece_neg, stream_one},
        {"relu_over_bandwidth", piece_relu, stream_one},
        {"maximum_over_bandwidth", piece_maximum, stream_two},
        {"mul_scalar_over_bandwidth", piece_mul_scalar, stream_one},
        {"sub_broadcast_over_bandwidth", piece_sub_broadcast, stream_one},
        {"div_broadcast_over_bandwidth", piece_div_broadcast, stream_one},
        {"exp_over_bandwidth", piece_exp, stream_one},
        {"log_over_bandwidth", piece_log, stream_one},
        {"tanh_over_bandwidth", piece_tanh, stream_one},
        {"sigmoid_over_bandwidth", piece_sigmoid, stream_one},
        {"gelu_over_bandwidth", piece_gelu, stream_one},
        {"silu_over_bandwidth", piece_silu, stream_one},
        {"softplus_over_bandwidth", piece_softplus, stream_one},
        {"sin_over_bandwidth", piece_sin, stream_one},
        {"reduce_sum_over_bandwidth", piece_sum, stream_in},
        {"reduce_max_over_bandwidth", piece_max, stream_in},
        {"reduce_sum_row_major_over_bandwidth", piece_sum_row_major, stream_in},
        {"reduce_max_row_major_over_bandwidth", piece_max_row_major, stream_in},
        {"argmax_row_major_over_bandwidth", piece_argmax_row_major, stream_in},
        {"reduce_sum_all_over_bandwidth", piece_sum_all, stream_in},
        {"reduce_max_all_over_bandwidth", piece_max_all, stream_in},
    };
    struct pieces pieces = {
        .a = make_matrix("(1024,1024):(1,1024)"),
        .b = make_matrix("(1024,1024):(1,1024)"),
        .row_major = make_matrix("(1024,1024):(1024,1)"),
        .kept = make_matrix("(1024,1):(1,1024)"),
        .line = make_matrix("(1,1048576):(1,1)"),
        .out = calloc((size_t)N_ROWS * N_COLUMNS, sizeof *pieces.out),
    };

    if (pieces.out == NULL)
        bench_fail("no memory for a result");
    for (size_t i = 0; i < (size_t)N_ROWS * N_COLUMNS; i++)
        values_of(pieces.b)[i] = fabsf(values_of(pieces.b)[i]) + 0.25f;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench_case cases[] = {
            {.body = rows[i].ours, .context = &pieces, .n = 1},
            {.body = rows[i].stream, .context = &pieces, .n = 1},
        };
        bench_alternate(cases, 2, N_ROUNDS);
        bench_figure(rows[i].name, cases[0].min_ns / cases[1].min_ns, "ratio");
    }
    sw_tensor_unref(pieces.a);
    sw_tensor_unref(pieces.b);
    sw_tensor_unref(pieces.row_major);
    sw_tensor_unref(pieces.kept);
    sw_tensor_unref(pieces.line);
    free(pieces.out);
}

/* ---- A small tensor ------------------------------------------------------------------------- */

static void small_bare(void *context, size_t n)
{
    const struct pieces *pieces = context;
    const float *a = values_of(pieces->a), *b = values_of(pieces->b);

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 13 * 4; k++)
            pieces->out[k] = a[k] + b[k];
        __asm__ volatile("" ::: "memory");
    }
}

static void measure_overhead(void)
{
    float out[13 * 4];
    struct pieces pieces = {.a = make_matrix("(13,4):(1,13)"), .b = make_matrix("(13,4):(1,13)"), .out = out};
    struct bench_case cases[] = {
        {.body = piece_add, .context = &pieces, .n = 4096},
        {.body = small_bare, .context = &pieces, .n = 4096},
    };

    bench_alternate(cases, 2, N_ROUNDS);
    bench_figure("dispatch_overhead_ns", cases[0].min_ns - cases[1].min_ns, "ns");
    sw_tensor_unref(pieces.a);
    sw_tensor_unref(pieces.b);
}

void bench_carrier(void)
{
    /* First, while the heap is young: what malloc() takes for a result would be a part of the difference. */
    compare_products();
    measure_overhead();
    compare_pieces();
}
