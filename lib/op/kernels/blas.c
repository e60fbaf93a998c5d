/*
 * CPU's products: large float32 ones go to BLAS, whatever the layouts are, the
 * others to the sequential kernel of the level that this is compiled for.
 * A factor that BLAS cannot address by one leading dimension is copied first.
 */
#include "config.h"

#ifdef HAVE_CBLAS
#include <cblas.h>
#endif
#include <limits.h>

#include "base/alloc.h"
#include "op/op.h"
#include "op/product.h"

/* A factor as BLAS addresses it: one of its modes is dense. */
struct matrix {
    const float *data;
    int64_t leading;
    int is_free_dense; /* else the contracted mode is */
    void *memory;      /* owned */
};

static void matrix_clear(struct matrix *matrix)
{
    sw__free(matrix->memory);
}

/* The leading dimension around a dense inner mode of @n elements; 0 when BLAS has none. */
static int64_t leading_around(int64_t n, int64_t outer_size, int64_t outer_stride)
{
    if (outer_size == 1)
        return n;
    return outer_stride >= n && outer_stride <= INT_MAX ? outer_stride : 0;
}

/* The same when @dense is the inner mode and @outer the other one. */
static int64_t leading_dimension(const struct sw__cursor *dense, const struct sw__cursor *outer)
{
    if (!sw__cursor_is_dense(dense) || outer->n_leaves != 1)
        return 0;
    return leading_around(dense->size, outer->size, outer->strides[0]);
}

/* The same of a matrix with one leaf per mode, the free one first. */
static int place_matrix(struct matrix *matrix, const float *data, int64_t n_free, int64_t n_shared,
                        const int64_t *strides)
{
    matrix->data = data;
    matrix->is_free_dense = 1;
    matrix->leading = n_free == 1 || strides[0] == 1 ? leading_around(n_free, n_shared, strides[1]) : 0;
    if (matrix->leading != 0)
        return 1;
    matrix->is_free_dense = 0;
    matrix->leading = n_shared == 1 || strides[1] == 1 ? leading_around(n_shared, n_free, strides[0]) : 0;
    return matrix->leading != 0;
}

/* Whether elements of the free mode lie nearer to each other than those of the contracted one. */
static int is_free_nearer(const struct sw__factor *factor)
{
    const struct sw__cursor *free = &factor->free.cursor, *shared = &factor->shared.cursor;

    return free->size > 1 && (shared->size == 1 || free->strides[0] < shared->strides[0]);
}

/* Copied in the order in which memory is read best. */
static enum sw_status copy_matrix(struct matrix *matrix, struct sw__factor *factor)
{
    matrix->is_free_dense = is_free_nearer(factor);
    if (matrix->is_free_dense)
        SW__TRY(sw__factor_copy_columns(factor, &matrix->memory));
    else
        SW__TRY(sw__factor_copy_rows(factor, &matrix->memory));
    matrix->data = matrix->memory;
    matrix->leading = matrix->is_free_dense ? factor->free.cursor.size : factor->shared.cursor.size;
    return SW_OK;
}

static enum sw_status open_matrix(struct matrix *matrix, struct sw__factor *factor)
{
    matrix->data = factor->free.base;
    if (!factor->free.converts) {
        matrix->is_free_dense = 1;
        matrix->leading = leading_dimension(&factor->free.cursor, &factor->shared.cursor);
        if (matrix->leading != 0)
            return SW_OK;
        matrix->is_free_dense = 0;
        matrix->leading = leading_dimension(&factor->shared.cursor, &factor->free.cursor);
        if (matrix->leading != 0)
            return SW_OK;
    }
    return copy_matrix(matrix, factor);
}

/* Up to here the sequential kernel's exactness is promised. */
#define SEQUENTIAL_TERMS (32 * 32 * 32)

static int is_small(int64_t m, int64_t n, int64_t k)
{
    int64_t terms;

    return !__builtin_mul_overflow(m, n, &terms) && !__builtin_mul_overflow(terms, k, &terms) &&
           terms <= SEQUENTIAL_TERMS;
}

#ifdef HAVE_CBLAS
/* Whether a product is one for BLAS: large, and of numbers that it takes. */
static int is_for_blas(int64_t m, int64_t n, int64_t k)
{
    return !is_small(m, n, k) && m <= INT_MAX && n <= INT_MAX && k <= INT_MAX;
}

/* Column-major C = A * B': A is m by k as it stands when its free mode is dense, B likewise transposed. */
static void multiply_by_blas(const struct matrix *a, const struct matrix *b, int64_t m, int64_t n, int64_t k, float *out)
{
    cblas_sgemm(CblasColMajor, a->is_free_dense ? CblasNoTrans : CblasTrans,
                b->is_free_dense ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, 1.0f, a->data, (int)a->leading,
                b->data, (int)b->leading, 0.0f, out, (int)m);
}
#endif

/* A factor as the sequential kernel addresses it. */
#define STRIDES_OF(matrix) { (matrix)->is_free_dense ? 1 : (matrix)->leading, (matrix)->is_free_dense ? (matrix)->leading : 1 }

static void multiply(const struct matrix *a, const struct matrix *b, int64_t m, int64_t n, int64_t k, float *out)
{
#ifdef HAVE_CBLAS
    if (is_for_blas(m, n, k)) {
        multiply_by_blas(a, b, m, n, k, out);
        return;
    }
#endif
    const struct sw__matrices matrices = {
        .a = { a->data, STRIDES_OF(a) }, .b = { b->data, STRIDES_OF(b) }, .m = m, .n = n, .k = k, .out = out
    };
    SW__KERNEL(sequential)(&matrices);
}

static int multiply_matrices(const struct sw__matrices *matrices)
{
    const int64_t m = matrices->m, n = matrices->n, k = matrices->k;
    struct matrix a, b;

    if (is_small(m, n, k)) {
        SW__KERNEL(sequential)(matrices);
        return 1;
    }
    if (!place_matrix(&a, matrices->a.data, m, k, matrices->a.strides) ||
        !place_matrix(&b, matrices->b.data, n, k, matrices->b.strides))
        return 0;
    multiply(&a, &b, m, n, k, matrices->out);
    return 1;
}

static enum sw_status product_f32(struct sw__product *product)
{
    struct matrix a SW__CLEANUP(matrix_clear) = { .memory = NULL };
    struct matrix b SW__CLEANUP(matrix_clear) = { .memory = NULL };

    SW__TRY(open_matrix(&a, &product->a));
    SW__TRY(open_matrix(&b, &product->b));
    multiply(&a, &b, product->m, product->n, product->k, product->out);
    return SW_OK;
}

const struct sw__matmul_kernel SW__KERNEL(matmul_fast) = { multiply_matrices, product_f32, sw__product_f64,
                                                           sw__product_i32 };
const struct sw__conv_kernel SW__KERNEL(conv_fast) = { &SW__KERNEL(matmul_fast) };
