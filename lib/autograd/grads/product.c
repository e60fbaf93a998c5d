/*
 * The gradient of matmul: products of the cotangent with the other factor, by
 * the kernels and in the accumulator of the operation itself.
 */
#include "config.h"

#include "autograd/grads/grads.h"
#include "op/product.h"
#include "op/shapes.h"

/* What was contracted is free now, and the rows of the other factor are what is contracted. */
static enum sw_status open_other(struct sw__factor *factor, const struct sw_tensor *other)
{
    const struct sw_layout *layout = other->layout;
    const size_t n_rows = sw__shape_leaves_before(layout->shape, 1);

    SW__TRY(sw__source_init_leaves(&factor->free, other, SW_FLOAT32, n_rows, layout->n_leaves));
    return sw__source_init_leaves(&factor->shared, other, SW_FLOAT32, 0, n_rows);
}

/* The cotangent has element (i,j) at i + m*j: rows are i for the first factor, j for the second. */
static enum sw_status open_cotangent(struct sw__factor *factor, const struct sw__step *step, size_t operand, int64_t m,
                                     int64_t n)
{
    const float *g = step->cotangent;

    if (operand == 0) {
        SW__TRY(sw__source_init_memory(&factor->free, g, SW_FLOAT32, m, 1));
        return sw__source_init_memory(&factor->shared, g, SW_FLOAT32, n, m);
    }
    SW__TRY(sw__source_init_memory(&factor->free, g, SW_FLOAT32, n, m));
    return sw__source_init_memory(&factor->shared, g, SW_FLOAT32, m, 1);
}

static enum sw_status multiply(const struct sw__step *step, size_t operand, float *out)
{
    const struct sw__matmul_kernel *kernel = step->op->kernel;
    struct sw__product product SW__OWNED_PRODUCT = { .m = 0 };
    struct sw_tensor *other SW__OWNED_TENSOR = NULL;

    SW__TRY(sw__step_tensor(step, 1 - operand, &other));
    SW__TRY(open_other(&product.b, other));
    const int64_t n_other = product.b.shared.cursor.size, n_own = step->result->size / n_other;
    SW__TRY(open_cotangent(&product.a, step, operand, operand == 0 ? n_own : n_other,
                           operand == 0 ? n_other : n_own));
    product.m = n_own;
    product.n = product.b.free.cursor.size;
    product.k = n_other;
    product.out = out;
    return step->accumulator == SW_FLOAT64 ? kernel->f64(&product) : kernel->f32(&product);
}

const struct sw__gradient sw__gradient_matmul = { multiply, NULL };
