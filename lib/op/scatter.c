/*
 * The scatter family: a copy of the base in which the elements that an index
 * tensor addresses along one mode meet the updates.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/range.h"
#include "op/axis.h"
#include "op/check.h"
#include "op/op.h"

static enum sw_status check(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw__plan *ret_plan)
{
    static const enum sw_dtype wanted[] = { SW_FLOAT32, SW_INT32, SW_FLOAT32 };
    struct sw_scalar scalars[SW__PLAN_OPERANDS];

    SW__TRY(sw__check_arity(op, operands, n_operands, 4, 3));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    SW__TRY(sw__check_tensors(op, operands, wanted, 3));
    return sw__check_plan(op, operands, 3, options, scalars, ret_plan);
}

/* ValueError when an index stands there twice. The extent is no more than the elements of the result. */
static enum sw_status check_distinct(const struct sw__op *op, const int64_t *indices, size_t n, int64_t extent)
{
    uint8_t *is_used SW__OWNED = sw__alloc_zero((size_t)extent / 8 + 1);

    if (is_used == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++) {
        uint8_t *byte = &is_used[indices[i] / 8];
        const uint8_t bit = (uint8_t)(1 << indices[i] % 8);
        if (*byte & bit)
            return sw_error_set(SW_VALUE_ERROR, "%s: index %lld at ordinal %zu stands there twice", op->name,
                                (long long)indices[i], i);
        *byte |= bit;
    }
    return SW_OK;
}

static enum sw_status check_updates(const struct sw__op *op, const struct sw_tensor *base, size_t mode,
                                    const struct sw_tensor *index, const struct sw_tensor *updates)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;

    SW__TRY(sw__axis_replace(base, mode, index->layout->shape, &shape));
    if (!sw_tree_equal(shape, updates->layout->shape))
        return sw_error_set(SW_VALUE_ERROR, "%s: the updates must have the shape of a gather at these indices",
                            op->name);
    return SW_OK;
}

/* Where the next update goes: the result is canonical, so rows of @n_before elements lie dense. */
struct target {
    float *out;
    const int64_t *indices;
    size_t n_before;
    size_t n_indices;
    size_t slice; /* elements of the result per ordinal after the axis */
    size_t before;
    size_t index;
};

static void meet(struct target *to, const struct sw__scatter_kernel *kernel, const float *updates, size_t n)
{
    while (n > 0) {
        const size_t left = to->n_before - to->before, run = n < left ? n : left;
        kernel->f32(to->out + (size_t)to->indices[to->index] * to->n_before + to->before, updates, run);
        updates += run;
        n -= run;
        to->before += run;
        if (to->before < to->n_before)
            continue;
        to->before = 0;
        if (++to->index < to->n_indices)
            continue;
        to->index = 0;
        to->out += to->slice;
    }
}

static enum sw_status run(const struct sw__scatter_kernel *kernel, const struct sw_tensor *updates, struct target *to)
{
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    const size_t n = (size_t)updates->layout->size;
    float buffer[SW__BLOCK];
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);

    SW__TRY(sw__source_init(&source, updates, SW_FLOAT32));
    for (size_t done = 0; done < n; done += SW__BLOCK) {
        const size_t block = n - done < SW__BLOCK ? n - done : SW__BLOCK;
        meet(to, kernel, sw__source_read(&source, block, buffer), block);
    }
    return SW_OK;
}

enum sw_status sw__scatter_compute(struct sw_operation *operation, const struct sw_operand *operands,
                                   size_t n_operands, const struct sw_execution_options *options,
                                   struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__scatter_kernel *kernel = op->kernel;
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    int64_t *indices SW__OWNED = NULL;
    struct sw__plan plan;
    size_t mode = 0;

    SW__TRY(check(op, operands, n_operands, options, &plan));
    const struct sw_tensor *base = operands[0].as.tensor, *index = operands[1].as.tensor;
    const struct sw_tensor *updates = operands[2].as.tensor;
    SW__TRY(sw__axis_operand(op, &operands[3], base, &mode));
    const struct sw__extents extents = sw__axis_extents(base, mode);
    const int64_t extent = (int64_t)extents.along;
    SW__TRY(sw__axis_indices(op, index, extent, &indices));
    if (kernel->wants_distinct)
        SW__TRY(check_distinct(op, indices, (size_t)index->layout->size, extent));
    SW__TRY(check_updates(op, base, mode, index, updates));
    SW__TRY(sw__tensor_allocate(base, plan.output, base->layout->shape, &result));
    float *out = sw__dense_of(result->carrier)->data;
    SW__TRY(sw__source_copy(base, plan.output, out));
    struct target to = { .out = out, .indices = indices, .n_before = extents.before };
    to.n_indices = (size_t)index->layout->size;
    to.slice = extents.before * extents.along;
    SW__TRY(run(kernel, updates, &to));
    *ret_tensor = sw__take(result);
    return SW_OK;
}
