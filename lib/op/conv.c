/*
 * The conv family: checks, geometry and shape of a convolution.
 */
#include "config.h"

#include "op/conv.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "layout/tree.h"
#include "op/axis.h"
#include "op/check.h"
#include "op/shapes.h"

void sw__conv_clear(struct sw__conv *conv)
{
    for (size_t i = 0; conv->windows != NULL && i < conv->n_spatial; i++)
        sw__free(conv->windows[i].offsets);
    sw__free(conv->windows);
}

/* ---- Arguments ------------------------------------------------------------------------ */

/* Places of the operands. */
enum { IN, KERNEL, STRIDES, PADDING, LHS_DILATION, KERNEL_DILATION, GROUPS, N_OPERANDS };

/* The argument as a tree with one entry per spatial dimension. */
static enum sw_status list_of(const struct sw_operand *operand, const char *what, size_t n_spatial,
                              const struct sw_tree **ret_list)
{
    if (operand->kind != SW_OPERAND_TREE || operand->as.tree == NULL || operand->as.tree->kind != SW_KIND_TREE)
        return sw_error_set(SW_TYPE_ERROR, "conv_general: the %s must be a tree", what);
    if (operand->as.tree->n_modes != n_spatial)
        return sw_error_set(SW_VALUE_ERROR, "conv_general: %u entries of %s for %zu spatial dimensions",
                            operand->as.tree->n_modes, what, n_spatial);
    *ret_list = operand->as.tree;
    return SW_OK;
}

static enum sw_status check_integer(int64_t node, const char *what, int64_t least)
{
    if (SW_TREE_IS_NESTED(node) || node == SW_TREE_ANY)
        return sw_error_set(SW_TYPE_ERROR, "conv_general: an entry of the %s is no integer", what);
    if (node < least)
        return sw_error_set(SW_VALUE_ERROR, "conv_general: %lld among the %s, at least %lld is expected",
                            (long long)node, what, (long long)least);
    return SW_OK;
}

/* Whole lists one after another, so that the first fault is the first one in the order of the arguments. */
static enum sw_status read_ones(const struct sw__conv *conv, const struct sw_operand *operand, const char *what,
                                size_t field)
{
    const struct sw_tree *list = NULL;

    SW__TRY(list_of(operand, what, conv->n_spatial, &list));
    for (size_t i = 0, node = 0; i < conv->n_spatial; i++, node = sw__tree_next(list->nodes, node)) {
        SW__TRY(check_integer(list->nodes[node], what, 1));
        *(int64_t *)(void *)((char *)&conv->windows[i] + field) = list->nodes[node];
    }
    return SW_OK;
}

static enum sw_status read_padding(const struct sw__conv *conv, const struct sw_operand *operand)
{
    const struct sw_tree *list = NULL;

    SW__TRY(list_of(operand, "padding", conv->n_spatial, &list));
    for (size_t i = 0, node = 0; i < conv->n_spatial; i++, node = sw__tree_next(list->nodes, node)) {
        const int64_t *pair = &list->nodes[node];
        if (pair[0] != SW_TREE_NESTED(2))
            return sw_error_set(SW_TYPE_ERROR, "conv_general: entry %zu of the padding is no pair", i);
        SW__TRY(check_integer(pair[1], "padding", 0));
        SW__TRY(check_integer(pair[2], "padding", 0));
        conv->windows[i].pad_low = pair[1];
        conv->windows[i].pad_high = pair[2];
    }
    return SW_OK;
}

static enum sw_status read_lists(const struct sw__conv *conv, const struct sw_operand *operands)
{
    SW__TRY(read_ones(conv, &operands[STRIDES], "strides", offsetof(struct sw__window, stride)));
    SW__TRY(read_ones(conv, &operands[LHS_DILATION], "lhs_dilation", offsetof(struct sw__window, lhs_dilation)));
    SW__TRY(read_ones(conv, &operands[KERNEL_DILATION], "kernel_dilation",
                      offsetof(struct sw__window, kernel_dilation)));
    return read_padding(conv, &operands[PADDING]);
}

/* ---- Geometry -------------------------------------------------------------------------- */

static enum sw_status check_ranks(const struct sw_tree *in, const struct sw_tree *kernel)
{
    if (in->n_modes < 3 || in->n_modes != kernel->n_modes)
        return sw_error_set(SW_VALUE_ERROR, "conv_general takes operands of one rank, at least 3, not %u and %u",
                            in->n_modes, kernel->n_modes);
    if (in->n_nodes - sw__tree_mode_node(in, 2) != in->n_modes - 2 ||
        kernel->n_nodes - sw__tree_mode_node(kernel, 2) != kernel->n_modes - 2)
        return sw_error_set(SW_VALUE_ERROR, "conv_general: a spatial mode is nested");
    return SW_OK;
}

static enum sw_status read_groups(struct sw__conv *conv, const struct sw_operand *operand)
{
    const int64_t in = sw__axis_extent(conv->in, 1), out = sw__axis_extent(conv->kernel, 0);

    if (operand->kind != SW_OPERAND_INTEGER)
        return sw_error_set(SW_TYPE_ERROR, "conv_general: the number of groups must be an integer");
    conv->groups = operand->as.integer;
    if (conv->groups < 1 || in % conv->groups != 0 || out % conv->groups != 0)
        return sw_error_set(SW_VALUE_ERROR, "conv_general: %lld groups of %lld and %lld features",
                            (long long)conv->groups, (long long)in, (long long)out);
    conv->in_features = in / conv->groups;
    conv->out_features = out / conv->groups;
    if (sw__axis_extent(conv->kernel, 1) != conv->in_features)
        return sw_error_set(SW_VALUE_ERROR, "conv_general: a kernel for %lld features, the operand has %lld per group",
                            (long long)sw__axis_extent(conv->kernel, 1), (long long)conv->in_features);
    return SW_OK;
}

/* Positions of something that is @extent wide with @dilation between its elements. */
static int dilated(int64_t extent, int64_t dilation, int64_t *ret_width)
{
    return sw__mul_fits(extent - 1, dilation, ret_width) && sw__add_fits(*ret_width, 1, ret_width);
}

static enum sw_status set_extent(struct sw__window *window)
{
    int64_t width, kernel_width;

    if (!dilated(window->in, window->lhs_dilation, &width) || !sw__add_fits(width, window->pad_low, &width) ||
        !sw__add_fits(width, window->pad_high, &width) ||
        !dilated(window->kernel, window->kernel_dilation, &kernel_width))
        return sw_error_set(SW_OVERFLOW_ERROR, "conv_general: a padded extent leaves 64 bits");
    if (kernel_width > width)
        return sw_error_set(SW_VALUE_ERROR, "conv_general: a kernel %lld wide on %lld positions",
                            (long long)kernel_width, (long long)width);
    window->out = (width - kernel_width) / window->stride + 1;
    return SW_OK;
}

static enum sw_status set_offsets(struct sw__window *window)
{
    window->offsets = sw__alloc_rows(window->out, window->kernel, sizeof *window->offsets);
    if (window->offsets == NULL)
        return SW_MEMORY_ERROR;
    for (int64_t o = 0; o < window->out; o++) {
        for (int64_t p = 0; p < window->kernel; p++) {
            const int64_t at = o * window->stride + p * window->kernel_dilation - window->pad_low;
            const int64_t read = at / window->lhs_dilation;
            const int is_read = at >= 0 && at % window->lhs_dilation == 0 && read < window->in;
            window->offsets[p + window->kernel * o] = is_read ? read * window->in_stride : -1;
        }
    }
    return SW_OK;
}

/* The spatial extents of both operands, which are the last leaves. */
static void set_leaves(struct sw__conv *conv)
{
    const struct sw_layout *in = conv->in->layout, *kernel = conv->kernel->layout;

    for (size_t i = 0; i < conv->n_spatial; i++) {
        const size_t from_end = conv->n_spatial - i;
        conv->windows[i].in = in->extents[in->n_leaves - from_end];
        conv->windows[i].in_stride = in->strides[in->n_leaves - from_end];
        conv->windows[i].kernel = kernel->extents[kernel->n_leaves - from_end];
    }
}

enum sw_status sw__conv_init(struct sw__conv *conv, const struct sw_operand *operands)
{
    conv->in = operands[IN].as.tensor;
    conv->kernel = operands[KERNEL].as.tensor;
    SW__TRY(check_ranks(conv->in->layout->shape, conv->kernel->layout->shape));
    conv->n_spatial = conv->in->layout->shape->n_modes - 2;
    conv->windows = sw__alloc_zero(conv->n_spatial * sizeof *conv->windows);
    if (conv->windows == NULL)
        return SW_MEMORY_ERROR;
    set_leaves(conv);
    SW__TRY(read_lists(conv, operands));
    SW__TRY(read_groups(conv, &operands[GROUPS]));
    conv->batch = sw__axis_extent(conv->in, 0);
    conv->n_taps = conv->n_positions = 1;
    for (size_t i = 0; i < conv->n_spatial; i++) {
        SW__TRY(set_extent(&conv->windows[i]));
        conv->n_taps *= conv->windows[i].kernel;
        if (!sw__mul_fits(conv->n_positions, conv->windows[i].out, &conv->n_positions))
            return sw_error_set(SW_OVERFLOW_ERROR, "conv_general: the size of the result leaves 64 bits");
    }
    for (size_t i = 0; i < conv->n_spatial; i++)
        SW__TRY(set_offsets(&conv->windows[i]));
    return SW_OK;
}

enum sw_status sw__conv_shape(const struct sw__conv *conv, struct sw_tree **ret_shape)
{
    const struct sw_tree *in = conv->in->layout->shape, *kernel = conv->kernel->layout->shape;
    struct sw_tree *spatial SW__OWNED_TREE = NULL;
    int64_t *extents SW__OWNED = sw__alloc(conv->n_spatial * sizeof *extents);

    if (extents == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < conv->n_spatial; i++)
        extents[i] = conv->windows[i].out;
    SW__TRY(sw_tree_flat(extents, conv->n_spatial, &spatial));
    const struct sw__shape_part parts[] = { { in, 0, 1 }, { kernel, 0, 1 }, { spatial, 0, conv->n_spatial } };
    return sw__shape_join(parts, sizeof parts / sizeof parts[0], ret_shape);
}

/* ---- The family ------------------------------------------------------------------------- */

enum sw_status sw__conv_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    static const enum sw_dtype wanted[] = { SW_FLOAT32, SW_FLOAT32 };
    const struct sw__op *op = sw__op_of(operation);
    struct sw__conv conv SW__OWNED_CONV = { .windows = NULL };
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw__plan plan;

    SW__TRY(sw__check_arity(op, operands, n_operands, N_OPERANDS, 2));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    SW__TRY(sw__check_tensors(op, operands, wanted, 2));
    SW__TRY(sw__conv_init(&conv, operands));
    SW__TRY(sw__check_plan(op, operands, 2, options, scalars, &plan));
    SW__TRY(sw__conv_shape(&conv, &shape));
    SW__TRY(sw__tensor_allocate(conv.in, plan.output, shape, &result));
    SW__TRY(sw__conv_run(&conv, op->kernel, sw__dense_of(result->carrier)->data));
    *ret_tensor = sw__take(result);
    return SW_OK;
}
