/*
 * The matmul family: both second modes are contracted, pairing by ordinal.
 */
#include "config.h"

#include "base/range.h"
#include "op/axis.h"
#include "op/check.h"
#include "op/op.h"
#include "op/product.h"
#include "op/shapes.h"

static enum sw_status open_factor(struct sw__factor *factor, const struct sw_tensor *tensor, enum sw_dtype wanted)
{
    const struct sw_layout *layout = tensor->layout;
    size_t n_free = sw__shape_leaves_before(layout->shape, 1);

    SW__TRY(sw__source_init_leaves(&factor->free, tensor, wanted, 0, n_free));
    return sw__source_init_leaves(&factor->shared, tensor, wanted, n_free, layout->n_leaves);
}

static enum sw_status check(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands)
{
    SW__TRY(sw__check_arity(op, operands, n_operands, 2, 2));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    for (size_t i = 0; i < n_operands; i++) {
        SW__TRY(sw__check_live(operands[i].as.tensor));
        SW__TRY(sw__check_two_modes(op, operands[i].as.tensor));
    }
    int64_t a = sw__axis_extent(operands[0].as.tensor, 1), b = sw__axis_extent(operands[1].as.tensor, 1);
    if (a != b)
        return sw_error_set(SW_VALUE_ERROR, "matmul contracts second modes of one size, not %lld with %lld",
                            (long long)a, (long long)b);
    return SW_OK;
}

static int is_matrix(const struct sw_layout *layout)
{
    return layout->n_leaves == 2 && layout->shape->n_nodes == 2;
}

/* Whether a factor's shape is that of a product of matrices. */
static int is_result(const struct sw_layout *layout, int64_t m, int64_t n)
{
    return layout->extents[0] == m && layout->extents[1] == n;
}

/* Products of square matrices have the shape of their factors. */
static enum sw_status allocate(const struct sw_tensor *a, const struct sw_tensor *b, enum sw_dtype dtype,
                               struct sw_tensor **ret_tensor)
{
    const struct sw__shape_part joined[] = { { a->layout->shape, 0, 1 }, { b->layout->shape, 0, 1 } };
    struct sw_tree *shape SW__OWNED_TREE = NULL;

    if (is_matrix(a->layout) && is_matrix(b->layout)) {
        const int64_t m = a->layout->extents[0], n = b->layout->extents[0];
        if (is_result(a->layout, m, n))
            return sw__tensor_allocate_by(a, dtype, a->layout, ret_tensor);
        if (is_result(b->layout, m, n))
            return sw__tensor_allocate_by(a, dtype, b->layout, ret_tensor);
    }
    SW__TRY(sw__shape_join(joined, 2, &shape));
    return sw__tensor_allocate(a, dtype, shape, ret_tensor);
}

/* The common case, which is decided without sources; 0 when it is another one. */
static int multiply_matrices(const struct sw__matmul_kernel *kernel, const struct sw__plan *plan,
                             const struct sw_tensor *a, const struct sw_tensor *b, void *out)
{
    const struct sw_layout *of_a = a->layout, *of_b = b->layout;

    if (kernel->matrices == NULL || plan->accumulator == SW_FLOAT64 || a->dtype != SW_FLOAT32 ||
        b->dtype != SW_FLOAT32 || !is_matrix(of_a) || !is_matrix(of_b))
        return 0;
    const struct sw__matrices matrices = {
        .a = { (const float *)sw__dense_of(a->carrier)->data + a->offset, { of_a->strides[0], of_a->strides[1] } },
        .b = { (const float *)sw__dense_of(b->carrier)->data + b->offset, { of_b->strides[0], of_b->strides[1] } },
        .m = of_a->extents[0],
        .n = of_b->extents[0],
        .k = of_a->extents[1],
        .out = out,
    };
    return kernel->matrices(&matrices);
}

static enum sw_status multiply(const struct sw__matmul_kernel *kernel, const struct sw__plan *plan,
                               const struct sw_tensor *a, const struct sw_tensor *b, void *out)
{
    struct sw__product product SW__OWNED_PRODUCT;

    product.a.free.cursor.heap = product.a.shared.cursor.heap = NULL;
    product.b.free.cursor.heap = product.b.shared.cursor.heap = NULL;
    SW__TRY(open_factor(&product.a, a, plan->convert_to[0]));
    SW__TRY(open_factor(&product.b, b, plan->convert_to[1]));
    product.m = product.a.free.cursor.size;
    product.n = product.b.free.cursor.size;
    product.k = product.a.shared.cursor.size;
    product.out = out;
    if (plan->accumulator == SW_FLOAT64)
        return kernel->f64(&product);
    return plan->compute == SW__COMPUTE_BINARY32 ? kernel->f32(&product) : kernel->i32(&product);
}

static enum sw_status execute(const struct sw__op *op, const struct sw__plan *plan, const struct sw_tensor *a,
                              const struct sw_tensor *b, void *out)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);

    return multiply_matrices(op->kernel, plan, a, b, out) ? SW_OK : multiply(op->kernel, plan, a, b, out);
}

enum sw_status sw__matmul_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                  const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw__plan plan;

    SW__TRY(check(op, operands, n_operands));
    const struct sw_tensor *a = operands[0].as.tensor, *b = operands[1].as.tensor;
    SW__TRY(sw__check_plan(op, operands, n_operands, options, scalars, &plan));
    SW__TRY(allocate(a, b, plan.output, &result));
    void *out = sw__dense_of(result->carrier)->data;
    SW__TRY(execute(op, &plan, a, b, out));
    *ret_tensor = sw__take(result);
    return SW_OK;
}
