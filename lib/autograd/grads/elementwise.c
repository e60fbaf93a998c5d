/*
 * Running the loops of elementwise gradients: operands are widened to the shape
 * of the result as the operation did it, and what a widened operand contributed
 * to several elements is summed.
 */
#include "config.h"

#include <string.h>

#include "autograd/grads/grads.h"
#include "op/check.h"

struct inputs {
    struct sw__source at[SW__PLAN_OPERANDS];
    unsigned reads; /* bit k: operand k is open */
};

static void inputs_clear(struct inputs *inputs)
{
    for (size_t i = 0; i < SW__PLAN_OPERANDS; i++)
        if (inputs->reads >> i & 1)
            sw__source_clear(&inputs->at[i]);
}

static enum sw_status open_tensor(const struct sw__step *step, size_t operand, struct sw__source *source)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
    struct sw_tensor *wide SW__OWNED_TENSOR = NULL;
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;

    SW__TRY(sw__step_tensor(step, operand, &tensor));
    SW__TRY(sw_layout_broadcast_to(tensor->layout, step->result->shape, &layout));
    SW__TRY(sw__tensor_view(tensor, tensor->offset, layout, &wide));
    return sw__source_init(source, wide, tensor->dtype == SW_BOOL ? SW_BOOL : SW_FLOAT32);
}

static enum sw_status open_inputs(const struct sw__step *step, unsigned reads, struct inputs *inputs)
{
    struct sw_scalar scalar;

    for (size_t i = 0; i < step->n_operands; i++) {
        if ((reads >> i & 1) == 0)
            continue;
        inputs->at[i].cursor.heap = NULL;
        inputs->reads |= 1u << i;
        if (step->operands[i].kind == SW_OPERAND_TENSOR) {
            SW__TRY(open_tensor(step, i, &inputs->at[i]));
            continue;
        }
        SW__TRY(sw__operand_scalar(step->op, &step->operands[i], &scalar));
        SW__TRY(sw__source_init_scalar(&inputs->at[i], &scalar, SW_FLOAT32, step->result->size));
    }
    return SW_OK;
}

/* Where contributions go: a cursor over the operand's ordinals in the order of the result's. */
static enum sw_status open_target(const struct sw__step *step, size_t operand, struct sw__cursor *target)
{
    struct sw_layout *canonical SW__OWNED_LAYOUT = NULL;
    struct sw_layout *wide SW__OWNED_LAYOUT = NULL;

    SW__TRY(sw_layout_canonical(sw__step_layout(step, operand)->shape, &canonical));
    SW__TRY(sw_layout_broadcast_to(canonical, step->result->shape, &wide));
    return sw__cursor_init(target, wide->extents, wide->strides, wide->n_leaves);
}

static void add_block(struct sw__cursor *target, const float *block, size_t n, float *out)
{
    int64_t index, stride;

    while (n > 0) {
        int64_t run = sw__cursor_run(target, (int64_t)n, &index, &stride);
        for (int64_t i = 0; i < run; i++)
            out[index + i * stride] += block[i];
        block += run;
        n -= (size_t)run;
    }
}

enum sw_status sw__elementwise_gradient(const struct sw__step *step, size_t operand, float *out)
{
    const struct sw__elementwise_gradient *kernel = step->gradient->kernel;
    struct inputs inputs SW__CLEANUP(inputs_clear) = { .reads = 0 };
    struct sw__cursor target SW__OWNED_CURSOR = { 0 };
    _Alignas(64) float buffers[SW__PLAN_OPERANDS][SW__BLOCK], sums[SW__BLOCK];
    const size_t n_out = (size_t)sw__step_layout(step, operand)->size, size = (size_t)step->result->size;
    const int is_whole = n_out == size;
    const void *in[SW__PLAN_OPERANDS];

    SW__TRY(open_inputs(step, kernel->reads[operand], &inputs));
    if (!is_whole) {
        SW__TRY(open_target(step, operand, &target));
        memset(out, 0, n_out * sizeof *out);
    }
    for (size_t done = 0, n; done < size; done += n) {
        const float *g = step->cotangent + done;

        n = size - done < SW__BLOCK ? size - done : SW__BLOCK;
        for (size_t i = 0; i < SW__PLAN_OPERANDS; i++)
            in[i] = inputs.reads >> i & 1 ? sw__source_read(&inputs.at[i], n, buffers[i]) : g;
        kernel->loops[operand](is_whole ? out + done : sums, g, in, n);
        if (!is_whole)
            add_block(&target, sums, n, out);
    }
    return SW_OK;
}
