/*
 * CPU's products: large float32 ones go to BLAS, whatever the layouts are.
 * A factor that BLAS cannot address by one leading dimension is copied first.
 */
#include "config.h"

#include "op/op.h"
#include "op/product.h"

#ifdef HAVE_CBLAS

#include <cblas.h>
#include <limits.h>

#include "base/alloc.h"

/* Up to here the sequential kernel's exactness is promised. */
#define SEQUENTIAL_TERMS (32 * 32 * 32)

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

static int is_large(const struct sw__product *product)
{
    int64_t terms;

    return __builtin_mul_overflow(product->m, product->n, &terms) ||
           __builtin_mul_overflow(terms, product->k, &terms) || terms > SEQUENTIAL_TERMS;
}

static int fits_blas(const struct sw__product *product)
{
    return product->m <= INT_MAX && product->n <= INT_MAX && product->k <= INT_MAX;
}

/* The leading dimension when @dense is the inner mode and @outer the other one; 0 when BLAS has none. */
static int64_t leading_dimension(const struct sw__cursor *dense, const struct sw__cursor *outer)
{
    if (!sw__cursor_is_dense(dense) || outer->n_leaves != 1)
        return 0;
    if (outer->size == 1)
        return dense->size;
    return outer->strides[0] >= dense->size && outer->strides[0] <= INT_MAX ? outer->strides[0] : 0;
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
    matrix->is_free_dense = 0;
    SW__TRY(sw__factor_copy_rows(factor, &matrix->memory));
    matrix->data = matrix->memory;
    matrix->leading = factor->shared.cursor.size;
    return SW_OK;
}

static enum sw_status product_f32(struct sw__product *product)
{
    struct matrix a SW__CLEANUP(matrix_clear) = { .memory = NULL };
    struct matrix b SW__CLEANUP(matrix_clear) = { .memory = NULL };

    if (!is_large(product) || !fits_blas(product))
        return sw__product_f32(product);
    SW__TRY(open_matrix(&a, &product->a));
    SW__TRY(open_matrix(&b, &product->b));
    /* Column-major C = A * B': A is m by k as it stands when its free mode is dense, B likewise transposed. */
    cblas_sgemm(CblasColMajor, a.is_free_dense ? CblasNoTrans : CblasTrans, b.is_free_dense ? CblasTrans : CblasNoTrans,
                (int)product->m, (int)product->n, (int)product->k, 1.0f, a.data, (int)a.leading, b.data,
                (int)b.leading, 0.0f, product->out, (int)product->m);
    return SW_OK;
}

#else

/* The sequential kernel works in panels and is the best there is without BLAS. */
static enum sw_status product_f32(struct sw__product *product)
{
    return sw__product_f32(product);
}

#endif

const struct sw__matmul_kernel sw__kernel_matmul_fast = { product_f32, sw__product_f64, sw__product_i32 };
const struct sw__conv_kernel sw__kernel_conv_fast = { &sw__kernel_matmul_fast };
