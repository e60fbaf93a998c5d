/*
 * Making one gradient: the layout that it gets, and elements that share a slot.
 */
#include "config.h"

#include "autograd/gradient.h"

#include <string.h>

#include "autograd/grads/grads.h"
#include "base/alloc.h"
#include "op/cursor.h"

/* ---- Layouts that repeat slots ----------------------------------------------------------- */

static int repeats(const struct sw_layout *layout, size_t leaf)
{
    return layout->strides[leaf] == 0 && layout->extents[leaf] > 1;
}

/* The layout without what strides of 0 repeat. */
static enum sw_status shrink(const struct sw_layout *layout, struct sw_layout **ret_layout)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_tree *stride SW__OWNED_TREE = NULL;
    int64_t *extents SW__OWNED = sw__alloc(layout->n_leaves * sizeof *extents);

    if (extents == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < layout->n_leaves; i++)
        extents[i] = repeats(layout, i) ? 1 : layout->extents[i];
    SW__TRY(sw_tree_flat(extents, layout->n_leaves, &shape));
    SW__TRY(sw_tree_flat(layout->strides, layout->n_leaves, &stride));
    return sw_layout_new(shape, stride, ret_layout);
}

enum sw_status sw__aliasing_of(const struct sw_layout *layout, enum sw__aliasing *ret_aliasing)
{
    struct sw_layout *shrunk SW__OWNED_LAYOUT = NULL;
    int is_injective = 0;

    SW__TRY(sw_layout_is_injective(layout, &is_injective));
    if (is_injective) {
        *ret_aliasing = SW__ALIASING_NONE;
        return SW_OK;
    }
    SW__TRY(shrink(layout, &shrunk));
    SW__TRY(sw_layout_is_injective(shrunk, &is_injective));
    if (!is_injective)
        return sw_error_set(SW_VALUE_ERROR, "a layout that uses slots more than once, and not by strides of 0 alone, "
                                            "has no gradient");
    *ret_aliasing = SW__ALIASING_REPEATS;
    return SW_OK;
}

/* Numbers the slots that elements share: a cursor from elements to them. */
static enum sw_status open_shared(const struct sw_layout *layout, struct sw__cursor *cursor, int64_t *ret_n)
{
    int64_t *strides SW__OWNED = sw__alloc(layout->n_leaves * sizeof *strides);
    int64_t n = 1;

    if (strides == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < layout->n_leaves; i++) {
        strides[i] = repeats(layout, i) ? 0 : n;
        n *= repeats(layout, i) ? 1 : layout->extents[i];
    }
    *ret_n = n;
    return sw__cursor_init(cursor, layout->extents, strides, layout->n_leaves);
}

/* Every element becomes the sum over all that share its slot. */
static enum sw_status sum_shared(const struct sw_layout *layout, float *values)
{
    struct sw__cursor cursor SW__OWNED_CURSOR = { 0 };
    float *sums SW__OWNED = NULL;
    int64_t n = 0;

    SW__TRY(open_shared(layout, &cursor, &n));
    SW__TRY(sw__floats(n, &sums));
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int64_t i = 0; i < layout->size; i++)
        sums[sw__cursor_next(&cursor)] += values[i];
    sw__cursor_seek(&cursor, 0);
    for (int64_t i = 0; i < layout->size; i++)
        values[i] = sums[sw__cursor_next(&cursor)];
    return SW_OK;
}

/* ---- Making --------------------------------------------------------------------------------- */

static enum sw_status add_earlier(const struct sw_tensor *earlier, float *values)
{
    const int64_t n = earlier->layout->size;
    float *sum SW__OWNED = NULL;

    SW__TRY(sw__floats(n, &sum));
    SW__TRY(sw_tensor_read_f32(earlier, sum, (size_t)n));
    for (int64_t i = 0; i < n; i++)
        values[i] += sum[i];
    return SW_OK;
}

/* The layout of a gradient; elements that share a slot come out equal. */
static enum sw_status settle(const struct sw_tensor *tensor, float *cotangent, struct sw_layout **ret_layout)
{
    enum sw__aliasing aliasing;

    SW__TRY(sw__aliasing_of(tensor->layout, &aliasing));
    if (aliasing == SW__ALIASING_NONE) {
        *ret_layout = sw_layout_ref(tensor->layout);
        return SW_OK;
    }
    SW__TRY(sum_shared(tensor->layout, cotangent));
    return sw_layout_canonical(tensor->layout->shape, ret_layout);
}

enum sw_status sw__gradient_form(const struct sw_tensor *tensor, float *cotangent, const struct sw_tensor *earlier,
                                 struct sw_tensor **ret_gradient)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw_tensor *gradient SW__OWNED_TENSOR = NULL;

    SW__TRY(settle(tensor, cotangent, &layout));
    if (earlier != NULL)
        SW__TRY(add_earlier(earlier, cotangent));
    SW__TRY(sw_carrier_allocate_like(tensor->carrier, layout->cosize, 1, SW_FLOAT32, layout->cosize == layout->size,
                                     &carrier));
    SW__TRY(sw_tensor_new(carrier, 0, layout, &gradient));
    SW__TRY(sw_tensor_write_f32(gradient, cotangent, (size_t)layout->size));
    *ret_gradient = sw__take(gradient);
    return SW_OK;
}
