/*
 * The gather family: one mode of the source is replaced by the modes of an
 * index tensor.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/range.h"
#include "op/axis.h"
#include "op/check.h"
#include "op/op.h"

/* From ordinals along the axis to slots. */
static void find_slots(struct sw__cursor *axis, int64_t *indices, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sw__cursor_seek(axis, indices[i]);
        indices[i] = axis->index;
    }
}

static void run(struct sw__axis *axis, const struct sw__gather_kernel *kernel, const int64_t *slots, size_t n_slots,
                float *out)
{
    const float *base = axis->after.base;
    const size_t n_before = (size_t)axis->before.cursor.size;
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);

    for (int64_t i = 0; i < axis->after.cursor.size; i++) {
        const float *at = base + sw__cursor_next(&axis->after.cursor);
        if (n_before == 1) {
            kernel->f32(out, at, slots, n_slots);
            out += n_slots;
            continue;
        }
        for (size_t j = 0; j < n_slots; j++, out += n_before) {
            int64_t index, stride;
            for (size_t done = 0; done < n_before;) {
                int64_t n = sw__cursor_run(&axis->before.cursor, (int64_t)(n_before - done), &index, &stride);
                axis->before.copy(out + done, at + slots[j], index, stride, n);
                done += (size_t)n;
            }
        }
    }
}

/* The axis is no operand of the plan. */
static enum sw_status check(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw__plan *ret_plan)
{
    static const enum sw_dtype wanted[] = { SW_FLOAT32, SW_INT32 };
    struct sw_scalar scalars[SW__PLAN_OPERANDS];

    SW__TRY(sw__check_arity(op, operands, n_operands, 3, 2));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    SW__TRY(sw__check_tensors(op, operands, wanted, 2));
    return sw__check_plan(op, operands, 2, options, scalars, ret_plan);
}

enum sw_status sw__gather_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                  const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    struct sw__axis axis SW__OWNED_AXIS = { .before = { .cursor = { 0 } } };
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    int64_t *indices SW__OWNED = NULL;
    struct sw__plan plan;
    size_t mode = 0;

    SW__TRY(check(op, operands, n_operands, options, &plan));
    const struct sw_tensor *in = operands[0].as.tensor, *index = operands[1].as.tensor;
    SW__TRY(sw__axis_operand(op, &operands[2], in, &mode));
    SW__TRY(sw__axis_init(&axis, in, mode));
    SW__TRY(sw__axis_indices(op, index, axis.along.cursor.size, &indices));
    const size_t n_indices = (size_t)index->layout->size;
    find_slots(&axis.along.cursor, indices, n_indices);
    SW__TRY(sw__axis_replace(in, mode, index->layout->shape, &shape));
    SW__TRY(sw__tensor_allocate(in, plan.output, shape, &result));
    run(&axis, op->kernel, indices, n_indices, sw__dense_of(result->carrier)->data);
    *ret_tensor = sw__take(result);
    return SW_OK;
}
