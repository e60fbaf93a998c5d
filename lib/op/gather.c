/*
 * The gather family: one mode of the source is replaced by the modes of an
 * index tensor.
 */
#include "config.h"

#include "base/alloc.h"
#include "op/check.h"
#include "op/op.h"
#include "op/shapes.h"
#include "op/source.h"

/* The source's leaves before, of, and after the axis mode. */
struct parts {
    struct sw__source before;
    struct sw__source axis;
    struct sw__source after;
};

static void parts_clear(struct parts *parts)
{
    sw__source_clear(&parts->before);
    sw__source_clear(&parts->axis);
    sw__source_clear(&parts->after);
}

static enum sw_status open_parts(struct parts *parts, const struct sw_tensor *in, size_t axis)
{
    const struct sw_layout *layout = in->layout;
    size_t begin = sw__shape_leaves_before(layout->shape, axis);
    size_t end = sw__shape_leaves_before(layout->shape, axis + 1);

    SW__TRY(sw__source_init_leaves(&parts->before, in, in->dtype, 0, begin));
    SW__TRY(sw__source_init_leaves(&parts->axis, in, in->dtype, begin, end));
    return sw__source_init_leaves(&parts->after, in, in->dtype, end, layout->n_leaves);
}

/* Where along the axis each index leads, in slots. All are checked before anything is computed. */
static enum sw_status read_indices(const struct sw_tensor *index, struct sw__cursor *axis, int64_t *slots)
{
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    int32_t buffer[SW__BLOCK];
    const size_t n = (size_t)index->layout->size;

    SW__TRY(sw__source_init(&source, index, SW_INT32));
    for (size_t done = 0; done < n;) {
        size_t block = n - done < SW__BLOCK ? n - done : SW__BLOCK;
        const int32_t *values = sw__source_read(&source, block, buffer);
        for (size_t i = 0; i < block; i++) {
            if (values[i] < 0 || values[i] >= axis->size)
                return sw_error_set(SW_INDEX_ERROR, "gather: index %d at ordinal %zu is outside of [0, %lld)",
                                    values[i], done + i, (long long)axis->size);
            sw__cursor_seek(axis, values[i]);
            slots[done + i] = axis->index;
        }
        done += block;
    }
    return SW_OK;
}

static void run(struct parts *parts, const struct sw__gather_kernel *kernel, const int64_t *slots, size_t n_slots,
                float *out)
{
    const float *base = parts->after.base;
    const size_t n_before = (size_t)parts->before.cursor.size;

    for (int64_t i = 0; i < parts->after.cursor.size; i++) {
        const float *at = base + sw__cursor_next(&parts->after.cursor);
        if (n_before == 1) {
            kernel->f32(out, at, slots, n_slots);
            out += n_slots;
            continue;
        }
        for (size_t j = 0; j < n_slots; j++, out += n_before) {
            int64_t index, stride;
            for (size_t done = 0; done < n_before;) {
                int64_t n = sw__cursor_run(&parts->before.cursor, (int64_t)(n_before - done), &index, &stride);
                parts->before.copy(out + done, at + slots[j], index, stride, n);
                done += (size_t)n;
            }
        }
    }
}

static enum sw_status check_axis(const struct sw_operand *operand, const struct sw_tensor *in, size_t *ret_axis)
{
    if (operand->kind != SW_OPERAND_INTEGER)
        return sw_error_set(SW_TYPE_ERROR, "gather: the axis must be an integer");
    if (operand->as.integer < 0 || operand->as.integer >= (int64_t)in->layout->shape->n_modes)
        return sw_error_set(SW_VALUE_ERROR, "gather: axis %lld of a tensor with %u modes",
                            (long long)operand->as.integer, in->layout->shape->n_modes);
    *ret_axis = (size_t)operand->as.integer;
    return SW_OK;
}

/* The axis is no operand of the plan. */
static enum sw_status check(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw__plan *ret_plan)
{
    static const enum sw_dtype wanted[] = { SW_FLOAT32, SW_INT32 };
    struct sw_scalar scalars[SW__PLAN_OPERANDS];

    SW__TRY(sw__check_arity(op, operands, n_operands, 3, 2));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    for (size_t i = 0; i < 2; i++) {
        SW__TRY(sw__check_live(operands[i].as.tensor));
        SW__TRY(sw__check_dtype(op, operands[i].as.tensor, wanted[i]));
    }
    return sw__check_plan(op, operands, 2, options, scalars, ret_plan);
}

enum sw_status sw__gather_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                  const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    struct parts parts SW__CLEANUP(parts_clear) = { .before = { .cursor = { 0 } } };
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    int64_t *slots SW__OWNED = NULL;
    struct sw__plan plan;
    size_t axis = 0;

    SW__TRY(check(op, operands, n_operands, options, &plan));
    const struct sw_tensor *in = operands[0].as.tensor, *index = operands[1].as.tensor;
    SW__TRY(check_axis(&operands[2], in, &axis));
    SW__TRY(open_parts(&parts, in, axis));
    const size_t n_slots = (size_t)index->layout->size;
    if (n_slots > SIZE_MAX / sizeof *slots || (slots = sw__alloc(n_slots * sizeof *slots)) == NULL)
        return sw_error_set(SW_MEMORY_ERROR, "no memory for %zu indices", n_slots);
    SW__TRY(read_indices(index, &parts.axis.cursor, slots));
    const struct sw__shape_part joined[] = {
        { in->layout->shape, 0, axis },
        { index->layout->shape, 0, index->layout->shape->n_modes },
        { in->layout->shape, axis + 1, in->layout->shape->n_modes },
    };
    SW__TRY(sw__shape_join(joined, 3, &shape));
    SW__TRY(sw__tensor_allocate(in, plan.output, shape, &result));
    run(&parts, op->kernel, slots, n_slots, sw__dense_of(result->carrier)->data);
    *ret_tensor = sw__take(result);
    return SW_OK;
}
