/*
 * The gradient of every view: a view of the operand's ordinals says which
 * element each element of the result is, and what comes to one is summed.
 */
#include "config.h"

#include <string.h>

#include "autograd/grads/grads.h"

static enum sw_status view(const struct sw__step *step, size_t operand, float *out)
{
    const struct sw__view_kernel *kernel = step->op->kernel;
    struct sw_layout *ordinals SW__OWNED_LAYOUT = NULL;
    struct sw_layout *viewed SW__OWNED_LAYOUT = NULL;
    struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };
    const float *g = step->cotangent;
    int64_t offset = 0, index, stride;

    SW__TRY(sw_layout_canonical(sw__step_layout(step, operand)->shape, &ordinals));
    SW__TRY(kernel->place(ordinals, step->operands + 1, step->n_operands - 1, &offset, &viewed));
    SW__TRY(sw__cursor_init(&cursor, viewed->extents, viewed->strides, viewed->n_leaves));
    memset(out, 0, (size_t)ordinals->size * sizeof *out);
    for (int64_t left = viewed->size; left > 0;) {
        const int64_t run = sw__cursor_run(&cursor, left, &index, &stride);
        for (int64_t i = 0; i < run; i++)
            out[offset + index + i * stride] += *g++;
        left -= run;
    }
    return SW_OK;
}

const struct sw__gradient sw__gradient_view = { view, NULL };
